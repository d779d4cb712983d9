package store

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
)

// inTheWay makes a folder with a file in it where a file is to be written: neither
// writing nor renaming takes its place.
func inTheWay(t *testing.T, file string) {
	t.Helper()
	if err := os.RemoveAll(file); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(file, "in the way"), 0o755); err != nil {
		t.Fatal(err)
	}
}

func writeFile(t *testing.T, file, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestWritesFail: each step of writing a run that fails is an error that names the
// file, and none goes on as if nothing were.
func TestWritesFail(t *testing.T) {
	// opened is a run with the package example.com/m, being written.
	opened := func(t *testing.T) (*Dir, *Package, *measure.Series) {
		t.Helper()
		d, err := Create(filepath.Join(t.TempDir(), "run"))
		if err != nil {
			t.Fatal(err)
		}
		s := newSeries("example.com/m")
		p, err := d.Package(plan, s)
		if err != nil {
			t.Fatal(err)
		}
		return d, p, s
	}
	sample := func(p *Package) error {
		return p.Sample(measure.Cell{Bench: "BenchmarkA/variant=x", Procs: 2}, measure.Sample{Round: 1, N: 1, Wall: 1}, "")
	}
	for _, tt := range []struct {
		name string
		way  string // of the package's folder, that is a folder; or "" for what break does
		do   func(*Dir, *Package, *measure.Series) error
		says string
	}{
		{"run.json", "../run.json", func(d *Dir, _ *Package, _ *measure.Series) error { return d.Put(plan) }, "run.json"},
		{"the next folder", "", func(d *Dir, _ *Package, s *measure.Series) error {
			file := filepath.Join(d.Path, "02-m")
			if err := os.WriteFile(file, nil, 0o644); err != nil {
				return err
			}
			_, err := d.Package(plan, s)
			return err
		}, "02-m"},
		{"series.json of the next", "../02-m/series.json", func(d *Dir, _ *Package, s *measure.Series) error { _, err := d.Package(plan, s); return err }, "series.json"},
		{"samples.jsonl of the next", "../02-m/samples.jsonl", func(d *Dir, _ *Package, s *measure.Series) error { _, err := d.Package(plan, s); return err }, "samples.jsonl"},
		{"samples.jsonl of one that goes on", "samples.jsonl", func(d *Dir, p *Package, s *measure.Series) error {
			d.have = map[string]string{s.Package: p.dir}
			_, err := d.Package(plan, s)
			return err
		}, "samples.jsonl"},
		{"series.json of one that goes on", "series.json", func(d *Dir, p *Package, s *measure.Series) error {
			d.have = map[string]string{s.Package: p.dir}
			_, err := d.Package(plan, s)
			return err
		}, "series.json"},
		{"a sample", "", func(_ *Dir, p *Package, _ *measure.Series) error { p.f.Close(); return sample(p) }, "samples.jsonl"},
		{"the folder of evidence", "", func(_ *Dir, p *Package, _ *measure.Series) error {
			return errors.Join(os.WriteFile(p.evidenceDir(), nil, 0o644), p.EvidenceFile("x.trace", nil))
		}, "evidence"},
		{"evidence", "evidence.jsonl", func(_ *Dir, p *Package, _ *measure.Series) error {
			return p.Evidence(&evidence.Set{Bench: "BenchmarkA/variant=x", Procs: 2})
		}, "evidence.jsonl"},
		{"a part", "fix.json", func(_ *Dir, p *Package, _ *measure.Series) error { return p.Part("fix.json", 1) }, "fix.json"},
		{"a part that is no JSON", "", func(_ *Dir, p *Package, _ *measure.Series) error { return p.Part("fix.json", math.NaN()) }, "NaN"},
		{"closing samples.jsonl", "", func(_ *Dir, p *Package, s *measure.Series) error { p.f.Close(); return p.Close(s) }, "samples.jsonl"},
		{"closing series.json", "series.json", func(_ *Dir, p *Package, s *measure.Series) error { return p.Close(s) }, "series.json"},
		{"closing bench.txt", "bench.txt", func(_ *Dir, p *Package, s *measure.Series) error { return p.Close(s) }, "bench.txt"},
		{"closing both", "bench.txt", func(_ *Dir, p *Package, s *measure.Series) error { p.f.Close(); return p.Close(s) }, "samples.jsonl"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, p, s := opened(t)
			if tt.way != "" {
				inTheWay(t, filepath.Join(p.dir, filepath.FromSlash(tt.way)))
			}
			if err := tt.do(d, p, s); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v, want an error that names %s", err, tt.says)
			}
		})
	}
	// A file that cannot take its place leaves the old one, and nothing beside it.
	_, p, _ := opened(t)
	inTheWay(t, filepath.Join(p.dir, "x.json"))
	if err := p.Part("x.json", 1); err == nil {
		t.Error("x.json is in the way: no error")
	}
	if leftover, _ := filepath.Glob(filepath.Join(p.dir, "*.new")); len(leftover) > 0 {
		t.Errorf("left: %q", leftover)
	}
}

// TestCreateRefuses: a run does not begin in the folder of another, nor where
// there can be none.
func TestCreateRefuses(t *testing.T) {
	for name, tt := range map[string]struct{ file, says string }{
		"a run":            {"run.json", "holds a run already"},
		"a part of one":    {"07-m/series.json", "holds a part of a run already (07-m)"},
		"other things":     {"notes.txt", ""},
		"an empty package": {"01-m/notes.txt", ""},
		"no package":       {"m/series.json", ""},
	} {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, filepath.FromSlash(tt.file)), "{}")
		if d, err := Create(dir); (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) || err == nil && d.Path != dir {
			t.Errorf("%s: %v, want %q", name, err, tt.says)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	writeFile(t, file, "")
	if _, err := Create(file); err == nil || !strings.Contains(err.Error(), "name a folder that can be written with -o") {
		t.Errorf("a file: %v", err)
	}
}

// TestOrderOfPackages: by their numbers, however many digits these have.
func TestOrderOfPackages(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"10-b", "9-z", "101-a", "02-c", "x-1", "11", "-3-q"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, filepath.Join(dir, "05-file"), "")
	paths, err := packageDirs(dir)
	var got []string
	for _, p := range paths {
		got = append(got, filepath.Base(p))
	}
	if want := []string{"02-c", "9-z", "10-b", "101-a"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if _, err := packageDirs(filepath.Join(dir, "none")); err == nil {
		t.Error("no folder: no error")
	}
	for i, name := range []string{"9-z", "10-b"} {
		writeFile(t, filepath.Join(dir, name, "series.json"), fmt.Sprintf(`{"package":"p%d"}`, i))
	}
	writeFile(t, filepath.Join(dir, "101-a", "series.json"), `{`)
	if got := Packages(dir); !slices.Equal(got, []string{"p0", "p1"}) {
		t.Errorf("packages %q, want p0 and p1", got)
	}
}

// TestEverySampleField: each figure of a sample has its own place in the record.
func TestEverySampleField(t *testing.T) {
	var want measure.Sample
	v := reflect.ValueOf(&want).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Int32, reflect.Int64:
			f.SetInt(int64(i + 2))
		case reflect.Float32, reflect.Float64:
			f.SetFloat(float64(i) + 0.5)
		case reflect.Map:
			f.Set(reflect.ValueOf(map[string]float64{"x/op": 7}))
		default:
			t.Fatalf("no value for %s", v.Type().Field(i).Name)
		}
	}
	want.ActualProcs = 16
	cell := measure.Cell{Bench: "B", Procs: 16, Twin: true}
	l := toLine(cell, want, "steal")
	if got := l.sample(); !reflect.DeepEqual(got, want) {
		t.Errorf("read back %+v\nwant %+v", got, want)
	}
	if l.Bench != "B" || l.Procs != 16 || !l.Twin || l.Drop != "steal" {
		t.Errorf("line %+v", l)
	}
	odd := measure.Sample{CPU: math.Inf(1), GC: float32(math.NaN()), Extra: map[string]float64{"a": math.NaN(), "b": math.Inf(-1), "c": 1}}
	l = toLine(cell, odd, "")
	if got := l.sample(); !math.IsNaN(got.CPU) || !math.IsNaN(float64(got.GC)) || len(got.Extra) != 1 || got.Extra["c"] != 1 || got.Allocs != 0 {
		t.Errorf("what is not finite is read back as %+v", got)
	}
}

// TestTell: what the run says of the machine and the budget, at each processor count.
func TestTell(t *testing.T) {
	r := Run{Budget: time.Minute, Env: machine.Env{UsableCPUs: 8, UsableCores: 4, Cache: 1 << 20}, Capacity: []machine.Capacity{{Procs: 1, Cores: 0.9}, {Procs: 8, Cores: 6.5}}}
	for own, want := range map[time.Duration]time.Duration{0: time.Minute, time.Hour: time.Hour} {
		s := &measure.Series{Budget: own, Given: map[int]float64{4: 1}}
		r.Tell(s)
		if s.Usable != 8 || s.Cores != 4 || s.Cache != 1<<20 || s.Budget != want || len(s.Given) != 2 || s.Given[1] != 0.9 || s.Given[8] != 6.5 {
			t.Errorf("budget %v: %+v", own, s)
		}
	}
}

// TestLoadRefuses: what is no run, or no package of one, is said to be that.
func TestLoadRefuses(t *testing.T) {
	const rule = `"rule":{"alpha":0.05,"looks":[6,12]}`
	good := `{"schema":1,` + rule + `}`
	series := `{"package":"p","procs":[1],"families":[{"base":0,"members":[{"bench":"BenchmarkA"}]}]}`
	for name, tt := range map[string]struct {
		run    string
		files  map[string]string
		says   string // "": it loads
		series int
	}{
		"no run.json":          {"", nil, "is no recorded run", 0},
		"a newer one":          {`{"schema":2,` + rule + `}`, nil, "newer payoff (schema 2, this one reads 1)", 0},
		"no JSON":              {`{`, nil, "run.json is damaged", 0},
		"no looks":             {`{"schema":1,"rule":{"alpha":0.05}}`, nil, "no usable rule", 0},
		"alpha 0":              {`{"schema":1,"rule":{"alpha":0,"looks":[6]}}`, nil, "no usable rule", 0},
		"alpha 1":              {`{"schema":1,"rule":{"alpha":1,"looks":[6]}}`, nil, "no usable rule", 0},
		"looks that fall":      {`{"schema":1,"rule":{"alpha":0.05,"looks":[12,6]}}`, nil, "no usable rule", 0},
		"a look at nothing":    {`{"schema":1,"rule":{"alpha":0.05,"looks":[0,6]}}`, nil, "no usable rule", 0},
		"too few weights":      {`{"schema":1,"rule":{"alpha":0.05,"looks":[6,12],"weights":[1]}}`, nil, "no usable rule", 0},
		"no packages":          {good, nil, "", 0},
		"one":                  {good, map[string]string{"01-p/series.json": series}, "", 1},
		"one without anything": {good, map[string]string{"01-p/series.json.new": "{"}, "", 0},
		"one without series":   {good, map[string]string{"01-p/samples.jsonl": ""}, "series.json is missing", 0},
		"no package in it":     {good, map[string]string{"01-p/series.json": `{"procs":[1]}`}, "no package or no processor counts", 0},
		"no counts in it":      {good, map[string]string{"01-p/series.json": `{"package":"p"}`}, "no package or no processor counts", 0},
		"a base too many":      {good, map[string]string{"01-p/series.json": strings.Replace(series, `"base":0`, `"base":1`, 1)}, "base 1 of 1 members", 0},
		"a damaged one beside": {good, map[string]string{"01-p/series.json": `{`, "02-q/series.json": series}, "01-p/series.json is damaged", 1},
		"evidence on nothing":  {good, map[string]string{"01-p/series.json": series, "01-p/evidence.jsonl": `{"bench":"BenchmarkB","procs":1}` + "\n"}, "evidence.jsonl:1 is damaged (no evidence on this package)", 1},
		"evidence at 0":        {good, map[string]string{"01-p/series.json": series, "01-p/evidence.jsonl": `{"bench":"BenchmarkA","procs":0}` + "\n"}, "evidence.jsonl:1 is damaged", 1},
		"no samples of it":     {good, map[string]string{"01-p/series.json": series, "01-p/samples.jsonl": `{"b":"BenchmarkB","p":1,"wall":1}` + "\n"}, "samples.jsonl:1 is damaged", 1},
		"a sample of no time":  {good, map[string]string{"01-p/series.json": series, "01-p/samples.jsonl": `{"b":"BenchmarkA","p":1,"wall":0}` + "\n"}, "samples.jsonl:1 is damaged", 1},
		"a sample at 0":        {good, map[string]string{"01-p/series.json": series, "01-p/samples.jsonl": `{"b":"BenchmarkA","p":0,"wall":1}` + "\n"}, "samples.jsonl:1 is damaged", 1},
		"packed, and no gzip":  {good, map[string]string{"01-p/series.json": series, "01-p/samples.jsonl.gz": "plain"}, "samples.jsonl.gz is damaged", 1},
	} {
		dir := t.TempDir()
		if tt.run != "" {
			writeFile(t, filepath.Join(dir, "run.json"), tt.run)
		}
		for file, data := range tt.files {
			writeFile(t, filepath.Join(dir, filepath.FromSlash(file)), data)
		}
		_, all, err := Load(dir)
		said := ""
		if err != nil {
			said = filepath.ToSlash(err.Error())
		}
		if (said == "") != (tt.says == "") || !strings.Contains(said, tt.says) || len(all) != tt.series {
			t.Errorf("%s: %d series, %v; want %d, %q", name, len(all), err, tt.series, tt.says)
		}
		if _, _, _, err := Reopen(dir); (err == nil) != (tt.says == "") {
			t.Errorf("%s: Reopen: %v, want %q", name, err, tt.says)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	writeFile(t, file, "")
	if _, _, err := Load(file); err == nil || !strings.Contains(err.Error(), "is no recorded run") {
		t.Errorf("a file: %v", err)
	}
}

// TestPacked: samples and evidence that gzip packed are read, and not gone on with.
func TestPacked(t *testing.T) {
	dir := t.TempDir()
	d, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Put(plan); err != nil {
		t.Fatal(err)
	}
	recorded(t, d, "example.com/m")
	_, before, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "01-m", samplesFile)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(data)
	w.Close()
	writeFile(t, file+".gz", z.String())
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, after, err := Load(dir); err != nil || len(after) != 1 || !same(after[0], before[0]) {
		t.Errorf("packed: %d packages, %v, want the same", len(after), err)
	}
	if _, _, _, err := Reopen(dir); err == nil || !strings.Contains(err.Error(), "gunzip it to continue") {
		t.Errorf("Reopen: %v", err)
	}
	writeFile(t, file+".gz", z.String()[:z.Len()/2])
	if _, _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "samples.jsonl.gz is damaged") {
		t.Errorf("half of it: %v", err)
	}
}

// TestMeasuredEnds: a run that came to its end by itself has measured, others not.
func TestMeasuredEnds(t *testing.T) {
	for end, want := range map[measure.End]bool{measure.Decided: true, measure.Exhausted: true, measure.Budget: true, measure.Regrouped: true, measure.Interrupted: false, measure.Failed: false, "": false} {
		dir := t.TempDir()
		d, err := Create(dir)
		if err != nil {
			t.Fatal(err)
		}
		s := newSeries("p")
		s.Binary, s.End = "sum", end
		p, err := d.Package(plan, s)
		if err == nil {
			err = p.Close(s)
		}
		if got := Measured(dir, "p", "sum"); err != nil || got != want {
			t.Errorf("end %q: measured %t, %v, want %t", end, got, err, want)
		}
		if Measured(filepath.Join(dir, "none"), "p", "sum") {
			t.Error("measured in no folder")
		}
	}
}

// TestAdoptFails: what cannot be read or written is no part of the run.
func TestAdoptFails(t *testing.T) {
	from := filepath.Join(t.TempDir(), "from")
	d, err := Create(from)
	if err != nil {
		t.Fatal(err)
	}
	recorded(t, d, "example.com/m")
	for name, tt := range map[string]struct {
		before func(to, from string)
		says   string
	}{
		"a file for its folder": {func(to, _ string) { writeFile(t, filepath.Join(to, "01-m"), "") }, "01-m"},
		"a folder for a file":   {func(to, _ string) { inTheWay(t, filepath.Join(to, "01-m", samplesFile)) }, samplesFile},
		"a folder to be read":   {func(_, from string) { inTheWay(t, filepath.Join(from, "01-m", evidenceFile)) }, evidenceFile},
		"damaged samples":       {func(_, from string) { writeFile(t, filepath.Join(from, "01-m", samplesFile), "{\n") }, "samples.jsonl:1 is damaged"},
		"damaged series":        {func(_, from string) { writeFile(t, filepath.Join(from, "01-m", "series.json"), "{") }, "has nothing on example.com/m"},
	} {
		dir := t.TempDir()
		source, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
		if err := os.CopyFS(source, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		e, err := Create(to)
		if err != nil {
			t.Fatal(err)
		}
		tt.before(to, source)
		if p, s, err := e.Adopt(source, plan, "example.com/m"); err == nil || p != nil || s != nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", name, err, tt.says)
		}
	}
	if _, _, err := d.Adopt(filepath.Join(from, "none"), plan, "example.com/m"); err == nil {
		t.Error("from no folder: no error")
	}
}

// TestWhole: the last line is cut off where it has no end, and nothing else.
func TestWhole(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for name, tt := range map[string]struct{ data, want string }{
		"empty": {"", ""}, "whole": {"a\nb\n", "a\nb\n"}, "cut": {"a\nb", "a\n"}, "nothing whole": {"ab", ""}, "long": {long + "\n" + "y", long + "\n"}, "an end alone": {"\n", "\n"},
	} {
		file := filepath.Join(t.TempDir(), "f")
		writeFile(t, file, tt.data)
		f, err := os.OpenFile(file, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := whole(f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		f.WriteString("next\n") // goes on there
		f.Close()
		if data, _ := os.ReadFile(file); string(data) != tt.want+"next\n" {
			t.Errorf("%s: %d bytes, want %d and the next line", name, len(data), len(tt.want))
		}
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if whole(f) == nil {
		t.Error("of a file that is closed: no error")
	}
}

// TestStaleAt: an hour after its last word a run is none that is being written.
func TestStaleAt(t *testing.T) {
	dir := t.TempDir()
	now := time.Now().Round(time.Second)
	file := filepath.Join(dir, progressFile)
	writeFile(t, file, `{"step":"building"}`)
	if err := os.Chtimes(file, now, now); err != nil {
		t.Fatal(err)
	}
	for after, want := range map[time.Duration]bool{0: true, time.Hour - 1: true, time.Hour: false} {
		if p, ok := Running(dir, now.Add(after)); ok != want || want && p.Step != "building" {
			t.Errorf("%v later: %+v, %t, want %t", after, p, ok, want)
		}
	}
}

// full takes so many bytes and no more.
type full int

func (f *full) Write(p []byte) (int, error) {
	if *f -= full(len(p)); *f < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

// TestBench: the kept samples in Go's format, round by round, and without twins.
func TestBench(t *testing.T) {
	s := newSeries("example.com/m")
	nan := float32(math.NaN())
	add := func(variant string, procs int, round int32, x measure.Sample) {
		x.Round = round
		s.Add(measure.Cell{Bench: "BenchmarkA/variant=" + variant, Procs: procs}, x)
	}
	bare := measure.Sample{N: 10, Wall: 200, CPU: math.NaN(), Goroutines: nan, Allocs: nan, Bytes: nan, Voluntary: nan, Preempted: nan, MutexWait: nan, GC: nan}
	add("x", 4, 2, bare)
	add("x", 1, 1, measure.Sample{N: 10, Wall: 100, CPU: 150, SetBytes: 50, Bytes: 8, Allocs: 2, Goroutines: 3, Voluntary: 4, Preempted: 5, MutexWait: 6, GC: 7, Extra: map[string]float64{"b/op": 2, "a\nx": 1}})
	add("x", 4, 1, bare)
	add("serial", 4, 1, bare)
	add("serial", 2, 1, bare)
	s.Add(measure.Cell{Bench: "BenchmarkA/variant=x", Procs: 1, Twin: true}, bare)
	s.Spoil(measure.Cell{Bench: "BenchmarkA/variant=x", Procs: 1}, bare)
	run := plan
	run.Env = machine.Env{OS: "linux", Arch: "amd64", CPU: "a cpu", Go: "go1.26"}
	var out bytes.Buffer
	if err := WriteBench(&out, run, s); err != nil {
		t.Fatal(err)
	}
	want := `goos: linux
goarch: amd64
pkg: example.com/m
cpu: a cpu
toolchain: go1.26

BenchmarkA/variant=serial-2 10 200 ns/op
BenchmarkA/variant=serial-4 10 200 ns/op
BenchmarkA/variant=x 10 100 ns/op 500 MB/s 8 B/op 2 allocs/op 150 cpu-ns/op 1.5 cores 3 goroutines/op 4 ctxsw/op 5 preempt/op 6 mutex-wait-ns/op 7 gc/op 1 a\nx 2 b/op
BenchmarkA/variant=x-4 10 200 ns/op
BenchmarkA/variant=x-4 10 200 ns/op
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	for n := range out.Len() {
		if f := full(n); WriteBench(&f, run, s) == nil {
			t.Fatalf("room for %d of %d bytes: no error", n, out.Len())
		}
	}
	if f := full(out.Len()); WriteBench(&f, run, s) != nil {
		t.Error("room for all: an error")
	}
}

// TestEvidenceAgain: a file of evidence never takes the place of another.
func TestEvidenceAgain(t *testing.T) {
	d, err := Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p, err := d.Package(plan, newSeries("m"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := p.EvidenceFile("x.trace", []byte{byte('0' + i)}); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"x.trace": "0", "again2-x.trace": "1", "again3-x.trace": "2"} {
		if data, err := os.ReadFile(filepath.Join(p.evidenceDir(), name)); string(data) != want {
			t.Errorf("%s: %q, %v, want %q", name, data, err, want)
		}
	}
}
