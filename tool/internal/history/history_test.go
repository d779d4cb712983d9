package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/report"
)

var began = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// A world has runs in a folder, and reports of them.
type world struct {
	t       testing.TB
	dir     string
	asked   atomic.Int64
	writing map[string]bool
	points  int
}

func newWorld(t testing.TB, n int) *world {
	w := &world{t: t, dir: filepath.Join(t.TempDir(), "runs"), writing: map[string]bool{}, points: 4}
	for i := range n {
		w.add(i)
	}
	return w
}

func id(i int) string { return began.Add(time.Duration(i) * time.Hour).Format("20060102-150405") }

func (w *world) add(i int) {
	w.t.Helper()
	dir := filepath.Join(w.dir, id(i))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "run.json"), []byte(fmt.Sprint(i)), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) reader(version string) Reader {
	return Reader{Version: version, Writing: func(dir string) bool { return w.writing[filepath.Base(dir)] },
		Report: func(_ context.Context, dir string) (*report.Doc, error) {
			w.asked.Add(1)
			data, err := os.ReadFile(filepath.Join(dir, "run.json"))
			if err != nil {
				return nil, err
			}
			var i int
			if _, err := fmt.Sscan(string(data), &i); err != nil {
				return nil, fmt.Errorf("run.json: %w", err)
			}
			d := &report.Doc{Environment: machine.Env{Time: began.Add(time.Duration(i) * time.Hour), Commit: fmt.Sprintf("%040x", i+1<<20), CPU: "AMD EPYC", Go: "go1.26.8"}, Summary: "concurrency pays",
				Packages: []report.Package{{Package: "example.com/m/p"}}}
			for k := range w.points {
				ratio := 1 + float64(i)/1000
				d.Comparisons = append(d.Comparisons, report.Comparison{Package: "example.com/m/p", Name: fmt.Sprint("BenchmarkSort/variant=par/n=", k), BaseName: fmt.Sprint("BenchmarkSort/variant=serial/n=", k),
					Procs: 2, BaseProcs: 2, Verdict: judge.Pays, Ratio: &ratio, Low: &ratio, High: &ratio, Wall: &ratio})
			}
			if i == 2 {
				d.Fixes = []report.Fixes{{Taken: filepath.Join(".payoff", "runs", id(0))}}
			}
			return d, nil
		}}
}

func (w *world) runs(version string, want int64) []Run {
	w.t.Helper()
	w.asked.Store(0)
	runs, noted, err := w.reader(version).Runs(w.t.Context(), w.dir)
	if noted != nil || err != nil {
		w.t.Fatal(noted, err)
	}
	if n := w.asked.Load(); n != want {
		w.t.Errorf("%d runs were read, want %d", n, want)
	}
	return runs
}

// What the index has is not read again, unless it has changed, or another tool wrote it.
func TestIndex(t *testing.T) {
	w := newWorld(t, 5)
	runs := w.runs("v1", 5)
	if len(runs) != 5 || runs[0].ID != id(4) || runs[4].ID != id(0) || len(runs[0].Points) != 4 || runs[0].Commit == "" || runs[0].Dir != filepath.Join(w.dir, id(4)) {
		t.Fatalf("%+v", runs)
	}
	again := w.runs("v1", 0)
	if fmt.Sprintf("%+v", describe(again)) != fmt.Sprintf("%+v", describe(runs)) {
		t.Errorf("the index has\n%+v\nfor\n%+v", describe(again), describe(runs))
	}
	w.add(5)
	w.runs("v1", 1)
	if err := os.WriteFile(filepath.Join(w.dir, id(1), "run.json"), []byte("1 "), 0o644); err != nil {
		t.Fatal(err)
	}
	w.runs("v1", 1)
	w.runs("v2", 6)
	w.runs("v2", 0)
	if err := os.Remove(w.dir + ".jsonl"); err != nil {
		t.Fatal(err)
	}
	w.runs("v2", 6)
	if err := os.RemoveAll(filepath.Join(w.dir, id(3))); err != nil {
		t.Fatal(err)
	}
	if runs := w.runs("v2", 0); len(runs) != 5 {
		t.Errorf("%d runs after one was removed", len(runs))
	}
}

func describe(runs []Run) (s []string) {
	for _, r := range runs {
		s = append(s, fmt.Sprint(r.ID, r.When.UTC(), r.Commit, r.Packages, r.Machine, r.Summary, *r.Points[0].Ratio, r.Points[0].Verdict, r.Taken))
	}
	return s
}

// Damage to the index costs time and nothing else; the file does not grow for ever.
func TestDamage(t *testing.T) {
	w := newWorld(t, 5)
	w.runs("v", 5)
	file := w.dir + ".jsonl"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, damaged := range map[string]string{
		"cut":     string(data[:len(data)-9]),
		"foreign": "hello\n\x00\xff\n[]\nnull\n{\"id\":7}\n" + string(data),
		"empty":   "",
		"one":     "x",
	} {
		if err := os.WriteFile(file, []byte(damaged), 0o644); err != nil {
			t.Fatal(err)
		}
		want := map[string]int64{"cut": 1, "empty": 5, "one": 5}[name]
		if runs := w.runs("v", want); len(runs) != 5 {
			t.Errorf("%s: %d runs", name, len(runs))
		}
		w.runs("v", 0)
	}
	for i := range 125 {
		w.runs(fmt.Sprint(i), 5)
	}
	if about, err := os.Stat(file); err != nil || about.Size() > 40*int64(len(data)) {
		t.Errorf("the index has %d bytes for 5 runs, which take %d: %v", about.Size(), len(data), err)
	}
}

// A run that is being written is there, and read when it is whole; what is no run is not.
func TestOthers(t *testing.T) {
	w := newWorld(t, 3)
	w.writing[id(2)] = true
	if err := os.MkdirAll(filepath.Join(w.dir, "tune"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.dir, "notes.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.dir, id(1), "run.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	runs := w.runs("v", 2)
	if len(runs) != 3 || !runs[0].Writing || len(runs[0].Points) > 0 || !strings.Contains(runs[1].Problem, "run.json") || runs[2].Problem != "" {
		t.Errorf("%+v", runs)
	}
	delete(w.writing, id(2))
	if runs := w.runs("v", 2); runs[0].Writing || len(runs[0].Points) == 0 {
		t.Errorf("%+v", runs[0])
	}
	// What was damaged is read each time: it may have been mended, not in run.json.
	w.runs("v", 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := w.reader("other").Runs(ctx, w.dir); !errors.Is(err, context.Canceled) {
		t.Errorf("after Ctrl-C: %v", err)
	}
	if runs, _, err := w.reader("v").Runs(t.Context(), filepath.Join(w.dir, "nosuch")); len(runs) != 0 || err != nil {
		t.Error(runs, err)
	}
}

// Where no index can be kept, the runs are there all the same, and it is told; a run
// that goes while it is read is told of once, and a name may be of any length.
func TestHostile(t *testing.T) {
	w := newWorld(t, 3)
	if err := os.Mkdir(w.dir+".jsonl", 0o755); err != nil {
		t.Fatal(err)
	}
	r := w.reader("v")
	inner := r.Report
	gone := filepath.Join(w.dir, id(1))
	long := strings.Repeat("x", 1<<20)
	r.Report = func(ctx context.Context, dir string) (*report.Doc, error) {
		if dir == gone {
			if err := os.RemoveAll(dir); err != nil {
				t.Error(err)
			}
		}
		d, err := inner(ctx, dir)
		if d != nil {
			d.Comparisons[0].Name = long
		}
		return d, err
	}
	runs, noted, err := r.Runs(t.Context(), w.dir)
	if noted == nil || err != nil || len(runs) != 3 || runs[1].Problem == "" || runs[0].Problem != "" {
		t.Fatalf("noted %v, %v: %d runs", noted, err, len(runs))
	}
	if err := os.Remove(w.dir + ".jsonl"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		w.asked.Store(0)
		runs, noted, err = r.Runs(t.Context(), w.dir)
		if noted != nil || err != nil || len(runs) != 2 || runs[0].Points[0].Name != long {
			t.Fatalf("noted %v, %v: %d runs", noted, err, len(runs))
		}
	}
	if n := w.asked.Load(); n != 0 {
		t.Errorf("%d runs with long names are read again", n)
	}
}

func TestFind(t *testing.T) {
	runs := newWorld(t, 30).runs("v", 30)
	for name, want := range map[string]string{
		id(7):                           id(7),
		id(29)[:11]:                     id(29),
		runs[3].Commit[:]:               runs[3].ID,
		runs[0].Commit[:6]:              runs[0].ID,
		strings.ToUpper(runs[3].Commit): runs[3].ID,
		runs[3].Commit[:5]:              "no run that is kept",
		"00000000000":                   runs[0].ID, // the newest of that commit
		"20260101":                      "24 runs begin",
		"":                              "no run that is kept",
		"nosuch":                        "no run that is kept",
	} {
		r, err := Find(runs, name)
		if got := fmt.Sprint(r.ID, err); name != "" && !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", name, got, want)
		} else if name == "" && err == nil {
			t.Error("nothing names a run")
		}
	}
}

func TestOld(t *testing.T) {
	w := newWorld(t, 6)
	w.writing[id(1)] = true
	runs := w.runs("v", 5)
	for _, c := range []struct {
		keep   int
		before time.Time
		want   string
	}{
		{0, time.Time{}, "2 3 4 5"}, {2, time.Time{}, "2 3"}, {9, time.Time{}, ""}, {0, began.Add(3 * time.Hour), "2"}, {5, began.Add(3 * time.Hour), ""},
	} {
		var got []string
		for _, r := range Old(runs, c.keep, c.before) {
			got = append(got, fmt.Sprint(int(r.When.Sub(began).Hours())))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("keep %d, before %v: %q, want %q", c.keep, c.before, s, c.want)
		}
	}
}

// A run whose age nobody knows is not old.
func TestUndated(t *testing.T) {
	runs := []Run{{ID: "2"}, {ID: "1", When: began}}
	if old := Old(runs, 0, began.Add(time.Hour)); len(old) != 1 || old[0].ID != "1" {
		t.Errorf("%+v", old)
	}
}

func TestTrends(t *testing.T) {
	runs := newWorld(t, 3).runs("v", 3)
	runs[0].Points = runs[0].Points[1:]
	all := Trends(runs)
	if len(all) != 4 || len(all[0].Of) != 3 || all[0].Of[0].Run.ID != id(0) || *all[0].Of[2].Ratio != 1.002 || len(all[3].Of) != 2 {
		t.Errorf("%+v", all)
	}
}

// A run that the index knows is read again if its run.json is another, or the tool.
func TestKnown(t *testing.T) {
	l := line{Size: 7, Time: began, Version: "v"}
	for _, c := range []struct {
		l    line
		want bool
	}{
		{line{Size: 7, Time: began.In(time.FixedZone("", 3600)), Version: "v", Run: Run{ID: "x", Kind: "k"}}, true},
		{line{Size: 7, Time: began, Version: "v", Run: Run{ID: "x"}}, false}, // of before kinds
		{line{Size: 8, Time: began, Version: "v"}, false}, {line{Size: 7, Time: began.Add(1), Version: "v"}, false}, {line{Size: 7, Time: began, Version: "w"}, false},
	} {
		if got := c.l.is(l); got != c.want {
			t.Errorf("%+v is %+v: %t, want %t", c.l, l, got, c.want)
		}
	}
}

// The index is made anew where more of it is dead than lives, and a hundred lines.
func TestDead(t *testing.T) {
	found := []line{{Run: Run{ID: "a"}}, {Run: Run{ID: "b"}}, {Run: Run{ID: "c", Writing: true}}, {Run: Run{ID: "d", Problem: "no"}}}
	for _, c := range []struct {
		dead, gone int // lines that another took the place of, and of runs that are gone
		anew       bool
	}{
		{104, 0, false}, {105, 0, true}, {0, 104, false}, {0, 105, true}, {52, 52, false}, {52, 53, true},
	} {
		x := &index{file: filepath.Join(t.TempDir(), "runs.jsonl"), lines: map[string]line{"a": {}, "b": {}}, dead: c.dead}
		for i := range c.gone {
			x.lines[fmt.Sprint(i)] = line{}
		}
		if err := x.keep(found, nil); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(x.file)
		if (err == nil) != c.anew {
			t.Errorf("%d dead and %d gone beside %d: the file is written: %t, want %t", c.dead, c.gone, len(found), err == nil, c.anew)
		}
		want := 0
		if c.anew {
			want = 2 // what is whole
		}
		if got := strings.Count(string(data), "\n"); got != want {
			t.Errorf("%d dead and %d gone beside %d: %d lines are written, want %d", c.dead, c.gone, len(found), got, want)
		}
	}
}

// What a report says of a run is all there.
func TestDescribe(t *testing.T) {
	ratio, low, high, ns := 1.5, 1.4, 1.6, 12.0
	doc := &report.Doc{Summary: "s", Comparisons: []report.Comparison{{Package: "p", Name: "n", BaseName: "b", Procs: 8, BaseProcs: 2, Verdict: judge.Pays, Ratio: &ratio, Low: &low, High: &high, Wall: &ns}, {Package: "q"}},
		Packages: []report.Package{{Package: "p"}, {Package: "q"}}, Fixes: []report.Fixes{{Taken: "/runs/1"}, {}, {Taken: "/runs/2"}}}
	doc.Environment.Time, doc.Environment.Commit, doc.Environment.Dirty, doc.Environment.CPU, doc.Environment.Go = began, "c", true, "cpu", "go"
	doc.Environment.OS, doc.Environment.Arch, doc.Environment.UsableCPUs = "linux", "arm64", 8
	var r Run
	r.describe(doc, nil)
	want := Run{When: began, Commit: "c", Dirty: true, Packages: []string{"p", "q"}, Machine: "cpu (linux/arm64, 8 processors)", Kind: doc.Environment.Kind(), Go: "go", Summary: "s", Taken: []string{"1", "2"},
		Points: []Point{{"p", "n", "b", 8, 2, judge.Pays, &ratio, &low, &high, &ns}, {Package: "q"}}}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("%+v, want %+v", r, want)
	}
	r.describe(nil, fs.ErrPermission)
	if r.Problem == "" || r.Summary != "s" {
		t.Errorf("a report that cannot be read: %+v, want the problem beside what is known", r)
	}
}

// A trend is of one comparison: another package, name, base or processor count is
// another one.
func TestTrendKeys(t *testing.T) {
	points := []Point{{Package: "p", Name: "n", Base: "b", Procs: 2, BaseProcs: 1}, {Package: "q", Name: "n", Base: "b", Procs: 2, BaseProcs: 1}, {Package: "p", Name: "m", Base: "b", Procs: 2, BaseProcs: 1},
		{Package: "p", Name: "n", Base: "c", Procs: 2, BaseProcs: 1}, {Package: "p", Name: "n", Base: "b", Procs: 4, BaseProcs: 1}, {Package: "p", Name: "n", Base: "b", Procs: 2, BaseProcs: 2}}
	all := Trends([]Run{{ID: "new", Points: points}, {ID: "old", Points: points[1:]}})
	for i, x := range all {
		p := Point{Package: x.Package, Name: x.Name, Base: x.Base, Procs: x.Procs, BaseProcs: x.BaseProcs}
		if n := min(2, i+1); p != points[i] || len(x.Of) != n || x.Of[n-1].Run.ID != "new" {
			t.Errorf("trend %d: %+v, want %+v in %d runs, oldest first", i, x, points[i], n)
		}
	}
	if len(all) != len(points) {
		t.Errorf("%d trends, want %d", len(all), len(points))
	}
}

// BenchmarkRuns lists runs that the index knows, and makes trends of them.
func BenchmarkRuns(b *testing.B) {
	w := newWorld(b, 10_000)
	w.points = 8
	r := w.reader("v")
	if _, _, err := r.Runs(b.Context(), w.dir); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		runs, _, err := r.Runs(b.Context(), w.dir)
		if err != nil || len(runs) != 10_000 {
			b.Fatal(len(runs), err)
		}
		if all := Trends(runs); len(all) != 8 {
			b.Fatal(len(all))
		}
	}
}

// TestMost: of many runs only the newest are read, and the others when they are asked
// for; the index never takes one for read that was not.
func TestMost(t *testing.T) {
	w := newWorld(t, 130)
	for _, step := range []struct {
		most  int
		asked int64
	}{{3, 3}, {3, 0}, {5, 2}, {0, 125}, {0, 0}} {
		w.asked.Store(0)
		r := w.reader("v")
		r.Most = step.most
		runs, noted, err := r.Runs(t.Context(), w.dir)
		if noted != nil || err != nil || len(runs) != 130 {
			t.Fatalf("noted %v, %v: %d runs", noted, err, len(runs))
		}
		if n := w.asked.Load(); n != step.asked {
			t.Errorf("most %d: %d are read, want %d", step.most, n, step.asked)
		}
		for i, x := range runs[:cmp.Or(step.most, 130)] {
			if x.Commit == "" || len(x.Points) != w.points {
				t.Fatalf("most %d: run %d is not known: %+v", step.most, i, x)
			}
		}
	}
	// Most lines of the index are dead, and it is written anew.
	for i := range 125 {
		if err := os.RemoveAll(filepath.Join(w.dir, id(i))); err != nil {
			t.Fatal(err)
		}
	}
	w.asked.Store(0)
	for _, most := range []int{3, 0} {
		r := w.reader("w")
		r.Most = most
		runs, _, err := r.Runs(t.Context(), w.dir)
		if err != nil || len(runs) != 5 || most == 0 && runs[4].Commit == "" {
			t.Fatalf("most %d: %v, %d runs", most, err, len(runs))
		}
	}
	if n := w.asked.Load(); n != 5 {
		t.Errorf("%d of 5 runs are read by another tool", n)
	}
}

// An index that lies about runs has no effect: to read anew is to hear what the runs say.
// It names no other folder, and costs no more than an index may: one that is longer is
// none.
func TestLies(t *testing.T) {
	w := newWorld(t, 3)
	w.runs("v", 3)
	file := w.dir + ".jsonl"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lied := strings.NewReplacer(`"verdict":"pays"`, `"verdict":"loses"`, `"commit":"`, `"commit":"f00`, `"taken":`, `"was":`).Replace(string(data))
	lied += strings.NewReplacer(id(1), "../../elsewhere").Replace(strings.SplitAfter(lied, "\n")[1])
	if err := os.WriteFile(file, []byte(lied), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, r := range w.runs("v", 0) {
		if filepath.Dir(r.Dir) != w.dir || filepath.Base(r.Dir) != r.ID {
			t.Errorf("the run %s is said to lie in %s", r.ID, r.Dir)
		}
		if r.Points[0].Verdict != "loses" {
			t.Errorf("the verdict is %s: the index does not lie, and the test tests nothing", r.Points[0].Verdict)
		}
	}
	r := w.reader("v")
	r.Anew = true
	runs, noted, err := r.Runs(t.Context(), w.dir)
	if noted != nil || err != nil || len(runs) != 3 {
		t.Fatal(runs, noted, err)
	}
	for _, r := range runs {
		if r.Points[0].Verdict != judge.Pays || strings.HasPrefix(r.Commit, "f00") {
			t.Errorf("read anew, %s says %s at %s", r.ID, r.Points[0].Verdict, r.Commit)
		}
	}
	if len(runs[0].Taken) != 1 {
		t.Errorf("read anew, %s takes from %q, want one run", runs[0].ID, runs[0].Taken)
	}

	points := strings.Repeat("{},", mostObjects/2)
	line := fmt.Sprintf(`{"id":"%s","points":[%s{}]}`, id(0), points) + "\n"
	if err := os.WriteFile(file, []byte(line+line), 0o644); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w.runs("v", 3)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
		t.Errorf("an index of %d objects took %d bytes, want it unread", mostObjects, took)
	}
	if about, err := os.Stat(file); err != nil || about.Size() > 1<<20 {
		t.Errorf("the index that replaces it: %v, %v", about, err)
	}
}
