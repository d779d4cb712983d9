package vet_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/vet"
	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

var (
	editsIn = flag.String("edits", "", "count the edits of others' code into the record, and keep some of each kind in the folder")
	draw    = flag.Int("draw", 0, "draw so many of the edits in the folder of -edits, make each in a copy, build it, vet it and run its tests")
)

// editsRecord has the edits that the checks offer, without evidence, in the code that
// testdata/census.txt and edits.txt name, without its tests: a line for each module.
const editsRecord = "../../record/2026-12-01-xeon-2cpu/vet-edits.txt"

// unoffered are the edits that the record has none of, and why they are kept. A form
// that libraries avoid may be common where concurrency does not pay.
var unoffered = map[string]string{
	"benchvet:loop":      ofTests,
	"benchvet:reset":     ofTests,
	"chanperitem:direct": cures,
	"fewworkers:procs":   "cures a mistake of the zoo; libraries ask for GOMAXPROCS",
	"forcegc:drop":       "a collection that a loop asks for; libraries ask under a condition, if at all",
	"hotalloc:once":      "programs of the sets parse a field for each item, libraries do it once",
	"hotslot:local":      cures,
	"onestage:workers":   cures,
	"owner:mutex":        cures,
	"recgo:levels":       cures,
	"recgo:serial":       cures,
	"recgo:threshold":    cures,
	"rwtiny:drop":        cures,
	"rwtiny:keep":        cures,
	"selectspin:block":   "a receive in place of a loop that looks for it, a line",
	"sharedacc:batch":    cures,
	"serialform:parts":   cures,
	"sharedacc:drop":     cures,
	"sharedacc:own":      cures,
	"sharedacc:local":    cures,
	"spinwait:signal":    "cures programs that poll; libraries wait for a channel or a condition",
	"staticsplit:parts":  "many programs of the sets split so, libraries do not",
	"syncmap:plain":      "for maps that one goroutine fills; libraries have a map",
	"yieldloop:drop":     cures,
}

const (
	ofTests = "of benchmarks, and tests are left out here"
	cures   = "cures several programs of the sets, or is beside one that does"
)

// offered reads the record: how often each edit, like hotalloc:hoist, is offered in
// each module.
func offered(t *testing.T) map[string]map[string]int {
	t.Helper()
	all := map[string]map[string]int{}
	data, err := os.ReadFile(editsRecord)
	if err != nil && !(*editsIn != "" && errors.Is(err, os.ErrNotExist)) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		what, rest, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		all[what] = map[string]int{}
		for kv := range strings.FieldsSeq(rest) {
			var n int
			kind, number, _ := strings.Cut(kv, "=")
			if _, err := fmt.Sscan(number, &n); err != nil {
				t.Fatalf("%s: %q: %v", editsRecord, kv, err)
			}
			all[what][kind] = n
		}
	}
	return all
}

// TestOffered: of each edit that the checks have goldens for, the record has some, or
// there is a reason to keep it.
func TestOffered(t *testing.T) {
	all := offered(t)
	some := map[string]bool{}
	for _, kinds := range all {
		for kind := range kinds {
			some[kind] = true
		}
	}
	if len(all) < 21 {
		t.Errorf("the record has %d lines, want 20 modules and std", len(all))
	}
	goldens, err := filepath.Glob("*/testdata/src/*/*.golden")
	if err != nil || len(goldens) == 0 {
		t.Fatalf("no goldens (%v)", err)
	}
	have := map[string]bool{}
	for _, g := range goldens {
		check, _, _ := strings.Cut(filepath.ToSlash(g), "/")
		_, edit, _ := strings.Cut(strings.TrimSuffix(filepath.Base(g), ".golden"), ".go.")
		have[check+":"+strings.TrimRight(edit, "0123456789")] = true
	}
	for _, kind := range slices.Sorted(maps.Keys(have)) {
		if why := unoffered[kind]; (why != "") == some[kind] {
			t.Errorf("%s: offered in others' code %t, and kept for %q: want one of them", kind, some[kind], why)
		}
	}
	for kind := range unoffered {
		if !have[kind] {
			t.Errorf("%s: there is no such edit", kind)
		}
	}
}

// A drawn edit is one of a file of others' code.
type drawn struct {
	Kind, What, Pkg string
	Holds           string // the condition
	Dir, File       string // of the package's module, and from there
	Line            int
	Was, Is         []byte
}

// TestEdits counts the edits of others' code, with -edits: of each module that the
// record has no line of. It keeps a few of each kind, by PAYOFF_SEED.
func TestEdits(t *testing.T) {
	if *editsIn == "" || *draw > 0 {
		t.Skip("reads others' code for minutes: -edits is not set")
	}
	seed := stress.Seed(t)
	var modules []string
	for _, name := range []string{"edits.txt", "census.txt"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		modules = append(modules, strings.Fields(string(data))...)
	}
	defer heat.Give(nil, false)()
	for _, what := range modules {
		if all := offered(t); all[what] == nil {
			t.Run(strings.ReplaceAll(what, "/", "_"), func(t *testing.T) { gather(t, seed, what, all) })
		}
	}
}

// gather enters a module into the record, and keeps some of its edits.
func gather(t *testing.T, seed uint64, what string, all map[string]map[string]int) {
	pkgs, _, ok := load(t, what, false)
	if !ok {
		t.Skip("not in the module cache")
	}
	graph, err := checker.Analyze(vet.All(), pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, uint64(len(what))))
	const keep = 6
	counts, kept := map[string]int{}, map[string][]drawn{}
	for _, act := range graph.Roots {
		findings, _ := act.Result.([]shape.Finding)
		for _, f := range findings {
			done := map[string]bool{}
			for _, x := range f.Fixes {
				kind := f.Check + ":" + x.Name
				if done[kind] { // of what is swept the first
					continue
				}
				done[kind] = true
				counts[kind]++
				i := r.IntN(counts[kind])
				if len(kept[kind]) < keep {
					i = len(kept[kind])
				}
				if i >= keep {
					continue
				}
				d, ok := inFile(t, act.Package, f, x)
				if !ok {
					continue
				}
				d.Kind, d.What, d.Holds = kind, what, x.Holds
				if i == len(kept[kind]) {
					kept[kind] = append(kept[kind], d)
				} else {
					kept[kind][i] = d
				}
			}
		}
	}
	all[what] = counts
	var b strings.Builder
	b.WriteString("# The edits that the checks offer in others' code, without evidence and without its tests; of what is swept one.\n# go test ./vet -run Edits -edits DIR adds what is missing.\n")
	sum, modules := map[string]int{}, map[string]int{}
	for _, what := range slices.Sorted(maps.Keys(all)) {
		b.WriteString(what + ":")
		for _, kind := range slices.Sorted(maps.Keys(all[what])) {
			fmt.Fprintf(&b, " %s=%d", kind, all[what][kind])
			sum[kind] += all[what][kind]
			modules[kind]++
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "#\n# All, and in how many of the %d:\n", len(all))
	for _, kind := range slices.SortedFunc(maps.Keys(sum), func(a, b string) int { return cmp.Or(cmp.Compare(sum[b], sum[a]), cmp.Compare(a, b)) }) {
		fmt.Fprintf(&b, "# %6d in %2d %s\n", sum[kind], modules[kind], kind)
	}
	text, err := json.Marshal(kept)
	if err == nil {
		err = os.WriteFile(filepath.Join(*editsIn, strings.ReplaceAll(what, "/", "_")+".json"), text, 0o644)
	}
	if err == nil {
		err = os.WriteFile(editsRecord, []byte(b.String()), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// inFile is an edit of one file.
func inFile(t *testing.T, p *packages.Package, f shape.Finding, x shape.Fix) (d drawn, ok bool) {
	t.Helper()
	at := p.Fset.Position(f.Pos)
	d = drawn{Pkg: p.PkgPath, Dir: strings.TrimSuffix(filepath.Dir(at.Filename), filepath.FromSlash(p.PkgPath)), Line: at.Line} // of the standard library
	if p.Module != nil {
		d.Dir = p.Module.Dir
	}
	files := 0
	for _, file := range p.Syntax {
		own := rewrite.Within(file, x.Edits)
		if len(own) == 0 {
			continue
		}
		files++
		tf := p.Fset.File(file.FileStart)
		var err error
		if d.File, err = filepath.Rel(d.Dir, tf.Name()); err != nil {
			t.Fatal(err)
		}
		if d.Was, err = os.ReadFile(tf.Name()); err != nil {
			t.Fatal(err)
		}
		if d.Is, err = rewrite.Apply(tf, d.Was, own); err != nil {
			t.Errorf("%s:%s at %v: %v", f.Check, x.Name, at, err)
		}
	}
	return d, files == 1
}

// TestDrawn draws edits of those that TestEdits has kept, one of each kind in turn, by
// PAYOFF_SEED. What each does is in the log, for somebody to read.
func TestDrawn(t *testing.T) {
	if *draw == 0 {
		t.Skip("builds others' code for an hour: -draw is not set")
	}
	r := rand.New(rand.NewPCG(stress.Seed(t), 0))
	by := map[string][]drawn{}
	files, err := filepath.Glob(filepath.Join(*editsIn, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("-edits %s has no edits (%v)", *editsIn, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		kept := map[string][]drawn{}
		if err == nil {
			err = json.Unmarshal(data, &kept)
		}
		if err != nil {
			t.Fatal(err)
		}
		for kind, all := range kept {
			by[kind] = append(by[kind], all...)
		}
	}
	names := slices.Sorted(maps.Keys(by))
	for _, k := range names {
		r.Shuffle(len(by[k]), func(i, j int) { by[k][i], by[k][j] = by[k][j], by[k][i] })
	}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	var all []drawn
	for round := range *draw {
		for _, k := range names {
			if round < len(by[k]) && len(all) < *draw {
				all = append(all, by[k][round])
			}
		}
	}
	slices.SortStableFunc(all, func(a, b drawn) int { return cmp.Compare(a.What, b.What) }) // one copy of a module
	var copied, of string
	for _, d := range all {
		t.Run(d.Kind+"/"+filepath.Base(d.File), func(t *testing.T) {
			if d.What != of && d.What != "std" {
				os.RemoveAll(copied)
				if copied, err = os.MkdirTemp("", "drawn"); err == nil {
					err = os.CopyFS(copied, os.DirFS(d.Dir))
				}
				if of = d.What; err != nil {
					t.Fatal(err)
				}
			}
			d.try(t, copied)
		})
	}
	os.RemoveAll(copied)
}

// try makes the edit in a copy of its module, or by an overlay of the standard
// library, and says what becomes of it.
func (d drawn) try(t *testing.T, copied string) {
	here := t.TempDir()
	was, is := filepath.Join(here, "was.go"), filepath.Join(here, "is.go")
	for name, data := range map[string][]byte{was: d.Was, is: d.Is} {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("git", "diff", "--no-index", "--no-color", "-U8", "was.go", "is.go")
	cmd.Dir = here
	diff, _ := cmd.Output()
	t.Logf("%s, %s:%d, where %s\n%s", d.What, d.File, d.Line, cmp.Or(d.Holds, "nothing is a condition"), diff)

	var flags []string
	if d.What == "std" {
		data, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(d.Dir, d.File): is}})
		overlay := filepath.Join(here, "overlay.json")
		if err == nil {
			err = os.WriteFile(overlay, data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		flags = []string{"-overlay=" + overlay}
	} else {
		put := func(data []byte) {
			name := filepath.Join(copied, d.File)
			os.Chmod(name, 0o644)
			if err := os.WriteFile(name, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		put(d.Is)
		defer put(d.Was)
		path, version, _ := strings.Cut(d.What, "@")
		repo, err := filepath.Abs("../..") // for edits that need the library
		if err != nil {
			t.Fatal(err)
		}
		mod := fmt.Sprintf("module drawn\n\ngo 1.26\n\nrequire (\n%s %s\ngithub.com/gopayoff/payoff v0.0.0\n)\n\nreplace %[1]s => %[3]q\n\nreplace github.com/gopayoff/payoff => %[4]q\n", path, version, copied, repo)
		if err := os.WriteFile(filepath.Join(here, "go.mod"), []byte(mod), 0o644); err != nil {
			t.Fatal(err)
		}
		os.Remove(was) // they are a package otherwise
		os.Remove(is)
	}
	for _, step := range [][]string{{"build"}, {"test", "-short", "-vet=all"}} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		cmd := exec.CommandContext(ctx, "go", slices.Concat(step, flags, []string{d.Pkg})...)
		cmd.Dir, cmd.Env = here, append(os.Environ(), "GOWORK=off", "GOPROXY=off", "GOFLAGS=-mod=mod", "GONOSUMDB=*", "GONOSUMCHECK=1")
		cmd.WaitDelay = time.Second
		out, err := cmd.CombinedOutput()
		cancel()
		if out = bytes.TrimSpace(out); len(out) > 2000 {
			out = out[len(out)-2000:]
		}
		t.Logf("go %s: %v %s", step[0], cmp.Or(err, errors.New("passes")), out)
	}
}
