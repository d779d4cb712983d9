package vet_test

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/tool/vet"
	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

var (
	update = flag.Bool("update", false, "write what the census counts into the record")
	again  = flag.Bool("census", false, "count again, and hold that against the record")
)

// census is the record of what the checks say, without evidence, of code that
// many have read: a line for each entry of testdata/census.txt.
const census = "../../record/2026-11-29-epyc-2cpu/vet-census.txt"

// A counted is a line of the census.
type counted struct {
	what           string
	lines          int
	packages, left int            // checked, and left out for they do not load
	told, hints    map[string]int // by check
	took           time.Duration  // by the checks, for 100,000 lines
}

func (c counted) String() string {
	list := func(m map[string]int) string {
		out := ""
		for _, k := range slices.Sorted(maps.Keys(m)) {
			out += fmt.Sprintf(" %s=%d", k, m[k])
		}
		return cmp.Or(strings.TrimSpace(out), "none")
	}
	return fmt.Sprintf("%s: %d lines in %d packages, %d left out; told: %s; hints: %s; %.2f s for 100,000 lines",
		c.what, c.lines, c.packages, c.left, list(c.told), list(c.hints), c.took.Seconds())
}

var countedLine = regexp.MustCompile(`^(\S+): (\d+) lines in (\d+) packages, (\d+) left out; told: (.*); hints: (.*); ([\d.]+) s for 100,000 lines$`)

func parseCounted(t *testing.T, line string) (c counted) {
	t.Helper()
	m := countedLine.FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("%s: %q is no line of a census", census, line)
	}
	n := func(s string) int { n, _ := strconv.Atoi(s); return n }
	list := func(s string) map[string]int {
		out := map[string]int{}
		for _, kv := range strings.Fields(s) {
			if k, v, ok := strings.Cut(kv, "="); ok {
				out[k] = n(v)
			}
		}
		return out
	}
	s, _ := strconv.ParseFloat(m[7], 64)
	return counted{m[1], n(m[2]), n(m[3]), n(m[4]), list(m[5]), list(m[6]), time.Duration(s * float64(time.Second))}
}

func recordedCensus(t *testing.T) (all []counted) {
	t.Helper()
	data, err := os.ReadFile(census)
	if errors.Is(err, os.ErrNotExist) && *update {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, "#") {
			all = append(all, parseCounted(t, strings.TrimSpace(line)))
		}
	}
	return all
}

// TestRecordedCensus: of code that many have read the checks tell at most one
// thing in 100,000 lines without evidence, in at most a second.
func TestRecordedCensus(t *testing.T) {
	all := recordedCensus(t)
	lines, told, modules := 0, 0, 0
	var took time.Duration
	for _, c := range all {
		lines += c.lines
		for _, n := range c.told {
			told += n
		}
		if c.what != "std" && c.packages > 0 {
			modules++
		}
		took += c.took * time.Duration(c.lines) / 100_000
	}
	if took*100_000 > time.Second*time.Duration(lines) {
		t.Errorf("the checks take %v for %d lines, want a second for 100,000 at most", took, lines)
	}
	if modules < 8 {
		t.Errorf("the census has %d modules, want 8 or more", modules)
	}
	if float64(told) > float64(lines)/100_000 {
		t.Errorf("%d findings are told without evidence in %d lines, want one in 100,000 at most", told, lines)
	}
}

// TestCensus counts again, with -census, or for the record: go test ./vet -run Census -update writes the record.
// It compiles what the packages import, which takes minutes the first time.
// Modules that are not in the module cache are skipped.
func TestCensus(t *testing.T) {
	if !*update && !*again {
		t.Skip("reads others' code for minutes: neither -update nor -census is set")
	}
	data, err := os.ReadFile(filepath.Join("testdata", "census.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range strings.Fields(string(data)) {
		t.Run(strings.ReplaceAll(what, "/", "_"), func(t *testing.T) {
			now, ok := count(t, what)
			if !ok {
				t.Skip("not in the module cache")
			}
			t.Log(now)
			was := recordedCensus(t)
			i := slices.IndexFunc(was, func(c counted) bool { return c.what == what })
			switch {
			case *update && i < 0:
				was = append(was, now)
			case *update:
				was[i] = now
			case i < 0:
				t.Fatal("the record has no such line: -update writes it")
			case !maps.Equal(was[i].told, now.told) || !maps.Equal(was[i].hints, now.hints):
				t.Fatalf("the record has %v: look at what is new, then -update", was[i])
			default:
				return
			}
			write(t, was)
		})
	}
}

func write(t *testing.T, all []counted) {
	t.Helper()
	var b strings.Builder
	b.WriteString("# What the checks say without evidence: told by default, and as hints. go test ./vet -run Census -update\n")
	for _, c := range all {
		fmt.Fprintln(&b, c)
	}
	if err := os.WriteFile(census, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// load returns the packages of a module, or of the standard library, with their tests
// or without, and how many are left out for they do not load.
func load(t *testing.T, what string, tests bool) (sound []*packages.Package, left int, ok bool) {
	t.Helper()
	dir, pattern := t.TempDir(), what
	env := append(os.Environ(), "GOWORK=off", "GOPROXY=off", "GOFLAGS=-mod=mod", "GONOSUMDB=*", "GONOSUMCHECK=1")
	if path, version, isModule := strings.Cut(what, "@"); isModule {
		pattern = path + "/..."
		gomod := fmt.Sprintf("module census\n\ngo 1.26\n\nrequire %s %s\n", path, version)
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(gomod), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", path)
		cmd.Dir, cmd.Env = dir, env
		if out, err := cmd.Output(); err != nil || strings.TrimSpace(string(out)) == "" {
			return nil, 0, false
		}
	}
	ctx := t.Context()
	if at, ok := t.Deadline(); ok { // or the go command is left behind
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, at.Add(-3*time.Second))
		defer cancel()
	}
	cfg := &packages.Config{Context: ctx, Mode: packages.LoadSyntax | packages.NeedForTest | packages.NeedModule, Tests: tests, Dir: dir, Env: env}
	all, err := packages.Load(cfg, pattern)
	if err != nil {
		t.Fatal(err)
	}
	bad := func(p *packages.Package) bool { return len(p.Errors) > 0 || p.IllTyped || len(p.Syntax) == 0 }
	for _, p := range all {
		better := slices.ContainsFunc(all, func(q *packages.Package) bool { // one with tests
			return q != p && q.PkgPath == p.PkgPath && q.ForTest != "" && p.ForTest == "" && !bad(q)
		})
		switch {
		case strings.HasSuffix(p.ID, ".test") || better:
		case bad(p):
			if left++; left <= 3 && len(p.Errors) > 0 {
				t.Logf("left out: %s: %v", p.ID, p.Errors[0])
			}
		default:
			sound = append(sound, p)
		}
	}
	return sound, left, true
}

// count counts in the packages of a module, or of the standard library.
func count(t *testing.T, what string) (c counted, ok bool) {
	t.Helper()
	c = counted{what: what, told: map[string]int{}, hints: map[string]int{}}
	var sound []*packages.Package
	// To compile what the tests of the standard library import takes many minutes.
	if sound, c.left, ok = load(t, what, what != "std"); !ok {
		return c, false
	}
	seen := map[string]bool{}
	for _, p := range sound {
		for _, f := range p.Syntax {
			if tf := p.Fset.File(f.FileStart); !seen[tf.Name()] {
				seen[tf.Name()] = true
				c.lines += tf.LineCount()
			}
		}
	}
	c.packages = len(sound)
	defer heat.Give(nil, false)()
	var graph *checker.Graph
	var err error
	for i := range 3 { // the fastest counts: others may use the machine
		began := time.Now()
		if graph, err = checker.Analyze(vet.All(), sound, nil); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began) * 100_000 / time.Duration(max(c.lines, 1)); i == 0 || took < c.took {
			c.took = took
		}
	}
	by := map[string]time.Duration{}
	for act := range graph.All() {
		by[act.Analyzer.Name] += act.Duration
	}
	for _, name := range slices.SortedFunc(maps.Keys(by), func(a, b string) int { return cmp.Compare(by[b], by[a]) })[:6] {
		t.Logf("%s took %v", name, by[name])
	}
	places := map[string]bool{} // a file may be in several packages
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Errorf("%v: %v", act, act.Err)
			continue
		}
		for _, f := range act.Result.([]shape.Finding) {
			at := fmt.Sprint(act.Package.Fset.Position(f.Pos), f.Check)
			if places[at] {
				continue
			}
			places[at] = true
			if f.Sure || f.Seen != "" {
				c.told[f.Check]++
				t.Logf("%s: %s", act.Package.Fset.Position(f.Pos), f.Message)
			} else {
				c.hints[f.Check]++
			}
		}
	}
	return c, true
}
