package session_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/gocmd/gocmdtest"
	"github.com/gopayoff/payoff/tool/internal/host/local"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// It has something that go vet complains of as it is.
const sumCode = `package m

import "sync"

type total struct {
	mu sync.Mutex
	n  int
}

// Sum adds up xs by two goroutines.
func Sum(xs []int) int {
	var t total
	var wg sync.WaitGroup
	for _, part := range [][]int{xs[:len(xs)/2], xs[len(xs)/2:]} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, x := range part {
				t.mu.Lock()
				t.n += x
				t.mu.Unlock()
			}
		}()
	}
	wg.Wait()
	return t.n
}

func serial(xs []int) (n int) {
	for _, x := range xs {
		n += x
	}
	return n
}

var last int

func unused() int {
	return 1
	return 2
}
`

const sumTests = `package m

import "testing"

var data = func() []int {
	xs := make([]int, 20000)
	for i := range xs {
		xs[i] = i
	}
	return xs
}()

func TestSum(t *testing.T) {
	if got, want := Sum(data), serial(data); got != want {
		t.Errorf("Sum = %d, want %d", got, want)
	}
}

func BenchmarkSum(b *testing.B) {
	for _, v := range []struct {
		name string
		sum  func([]int) int
	}{{"serial", serial}, {"workers", Sum}} {
		b.Run("variant="+v.name, func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				v.sum(data)
			}
		})
	}
}

func BenchmarkFar(b *testing.B) {
	m := map[int]int{}
	for i := 0; i < b.N; i++ {
		m[i%1000]++
	}
}
`

// sumEdits are what the body of the goroutine could be instead.
var sumEdits = map[string]string{
	"local":  "n := 0\n\t\t\tfor _, x := range part {\n\t\t\t\tn += x\n\t\t\t}\n\t\t\tt.mu.Lock()\n\t\t\tt.n += n\n\t\t\tt.mu.Unlock()\n",
	"rename": "for _, y := range part {\n\t\t\t\tt.mu.Lock()\n\t\t\t\tt.n += y\n\t\t\t\tt.mu.Unlock()\n\t\t\t}\n",
	"copies": "n := t\n\t\t\tfor _, x := range part {\n\t\t\t\tn.n += x\n\t\t\t}\n\t\t\tt.mu.Lock()\n\t\t\tt.n += n.n\n\t\t\tt.mu.Unlock()\n",
	"wrong":  "for range part {\n\t\t\t\tt.mu.Lock()\n\t\t\t\tt.n++\n\t\t\t\tt.mu.Unlock()\n\t\t\t}\n",
	"races":  "n := 0\n\t\t\tfor _, x := range part {\n\t\t\t\tn += x\n\t\t\t\tlast = x\n\t\t\t}\n\t\t\tt.mu.Lock()\n\t\t\tt.n += n\n\t\t\tt.mu.Unlock()\n",
	"broken": "for _, x := range part {\n\t\t\t\tt.n += z\n\t\t\t}\n",
}

// sumLab is a small module with a candidate for each edit.
func sumLab(t *testing.T) (verify.Lab, verify.Options) {
	dir, tc := gocmdtest.Module(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.22\n", "m.go": sumCode, "m_test.go": sumTests})
	targets, problems, err := discover.Targets(t.Context(), tc, nil, ".")
	if err != nil || len(targets) != 1 || len(problems) > 0 {
		t.Fatalf("Targets = %v, %v, %v", targets, problems, err)
	}
	tmp := t.TempDir()
	lab := verify.Lab{Host: local.New(tmp, local.NewCompiler(tc, tmp, "")), Target: targets[0], Vet: verify.GoVet(tc, tmp)}
	names := []string{"BenchmarkSum/variant=serial", "BenchmarkSum/variant=workers", "BenchmarkFar"}
	o := verify.Options{Series: &measure.Series{Package: targets[0].Package, Procs: []int{1, 2}, Families: discover.Families(names, discover.Hints{})},
		Controls: names[2:], Seed: 1, Progress: func(p verify.Progress) { t.Logf("%+v", p) }}
	old := sumCode[strings.Index(sumCode, "for _, x := range part"):]
	old = old[:strings.Index(old, "\t\t}()")]
	for _, id := range slices.Sorted(maps.Keys(sumEdits)) {
		o.Candidates = append(o.Candidates, verify.Candidate{Edit: edit.Edit{ID: id, Name: id}, Func: "Sum", Claim: "Sum",
			Cells:  []measure.Cell{{Bench: names[1], Procs: 1}, {Bench: names[1], Procs: 2}},
			Change: overlay.Overlay{filepath.Join(dir, "m.go"): []byte(strings.Replace(sumCode, old, sumEdits[id], 1))}})
	}
	return lab, o
}

// Edits of a real module go through the compiler, go vet, its tests and the race
// detector.
func TestVerifyChecks(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles test binaries")
	}
	lab, o := sumLab(t)
	o.Progress = nil
	rec, err := verify.Checks(t.Context(), lab, o)
	if err != nil || rec.Problem != nil {
		t.Fatal(err, rec.Problem)
	}
	for _, c := range rec.Candidates {
		want := map[string]verify.Stage{"copies": verify.Vetted, "wrong": verify.Tested, "races": verify.Raced, "broken": verify.Unbuilt}[c.ID]
		if want == verify.Raced && slices.ContainsFunc(rec.Notes, func(n string) bool { return strings.Contains(n, "race detector") }) {
			want = "" // none here
		}
		if c.Stage != want || (want == "") != (c.Out == "") || strings.Contains(c.Out, "-m.go") {
			t.Errorf("%s goes out at %q: %s, want %q", c.ID, c.Stage, c.Out, want)
		}
	}
}

// nothings are edits of a function that change nothing but, some of them, where
// code lies.
var nothings = []struct {
	name string
	edit func(src, fn string) string
}{
	{"comment", func(src, fn string) string {
		return strings.Replace(src, "func "+fn+"(", "// Nothing.\n\nfunc "+fn+"(", 1)
	}},
	{"block", func(src, fn string) string { return intoBody(src, fn, "\n\t{\n\t}") }},
	{"never", func(src, fn string) string { return intoBody(src, fn, "\n\tif false {\n\t\tprintln()\n\t}") }},
	{"moved", func(src, fn string) string {
		from := strings.Index(src, "func "+fn+"(")
		to := from + strings.Index(src[from:], "\n}\n") + 3
		return src[:from] + src[to:] + "\n" + src[from:to]
	}},
	{"shifted", func(src, fn string) string {
		return strings.Replace(src, "func "+fn+"(", "//go:noinline\nfunc before() { println() }\n\nvar keep = before\n\nfunc "+fn+"(", 1)
	}},
	{"renamed", func(src, fn string) string {
		from := strings.Index(src, "func "+fn+"(")
		to := from + strings.Index(src[from:], "\n}\n")
		return src[:from] + regexp.MustCompile(`\b([ijknsx])\b`).ReplaceAllString(src[from:to], "${1}0") + src[to:]
	}},
}

func intoBody(src, fn, text string) string {
	from := strings.Index(src, "func "+fn+"(")
	at := from + strings.Index(src[from:], "{\n") + 1
	return src[:at] + text + src[at:]
}

// TestVerifyNothing tries edits that change nothing on the code of testdata/aa.
// It leaves its records in the folder that PAYOFF_RECORD names.
func TestVerifyNothing(t *testing.T) {
	record := os.Getenv("PAYOFF_RECORD")
	if record == "" {
		t.Skip("measures for six minutes: PAYOFF_RECORD is not set")
	}
	dir, err := filepath.Abs("../../testdata/aa")
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(filepath.Join(dir, "aa.go"))
	if err != nil {
		t.Fatal(err)
	}
	tc := gocmdtest.Find(t, dir)
	targets, _, err := discover.Targets(t.Context(), tc, nil, ".")
	if err != nil {
		t.Fatal(err)
	}
	kinds := [][2]string{{"spin", "spin"}, {"spinpar", "each"}, {"isort", "kinds"}, {"msort", "msort"}, {"json", "encode"},
		{"alloc", "allocate"}, {"chan", "pipeline"}, {"map", "fill"}, {"mutex", "contended"}, {"build", "build"}}
	for i := 0; i < len(kinds); i += 2 {
		name := kinds[i][0] + "-" + kinds[i+1][0]
		t.Run(name, func(t *testing.T) {
			tmp := t.TempDir()
			lab := verify.Lab{Host: local.New(tmp, local.NewCompiler(tc, tmp, "")), Target: targets[0], Vet: verify.GoVet(tc, tmp)}
			o := verify.Options{Series: &measure.Series{Package: targets[0].Package, Procs: []int{1, 2}}, Budget: 57 * time.Second, Seed: uint64(i + 1)}
			for _, kind := range kinds[i : i+2] {
				bench := "BenchmarkAA/kind=" + kind[0] + "/variant=a"
				for _, form := range nothings {
					o.Candidates = append(o.Candidates, verify.Candidate{Edit: edit.Edit{ID: kind[0] + ":" + form.name, Name: form.name}, Func: kind[1], Claim: kind[1],
						Cells:  []measure.Cell{{Bench: bench, Procs: 1}, {Bench: bench, Procs: 2}},
						Change: overlay.Overlay{filepath.Join(dir, "aa.go"): []byte(form.edit(string(src), kind[1]))}})
				}
			}
			rec, err := verify.Run(t.Context(), lab, o)
			if err != nil || rec.Problem != nil {
				t.Fatal(err, rec.Problem)
			}
			data, err := json.Marshal(rec)
			if err == nil {
				err = os.WriteFile(filepath.Join(record, name+".json"), data, 0o644)
			}
			if err != nil {
				t.Error(err)
			}
			kept, tried := 0, 0
			for _, p := range verify.Judge(rec) {
				switch p.Word {
				case verify.Kept:
					kept++
				case verify.Fails:
					t.Errorf("%s: %s: %s", p.Candidate, p.Word, p.Why)
				}
				if len(p.Gains) > 0 {
					tried++
				}
				line := fmt.Sprintf("%-16s %-10s", p.Candidate, p.Word)
				for _, g := range p.Gains {
					line += fmt.Sprintf("  at %d: %.3f [%.3f, %.3f] of %d pairs", g.Procs, g.Ratio, g.Low, g.High, g.Pairs)
				}
				t.Log(line)
			}
			t.Logf("%s: %d of %d kept, in %v", name, kept, tried, rec.Elapsed.Round(time.Second))
			if kept > 0 {
				t.Errorf("an edit that changes nothing is kept")
			}
		})
	}
}

// A lock for each element is found to cost more than one for each goroutine, and
// another name for a variable is found to change nothing.
func TestVerify(t *testing.T) {
	if os.Getenv("PAYOFF_RECORD") == "" {
		t.Skip("measures for a minute: PAYOFF_RECORD is not set")
	}
	lab, o := sumLab(t)
	o.Budget = 45 * time.Second
	rec, err := verify.Run(t.Context(), lab, o)
	if err != nil || rec.Problem != nil {
		t.Fatal(err, rec.Problem)
	}
	for _, p := range verify.Judge(rec) {
		t.Logf("%s: %s %s %v", p.Candidate, p.Word, p.Why, rec.Elapsed)
		for _, g := range p.Gains {
			t.Logf("  %s %.2f [%.2f, %.2f] of %d pairs in %d layouts", g.Cell, g.Ratio, g.Low, g.High, g.Pairs, g.Layouts)
		}
		for _, a := range p.After {
			t.Logf("  %s against %s: %s, %.2f [%.2f, %.2f]", a.Cell, a.Base, a.Word, a.Ratio, a.Low, a.High)
		}
		if (p.Candidate == "local") != (p.Word == verify.Kept) {
			t.Errorf("%s is %s: %s", p.Candidate, p.Word, p.Why)
		}
	}
}
