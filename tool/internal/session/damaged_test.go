package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/internal/history"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/record"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/report/html"
	"github.com/gopayoff/payoff/tool/internal/report/text"
	"github.com/gopayoff/payoff/tool/internal/store"
	"github.com/gopayoff/payoff/tool/internal/tune"
	"github.com/gopayoff/payoff/tool/vet/heat"
)

// whole is the record of a run of payoff fix, with all other files that a record can
// have, and an index beside it, by their names.
func whole(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	from := filepath.Join("..", "..", "cmd", "payoff", "testdata", "fix")
	err := filepath.WalkDir(from, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(from, name)
		files["run/"+filepath.ToSlash(rel)] = data
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	put := func(name string, v any) {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	change := patch.Change{File: "/m/a.go", Before: "package m\n", After: "package n\n"}
	var samples []tune.Sample
	for _, phase := range []tune.Phase{tune.Search, tune.Compare, tune.Confirm} {
		for i := range 24 {
			samples = append(samples, tune.Sample{Phase: phase, Round: int32(i / 2), Value: i % 2, Layout: int32(i % 5), N: 10, Wall: float64(100 + i%7 + 50*(i%2))})
		}
	}
	put("run/tune.json", &tune.Saved{Changes: []patch.Change{change}, Records: []*tune.Record{{Constant: tune.Constant{Name: "n", Package: "m", Present: 1}, Margin: 0.03, Alpha: 0.05, Compared: []int{0}, Layouts: 5, Procs: []int{2},
		Trials: []tune.Trial{{Value: 1, Text: "1"}, {Value: 2, Text: "2"}}, Cells: []tune.Cell{{Package: "m", Bench: "BenchmarkA", Procs: 2}}, Samples: samples, Tests: map[string]string{"2": ""}}}})
	put("run/applied.json", map[string]any{"state": "applied", "files": []any{map[string]any{"file": change.File, "before": change.Before, "after": change.After, "mode": 0o644, "salt": strings.Repeat("A", 26)}}})
	put("run/progress.json", store.Progress{Step: "building"})
	put("run/01-demo/heat.json", &heat.Map{Run: "run", Benches: []heat.Bench{{Name: "BenchmarkA", Package: "m"}}})
	one := 1.5
	r := history.Run{ID: "run", When: time.Unix(1e9, 0), Packages: []string{"m"}, Points: []history.Point{{Package: "m", Name: "A", Base: "B", Procs: 2, Verdict: "pays", Ratio: &one, Low: &one, High: &one, NS: &one}}}
	put("run.jsonl", r)
	files["run.jsonl"] = append(files["run.jsonl"], '\n')
	return files
}

// A reading is one way in which a record is read.
type reading struct {
	name  string
	files *regexp.Regexp // that it looks at
	often int            // of so many readings
	read  func(ctx context.Context, dir string)
}

// readings are all that read records. What they return is of no interest here.
var readings = []reading{
	{"replay", regexp.MustCompile(`/run\.json|series|samples|evidence|fix\.json`), 1, func(ctx context.Context, dir string) {
		shown(ctx, Plan{From: filepath.Join(dir, "run"), Causes: Wanted})
	}},
	{"why", regexp.MustCompile(`/run\.json|series|samples|evidence`), 1, func(ctx context.Context, dir string) {
		shown(ctx, Plan{From: filepath.Join(dir, "run"), Causes: All})
	}},
	{"verdicts", regexp.MustCompile(`/run\.json|series|samples|fix\.json`), 4, func(ctx context.Context, dir string) {
		shown(ctx, Plan{From: filepath.Join(dir, "run"), Unexplained: true})
	}},
	{"load", regexp.MustCompile(`/run\.json|series|samples|evidence`), 24, func(_ context.Context, dir string) { store.Load(filepath.Join(dir, "run")) }},
	{"go on", regexp.MustCompile(`/run\.json|series|samples|evidence`), 8, func(_ context.Context, dir string) { store.Reopen(filepath.Join(dir, "run")) }},
	{"edits", regexp.MustCompile(`series|fix\.json|tune\.json`), 24, func(_ context.Context, dir string) { Edits(filepath.Join(dir, "run")) }},
	{"tune", regexp.MustCompile(`tune\.json`), 24, func(_ context.Context, dir string) {
		saved, err := tune.Load(filepath.Join(dir, "run"))
		if err != nil {
			return
		}
		saved.Root()
		doc := tune.NewDoc(saved, "run", dir)
		text.Tune(io.Discard, doc, text.Options{Width: 80})
		doc.JSON(io.Discard)
	}},
	{"undo", regexp.MustCompile(`applied`), 24, func(_ context.Context, dir string) {
		patch.Undo(filepath.Join(dir, "run", "applied.json"), func(all []patch.Change) (patch.Tree, error) {
			for _, c := range all {
				c.Local()
			}
			patch.Diff(dir, all)
			return nil, errors.New("asked")
		})
	}},
	{"index", regexp.MustCompile(`^run\.jsonl$`), 24, func(ctx context.Context, dir string) {
		r := history.Reader{Version: "v", Writing: func(string) bool { return false }, Report: func(context.Context, string) (*report.Doc, error) { return nil, errors.New("not asked for") }}
		runs, _, _ := r.Runs(ctx, filepath.Join(dir, "run"))
		history.Trends(runs)
		history.Old(runs, 0, time.Time{})
		history.Find(runs, "run")
	}},
	{"progress", regexp.MustCompile(`progress`), 4, func(_ context.Context, dir string) { store.Running(filepath.Join(dir, "run"), time.Now()) }},
	{"heat", regexp.MustCompile(`heat`), 8, func(_ context.Context, dir string) {
		if m, err := heat.Read(filepath.Join(dir, "run", "01-demo", "heat.json")); err == nil {
			m.In([]string{"lock"})
			m.Escapes()
		}
	}},
}

// shown carries out a plan and writes all that can be shown of it.
func shown(ctx context.Context, p Plan) {
	for e := range Run(ctx, p) {
		end, ok := e.(End)
		if !ok || end.Doc == nil {
			continue
		}
		d := end.Doc
		d.Root()
		d.Folders()
		d.Apply(d.Changes())
		for _, write := range []func(io.Writer, *report.Doc, text.Options) error{text.Report, text.Why, text.Fix} {
			write(io.Discard, d, text.Options{Width: 100, All: true})
		}
		d.JSON(io.Discard)
		html.Write(io.Discard, d, html.Options{Strips: report.Strips(end.Series, 1000)})
		for _, s := range end.Series {
			store.WriteBench(io.Discard, end.Run, s)
		}
	}
}

var number = regexp.MustCompile(`-?\d+(\.\d+)?([eE][+-]?\d+)?`)

// extremes take the place of a value.
var extremes = []string{"0", "-1", "1", "-0", "1e308", "-1e308", "1e-320", "9223372036854775807", "-9223372036854775808", "4294967296", "1e999", "null", "true", `""`, `"x"`, `"\ud800"`, "[]", "{}", "[null]", `{"":null}`, "[[[[]]]]"}

// damage is the content of a file with a change that a disk, a program or a person
// with a mind to do harm can make.
func damage(r *rand.Rand, data []byte, others [][]byte) []byte {
	d := bytes.Clone(data)
	at := func() int { return r.IntN(len(d) + 1) }
	if len(d) == 0 {
		return []byte(extremes[r.IntN(len(extremes))])
	}
	switch r.IntN(9) {
	case 0: // bytes flip
		for range 1 + r.IntN(3) {
			d[r.IntN(len(d))] ^= byte(1 + r.IntN(255))
		}
	case 1: // the end is missing
		d = d[:at()]
	case 2: // a part is missing, or there twice
		from := at()
		to := min(len(d), from+1+r.IntN(200))
		if r.IntN(2) == 0 {
			d = slices.Delete(d, from, to)
		} else {
			d = slices.Insert(d, from, bytes.Clone(d[from:to])...)
		}
	case 3: // a number is another
		if all := number.FindAllIndex(d, -1); len(all) > 0 {
			x := all[r.IntN(len(all))]
			d = slices.Replace(d, x[0], x[1], []byte(extremes[r.IntN(len(extremes))])...)
		}
	case 4: // a part of another file
		o := others[r.IntN(len(others))]
		from := r.IntN(len(o) + 1)
		d = slices.Insert(d, at(), o[from:min(len(o), from+r.IntN(2000))]...)
	case 5: // a part again and again
		from := at()
		part := d[from:min(len(d), from+1+r.IntN(64))]
		d = slices.Insert(d, from, bytes.Repeat(part, 1+r.IntN(1+(256<<10)/(len(part)+1)))...)
	case 6: // depth
		d = slices.Insert(d, at(), []byte(strings.Repeat(`[{"a":`, 1+r.IntN(20_000)))...)
	default: // a value is another; this is as JSON as it was
		lines := bytes.SplitAfter(d, []byte("\n"))
		i, whole := 0, d
		if !json.Valid(d) {
			i = r.IntN(len(lines))
			whole = lines[i]
		}
		var v any
		dec := json.NewDecoder(bytes.NewReader(whole))
		dec.UseNumber()
		if dec.Decode(&v) != nil {
			break
		}
		for range 1 + r.IntN(3) {
			v = changed(r, v)
		}
		out, err := json.Marshal(v)
		if err != nil {
			break
		}
		if len(whole) == len(d) {
			return out
		}
		lines[i] = append(out, '\n')
		d = bytes.Join(lines, nil)
	}
	return d
}

// changed is a value of JSON in which one of those in it is another, or there twice, or
// not at all.
func changed(r *rand.Rand, v any) any {
	if r.IntN(3) > 0 {
		switch x := v.(type) {
		case map[string]any:
			keys := make([]string, 0, len(x))
			for k := range x {
				keys = append(keys, k)
			}
			if slices.Sort(keys); len(keys) == 0 {
				break
			}
			k := keys[r.IntN(len(keys))]
			if r.IntN(12) == 0 {
				delete(x, k)
			} else {
				x[k] = changed(r, x[k])
			}
			return x
		case []any:
			if len(x) == 0 {
				break
			}
			i := r.IntN(len(x))
			switch r.IntN(12) {
			case 0:
				return slices.Delete(x, i, i+1)
			case 1:
				return append(x, x[i])
			}
			x[i] = changed(r, x[i])
			return x
		}
	}
	return json.RawMessage(extremes[r.IntN(len(extremes))])
}

// TestDamaged: whatever stands in the files of a record, who reads it hears of it in good
// time, and with no more memory than a record may cost. 100,000 variations in the long
// form.
func TestDamaged(t *testing.T) {
	variations := 400
	if stress.Long() {
		variations = 100_000
	}
	const (
		mostTime   = 20 * time.Second // of one; they take milliseconds
		mostMemory = 1 << 30          // of the heap, for all that are read at once
	)
	files := whole(t)
	names := []string{}
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	var others [][]byte
	for _, name := range names {
		others = append(others, files[name])
	}
	var turns []*reading
	for i := range readings {
		turns = append(turns, slices.Repeat([]*reading{&readings[i]}, readings[i].often)...)
	}
	seed := stress.Seed(t)
	workers := runtime.GOMAXPROCS(0)
	var next atomic.Int64
	var slowest atomic.Int64
	var failed atomic.Bool
	var wg sync.WaitGroup
	for range workers {
		dir := t.TempDir()
		for _, name := range names {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, files[name], 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		wg.Go(func() {
			for !failed.Load() {
				n := next.Add(1)
				if n > int64(variations) {
					return
				}
				r := rand.New(rand.NewPCG(seed, uint64(n)))
				x := turns[r.IntN(len(turns))]
				var of []string
				for _, name := range names {
					if x.files.MatchString(name) {
						of = append(of, name)
					}
				}
				name := of[r.IntN(len(of))]
				file := filepath.Join(dir, filepath.FromSlash(name))
				data := damage(r, files[name], others)
				what := fmt.Sprintf("%s of a damaged %s, variation %d", x.name, name, n)
				fail := func(format string, args ...any) {
					failed.Store(true)
					t.Errorf("%s: %s; it has %d bytes: %.1000q", what, fmt.Sprintf(format, args...), len(data), data)
				}
				if err := os.WriteFile(file, data, 0o644); err != nil {
					fail("%v", err)
					return
				}
				began := time.Now()
				func() {
					defer func() {
						if p := recover(); p != nil {
							fail("panic: %v\n%s", p, debug.Stack())
						}
					}()
					x.read(t.Context(), dir)
				}()
				took := time.Since(began)
				if took > mostTime {
					fail("it took %v, want at most %v", took, mostTime)
				}
				for {
					was := slowest.Load()
					if int64(took) <= was || slowest.CompareAndSwap(was, int64(took)) {
						break
					}
				}
				var m runtime.MemStats
				if runtime.ReadMemStats(&m); m.HeapSys-m.HeapReleased > mostMemory {
					fail("the heap has %d bytes, want at most %d", m.HeapSys-m.HeapReleased, mostMemory)
				}
				if err := os.WriteFile(file, files[name], 0o644); err != nil {
					fail("%v", err)
				}
			}
		})
	}
	wg.Wait()
	t.Logf("%d variations, the slowest %v", variations, time.Duration(slowest.Load()))
}

// A record of more edits than a package can have is told of by the limit, and its
// verdicts are there all the same.
func TestManyEdits(t *testing.T) {
	dir := t.TempDir()
	for name, data := range whole(t) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if filepath.Base(file) == "fix.json" {
			data = []byte(`{"prescription":{"findings":[` + strings.Repeat("{},", record.EditLimit) + `{}]}}`)
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	var over *record.LimitError
	end := carried(t.Context(), Plan{From: filepath.Join(dir, "run")}, nil)
	if !errors.As(end.Err, &over) || over.Name != "EditLimit" {
		t.Errorf("%v, want EditLimit exceeded", end.Err)
	}
	if end.Doc == nil || len(end.Doc.Comparisons) == 0 || len(end.Doc.Fixes) > 0 {
		t.Errorf("the report is %+v, want its verdicts alone", end.Doc)
	}
}
