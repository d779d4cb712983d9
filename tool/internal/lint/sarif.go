package lint

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// The part of SARIF 2.1.0 that a report has.
//
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		ColumnKind  string             `json:"columnKind"`
		Bases       map[string]sarifAt `json:"originalUriBaseIds"`
		Invocations []sarifInvocation  `json:"invocations"`
		Results     []sarifResult      `json:"results"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
		Full  sarifText `json:"fullDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifResult struct {
		RuleID     string          `json:"ruleId"`
		RuleIndex  int             `json:"ruleIndex"`
		Level      string          `json:"level"`
		Message    sarifText       `json:"message"`
		Locations  []sarifLocation `json:"locations"`
		Fixes      []sarifFix      `json:"fixes,omitempty"`
		Properties map[string]any  `json:"properties,omitempty"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact sarifAt     `json:"artifactLocation"`
			Region   sarifRegion `json:"region"`
		} `json:"physicalLocation"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"` // one for each file
	}
	sarifChange struct {
		Artifact     sarifAt            `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"` // empty: an insertion
		Inserted sarifText   `json:"insertedContent"`
	}
	sarifAt struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
)

// SARIF writes the report as a SARIF 2.1.0 log of one run. Files are named from
// root.
func (r *Report) SARIF(w io.Writer, root, version string, checks []*analysis.Analyzer) error {
	var run sarifRun
	run.Tool.Driver = sarifDriver{Name: "payoff", Version: version, Rules: []sarifRule{}}
	for _, a := range checks {
		title, rest, _ := strings.Cut(a.Doc, "\n")
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{a.Name, sarifText{title}, sarifText{strings.TrimSpace(title + "\n" + rest)}})
	}
	run.ColumnKind = "unicodeCodePoints"
	run.Bases = map[string]sarifAt{"%SRCROOT%": {URI: fileURI(root) + "/"}}
	did := sarifInvocation{Successful: len(r.Problems) == 0}
	for _, p := range r.Problems {
		did.Notifications = append(did.Notifications, sarifNotification{"error", sarifText{p.String()}})
	}
	run.Invocations = []sarifInvocation{did}
	run.Results = []sarifResult{}
	text := lines{}
	for _, f := range r.Findings {
		x := sarifResult{
			RuleID: f.Check, RuleIndex: slices.IndexFunc(checks, func(a *analysis.Analyzer) bool { return a.Name == f.Check }),
			Level: "warning", Message: sarifText{f.Message},
		}
		if f.Evidence != "" {
			x.Message.Text += " (" + f.Evidence + ")"
		}
		if f.Grade == shape.Hint || f.Grade == "" {
			x.Level = "note"
		}
		if f.Grade != "" {
			x.Properties = map[string]any{"grade": f.Grade}
		}
		var at sarifLocation
		at.Physical.Artifact = artifact(root, f.File)
		at.Physical.Region = sarifRegion{f.Line, text.column(f.File, f.Line, f.Column), f.EndLine, text.column(f.File, f.EndLine, f.EndColumn)}
		x.Locations = []sarifLocation{at}
		for _, fix := range f.Fixes {
			if len(fix.changes) > 0 {
				x.Fixes = append(x.Fixes, fix.sarif(root))
			}
		}
		run.Results = append(run.Results, x)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\t")
	return enc.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

func (f *Fix) sarif(root string) sarifFix {
	x := sarifFix{Description: sarifText{f.Says}}
	for _, c := range f.changes {
		_, hunks, _ := strings.Cut(patch.Diff(root, []patch.Change{c}), "\n@@")
		x.Changes = append(x.Changes, sarifChange{artifact(root, c.File), replacements("@@" + hunks)})
	}
	return x
}

// replacements are the hunks of a unified diff, without the lines that stay.
func replacements(hunks string) (all []sarifReplacement) {
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
			all = append(all, sarifReplacement{Deleted: sarifRegion{line, 1, line, 1}})
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

func artifact(root, file string) sarifAt {
	if name := slash(root, file); !filepath.IsAbs(filepath.FromSlash(name)) {
		return sarifAt{(&url.URL{Path: name}).EscapedPath(), "%SRCROOT%"}
	}
	return sarifAt{URI: fileURI(file)}
}

func fileURI(file string) string {
	name := filepath.ToSlash(file)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // C:/…
	}
	return (&url.URL{Scheme: "file", Path: strings.TrimSuffix(name, "/")}).String()
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
