package lint

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/sarif"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// SARIF writes the report as a SARIF 2.1.0 log of one run. Files are named from
// root.
func (r *Report) SARIF(w io.Writer, root, version string, checks []*analysis.Analyzer) error {
	run := sarif.Run{Results: []sarif.Result{}}
	run.Tool.Driver = sarif.Driver{Name: "payoff", Version: version, Rules: []sarif.Rule{}}
	for _, a := range checks {
		title, rest, _ := strings.Cut(a.Doc, "\n")
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarif.Rule{ID: a.Name, Short: sarif.Message{Text: title}, Full: sarif.Message{Text: strings.TrimSpace(title + "\n" + rest)}})
	}
	run.ColumnKind = "unicodeCodePoints"
	run.Bases = map[string]sarif.At{"%SRCROOT%": sarif.Folder(root)}
	did := sarif.Invocation{Successful: len(r.Problems) == 0}
	for _, p := range r.Problems {
		did.Notifications = append(did.Notifications, sarif.Notification{Level: "error", Message: sarif.Text(p.String())})
	}
	run.Invocations = []sarif.Invocation{did}
	text := lines{}
	for _, f := range r.Findings {
		says := f.Message
		if f.Evidence != "" {
			says += " (" + f.Evidence + ")"
		}
		x := sarif.Result{
			RuleID: f.Check, RuleIndex: slices.IndexFunc(checks, func(a *analysis.Analyzer) bool { return a.Name == f.Check }),
			Level: "warning", Message: sarif.Text(says),
		}
		if f.Grade == shape.Hint || f.Grade == "" {
			x.Level = "note"
		}
		if f.Grade != "" {
			x.Properties = map[string]any{"grade": f.Grade}
		}
		x.Locations = []sarif.Location{{Physical: sarif.Physical{
			Artifact: artifact(root, f.File),
			Region:   sarif.Region{StartLine: f.Line, StartColumn: text.column(f.File, f.Line, f.Column), EndLine: f.EndLine, EndColumn: text.column(f.File, f.EndLine, f.EndColumn)},
		}}}
		for _, fix := range f.Fixes {
			if len(fix.changes) > 0 {
				x.Fixes = append(x.Fixes, fix.sarif(root))
			}
		}
		run.Results = append(run.Results, x)
	}
	return sarif.Write(w, run)
}

func (f *Fix) sarif(root string) sarif.Fix {
	x := sarif.Fix{Description: sarif.Text(f.Says)}
	for _, c := range f.changes {
		_, hunks, _ := strings.Cut(patch.Diff(root, []patch.Change{c}), "\n@@")
		x.Changes = append(x.Changes, sarif.Change{Artifact: artifact(root, c.File), Replacements: replacements("@@" + hunks)})
	}
	return x
}

// replacements are the hunks of a unified diff, without the lines that stay.
func replacements(hunks string) (all []sarif.Replacement) {
	line, changing := 0, false
	for text := range strings.Lines(hunks) {
		if text[0] != '-' && text[0] != '+' {
			changing = false
			switch text[0] {
			case ' ':
				line++
			case '@':
				fmt.Sscanf(text, "@@ -%d", &line)
			}
			continue
		}
		if !changing {
			changing = true
			all = append(all, sarif.Replacement{Deleted: sarif.Region{StartLine: line, StartColumn: 1, EndLine: line, EndColumn: 1}})
		}
		r := &all[len(all)-1]
		if text[0] == '+' {
			r.Inserted.Text += text[1:]
		} else {
			line++
			r.Deleted.EndLine = line
		}
	}
	return all
}

func artifact(root, file string) sarif.At {
	if name := slash(root, file); !filepath.IsAbs(filepath.FromSlash(name)) {
		at := sarif.Relative(name)
		at.Base = "%SRCROOT%"
		return at
	}
	return sarif.File(file)
}

// lines are files by their lines: Go counts columns in bytes, SARIF in
// characters.
type lines map[string][]string

func (l lines) column(file string, line, column int) int {
	text, ok := l[file]
	if !ok {
		data, _ := os.ReadFile(file) // gone since: the bytes will do
		text = strings.Split(string(data), "\n")
		l[file] = text
	}
	if line < 1 || line > len(text) || column < 1 || column-1 > len(text[line-1]) {
		return max(column, 1)
	}
	return utf8.RuneCountInString(text[line-1][:column-1]) + 1
}
