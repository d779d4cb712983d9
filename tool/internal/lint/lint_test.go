package lint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/sarif"
	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

const module = `
-- go.mod --
module example.com/m

go 1.26
-- sum/sum.go --
package sum

func Mix(x uint32) uint32 { return x ^ x>>16 }
-- sum/sum_test.go --
package sum

import "testing"

func BenchmarkMix(b *testing.B) {
	for i := 0; i < b.N; i++ {
		Mix(uint32(i))
	}
}

func BenchmarkStopped(b *testing.B) {
	s := "ä"
	for i := 0; i < b.N; i++ {
		_, _ = "äöü", func() { b.StopTimer() }
		b.StopTimer()
		s += "x"
		b.StartTimer()
	}
}

func BenchmarkMeant(b *testing.B) {
	for i := 0; i < b.N; i++ {
		//payoff:ignore benchvet the empty loop is what is wanted
		Mix(uint32(i))
	}
}

//payoff:ignore benchvet there was something once
func BenchmarkGood(b *testing.B) {
	for b.Loop() {
		Mix(1)
	}
}
-- broken/broken.go --
package broken

func f() int { return "no" }

func g() int { return nothing }
`

func write(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	return dir
}

func check(t *testing.T, dir string, o Options, patterns ...string) *Report {
	t.Helper()
	c, err := Load(context.Background(), dir, "", patterns)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Check(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func textOf(t *testing.T, r *Report, dir string) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Text(&b, dir); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What the source says alone, what a run shows, what a trial confirmed; what does
// not load is left out, with the next step.
func TestCheck(t *testing.T) {
	dir := write(t, module)
	test := filepath.Join(dir, "sum", "sum_test.go")
	r := check(t, dir, Options{Only: []string{"benchvet"}}, "./...")
	r.Next = "payoff run ./..."
	want := `1 hint by the shape alone, 1 comment of no use in 1 package; 1 hint without evidence hidden (-hints); no recorded run of them
sum/sum_test.go:7:3: benchvet: the result of Mix is not used: the compiler inlines the call and leaves it out, and an empty loop is measured [HINT]
sum/sum_test.go:28:1: benchvet: payoff:ignore silences nothing: the check has no finding here; delete it
left out: example.com/m/broken: DIR/broken/broken.go:3:23: cannot use "no" (untyped string constant) as int value in return statement (and more): mend it; go vet example.com/m/broken shows all
next: payoff run ./...
`
	if got := strings.ReplaceAll(filepath.ToSlash(textOf(t, r, dir)), filepath.ToSlash(dir), "DIR"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}

	r = check(t, dir, Options{Only: []string{"benchvet"}, Hints: true, Heat: &heat.Map{Benches: []heat.Bench{{Package: "example.com/m/sum", Name: "BenchmarkStopped", Procs: 1, NS: 50}}},
		Confirmed: []Confirmed{{Check: "benchvet", File: test, Line: 7, Says: "loop: 2.00 times as fast"}}}, "./sum")
	r.Runs = []string{".payoff/runs/1"}
	want = `1 confirmed by a faster edit, 1 suspected by evidence, 1 comment of no use in 1 package; evidence of .payoff/runs/1
sum/sum_test.go:7:3: benchvet: the result of Mix is not used: the compiler inlines the call and leaves it out, and an empty loop is measured [CONFIRMED] (loop: 2.00 times as fast)
sum/sum_test.go:14:29: benchvet: the timer is stopped in each iteration, which takes microseconds and leaves the caches cold: a short operation is measured as it never runs [SUSPECTED] (BenchmarkStopped takes 50 ns an operation)
sum/sum_test.go:28:1: benchvet: payoff:ignore silences nothing: the check has no finding here; delete it
`
	if got := textOf(t, r, dir); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if f := r.Findings[0]; f.Func != "BenchmarkMix" || len(f.Fixes) != 1 || f.Fixes[0].Name != "loop" {
		t.Errorf("%+v: want the function and one fix", f)
	}
	if r.Lines < 35 || r.Lines > 45 {
		t.Errorf("%d lines were read, want those of two files", r.Lines)
	}
}

func TestCannotLoad(t *testing.T) {
	dir := write(t, module)
	for _, tt := range []struct{ pattern, want string }{
		{"./broken", "mend it; go vet example.com/m/broken shows all"},
		{"./nowhere", "go list"},
		{"./none...", "no packages match ./none...: name some as for go vet, like ./... for all"},
	} {
		if _, err := Load(context.Background(), dir, "", []string{tt.pattern}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.pattern, err, tt.want)
		}
	}
	if _, err := Checks([]string{"benchwet"}); err == nil || !strings.Contains(err.Error(), "did you mean benchvet?") {
		t.Errorf("an unknown check: %v", err)
	}
}

// Interrupted, it ends at once, in the loading and in the checks.
func TestInterrupted(t *testing.T) {
	dir := write(t, module)
	ctx, cancel := context.WithCancel(context.Background())
	c, err := Load(ctx, dir, "", []string{"./sum"})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := c.Check(ctx, Options{}); err != nil && !errors.Is(err, context.Canceled) { // the checks may be faster
		t.Errorf("the checks: %v", err)
	}
	if _, err := Load(ctx, dir, "", []string{"./sum"}); !errors.Is(err, context.Canceled) {
		t.Errorf("loading: %v, want canceled", err)
	}
}

func sample(dir string) *Report {
	file := filepath.Join(dir, "sum", "a b,c:%.go")
	return &Report{Runs: []string{"r"}, Packages: []string{"p"}, Findings: []Finding{
		{Check: "benchvet", Grade: shape.Suspected, Message: "100% of it,\nall: here", Evidence: "40 % of what X loses", Region: Region{file, 2, 5, 2, 9},
			Fixes: []Fix{{Edit: edit.Edit{Name: "swept"}, Values: []int{2}}, {Edit: edit.Edit{Name: "loop", Says: "loop"}, changes: []patch.Change{{File: file, Before: "1\n2\n3\n4\n5\n6\n7\n8\n9\n", After: "1\n2\n2½\n3\n4\n5\n6\n7\n8\n"}}}}},
		{Check: "benchvet", Grade: shape.Hint, Message: "cold", Region: Region{filepath.Join(filepath.Dir(dir), "elsewhere.go"), 1, 1, 1, 1}},
	}, Problems: []problem.Problem{{Package: "q", Reason: "no go file", Next: "add one"}}}
}

func TestGitHub(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "src")
	var b bytes.Buffer
	if err := sample(dir).GitHub(&b, dir); err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(b.String(), property(filepath.ToSlash(filepath.Dir(dir))), "DIR")
	want := `::warning file=sum/a b%2Cc%3A%25.go,line=2,col=5,endLine=2,endColumn=9,title=payoff benchvet::benchvet: 100%25 of it,\nall: here [SUSPECTED] (40 %25 of what X loses)
::notice file=DIR/elsewhere.go,line=1,col=1,endLine=1,endColumn=1,title=payoff benchvet::benchvet: cold [HINT]
::error title=payoff vet::q: no go file: add one
`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// The log has all properties that the schema of SARIF 2.1.0 requires, and none
// that it does not know; columns count characters.
func TestSARIF(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "src")
	r := sample(dir)
	if err := os.MkdirAll(filepath.Join(dir, "sum"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.Findings[0].File, []byte("one\nöö, and\n"), 0o644); err != nil {
		t.Skip(err) // a system whose files have other names
	}
	checks, err := Checks(nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.SARIF(&b, dir, "v1", checks); err != nil {
		t.Fatal(err)
	}
	var log any
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join("testdata", "sarif-2.1.0-part.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s schema
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	s.hold(t, "log", "log", log)
	at := func(path ...any) any {
		x := log
		for _, p := range path {
			switch p := p.(type) {
			case string:
				x = x.(map[string]any)[p]
			case int:
				x = x.([]any)[p]
			}
		}
		return x
	}
	place := []any{"runs", 0, "results", 0, "locations", 0, "physicalLocation"}
	change := []any{"runs", 0, "results", 0, "fixes", 0, "artifactChanges", 0}
	for _, tt := range []struct {
		path []any
		want any
	}{
		{append(slices.Clone(place), "region", "startColumn"), 3.0}, // bytes 1 to 4 are two characters
		{append(slices.Clone(place), "region", "endColumn"), 7.0},
		{append(slices.Clone(place), "artifactLocation", "uri"), "sum/a%20b,c:%25.go"},
		{append(slices.Clone(place), "artifactLocation", "uriBaseId"), "%SRCROOT%"},
		{append(slices.Clone(change), "artifactLocation", "uri"), "sum/a%20b,c:%25.go"},
		{append(slices.Clone(change), "replacements", 0, "deletedRegion", "startLine"), 3.0},
		{append(slices.Clone(change), "replacements", 0, "deletedRegion", "endLine"), 3.0}, // an insertion
		{append(slices.Clone(change), "replacements", 0, "insertedContent", "text"), "2½\n"},
		{append(slices.Clone(change), "replacements", 1, "deletedRegion", "startLine"), 9.0},
		{append(slices.Clone(change), "replacements", 1, "deletedRegion", "endLine"), 10.0},
		{append(slices.Clone(change), "replacements", 1, "insertedContent", "text"), ""},
		{[]any{"runs", 0, "results", 0, "level"}, "warning"},
		{[]any{"runs", 0, "results", 1, "level"}, "note"},
		{[]any{"runs", 0, "invocations", 0, "executionSuccessful"}, false},
		{[]any{"runs", 0, "tool", "driver", "rules", 0, "id"}, checks[0].Name},
	} {
		if got := at(tt.path...); got != tt.want {
			t.Errorf("%v = %v, want %v", tt.path, got, tt.want)
		}
	}
}

const edited = `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

import "sort"

func Sorted(xs []string) []string {
	sort.Slice(xs, func(i, j int) bool { return xs[i] < xs[j] })
	return xs
}

func Lengths(xs []string) []int {
	var out []int
	for _, x := range xs {
		out = append(out, len(x))
	}
	return out
}

func LengthsAtOnce(xs []string) []int {
	all := make(chan []int)
	go func() { all <- Lengths(xs) }()
	return <-all
}
`

// An edit is told in two forms that do the same: the replacements of SARIF, in
// the file as it is, and the diff.
func TestFixes(t *testing.T) {
	dir := write(t, edited)
	file := filepath.Join(dir, "m.go")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r := check(t, dir, Options{Hints: true})
	var b bytes.Buffer
	if err := r.SARIF(&b, dir, "v1", nil); err != nil {
		t.Fatal(err)
	}
	var log sarif.Log
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	var names []string
	for i, x := range log.Runs[0].Results {
		var diffs, want []string
		for _, fix := range r.Findings[i].Fixes {
			alone := fix.Needs == "" && fix.Values == nil
			if alone != (fix.Diff != "") {
				t.Errorf("%s of values %v, needing %q, has the diff %q", fix.Name, fix.Values, fix.Needs, fix.Diff)
			}
			if alone {
				names = append(names, r.Findings[i].Check+":"+fix.Name)
				want = append(want, fix.Says+"\n"+fix.Diff)
			}
		}
		for _, fix := range x.Fixes {
			if n := len(fix.Changes); n != 1 || fix.Changes[0].Artifact != (sarif.At{URI: "m.go", Base: "%SRCROOT%"}) {
				t.Fatalf("%s: %d files, want m.go", fix.Description, n)
			}
			after := replaced(string(before), fix.Changes[0].Replacements)
			diffs = append(diffs, fix.Description.Text+"\n"+patch.Diff(dir, []patch.Change{{File: file, Before: string(before), After: after}}))
		}
		if !slices.Equal(diffs, want) {
			t.Errorf("%s: the log has\n%s\nwant\n%s", x.RuleID, diffs, want)
		}
	}
	for _, want := range []string{"sortiface:typed", "hotalloc:presize"} {
		if !slices.Contains(names, want) {
			t.Errorf("edits %q, want %s", names, want)
		}
	}
	// What nothing proves is not offered unmeasured.
	if slices.Contains(names, "serialform:serial") || !slices.ContainsFunc(r.Findings, func(x Finding) bool {
		return slices.ContainsFunc(x.Refused, func(y edit.Refusal) bool {
			return y.Name == "serial" && y.Why == "nothing proves that Lengths comes to what LengthsAtOnce does: payoff fix tries whether it holds"
		})
	}) {
		t.Errorf("edits %q, want serialform:serial refused with its condition", names)
	}
}

// replaced is a file with replacements of lines of what it was.
func replaced(src string, all []sarif.Replacement) string {
	lines := strings.SplitAfter(src, "\n")
	for _, r := range slices.Backward(all) {
		lines = slices.Replace(lines, r.Deleted.StartLine-1, r.Deleted.EndLine-1, r.Inserted.Text)
	}
	return strings.Join(lines, "")
}

// A schema is the part of SARIF's that reports use: for each object its required
// and its known properties, with the objects they hold.
type schema map[string]struct {
	Required []string
	Known    map[string]string // "" for plain values; [] before an object for a list, {} for a map
}

func (s schema) hold(t *testing.T, where, kind string, v any) {
	t.Helper()
	if list, ok := strings.CutPrefix(kind, "[]"); ok {
		for _, x := range v.([]any) {
			s.hold(t, where+"[]", list, x)
		}
		return
	}
	if of, ok := strings.CutPrefix(kind, "{}"); ok {
		for _, x := range v.(map[string]any) {
			s.hold(t, where+"{}", of, x)
		}
		return
	}
	if kind == "" {
		return
	}
	object, ok := v.(map[string]any)
	if !ok {
		t.Errorf("%s is %T, want an object", where, v)
		return
	}
	is, ok := s[kind]
	if !ok {
		t.Fatalf("the schema has no %s", kind)
	}
	for _, name := range is.Required {
		if object[name] == nil {
			t.Errorf("%s has no %s, which %s requires", where, name, kind)
		}
	}
	for name, x := range object {
		of, ok := is.Known[name]
		if !ok {
			t.Errorf("%s has %s, which %s does not know", where, name, kind)
			continue
		}
		s.hold(t, where+"."+name, of, x)
	}
}

// TestAnswer: the first line counts each grade for itself, and says what was left out.
func TestAnswer(t *testing.T) {
	of := func(grades ...string) (all []Finding) {
		for _, g := range grades {
			all = append(all, Finding{Grade: g})
		}
		return all
	}
	for _, tt := range []struct {
		r    Report
		want string
	}{
		{Report{Packages: []string{"m"}}, "nothing found in 1 package; no recorded run of them"},
		{Report{Packages: []string{"m", "n"}, Hidden: 1, Runs: []string{"a", "b"}}, "nothing found in 2 packages; 1 hint without evidence hidden (-hints); evidence of a, b"},
		{Report{Hidden: 2, Findings: of("HINT", "CONFIRMED", "", "SUSPECTED", "HINT", "SUSPECTED", "SUSPECTED", "")},
			"1 confirmed by a faster edit, 3 suspected by evidence, 2 hints by the shape alone, 2 comments of no use in 0 packages; 2 hints without evidence hidden (-hints); no recorded run of them"},
	} {
		if got := tt.r.answer(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
	if n := (&Report{Findings: of("HINT", "CONFIRMED", "SUSPECTED", "HINT")}).Count("HINT", "SUSPECTED"); n != 3 {
		t.Errorf("%d hints and suspected, want 3", n)
	}
}

// TestTextOfNames: a file whose name has several lines is named in one, which no runner
// takes for a command.
func TestTextOfNames(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a\n::error file=x::y\n.go")
	r := &Report{Findings: []Finding{{Check: "benchvet", Grade: shape.Suspected, Message: "slow", Region: Region{file, 2, 5, 2, 9}}}, Next: "payoff run '" + file + "'"}
	var b bytes.Buffer
	if err := r.Text(&b, dir); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n != 3 || strings.Contains(b.String(), "\n::") {
		t.Errorf("%d lines, want 3, none a command:\n%s", n, &b)
	}
}
