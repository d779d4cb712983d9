package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gopayoff/payoff/tool/internal/history"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/lint"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/report/ci"
	"github.com/gopayoff/payoff/tool/internal/report/text"
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/internal/tune"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// put writes a file, and the folders above it.
func put(t *testing.T, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// inTheWay makes a folder with a file in it where a file is to be written.
func inTheWay(t *testing.T, file string) { t.Helper(); put(t, filepath.Join(file, "in the way"), "") }

// replayedFix is the end of the replay of a run in which an edit was confirmed.
func replayedFix(t *testing.T) session.End {
	t.Helper()
	end := replayOf(t.Context(), filepath.Join("testdata", "fix"), session.Wanted)
	if end.Err != nil || end.Doc == nil {
		t.Fatal(end.Err)
	}
	return end
}

// The report decides the exit code: what could not be measured, then whether anything
// was compared, then, where that was asked for, what loses. Problems that the format
// of the report does not show a person go to standard error, notes do not.
func TestResult(t *testing.T) {
	bad := problem.Problem{Package: "example.com/m", Reason: "cannot be built", Next: "mend it"}
	note := problem.Problem{Package: "example.com/m", Reason: "a remark", Next: "no matter", Note: true}
	measured := []report.Package{{Samples: 0}, {Samples: 1}}
	of := func(words ...judge.Word) (all []report.Comparison) {
		for _, w := range words {
			all = append(all, report.Comparison{Verdict: w})
		}
		return all
	}
	for _, tt := range []struct {
		name     string
		out      output
		doc      report.Doc
		want     error
		err      string
		onStderr string
	}{
		{"all pays", output{format: "text", exitCode: true}, report.Doc{Packages: measured, Comparisons: of(judge.Pays, judge.Even, judge.CannotSay)}, nil, "", ""},
		{"one loses", output{format: "text", exitCode: true}, report.Doc{Packages: measured, Comparisons: of(judge.Pays, judge.Loses)}, errFindings, "", ""},
		{"one loses, and nobody asked", output{format: "text"}, report.Doc{Packages: measured, Comparisons: of(judge.Loses)}, nil, "", ""},
		{"a note", output{format: "json", exitCode: true}, report.Doc{Packages: measured, Comparisons: of(judge.Loses), Problems: []problem.Problem{note}}, errFindings, "", ""},
		{"a problem in text", output{format: "text", exitCode: true}, report.Doc{Packages: measured, Comparisons: of(judge.Loses), Problems: []problem.Problem{note, bad}}, errReported, "", ""},
		{"a problem in JSON", output{format: "json"}, report.Doc{Packages: measured, Comparisons: of(judge.Pays), Problems: []problem.Problem{note, bad}}, errReported, "", "payoff: " + bad.String() + "\n"},
		{"a problem in benchfmt", output{format: "benchfmt"}, report.Doc{Problems: []problem.Problem{bad, note}}, errReported, "", "payoff: " + bad.String() + "\n"},
		{"no comparison", output{format: "text", exitCode: true}, report.Doc{Packages: measured}, nil, "nothing was compared", ""},
		{"no sample", output{format: "text"}, report.Doc{Packages: measured[:1], Comparisons: of(judge.Pays)}, nil, "nothing was compared", ""},
	} {
		var stderr bytes.Buffer
		err := tt.out.result(&tt.doc, &stderr)
		if tt.err != "" && !errSays(err, tt.err) || tt.err == "" && !errors.Is(err, tt.want) || stderr.String() != tt.onStderr {
			t.Errorf("%s: %v, %q, want %v%s, %q", tt.name, err, stderr.String(), tt.want, tt.err, tt.onStderr)
		}
	}
}

// What payoff ci found decides its exit code: an error before all, then a broken rule,
// which nothing else hides, then what could not be measured. A machine too noisy for
// the rules is no failure.
func TestGated(t *testing.T) {
	broken := errors.New("interrupted")
	gate := func(refused string, failed ...string) report.Doc {
		return report.Doc{Compared: &report.Compared{Gate: &report.Gate{Refused: refused, Failed: failed}}}
	}
	failing, noted, both := gate("too noisy"), gate(""), gate("", "loses")
	noted.Problems = []problem.Problem{{Package: "p", Reason: "fails, before the change as well", Next: "mend it", Note: true}}
	failing.Problems = []problem.Problem{{Package: "p", Reason: "cannot be built", Next: "mend it"}}
	both.Problems = failing.Problems
	for _, tt := range []struct {
		name, format string
		doc          report.Doc
		err, want    error
		says         string
	}{
		{"nothing broken", "json", gate(""), nil, nil, ""}, {"a rule", "json", gate("", "loses"), nil, errFindings, ""},
		{"refused", "json", gate("too noisy"), nil, nil, "payoff: not judged: too noisy\n"}, {"refused in text", "text", gate("too noisy"), nil, nil, ""},
		{"a problem", "sarif", failing, nil, errReported, "payoff: p: cannot be built: mend it\npayoff: not judged: too noisy\n"}, {"a problem in text", "text", failing, nil, errReported, ""},
		{"a rule, and a problem", "json", both, nil, errFindings, "payoff: p: cannot be built: mend it\n"}, {"what failed before", "json", noted, nil, nil, ""},
		{"an error", "json", both, broken, broken, "payoff: p: cannot be built: mend it\n"},
	} {
		var stderr bytes.Buffer
		if err := gated(session.End{Doc: &tt.doc, Err: tt.err}, tt.format, &stderr); !errors.Is(err, tt.want) || stderr.String() != tt.says {
			t.Errorf("%s: %v, %q, want %v, %q", tt.name, err, stderr.String(), tt.want, tt.says)
		}
	}
}

// payoff vet exits with 1 where that was asked for and evidence points at something.
func TestVetted(t *testing.T) {
	of := func(grade string) []lint.Finding { return []lint.Finding{{Grade: shape.Hint}, {Grade: grade}} }
	for _, tt := range []struct {
		grade string
		asked bool
		want  error
	}{{shape.Confirmed, true, errFindings}, {shape.Suspected, true, errFindings}, {shape.Hint, true, nil}, {shape.Confirmed, false, nil}, {"", true, nil}} {
		r := &lint.Report{Findings: of(tt.grade)}
		if err := vetted(r, tt.asked); !errors.Is(err, tt.want) {
			t.Errorf("%q, asked %t: %v, want %v", tt.grade, tt.asked, err, tt.want)
		}
		if r.Problems = make([]problem.Problem, 1); !errors.Is(vetted(r, tt.asked), errReported) {
			t.Errorf("%q with a problem: %v, want %v", tt.grade, vetted(r, tt.asked), errReported)
		}
	}
	v := vetting{packages: []string{"./a b"}}
	for _, tt := range []struct {
		runs   []string
		grades []string
		want   string
	}{
		{nil, []string{shape.Suspected}, "payoff run './a b'"}, {[]string{"r", "s"}, []string{shape.Confirmed, shape.Suspected}, "payoff fix './a b'"},
		{[]string{"r", "s"}, []string{shape.Confirmed, shape.Hint}, "payoff fix -apply -from r"}, {[]string{"r"}, []string{shape.Hint}, ""},
	} {
		r := &lint.Report{Runs: tt.runs}
		for _, g := range tt.grades {
			r.Findings = append(r.Findings, lint.Finding{Grade: g})
		}
		if got := v.next(r); got != tt.want {
			t.Errorf("runs %q, %q: next %q, want %q", tt.runs, tt.grades, got, tt.want)
		}
	}
}

// A failing writer.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// Exit codes of commands that measure nothing: 2 after an error, said once and with
// nothing on standard output; a reader that has seen enough is no error.
func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	fix, err := filepath.Abs(filepath.Join("testdata", "fix"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, tt := range []struct{ line, says string }{
		{"walk", `no command "walk"`}, {"-nope", "flag provided but not defined: -nope"}, {"run -budget soon", "payoff run -help shows the flags"}, {"explain nosuch", `no cause "nosuch"`},
		{"run -format xml", `-format "xml": want text, json or benchfmt`}, {"run -json -format text", "-json and -format text exclude each other"},
		{"replay", "replay wants one folder"}, {"replay a b", "replay wants one folder"}, {"replay none", "none is no recorded run"}, {"replay -format xml " + fix, `-format "xml"`},
		{"show a b", "show wants one run"}, {"report a b", "report wants one run"}, {"report ./none", "no recorded run"}, {"serve x", "serve takes no arguments"}, {"machine x", "machine takes no arguments"}, {"machine -budget 0s", "-budget 0s: want more than 0"},
		{"log -n -1", "-n -1: want a number of runs"}, {"prune", "prune wants -keep or -older"}, {"prune x", "prune takes no arguments"}, {"prune -keep -1", "-keep -1: want a number of runs"}, {"prune -older soon", `-older "soon": want an age`},
		{"why -from " + fix + " -procs 1", "leave out -procs"}, {"why -from " + fix + " X ./a", "name none"}, {"compare", "compare wants one or two commits"}, {"compare a b c", "compare wants one or two commits"},
		{"ci -format html", `-format "html": want text, markdown, github, json or sarif`}, {"ci -fail-on slower:10%", "no such rule"}, {"vet -format html", `-format "html": want text, json, sarif or github`}, {"vet -only nosuch", "-only"}, {"vet -json -format sarif", "exclude each other"},
		{"fix -undo none", "none holds no edits that were applied"}, {"fix -only nosuch", "no check has that name"}, {"tune -undo none", "none holds no edits that were applied"}, {"tune -from none -values 3", "leave out -values"}, {"tune -from none ./a", "name none"},
		{"gallery nosuch", "gallery has no command"}, {"gallery show", "gallery show wants one folder"}, {"gallery check", "gallery check wants one folder"}, {"gallery show -format csv x", `-format "csv": want text, json or markdown`}, {"gallery run -format csv x", `-format "csv"`},
		{"gallery run nosuch", `no case "nosuch"`}, {"gallery run", "gallery run wants the names of cases"}, {"gallery run -all falseshare", "-all takes all cases: name none"},
	} {
		var out, errs bytes.Buffer
		if code := run(append([]string{"payoff"}, strings.Fields(tt.line)...), &out, &errs); code != exitFailed || out.Len() > 0 || strings.Count(errs.String(), "payoff: ") != 1 || !strings.Contains(errs.String(), tt.says) {
			t.Errorf("payoff %s: exit code %d, %q, %q, want %d and %q", tt.line, code, out.String(), errs.String(), exitFailed, tt.says)
		}
	}
	full := errors.New("no space left")
	for _, tt := range []struct {
		line string
		err  error
		code int
		says string
	}{
		{"explain falseshare", syscall.EPIPE, exitOK, ""}, {"explain falseshare", full, exitFailed, "payoff: no space left\n"},
		{"replay " + fix, syscall.EPIPE, exitOK, ""}, {"replay " + fix, full, exitFailed, "payoff: writing the report: no space left: payoff replay "}, {"fix -from " + fix, full, exitFailed, "payoff: "},
	} {
		var errs bytes.Buffer
		if code := run(append([]string{"payoff"}, strings.Fields(tt.line)...), failing{tt.err}, &errs); code != tt.code || !strings.HasPrefix(errs.String(), tt.says) || tt.says == "" && errs.Len() > 0 {
			t.Errorf("payoff %s, standard output says %v: exit code %d, %q, want %d, %q", tt.line, tt.err, code, errs.String(), tt.code, tt.says)
		}
	}
}

// A page is written whole or not at all: what was in the file stays, and nothing is left
// beside it.
func TestWriteHTML(t *testing.T) {
	end := replayedFix(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	put(t, file, "before")
	if err := writeHTML(file, end); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(file); err != nil || !bytes.Contains(data, []byte("</html>")) || !bytes.Contains(data, []byte("BenchmarkCount")) {
		t.Errorf("%d bytes, %v, want a page with its samples", len(data), err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o644 && filepath.Separator == '/' {
		t.Errorf("%v, %v, want a file that others read", info.Mode(), err)
	}
	way := filepath.Join(dir, "way.html")
	inTheWay(t, way)
	for _, name := range []string{way, filepath.Join(dir, "none", "page.html")} {
		if err := writeHTML(name, end); err == nil {
			t.Errorf("%s: no error", name)
		}
		var stderr bytes.Buffer
		if err := (output{html: name}).page(end, &stderr); !errSays(err, "writing the page: ") || !errSays(err, "replay -html") || stderr.Len() > 0 {
			t.Errorf("%s: %v, %q", name, err, stderr.String())
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.new")); err != nil || len(left) > 0 {
		t.Errorf("left: %q, %v", left, err)
	}
	var stderr bytes.Buffer
	if err := (output{html: file}).page(end, &stderr); err != nil || stderr.String() != "page: "+file+"\n" {
		t.Errorf("%v, %q", err, stderr.String())
	}
	if err := (output{}).page(end, io.Discard); err != nil {
		t.Errorf("none is asked for: %v", err)
	}
	// The formats have what they are named by.
	for format, want := range map[string]string{"json": `"schema"`, "benchfmt": "pkg: example.com/demo", "text": "An edit pays"} {
		var b bytes.Buffer
		o, err := output{format: format}, error(nil)
		o.text = text.Any
		if err = o.write(end, &b); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%s: %v, %d bytes without %q", format, err, b.Len(), want)
		}
	}
}

// Edits are applied once, and taken back once; where one of the files cannot be written
// the record says nothing of it.
func TestApply(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	put(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.22\n")
	rec := filepath.Join(dir, "rec")
	a, b := filepath.Join(dir, "a.go"), filepath.Join(dir, "b.go")
	changes := []patch.Change{{File: a, Before: "package a\n", After: "package b\n"}, {File: b, Before: "1\n", After: "2\n"}}
	put(t, filepath.Join(rec, "run.json"), "{}")
	if err := (&tune.Saved{Changes: changes}).Save(rec); err != nil {
		t.Fatal(err)
	}
	tree := patch.Tree{dir}
	put(t, a, changes[0].Before)
	put(t, b, "3\n")
	applied := filepath.Join(rec, appliedFile)
	holds := func(what, wantA, wantB string, record bool) {
		t.Helper()
		gotA, _ := os.ReadFile(a)
		gotB, _ := os.ReadFile(b)
		if string(gotA) != wantA || string(gotB) != wantB || exists(applied) != record {
			t.Errorf("%s: %q, %q, %s is there %t, want %q, %q, %t", what, gotA, gotB, appliedFile, exists(applied), wantA, wantB, record)
		}
	}
	if err := apply("fix", rec, tree, changes); !errSays(err, "has changed meanwhile") {
		t.Errorf("of a file that was edited: %v", err)
	}
	holds("a file that was edited", "package a\n", "3\n", false)
	put(t, b, "1\n")
	if err := apply("fix", filepath.Join(dir, "none"), tree, changes); err == nil {
		t.Error("without a record: no error")
	}
	holds("without a record", "package a\n", "1\n", false)
	if err := apply("fix", rec, tree, changes); err != nil {
		t.Fatal(err)
	}
	holds("applied", "package b\n", "2\n", true)
	if err := apply("fix", rec, tree, changes); !errSays(err, "are applied already: payoff fix -undo ") {
		t.Errorf("applied again: %v", err)
	}
	put(t, a, "edited\n")
	if err := undo(t.Context(), rec, io.Discard); !errSays(err, "has changed meanwhile") {
		t.Errorf("what was edited since: %v", err)
	}
	holds("what was edited since", "edited\n", "2\n", true)
	for _, name := range []string{session.TunedFile, session.PatchFile} { // the one that is asked for first comes last
		put(t, filepath.Join(rec, name), "")
		if err := undo(t.Context(), rec, io.Discard); !errSays(err, "git apply -R "+filepath.Join(rec, name)+" may take back a part") {
			t.Errorf("with %s: %v", name, err)
		}
	}
	put(t, a, "package b\n")
	var out bytes.Buffer
	if err := undo(t.Context(), rec, &out); err != nil || out.String() != fmt.Sprintf("restored %s\nrestored %s\nnext: payoff replay %s\n", a, b, rec) {
		t.Errorf("%v, %q", err, out.String())
	}
	holds("taken back", "package a\n", "1\n", false)
	if err := undo(t.Context(), rec, io.Discard); !errSays(err, "holds no edits that were applied") {
		t.Errorf("taken back again: %v", err)
	}
	put(t, applied, "{")
	if err := undo(t.Context(), rec, io.Discard); err == nil {
		t.Error("of a damaged record: no error")
	}
	if full := errors.New("full"); !errors.Is(func() error {
		if err := os.Remove(applied); err != nil {
			return err
		}
		if err := apply("fix", rec, tree, changes); err != nil {
			return err
		}
		return undo(t.Context(), rec, failing{full})
	}(), full) {
		t.Error("standard output is full: no error")
	}
}

// What was interrupted is not written, and what is only wanted as a patch not applied.
func TestFixWrites(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "fix.patch")
	doc := replayedFix(t).Doc
	doc.Record = filepath.Join(dir, "rec") // not testdata
	if len(doc.Changes()) == 0 {
		t.Fatal("nothing pays in testdata/fix")
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := (fixing{apply: true, patch: file}).write(ended, doc, io.Discard); err != nil || exists(file) || doc.Patch != "" || len(doc.Written) > 0 {
		t.Errorf("interrupted: %v, a patch %t, written %q", err, exists(file), doc.Written)
	}
	if err := (fixing{patch: filepath.Join(dir, "none", "fix.patch")}).write(t.Context(), doc, io.Discard); err == nil || doc.Patch != "" {
		t.Errorf("a patch that cannot be written: %v, %q", err, doc.Patch)
	}
	if err := (fixing{patch: file}).write(t.Context(), doc, io.Discard); err != nil || !exists(file) || doc.Patch != file || len(doc.Written) > 0 {
		t.Errorf("a patch: %v, written %q", err, doc.Written)
	}
	put(t, filepath.Join(doc.Record, "run.json"), "{}")
	if err := (fixing{apply: true}).write(t.Context(), doc, io.Discard); err == nil || len(doc.Written) > 0 || exists(filepath.Join(doc.Record, appliedFile)) {
		t.Errorf("files that are not there: %v, written %q", err, doc.Written)
	}
	if err := (fixing{apply: true, patch: file + "2"}).write(t.Context(), &report.Doc{}, io.Discard); err != nil || exists(file+"2") {
		t.Errorf("nothing pays: %v, a patch %t", err, exists(file+"2"))
	}
}

// What tune recommends is written where it was asked for, and not what failed.
func TestTuneUses(t *testing.T) {
	dir := t.TempDir()
	doc := &tune.Doc{Record: dir, Results: make([]tune.Told, 1)}
	saved := &tune.Saved{Patch: "a patch\n"}
	var stderr bytes.Buffer
	file := filepath.Join(dir, "out.patch")
	if err := (tuneOutput{apply: true, patch: file}).use(t.Context(), saved, doc, &stderr); err != nil || !strings.Contains(stderr.String(), "nothing to apply") || !exists(file) || exists(filepath.Join(dir, session.TunedFile)) {
		t.Errorf("nothing is recommended: %v, %q", err, stderr.String())
	}
	inTheWay(t, file+"2")
	if err := (tuneOutput{patch: file + "2"}).use(t.Context(), saved, doc, io.Discard); err == nil {
		t.Error("a folder is in the way of the patch: no error")
	}
	saved.Changes = []patch.Change{{File: filepath.Join(dir, "none.go"), Before: "1", After: "2"}}
	if err := (tuneOutput{apply: true}).use(t.Context(), saved, doc, io.Discard); err == nil || exists(filepath.Join(dir, appliedFile)) {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := (tuneOutput{apply: true, patch: file + "3"}).use(t.Context(), saved, &tune.Doc{Record: dir}, io.Discard); !errors.Is(err, errReported) || exists(file+"3") {
		t.Errorf("a result is missing: %v, a patch %t, want %v", err, exists(file+"3"), errReported)
	}
	for err, want := range map[error]string{syscall.EPIPE: "", errors.New("full"): "writing the report: full: payoff replay " + dir + " writes it again"} {
		if got := (tuneOutput{json: true}).write(doc, failing{err}); !errSays(got, want) {
			t.Errorf("standard output says %v: %v, want %q", err, got, want)
		}
	}
}

// Steps of one job share what GitHub takes of a summary: what is in the file counts.
func TestToGitHub(t *testing.T) {
	doc := &report.Doc{Summary: "Failed: slower", Compared: &report.Compared{}}
	for i := range 50 {
		doc.Compared.Changes = append(doc.Compared.Changes, report.Change{Package: "example.com/m", Benchmark: fmt.Sprintf("BenchmarkOfMany%d", i), Procs: 2, Word: report.Slower})
	}
	file := filepath.Join(t.TempDir(), "summary")
	t.Setenv("GITHUB_STEP_SUMMARY", file)
	put(t, file, "before\n")
	if err := toGitHub(io.Discard, doc); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(data), "before\n"+ci.Marker) || strings.Count(string(data), "OfMany") != 50 {
		t.Fatalf("%v, %d rows, want all after what was there", err, strings.Count(string(data), "OfMany"))
	}
	whole := len(data) - len("before\n")
	for _, left := range []int{whole + 200, whole / 2, 0, -1} {
		put(t, file, strings.Repeat("x", ci.SummaryLimit-left))
		if err := toGitHub(io.Discard, doc); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rows := strings.Count(string(data), "OfMany")
		if all := left >= whole; all && rows != 50 || !all && rows == 50 || left > 0 && (len(data) > ci.SummaryLimit || rows == 0) {
			t.Errorf("%d bytes left: %d rows and %d bytes in all, the limit is %d", left, rows, len(data), ci.SummaryLimit)
		}
	}
	var out bytes.Buffer
	t.Setenv("GITHUB_STEP_SUMMARY", filepath.Join(file, "none"))
	if err := toGitHub(&out, doc); !errSays(err, "GITHUB_STEP_SUMMARY: ") || out.Len() > 0 {
		t.Errorf("a file that cannot be opened: %v, %q", err, out.String())
	}
	t.Setenv("GITHUB_STEP_SUMMARY", "")
	if err := toGitHub(&out, doc); err != nil || !strings.Contains(out.String(), "::") {
		t.Errorf("without a summary: %v, %q", err, out.String())
	}
}

// A line of prose has 80 characters at most, not bytes; a word that is longer stands
// alone.
func TestWrap(t *testing.T) {
	word := func(n int) string { return strings.Repeat("é", n) }
	for _, tt := range []struct{ text, first, rest, want string }{
		{"a b", "  ", "    ", "  a b\n"}, {"", "  ", "    ", "  \n"}, {" a \n b ", "- ", "  ", "- a b\n"},
		{word(38) + " " + word(39), "  ", "    ", "  " + word(38) + " " + word(39) + "\n"},               // 80
		{word(38) + " " + word(40) + " c", "  ", "    ", "  " + word(38) + "\n    " + word(40) + " c\n"}, // 81
		{word(76) + " " + "b" + " " + word(90) + " c", "  ", "  ", "  " + word(76) + " b\n  " + word(90) + "\n  c\n"},
	} {
		if got := wrap(tt.text, tt.first, tt.rest); got != tt.want {
			t.Errorf("wrap(%q, %q, %q) = %q, want %q", tt.text, tt.first, tt.rest, got, tt.want)
		}
	}
}

// A line every ten seconds is enough for a file, and notices are always written.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		p := newProgress(&b)
		p.draw("one")
		time.Sleep(plainEvery - 1)
		p.draw("two")
		p.notice("a word\x1b[2J")
		time.Sleep(time.Nanosecond)
		p.draw(roundLine(measure.Progress{Package: "p", Round: 2, Rounds: 2, All: 1, Left: 1499 * time.Millisecond, Dropped: 1}))
		p.done()
		if got, want := b.String(), "payoff: one\npayoff: a word\\x1b[2J\npayoff: p: round 2 of at most 2, 0 of 1 decided, at most 1s left, 1 samples repeated\n"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

// An age may be of days; ages below 0 and others are refused.
func TestAgeOf(t *testing.T) {
	for s, want := range map[string]time.Duration{"0d": 0, "1d": 24 * time.Hour, "30d": 720 * time.Hour, "12h": 12 * time.Hour, "0s": 0, "90m": 90 * time.Minute, "-1d": -1, "-1s": -1, "1.5d": -1, "soon": -1, "": -1, "d": -1} {
		if got, err := ageOf(s); (err == nil) != (want >= 0) || err == nil && got != want {
			t.Errorf("ageOf(%q) = %v, %v, want %v", s, got, err, want)
		}
	}
}

// Runs that can be given up are named with what they take; nothing but those is deleted.
func TestPrune(t *testing.T) {
	home := t.TempDir()
	var runs []history.Run
	for i, name := range []string{"c", "b", "a"} {
		put(t, filepath.Join(home, name, "fix.patch"), strings.Repeat("x", 100_000*(i+1)))
		put(t, filepath.Join(home, name, "run.json"), strings.Repeat("x", 10_000))
		runs = append(runs, history.Run{ID: name, Dir: filepath.Join(home, name)})
	}
	var out bytes.Buffer
	want := fmt.Sprintf("%s (0.2 MB)\n%s (0.3 MB)\n2 of 3 runs, 0.5 MB: nothing is deleted without -delete\n", runs[1].Dir, runs[2].Dir)
	if err := prune(t.Context(), &out, runs[1:], 3, false); err != nil || out.String() != want || !exists(runs[1].Dir) {
		t.Errorf("%v, %q, want %q", err, out.String(), want)
	}
	out.Reset()
	if err := prune(t.Context(), &out, runs[1:], 3, true); err != nil || !strings.HasSuffix(out.String(), "2 of 3 runs deleted, 0.5 MB\n") || strings.Count(out.String(), "deleted "+home) != 2 || exists(runs[1].Dir) || exists(runs[2].Dir) || !exists(runs[0].Dir) {
		t.Errorf("%v, %q", err, out.String())
	}
	if err := prune(t.Context(), failing{io.ErrShortWrite}, runs[:1], 1, false); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("standard output fails: %v", err)
	}
}

// All words must be somewhere in a run, whichever field has them.
func TestWithWords(t *testing.T) {
	runs := []history.Run{
		{ID: "20260101", Commit: "abc", Command: "payoff run", Machine: "EPYC", Go: "go1.26", Packages: []string{"example.com/m"}, Points: []history.Point{{Name: "Sum/variant=a"}}},
		{ID: "20260102", Commit: "def", Command: "payoff fix", Machine: "EPYC", Go: "go1.27", Packages: []string{"example.com/n"}},
	}
	for words, want := range map[string]string{"": "20260101 20260102", "epyc": "20260101 20260102", "ABC": "20260101", "fix": "20260102", "example.com/n": "20260102", "sum": "20260101", "1.27": "20260102", "0102": "20260102", "epyc fix": "20260102", "fix abc": "", "nosuch": ""} {
		var got []string
		for _, r := range withWords(runs, strings.Fields(words)) {
			got = append(got, r.ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
	for r, want := range map[*history.Run]string{{Commit: "0123456789ab"}: "0123456789", {Commit: "0123456789", Dirty: true}: "0123456789+", {}: "-", {Commit: "ab"}: "ab"} {
		if got := short(*r); got != want {
			t.Errorf("short(%q) = %q, want %q", r.Commit, got, want)
		}
	}
	if got := slices.Collect(strings.Lines(func() string { var b bytes.Buffer; _ = logText(&b, runs[:1], 1, 2); return b.String() }())); len(got) != 6 || got[3] != "1 run more: -n 0 lists all\n" {
		t.Errorf("%q", got)
	}
}

// Runs that compared two states of the code stand in a table of their own, in its words.
func TestLogCompared(t *testing.T) {
	of := []history.Point{{Verdict: judge.Pays}, {Verdict: judge.Loses}, {Verdict: judge.Loses}, {Verdict: judge.Even}, {Verdict: judge.CannotSay}}
	run, compared := history.Run{ID: "1", Points: of[:1]}, history.Run{ID: "2", Points: of, Compared: true}
	const runs, both = "run  commit  pays  even  loses  cannot say  of\n1    -       1     0     0      0           \n", "comparison  commit  faster  no difference  slower  cannot say  of\n2           -       1       1              2       1           \n"
	for _, tt := range []struct {
		of   []history.Run
		want string
	}{{[]history.Run{run}, runs + "\nnext: payoff show 1\n"}, {[]history.Run{compared}, both + "\nnext: payoff show 2\n"}, {[]history.Run{compared, run}, runs + "\n" + both + "\nnext: payoff show 2\n"}} {
		var b bytes.Buffer
		if err := logText(&b, tt.of, 0, len(tt.of)); err != nil || b.String() != tt.want {
			t.Errorf("%v\n%swant\n%s", err, b.String(), tt.want)
		}
	}
}

// Claims that a recorded run does not meet, and cases it has nothing of, make exit code 1;
// those that are not held against anything do not count.
func TestCheckRun(t *testing.T) {
	from := filepath.Join("..", "..", "..", "record", "2026-11-23-epyc-2cpu", "gallery-sort")
	about, err := os.ReadFile(filepath.Join(from, "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	const other = "github.com/gopayoff/payoff/gallery/deferloop"
	all, not := func(string) bool { return true }, func(pkg string) bool { return pkg != other }
	for _, tt := range []struct {
		name, is, not string // in run.json
		held          func(string) bool
		want          error
		says          string
	}{
		{"as it is", "", "", all, nil, ""},
		{"no difference counts", `"margin": 0.03`, `"margin": 0.98`, all, errFindings, "FAILS "},
		{"a case was not measured", `"packages": [`, `"packages": ["` + other + `",`, all, errFindings, "not held against anything: deferloop: not measured"},
		{"one that nobody asks for was not", `"packages": [`, `"packages": ["` + other + `",`, not, nil, ""},
	} {
		dir := filepath.Join(t.TempDir(), "rec")
		if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		if tt.is != "" && !bytes.Contains(about, []byte(tt.is)) {
			t.Fatalf("run.json has no %s", tt.is)
		}
		put(t, filepath.Join(dir, "run.json"), strings.Replace(string(about), tt.is, tt.not, 1))
		var out bytes.Buffer
		if err := checkRun(t.Context(), dir, tt.held, false, &out, io.Discard); !errors.Is(err, tt.want) || tt.want != nil && !strings.Contains(out.String(), tt.says) || tt.want == nil && (strings.Contains(out.String(), "FAILS") || strings.Contains(out.String(), "not held")) || !strings.Contains(out.String(), "next: payoff replay "+dir) {
			t.Errorf("%s: %v, want %v\n%s", tt.name, err, tt.want, out.String())
		}
	}
	if err := checkRun(t.Context(), filepath.Join("testdata", "fix"), all, false, io.Discard, io.Discard); !errSays(err, "example.com/demo is no case of the gallery") {
		t.Errorf("what is no case: %v", err)
	}
	if err := checkRun(t.Context(), t.TempDir(), all, false, io.Discard, io.Discard); err == nil || errors.Is(err, errFindings) {
		t.Errorf("what is no run: %v", err)
	}
}

// The answer of payoff machine names the smallest difference that a run in the budget
// finds, and never one below the margin.
func TestSummarize(t *testing.T) {
	diff := func(x float64) *float64 { return &x }
	d := machineDoc{Capacity: []machine.Capacity{{Procs: 1, Cores: 0.99}, {Procs: 2, Cores: 1.5}, {Procs: 16, Cores: 12}}}
	for _, tt := range []struct {
		of   []resolution
		want string
	}{
		{[]resolution{{Difference: diff(0.12), InBudget: true}, {Difference: diff(0.08), InBudget: true}, {Difference: diff(0.04)}}, " and resolves differences of 8.0%"},
		{[]resolution{{Difference: diff(0.001), InBudget: true}}, " and resolves differences of 3.0%"},
		{[]resolution{{InBudget: true}, {Difference: diff(0.1)}}, "; the budget is too short for any verdict"},
	} {
		d.Resolution = tt.of
		if got, want := d.summarize(), "This machine gives 0.99 of 1, 1.50 of 2, 12.00 of 16 processors"+tt.want; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	d.Prices.Mutex, d.Prices.Memory, d.Prices.MemoryAll = machine.Price{NS: 1500, Low: 1, High: 2e6}, machine.Price{NS: 32}, machine.Price{NS: 16}
	d.Resolution = []resolution{{Pairs: 8, Seconds: 0.88, Difference: diff(0.025)}}
	var b bytes.Buffer
	if err := d.text(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1.500µs [1.000ns, 2.000ms]", "2.0 and 4.0 GB/s", "2.5% (1 s a comparison, beyond the budget)", "12.00 processors, 0.00 at worst"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
}
