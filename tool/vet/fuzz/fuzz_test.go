package fuzz

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"go/format"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/vet"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// A variant is a program, as it was made or with an edit.
type variant struct {
	of, name string // the program, and the package: the same where nothing is edited
	kind     string // check:edit
	src      []byte
}

// TestFuzz makes programs, and holds each edit of them against the program without
// it. With PAYOFF_LONG it makes thousands, and has the race detector look at them.
// PAYOFF_FUZZ is how many, and PAYOFF_FORMS the checks whose forms are taken.
func TestFuzz(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	seed, programs, batch := stress.Seed(t), 40, 40
	if stress.Long() {
		programs, batch = 10_000, 250
	}
	if n, err := strconv.Atoi(os.Getenv("PAYOFF_FUZZ")); err == nil {
		programs = n
	}
	var all []string
	for _, check := range slices.Sorted(maps.Keys(forms)) {
		if only := os.Getenv("PAYOFF_FORMS"); only == "" || slices.Contains(strings.Split(only, ","), check) {
			all = append(all, forms[check]...)
		}
	}
	sum := &tally{edits: map[string]int{}, wrong: map[string]int{}}
	for from := 0; from < programs; from += batch {
		sum.batch(t, all, seed, from, min(from+batch, programs))
		if at, ok := t.Deadline(); ok && time.Until(at) < 2*time.Minute && stress.Long() {
			break
		}
	}
	t.Log(sum)
	if sum.programs < programs/2 && !stress.Long() {
		t.Errorf("%d of %d programs were of use, want half", sum.programs, programs)
	}
	if len(sum.edits) == 0 {
		t.Error("no program has an edit")
	}
}

// A tally counts programs and edits.
type tally struct {
	programs     int
	broken, free int // that do not compile, or do not print the same each time
	edits, wrong map[string]int
}

func (s *tally) String() string {
	var b strings.Builder
	total := 0
	for _, k := range slices.Sorted(maps.Keys(s.edits)) {
		fmt.Fprintf(&b, "%6d %s", s.edits[k], k)
		if s.wrong[k] > 0 {
			fmt.Fprintf(&b, ", %d of them wrong", s.wrong[k])
		}
		b.WriteString("\n")
		total += s.edits[k]
	}
	return fmt.Sprintf("%d programs with %d edits; %d do not compile, %d do not know what they print\n%s", s.programs, total, s.broken, s.free, b.String())
}

// batch tries the programs of those numbers.
func (s *tally) batch(t *testing.T, all []string, seed uint64, from, to int) {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte("module generated\n\ngo 1.26\n"))
	write(t, filepath.Join(dir, "out", "out.go"), []byte(outSource))
	for i := from; i < to; i++ {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		// Each form comes as often as the others, beside another.
		chosen := []string{all[i%len(all)], all[r.IntN(len(all))]}
		name := "p" + strconv.Itoa(i)
		src, err := format.Source([]byte(program(r.Uint64(), name, chosen)))
		if err != nil {
			t.Fatalf("PAYOFF_SEED=%d, program %d: %v\n%s", seed, i, err, program(r.Uint64(), name, chosen))
		}
		write(t, filepath.Join(dir, name, name+".go"), src)
	}
	env := append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
	pkgs, err := packages.Load(&packages.Config{Context: t.Context(), Dir: dir, Env: env, Mode: packages.LoadSyntax | packages.NeedModule}, "./p...")
	if err != nil {
		t.Fatal(err)
	}
	pkgs = slices.DeleteFunc(pkgs, func(p *packages.Package) bool {
		if len(p.Errors) > 0 {
			s.broken++
			t.Logf("does not compile: %v", p.Errors[0])
			os.RemoveAll(filepath.Join(dir, p.Name))
		}
		return len(p.Errors) > 0
	})
	slices.SortFunc(pkgs, func(a, b *packages.Package) int { return cmp.Compare(a.PkgPath, b.PkgPath) })
	graph, err := checker.Analyze(vet.All(), pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	var variants []variant
	found := map[*packages.Package][]shape.Finding{}
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Errorf("PAYOFF_SEED=%d, %s: %v", seed, act, act.Err)
			continue
		}
		found[act.Package] = append(found[act.Package], act.Result.([]shape.Finding)...)
	}
	for _, p := range pkgs {
		src, err := os.ReadFile(p.GoFiles[0])
		if err != nil {
			t.Fatal(err)
		}
		variants = append(variants, variant{p.Name, p.Name, "", src})
		add := func(kind string, edits []analysis.TextEdit) {
			after, err := rewrite.Apply(p.Fset.File(p.Syntax[0].FileStart), src, edits)
			if err != nil {
				s.fails(t, seed, kind, p.Name, fmt.Sprintf("cannot be made: %v", err), src, nil)
				return
			}
			name := fmt.Sprintf("%sv%d", p.Name, len(variants)) // _386 would be a build tag
			after = bytes.Replace(after, []byte("package "+p.Name+"\n"), []byte("package "+name+"\n"), 1)
			variants = append(variants, variant{p.Name, name, kind, after})
			write(t, filepath.Join(dir, name, name+".go"), after)
		}
		slices.SortStableFunc(found[p], func(a, b shape.Finding) int { return cmp.Compare(a.Pos, b.Pos) })
		var together []analysis.TextEdit
		several := 0
		for _, f := range found[p] {
			swept := map[string]int{}
			took := false
			for _, x := range f.Fixes {
				if x.Holds != "" {
					continue // nothing proves it
				}
				if swept[x.Name]++; x.Needs != "" || swept[x.Name] > 1 && !stress.Long() {
					continue
				}
				add(f.Check+":"+x.Name, x.Edits)
				if x.Alone() && !took && !rewrite.Clash(p.Syntax, together, x.Edits) {
					took = true
					several++
					together = append(slices.Clip(together), x.Edits...)
				}
			}
		}
		if several > 1 {
			add("together", together)
		}
	}
	s.compare(t, dir, env, seed, variants)
	if stress.Long() {
		s.compare(t, dir, env, seed, variants, "-race")
	}
}

// compare builds all variants as one program and runs them.
func (s *tally) compare(t *testing.T, dir string, env []string, seed uint64, variants []variant, flags ...string) {
	t.Helper()
	race := len(flags) > 0
	bin := filepath.Join(dir, "run.exe")
	for {
		var b strings.Builder
		b.WriteString("package main\n\nimport (\n\t\"os\"\n\n")
		for _, v := range variants {
			fmt.Fprintf(&b, "\t\"generated/%s\"\n", v.name)
		}
		b.WriteString(")\n\nfunc main() {\n\tmap[string]func(){\n")
		for _, v := range variants {
			fmt.Fprintf(&b, "\t\t%q: %s.Run,\n", v.name, v.name)
		}
		b.WriteString("\t}[os.Args[1]]()\n}\n")
		write(t, filepath.Join(dir, "run", "main.go"), []byte(b.String()))
		build := exec.CommandContext(t.Context(), "go", slices.Concat([]string{"build", "-ldflags=-s -w", "-o", bin}, flags, []string{"./run"})...)
		build.Dir, build.Env = dir, env
		text, err := build.CombinedOutput()
		if err == nil {
			break
		}
		// What does not compile is an edit that is wrong; the others go on.
		left := slices.DeleteFunc(slices.Clone(variants), func(v variant) bool {
			bad := v.kind != "" && bytes.Contains(text, []byte(v.name+string(filepath.Separator)))
			if bad {
				s.fails(t, seed, v.kind, v.of, "does not compile: "+string(text), source(variants, v.of), v.src)
			}
			return bad
		})
		if len(left) == len(variants) {
			t.Fatalf("go build: %v\n%s", err, text)
		}
		variants = left
	}
	var was []string // what the program prints, nil if it does not know
	for _, v := range variants {
		if v.kind == "" {
			was = nil
			first, ok := run(t, bin, v.name, 0)
			for procs := 1; procs <= 4 && ok; procs++ {
				var again string
				if again, ok = run(t, bin, v.name, procs); ok && again != first {
					ok = false
				}
			}
			if ok {
				was = []string{first}
			}
			if !race && ok {
				s.programs++
			} else if !race {
				s.free++
			}
			continue
		}
		if was == nil {
			continue
		}
		if !race {
			s.edits[v.kind]++
		}
		for procs := range 3 {
			is, ok := run(t, bin, v.name, procs)
			if !ok || is != was[0] {
				s.fails(t, seed, v.kind, v.of, fmt.Sprintf("%v prints\n%s\nwant\n%s", flags, difference(is, was[0]), difference(was[0], is)), source(variants, v.of), v.src)
				break
			}
		}
	}
}

func source(variants []variant, name string) []byte {
	return variants[slices.IndexFunc(variants, func(v variant) bool { return v.name == name })].src
}

// fails reports an edit that is wrong, with what it did to the program.
func (s *tally) fails(t *testing.T, seed uint64, kind, program, how string, before, after []byte) {
	t.Helper()
	if s.wrong[kind]++; s.wrong[kind] > 3 {
		return
	}
	var diff []byte
	if dir := t.TempDir(); after != nil {
		write(t, filepath.Join(dir, "was.go"), before)
		write(t, filepath.Join(dir, "is.go"), after)
		cmd := exec.Command("git", "diff", "--no-index", "--no-color", "-U6", "was.go", "is.go")
		cmd.Dir = dir
		diff, _ = cmd.Output()
	}
	t.Errorf("PAYOFF_SEED=%d, program %s, edit %s: %s\n%s", seed, program, kind, how, diff)
}

// difference is the first line of a text that is another in b.
func difference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i, l := range as {
		if i >= len(bs) || bs[i] != l {
			return fmt.Sprintf("line %d: %s", i+1, strings.Join(as[i:min(i+12, len(as))], "\n"))
		}
	}
	return "less"
}

// run is what a variant prints, and whether it ends as it should.
func run(t *testing.T, bin, name string, procs int) (text string, ok bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, name)
	cmd.Env = append(os.Environ(), "GORACE=halt_on_error=1 atexit_sleep_ms=0")
	if procs > 0 {
		cmd.Env = append(cmd.Env, "GOMAXPROCS="+strconv.Itoa([]int{1, 2, 8, runtime.NumCPU()}[procs-1]))
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Sprintf("%s%v", out, err), false
	}
	return string(out), true
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(name), 0o755)
	if err == nil {
		err = os.WriteFile(name, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
