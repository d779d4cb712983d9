package store

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/record"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

var plan = Run{Rule: stats.DefaultRule, Bounds: stats.DefaultBounds, Command: []string{"run"}, Budget: time.Minute}

func newSeries(pkg string) *measure.Series {
	names := []string{"BenchmarkA/variant=serial", "BenchmarkA/variant=x"}
	return &measure.Series{Package: pkg, Procs: []int{1, 2}, Families: discover.Families(names, discover.Hints{}), Dropped: map[string]int{}, Samples: map[measure.Cell][]measure.Sample{}, End: measure.Decided}
}

// recorded writes a series with some samples of all kinds of numbers.
func recorded(t *testing.T, d *Dir, pkg string) *measure.Series {
	t.Helper()
	s := newSeries(pkg)
	p, err := d.Package(plan, s)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	nan := float32(math.NaN())
	odd := func() float32 { return float32(math.Exp(20*rng.Float64() - 10)) }
	for round := int32(1); round <= 20; round++ {
		for _, f := range s.Families {
			for _, m := range f.Members {
				for _, procs := range s.Procs {
					x := measure.Sample{
						Round: round, N: rng.Int64N(1e9) + 1, Wall: 1e6 * rng.Float64(), CPU: 1e6 * rng.Float64(), Goroutines: odd(), Allocs: odd(), Bytes: odd(),
						Voluntary: odd(), Preempted: odd(), MutexWait: odd(), GC: odd(), Got: rng.Float32(), Steal: rng.Float32(), Child: odd(), Whole: odd(), SetBytes: 8, ActualProcs: int32(procs),
					}
					switch round % 4 {
					case 0: // an unprobed binary
						x.CPU, x.Goroutines, x.Voluntary, x.Preempted, x.MutexWait, x.GC, x.Child = math.NaN(), nan, nan, nan, nan, nan, nan
					case 1:
						x.Extra = map[string]float64{"things/op": rng.Float64(), strings.Repeat("long", 2000): 1}
					case 2:
						x.CPU = float64(float32(0.1)) // looks like a float32
					}
					c := measure.Cell{Bench: m.Bench, Procs: procs, Twin: round == 3}
					drop := []string{"", "", "steal", measure.Calibration, ""}[rng.IntN(5)]
					if err := p.Sample(c, x, drop); err != nil {
						t.Fatal(err)
					}
					switch drop {
					case "":
						s.Add(c, x)
					case "steal":
						s.Dropped[drop]++
					}
				}
			}
		}
	}
	s.Problems = []problem.Problem{{Package: pkg, Reason: "odd", Next: "look", Note: true}}
	s.Cost.Total, s.Needs = 12345, 3*time.Minute
	s.Listed = []measure.Listed{{Name: "BenchmarkX/variant=serial", PerOp: 12.5, Whole: 30}}
	if err := p.Close(s); err != nil {
		t.Fatal(err)
	}
	return s
}

// same compares by what is printed, in which NaN is NaN.
func same(a, b *measure.Series) bool {
	print := func(s *measure.Series) string {
		var w strings.Builder
		fmt.Fprintf(&w, "%s %v %+v %v %v %v %v %v %v\n", s.Package, s.Procs, s.Listed, s.Families, s.Dropped, s.Problems, s.End, s.Cost, s.Needs)
		for _, c := range slices.SortedFunc(mapKeys(s), func(a, b measure.Cell) int { return strings.Compare(fmt.Sprint(a, a.Twin), fmt.Sprint(b, b.Twin)) }) {
			fmt.Fprintf(&w, "%v %v %#v\n", c, c.Twin, s.Samples[c])
		}
		return w.String()
	}
	return print(a) == print(b)
}

func mapKeys(s *measure.Series) func(func(measure.Cell) bool) {
	return func(yield func(measure.Cell) bool) {
		for c := range s.Samples {
			if !yield(c) {
				return
			}
		}
	}
}

// What is read back is what was measured, to the last bit: a replay must not
// judge other numbers.
func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	d, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Put(plan); err != nil {
		t.Fatal(err)
	}
	var want []*measure.Series
	for i := range 101 { // beyond two digits the order of names is not that of numbers
		if i == 0 || i == 100 {
			want = append(want, recorded(t, d, fmt.Sprintf("example.com/p%d", i)))
			continue
		}
		s := newSeries(fmt.Sprintf("example.com/p%d", i))
		p, err := d.Package(plan, s)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Close(s); err != nil {
			t.Fatal(err)
		}
		want = append(want, s)
	}
	run, got, err := Load(dir)
	if err != nil || len(got) != len(want) {
		t.Fatalf("Load = %d packages, %v; want %d", len(got), err, len(want))
	}
	if !reflect.DeepEqual(run.Rule, plan.Rule) || run.Bounds != plan.Bounds || run.Schema != Schema {
		t.Errorf("Load = %+v, want %+v", run, plan)
	}
	for i := range want {
		if !same(got[i], want[i]) {
			t.Errorf("package %d: got %s\nwant %s, and the same samples", i, got[i].Package, want[i].Package)
		}
	}
	var live, replayed bytes.Buffer
	if err := WriteBench(&live, plan, want[0]); err != nil {
		t.Fatal(err)
	}
	if err := WriteBench(&replayed, run, got[0]); err != nil {
		t.Fatal(err)
	}
	if live.String() != replayed.String() {
		t.Error("the benchmark format differs after a round trip")
	}
}

// A run that was killed leaves series.json without an end, whatever the end of
// the package was before, and samples.jsonl.
func TestLoadUnfinished(t *testing.T) {
	dir := t.TempDir()
	d, _ := Create(dir)
	if err := d.Put(plan); err != nil {
		t.Fatal(err)
	}
	s := newSeries("example.com/m")
	s.End, s.Budget = measure.Failed, time.Hour
	p, err := d.Package(plan, s)
	if err != nil {
		t.Fatal(err)
	}
	c := measure.Cell{Bench: s.Families[0].Members[0].Bench, Procs: 1}
	if err := p.Sample(c, measure.Sample{Round: 1, N: 1, Wall: 5}, ""); err != nil {
		t.Fatal(err)
	}
	p.f.WriteString(`{"b":"BenchmarkA/variant=serial","p":1`)
	p.f.Close()
	_, got, err := Load(dir)
	if err != nil || len(got) != 1 || got[0].End != measure.Interrupted || len(got[0].Samples[c]) != 1 {
		t.Fatalf("Load = %+v, %v; want one sample of an interrupted package", got, err)
	}
	if got[0].Budget != time.Hour {
		t.Errorf("its budget is %v, want that of the package", got[0].Budget)
	}

	// The next one is killed when it goes on, and a third before its series.json is whole.
	recorded(t, d, "example.com/two")
	third := filepath.Join(dir, "03-m")
	if err := os.Mkdir(third, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(third, "series.json.new"), []byte(`{"pack`), 0o644); err != nil {
		t.Fatal(err)
	}
	d, _, got, err = Reopen(dir)
	if err != nil || len(got) != 2 || got[1].End == measure.Interrupted || got[1].Budget != plan.Budget {
		t.Fatalf("Reopen = %+v, %v; want two packages, the second with its end and the budget of the run", got, err)
	}
	if p, err = d.Package(plan, got[1]); err != nil {
		t.Fatal(err)
	}
	p.f.Close()
	if _, got, err = Load(dir); err != nil || len(got) != 2 || got[1].End != measure.Interrupted {
		t.Errorf("Load = %+v, %v; want the second package interrupted", got, err)
	}
}

// What was taken out of a run makes no package of the same name overwrite another.
func TestReopenGap(t *testing.T) {
	dir := t.TempDir()
	d, _ := Create(dir)
	if err := d.Put(plan); err != nil {
		t.Fatal(err)
	}
	recorded(t, d, "example.com/x/a")
	kept := recorded(t, d, "example.com/y/a")
	if err := os.RemoveAll(filepath.Join(dir, "01-a")); err != nil {
		t.Fatal(err)
	}
	d, _, _, err := Reopen(dir)
	if err != nil {
		t.Fatal(err)
	}
	recorded(t, d, "example.com/x/a")
	_, got, err := Load(dir)
	if err != nil || len(got) != 2 || !same(got[0], kept) {
		t.Errorf("Load = %d packages, %v; want two, the first as it was", len(got), err)
	}
}

// Every line of a damaged file that can be read is read.
func TestLoadDamaged(t *testing.T) {
	dir := t.TempDir()
	d, _ := Create(dir)
	if err := d.Put(plan); err != nil {
		t.Fatal(err)
	}
	recorded(t, d, "example.com/m")
	file := filepath.Join(dir, "01-m", "samples.jsonl")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, whole, _ := Load(dir)
	lines := bytes.SplitAfter(data, []byte("\n"))
	for _, bad := range []string{"{\n", "\n", "null\n", strings.Repeat("\x00", 9000) + "\n", `{"b":"BenchmarkA/variant=serial","p":1,"r":1,"n":1,"wall":-1}` + "\n"} {
		damaged := slices.Insert(slices.Clone(lines), 3, []byte(bad), []byte(bad))
		if err := os.WriteFile(file, bytes.Join(damaged, nil), 0o644); err != nil {
			t.Fatal(err)
		}
		_, got, err := Load(dir)
		if err == nil || !strings.Contains(err.Error(), "samples.jsonl:4 is damaged") || !strings.Contains(err.Error(), "; 1 more lines are damaged") {
			t.Errorf("Load with lines %.10q = %v; want line 4 named and 1 more", bad, err)
		}
		if len(got) != 1 || !same(got[0], whole[0]) {
			t.Errorf("Load with lines %.10q lost other samples", bad)
		}
	}
}

func FuzzLoadSamples(f *testing.F) {
	f.Add([]byte(`{"b":"BenchmarkA/variant=serial","p":1,"r":1,"n":1,"wall":5,"got":1}` + "\n{"))
	f.Add([]byte(`{"b":"BenchmarkA/variant=x","p":2,"twin":true,"drop":"steal","r":1,"n":1,"wall":5,"cpu":1e999}` + "\n"))
	dir := f.TempDir()
	d, _ := Create(dir)
	if err := d.Put(plan); err != nil {
		f.Fatal(err)
	}
	s := newSeries("example.com/m")
	p, err := d.Package(plan, s)
	if err != nil {
		f.Fatal(err)
	}
	if err := p.Close(s); err != nil {
		f.Fatal(err)
	}
	about, err := os.ReadFile(filepath.Join(dir, "01-m", "series.json"))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		for name, content := range map[string][]byte{"series.json": about, "samples.jsonl": data} {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		s, err := loadPackage(new(record.Reader), dir, true)
		if s == nil {
			t.Fatalf("no series with %v: what can be read is kept", err)
		}
		read := s.Dropped["steal"]
		for _, x := range s.Samples {
			read += len(x)
		}
		if lines := bytes.Count(data, []byte("\n")); read > lines {
			t.Errorf("%d samples of %d lines", read, lines)
		}
	})
}

// A run that was cut off in the middle of a line goes on as if it had not been.
func TestReopen(t *testing.T) {
	dir := t.TempDir()
	d, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Put(plan); err != nil {
		t.Fatal(err)
	}
	first := recorded(t, d, "example.com/first")
	if err := os.WriteFile(filepath.Join(dir, "01-first", evidenceFile), []byte(`{"bench":"BenchmarkA/variant=x","procs":2}`+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "01-first", samplesFile)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(data, data[:len(data)/7]...)[:len(data)+40], 0o644); err != nil { // a line that is not whole
		t.Fatal(err)
	}
	d, _, all, err := Reopen(dir)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d packages, %v", len(all), err)
	}
	p, err := d.Package(plan, all[0])
	if err != nil {
		t.Fatal(err)
	}
	// While it goes on it has no end; its evidence stays until there is other.
	if _, all, err := Load(dir); err != nil || all[0].End != measure.Interrupted || len(all[0].Evidence) != 1 {
		t.Errorf("while it goes on: end %q, %d sets of evidence, %v", all[0].End, len(all[0].Evidence), err)
	}
	for _, procs := range []int{2, 1} { // the first replaces what is there
		if err := errors.Join(p.Evidence(&evidence.Set{Bench: "BenchmarkA/variant=x", Procs: procs, Touched: 5}), p.EvidenceFile("001-x.trace", []byte{byte(procs)})); err != nil {
			t.Fatal(err)
		}
	}
	c := measure.Cell{Bench: "BenchmarkA/variant=x", Procs: 2}
	more := measure.Sample{Round: 21, N: 1, Wall: 3, ActualProcs: 2, Got: 1}
	if err := p.Sample(c, more, ""); err != nil {
		t.Fatal(err)
	}
	first.Add(c, more)
	if err := p.Close(first); err != nil {
		t.Fatal(err)
	}
	recorded(t, d, "example.com/second")
	_, all, err = Load(dir)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d packages, %v", len(all), err)
	}
	if got, want := len(all[0].Samples[c]), len(first.Samples[c]); got != want {
		t.Errorf("%d samples, want %d", got, want)
	}
	if e := all[0].Evidence; len(e) != 2 || e[c].Touched != 5 {
		t.Errorf("evidence %v, want that of before replaced, and the other", e)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "01-first", "evidence", "*")); len(files) != 2 {
		t.Errorf("files of evidence %q, want both", files)
	}
	if all[1].Package != "example.com/second" {
		t.Errorf("the second package is %s", all[1].Package)
	}
}
