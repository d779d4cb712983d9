// Package shapetest runs a check over packages of testdata. It compares what it
// finds, what it refuses and what its edits make of the files with what these
// say.
//
// A run costs three calls of go list, some tenths of a second.
package shapetest

import (
	"bytes"
	"flag"
	"fmt"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

var update = flag.Bool("update", false, "write the goldens of edits")

// Run runs the check over the package in each of the folders, like
// testdata/src/a, and reports to t what is not as their files say:
//
//   - a comment // want "regexp" on each line with findings, a string for each;
//     // refuse "name: regexp" likewise for refusals, on the line of the finding;
//     // dearer "name: regexp", where there is one, for what each edit makes dearer;
//   - file.go.local.golden is file.go with the edits named local of all its
//     findings, file.go.batch64.golden with those of the value 64. -update
//     writes them. A file with the comment // Goldens show the edit local alone.
//     has none of others.
//
// The edits of a name, and with PAYOFF_LONG each alone as well, have to
// type-check, and to leave the file formatted. They have to leave go vet nothing
// new to say, and the check nothing of that name to offer. Of files with the
// line endings of Windows they have to make the same. With PAYOFF_LONG those
// that are offered beside a file that the build leaves out must not break it.
func Run(t *testing.T, a *analysis.Analyzer, folders ...string) {
	t.Helper()
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) { run(t, a, folder) })
	}
}

// An edit is a fix of a finding, or all of one name in a package.
type edit struct {
	name  string // local, batch64
	fix   string // local, batch
	edits []analysis.TextEdit
	holds []string // conditions
	told  []string // what comes to something else
	all   bool
	left  int // findings whose edits overlap those made
	of    int // the finding, if not all
}

func run(t *testing.T, a *analysis.Analyzer, folder string) {
	pkgs := load(t, "", "", "./"+filepath.ToSlash(folder))
	if len(pkgs) == 0 {
		t.Fatalf("%s holds no package", folder)
	}
	findings := find(t, a, pkgs)
	var edits []edit
	for _, p := range pkgs {
		compare(t, p, findings[p])
		edits = append(edits, of(findings[p])...)
	}
	p := pkgs[len(pkgs)-1] // with tests, if it has any
	goldens(t, folder, p, edits)
	try(t, a, p, edits)
	windows(t, a, p, edits)
	if stress.Long() {
		leftOut(t, a, p, edits)
	}
}

// load loads packages with a build tag, or none: of a module of [beside], or of
// this one for "".
func load(t *testing.T, module, tag string, patterns ...string) []*packages.Package {
	t.Helper()
	all, err := packages.Load(config(module, tag), patterns...)
	if err != nil {
		t.Fatal(err)
	}
	// Of a package with tests the variant that has them counts.
	return slices.DeleteFunc(all, func(p *packages.Package) bool {
		return strings.HasSuffix(p.ID, ".test") || slices.ContainsFunc(all, func(q *packages.Package) bool {
			return q != p && q.PkgPath == p.PkgPath && q.ForTest != "" && p.ForTest == ""
		})
	})
}

func config(module, tag string) *packages.Config {
	cfg := &packages.Config{Dir: module, Env: os.Environ(), BuildFlags: []string{"-tags=" + tag}, Mode: packages.LoadSyntax | packages.NeedModule | packages.NeedForTest, Tests: true}
	if module != "" {
		cfg.Env = append(cfg.Env, "GOWORK=off")
	}
	if strconv.IntSize == 32 { // the goldens have the sizes of 64 bits
		cfg.Env = append(cfg.Env, "GOARCH=amd64")
	}
	return cfg
}

// find returns what the check finds in each package.
func find(t *testing.T, a *analysis.Analyzer, pkgs []*packages.Package) map[*packages.Package][]shape.Finding {
	t.Helper()
	for _, p := range pkgs {
		for _, e := range p.Errors {
			t.Errorf("%s: %v", p.ID, e)
		}
	}
	if t.Failed() {
		t.FailNow()
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{a}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[*packages.Package][]shape.Finding{}
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Fatalf("%s: %v", act.Package.ID, act.Err)
		}
		out[act.Package] = act.Result.([]shape.Finding)
	}
	return out
}

var quoted = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`")

// says matches each of what a comment says: a word, and what stands in quotes after it.
var says = regexp.MustCompile(`// (want|refuse|dearer)((?:\s+(?:"(?:[^"\\]|\\.)*"|` + "`[^`]*`" + `))+)`)

// compare holds findings against the comments of the files.
func compare(t *testing.T, p *packages.Package, findings []shape.Finding) {
	t.Helper()
	type line struct {
		file string
		n    int
		word string
	}
	wants := map[line][]string{}
	for _, f := range p.Syntax {
		for _, g := range f.Comments {
			for _, c := range g.List {
				at := p.Fset.PositionFor(c.Pos(), false)
				for _, said := range says.FindAllStringSubmatch(c.Text, -1) {
					k := line{at.Filename, at.Line, said[1]}
					for _, q := range quoted.FindAllString(said[2], -1) {
						wants[k] = append(wants[k], strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`))
					}
				}
			}
		}
	}
	got := func(pos token.Pos, word, text string) {
		at := p.Fset.PositionFor(pos, false)
		k := line{at.Filename, at.Line, word}
		i := slices.IndexFunc(wants[k], func(re string) bool { return regexp.MustCompile(re).MatchString(text) })
		if i < 0 {
			t.Errorf("%s:%d: unexpected %s %q", filepath.Base(at.Filename), at.Line, map[string]string{"want": "finding", "refuse": "refusal"}[word], text)
			return
		}
		wants[k] = slices.Delete(wants[k], i, i+1)
	}
	for _, f := range findings {
		got(f.Pos, "want", f.Message)
		for _, r := range f.Refused {
			got(f.Pos, "refuse", r.Name+": "+r.Why)
		}
		for _, x := range f.Fixes {
			at := p.Fset.PositionFor(f.Pos, false)
			if len(wants[line{at.Filename, at.Line, "dearer"}]) > 0 {
				got(f.Pos, "dearer", x.Name+": "+x.Dearer)
			}
		}
		if strings.HasSuffix(f.Message, ".") || strings.Contains(f.Message, "\n") {
			t.Errorf("%v: message %q: want one line without full stop", p.Fset.Position(f.Pos), f.Message)
		}
		if len(f.Hot) == 0 || len(f.Causes) == 0 {
			t.Errorf("%v: no lines or no causes whose evidence would decide", p.Fset.Position(f.Pos))
		}
	}
	for k, left := range wants {
		for _, re := range left {
			t.Errorf("%s:%d: nothing matches %s %q", filepath.Base(k.file), k.n, k.word, re)
		}
	}
}

// of are the edits of findings, alone and all of one name together.
func of(findings []shape.Finding) (out []edit) {
	together := map[string]*edit{}
	var names []string
	for i, f := range findings {
		for _, x := range f.Fixes {
			name := x.Name
			if x.Value != 0 {
				name += fmt.Sprint(x.Value)
			}
			out = append(out, edit{name: fmt.Sprintf("%s-%d", name, i), fix: x.Name, edits: x.Edits, of: i})
			if together[name] == nil {
				together[name] = &edit{name: name, fix: x.Name, all: true}
				names = append(names, name)
			}
			e := together[name]
			if rewrite.Overlap(e.edits, x.Edits) {
				e.left++
			} else {
				e.edits = append(slices.Clone(e.edits), x.Edits...)
			}
			if x.Holds != "" && !slices.Contains(e.holds, x.Holds) {
				e.holds = append(e.holds, x.Holds)
			}
			e.told = append(e.told, x.Told...)
		}
	}
	for _, name := range names {
		out = append(out, *together[name])
	}
	return out
}

// alone matches what a file says that has goldens of one edit.
var alone = regexp.MustCompile(`(?m)^// Goldens show the edit (\w+) alone\.$`)

// heads are those of hunks.
var heads = regexp.MustCompile(`(?m)^@@ .*$`)

// conditions are those of an edit, and what it is to change, a line each.
func (e edit) conditions() (lines string) {
	for _, h := range e.holds {
		lines += "where " + h + "\n"
	}
	for _, name := range e.told {
		lines += name + " comes to something else\n"
	}
	return lines
}

// hunks are those of a diff of one file.
var hunks = regexp.MustCompile(`(?m)^@@.*\n(?:[^@].*\n)+`)

// short is a diff of one file whose hunks begin and end with one line of what stays.
func short(diff string) string {
	return hunks.ReplaceAllStringFunc(diff, func(hunk string) string {
		var was, olds, is, news, before, behind int
		fmt.Sscanf(hunk, "@@ -%d,%d +%d,%d @@", &was, &olds, &is, &news)
		lines := strings.SplitAfter(hunk, "\n")
		lines = lines[1 : len(lines)-1]
		for strings.HasPrefix(lines[before+1], " ") {
			before++
		}
		for strings.HasPrefix(lines[len(lines)-2-behind], " ") {
			behind++
		}
		return fmt.Sprintf("@@ -%d,%d +%d,%d @@\n", was+before, olds-before-behind, is+before, news-before-behind) + strings.Join(lines[before:len(lines)-behind], "")
	})
}

// plain are diffs of the edit without its value, where they have it.
func (e edit) plain(diffs map[string]string) (plain map[string]string, used bool) {
	value := strings.TrimPrefix(e.name, e.fix)
	if value == "" {
		return diffs, false
	}
	whole := regexp.MustCompile(`\b` + value + `\b`)
	plain = map[string]string{}
	for name, diff := range diffs {
		diff = heads.ReplaceAllString(diff, "@@")
		used = used || whole.MatchString(diff)
		plain[name] = whole.ReplaceAllString(diff, "VALUE")
	}
	return plain, used
}

// result returns the files of p as an edit makes them, by base name.
func (e edit) result(t *testing.T, p *packages.Package) (files map[string][]byte, changed []string) {
	t.Helper()
	files = sources(t, p)
	for _, f := range p.Syntax {
		name := p.Fset.PositionFor(f.FileStart, false).Filename
		src := files[filepath.Base(name)]
		after := src
		if own := rewrite.Within(f, e.edits); len(own) > 0 {
			var err error
			if after, err = rewrite.Apply(p.Fset.File(f.FileStart), src, own); err != nil {
				t.Errorf("edit %s of %s: %v", e.name, filepath.Base(name), err)
				after = src
			}
		}
		if !bytes.Equal(after, src) {
			changed = append(changed, filepath.Base(name))
		}
		files[filepath.Base(name)] = after
	}
	if len(changed) == 0 {
		t.Errorf("edit %s changes nothing", e.name)
	}
	return files, changed
}

// goldens compares what all edits of a name do to the files, each a diff under the
// conditions of the edits. Where an edit has values, and they are all that differs, the
// diff of the first is enough.
func goldens(t *testing.T, folder string, p *packages.Package, edits []edit) {
	t.Helper()
	made := map[string]bool{}
	first := map[string]map[string]string{} // by the name of the fix, then by file
	before := sources(t, p)
	for _, e := range edits {
		if !e.all {
			continue
		}
		files, changed := e.result(t, p)
		diffs := map[string]string{}
		for _, name := range changed {
			diffs[name] = e.conditions() + short(patch.Diff(".", []patch.Change{{File: name, Before: string(before[name]), After: string(files[name])}}))
		}
		plain, used := e.plain(diffs)
		if first[e.fix] == nil {
			first[e.fix] = plain
		} else if used && maps.Equal(first[e.fix], plain) {
			continue
		}
		for _, name := range changed {
			if m := alone.FindSubmatch(before[name]); m != nil && string(m[1]) != e.fix {
				continue
			}
			golden := filepath.Join(folder, name+"."+e.name+".golden")
			made[golden] = true
			if *update {
				if err := os.WriteFile(golden, []byte(diffs[name]), 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Errorf("%v (-update writes it)", err)
			} else if string(want) != diffs[name] {
				t.Errorf("%s differs from what the edit does:\n%s", golden, diffs[name])
			}
		}
	}
	there, _ := filepath.Glob(filepath.Join(folder, "*.golden"))
	for _, g := range there {
		if !made[g] {
			if *update {
				os.Remove(g)
				continue
			}
			t.Errorf("%s: no such edit is made", g)
		}
	}
}

// try type-checks what each edit makes, asks go vet, and runs the check again.
func try(t *testing.T, a *analysis.Analyzer, p *packages.Package, edits []edit) {
	t.Helper()
	if len(edits) == 0 {
		return
	}
	here := beside(t, p)
	var names []string
	by := map[string]edit{}
	for _, e := range edits {
		if e.all || stress.Long() {
			files, _ := e.result(t, p)
			by[e.name] = e
			names = append(names, e.name)
			put(t, here, e.name, files)
		}
	}
	lab := newLab(t, p, here, names)
	var pkgs []*packages.Package
	for _, name := range names {
		pkgs = append(pkgs, lab.check(t, name))
	}
	bad := false
	for _, q := range pkgs {
		e := by[filepath.Base(q.PkgPath)]
		for _, err := range q.Errors {
			bad = true
			t.Errorf("with edit %s: %v", e.name, err)
		}
	}
	if bad {
		return
	}
	was := complaints(t, []*packages.Package{p})[p]
	said := complaints(t, pkgs)
	again := find(t, a, pkgs)
	for _, q := range pkgs {
		e := by[filepath.Base(q.PkgPath)]
		for _, c := range said[q] {
			if !slices.Contains(was, c) {
				t.Errorf("with edit %s go vet says %s", e.name, c)
			}
		}
		if !e.all {
			continue
		}
		left := 0
		for _, f := range again[q] {
			if slices.ContainsFunc(f.Fixes, func(x shape.Fix) bool { return x.Name == e.fix }) {
				left++
			}
		}
		if left > e.left {
			t.Errorf("after edit %s the check offers %d more of them", e.name, left-e.left)
		}
	}
}

// beside makes a module like that of the package, which has payoff's library, in a
// folder that goes with the test. Within the module's own folder a test that is
// killed would leave it behind.
func beside(t *testing.T, p *packages.Package) (dir string) {
	t.Helper()
	dir = t.TempDir()
	own, err := os.ReadFile(filepath.Join(p.Module.Dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(p.Module.Dir, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	gomod := fmt.Sprintf("module tried\n\ngo %s\n\nrequire github.com/gopayoff/payoff v0.0.0\nrequire %s\n\nreplace github.com/gopayoff/payoff => %s\n",
		p.Module.GoVersion, xsync.Find(own), strconv.Quote(filepath.Dir(p.Module.Dir)))
	for name, text := range map[string][]byte{"go.mod": []byte(gomod), "go.sum": sums} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// xsync is the module that programs may import beside the standard library and payoff's.
var xsync = regexp.MustCompile(`golang\.org/x/sync v\S+`)

// put writes a package into a module and returns the pattern that names it.
func put(t *testing.T, module, name string, files map[string][]byte) (pattern string) {
	t.Helper()
	if err := os.Mkdir(filepath.Join(module, name), 0o755); err != nil {
		t.Fatal(err)
	}
	for file, src := range files {
		if err := os.WriteFile(filepath.Join(module, name, file), src, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return "./" + name
}

// windows makes the edits of the package with other line endings.
func windows(t *testing.T, a *analysis.Analyzer, p *packages.Package, edits []edit) {
	t.Helper()
	if len(edits) == 0 {
		return
	}
	crlf := func(src []byte) []byte { return bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n")) }
	want := map[string]map[string][]byte{}
	for _, e := range edits {
		if e.all || stress.Long() {
			want[e.name], _ = e.result(t, p)
		}
	}
	files := sources(t, p)
	for name, src := range files {
		files[name] = crlf(src)
	}
	here := beside(t, p)
	put(t, here, "windows", files)
	q := newLab(t, p, here, []string{"windows"}).check(t, "windows")
	for _, e := range of(find(t, a, []*packages.Package{q})[q]) {
		if want[e.name] == nil && !e.all && !stress.Long() {
			continue
		}
		files, _ := e.result(t, q)
		for name, src := range files {
			if !bytes.Equal(src, crlf(want[e.name][name])) {
				t.Errorf("with the line endings of Windows edit %s makes of %s\n%s", e.name, name, src)
			}
		}
	}
}

// suite is that of go vet, but for checks that need the source of all imports.
var suite = slices.DeleteFunc(slices.Clone(vet.Suite), facts)

func facts(a *analysis.Analyzer) bool {
	return len(a.FactTypes) > 0 || slices.ContainsFunc(a.Requires, facts)
}

// complaints are what go vet says of each package, without lines.
func complaints(t *testing.T, pkgs []*packages.Package) map[*packages.Package][]string {
	t.Helper()
	graph, err := checker.Analyze(suite, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[*packages.Package][]string{}
	for _, act := range graph.Roots {
		for _, d := range act.Diagnostics {
			out[act.Package] = append(out[act.Package], act.Analyzer.Name+": "+d.Message)
		}
	}
	return out
}
