package lint

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/gopayoff/payoff/tool/vet/shape"
)

// GitHub writes the report as workflow commands, which GitHub shows beside the
// lines of a pull request. Files are named from root.
//
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
func (r *Report) GitHub(w io.Writer, root string) error {
	var b strings.Builder
	for _, f := range r.Findings {
		level := "warning"
		if f.Grade == shape.Hint || f.Grade == "" {
			level = "notice"
		}
		fmt.Fprintf(&b, "::%s file=%s,line=%d,col=%d,endLine=%d,endColumn=%d,title=%s::%s\n",
			level, property(slash(root, f.File)), f.Line, f.Column, f.EndLine, f.EndColumn, property("payoff "+f.Check), data(f.says()))
	}
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "::error title=payoff vet::%s\n", data(p.String()))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// data escapes the text of a workflow command, property one of its values.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(s))
}

// slash is file as seen from root, with slashes; as it is if it lies elsewhere.
func slash(root, file string) string {
	rel, err := filepath.Rel(root, file)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(rel)
}
