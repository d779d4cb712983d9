package predict

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/record"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// testMachine is like those that are measured on, and sleeps like one that is no virtual one.
var testMachine = Machine{Name: "test", Procs: 2, Wake: 6 * time.Microsecond, Low: 5 * time.Microsecond, High: 7 * time.Microsecond, Line: 50, Slower: 1, Stream: 1}

// recorded is the graphs of a trace of exectrace's test data, which say what they do.
func recorded(t *testing.T, name string) []*exectrace.Graph {
	t.Helper()
	data, err := record.Profile(filepath.Join("..", "exectrace", "testdata", name+".trace.gz"))
	if err != nil {
		t.Fatal(err)
	}
	graphs, err := exectrace.GraphsOf(data, exectrace.Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return graphs
}

// TestReplayRecorded: the replay of a recorded graph at its own number of processors takes
// the time that the trace took.
func TestReplayRecorded(t *testing.T) {
	for _, program := range []string{"forkjoin", "callerhalf", "results", "pipeline", "amdahl30", "amdahl60", "imbalance"} {
		for procs, suffix := range map[int]string{1: ".p1", 2: ".p2"} {
			g := recorded(t, program+suffix)[0]
			r, err := run(g, testMachine, procs, choice{}, 0, 1, world.Next)
			if err != nil {
				t.Errorf("%s at %d: %v", program, procs, err)
				continue
			}
			if got := r.time / g.Window; math.Abs(got-1) > 0.08 {
				t.Errorf("%s: its replay at %d takes %.0f ns, %.2f of the %.0f that it took; want 1 ± 0.08", program, procs, r.time, got, g.Window)
			}
		}
	}
}

// TestTwice: the speedup at two processors that is predicted of traces at one is what the
// programs are made for, and what their traces at two show, within the band.
func TestTwice(t *testing.T) {
	for _, program := range []string{"forkjoin", "callerhalf", "amdahl30", "amdahl60", "imbalance"} {
		one, two := recorded(t, program+".p1"), recorded(t, program+".p2")
		in := Input{Bench: program, Walls: map[int][]float64{1: {one[0].Window}}, Traces: []Trace{{Procs: 1, N: 1, Graphs: one}, {Procs: 1, N: 1, Graphs: one}}, Locks: math.NaN(), Atomics: math.NaN()}
		p, err := Predict(in, testMachine, Options{Procs: []int{2}, Next: "again"})
		if err != nil {
			t.Errorf("%s: %v", program, err)
			continue
		}
		truth := one[0].Window / two[0].Window
		if len(p.Points) != 1 || p.Points[0].Wide != "" {
			t.Errorf("%s: %+v, want a speedup near %.2f", program, p, truth)
			continue
		}
		if x := p.Points[0]; truth < x.Low*0.97 || truth > x.High*1.03 || math.Abs(x.Value/truth-1) > 0.12 {
			t.Errorf("%s: speedup %.2f [%.2f, %.2f], want %.2f", program, x.Value, x.Low, x.High, truth)
		}
	}
}

// TestRefused: what cannot be known is refused, with the reason and what to do.
func TestRefused(t *testing.T) {
	one, other := recorded(t, "amdahl30.p1"), recorded(t, "pipeline.p1")
	renamed := *other[0]
	renamed.Places = append(renamed.Places[:0:0], renamed.Places...)
	for i := range renamed.Places {
		renamed.Places[i].Func = "other." + renamed.Places[i].Func
	}
	alone := &exectrace.Graph{Procs: 2, Window: 1e6, Whole: 1e6, Places: one[0].Places, Threads: []exectrace.Thread{{Parent: -1, Acts: []exectrace.Act{{Do: exectrace.DoRun, At: 1, Time: 1e6}}}}}
	wall := one[0].Window
	in := func(edit func(*Input)) Input {
		x := Input{Bench: "B", Walls: map[int][]float64{1: {wall, wall}}, Traces: []Trace{{Procs: 1, N: 1, Graphs: one}, {Procs: 1, N: 1, Graphs: one}}}
		edit(&x)
		return x
	}
	for _, test := range []struct {
		name string
		in   Input
		want string
	}{
		{"as it is", in(func(*Input) {}), ""},
		{"no time at one", in(func(x *Input) { x.Walls = map[int][]float64{2: {wall}} }), "its time at 1 processor was not measured"},
		{"one trace only", in(func(x *Input) { x.Traces = x.Traces[:1] }), "there are too few traces of it (1, 2 are needed)"},
		{"two programs", in(func(x *Input) { x.Traces[1].Graphs = []*exectrace.Graph{&renamed} }), "its traces are of different programs"},
		{"no goroutines at two", in(func(x *Input) {
			x.Walls[2] = []float64{1e6, 1e6}
			x.Walls[1] = []float64{1e6, 1e6}
			x.Traces = []Trace{{Procs: 2, N: 1, Graphs: []*exectrace.Graph{alone}}, {Procs: 2, N: 1, Graphs: []*exectrace.Graph{alone}}}
		}), "it starts no goroutines: "},
		{"no goroutines at one", in(func(x *Input) {
			x.Traces = []Trace{{Procs: 1, N: 1, Graphs: []*exectrace.Graph{alone}}, {Procs: 1, N: 1, Graphs: []*exectrace.Graph{alone}}}
		}), "it starts no goroutines at 1 processor"},
		{"locks without a wait", in(func(x *Input) { x.Locks = 0.2 }), "20 % of its time is in locks"},
		{"the system", in(func(x *Input) { x.System = 0.2 }), "20 % of its time is in the system"},
		{"memory", in(func(x *Input) { x.Memory = 0.6 }), "60 % of its time makes, moves or frees memory"},
		{"atomics", in(func(x *Input) { x.Atomics = 0.2 }), "20 % of its time is at atomic operations"},
		{"values handed over", in(func(x *Input) {
			x.Walls = map[int][]float64{1: {other[0].Window}}
			x.Traces[0].Graphs, x.Traces[1].Graphs = other, other
		}), "its goroutines hand each other more values"},
		{"values handed over, measured at two", in(func(x *Input) {
			x.Walls = map[int][]float64{1: {other[0].Window}, 2: {other[0].Window / 1.7}}
			x.Traces[0].Graphs, x.Traces[1].Graphs = other, other
		}), ""},
		{"much of the tracer", in(func(x *Input) { x.Walls[1] = []float64{wall / 1.7, wall / 1.7} }), "it takes 1.7 times as long under a tracer"},
		{"three times slower than the graph", in(func(x *Input) { x.Walls[2] = []float64{1.7 * wall, 1.7 * wall} }), "at 2 processors it is "},
	} {
		p, err := Predict(test.in, testMachine, Options{Procs: []int{2, 4}, Next: "payoff predict x"})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if !strings.HasPrefix(p.Refused, test.want) || (p.Refused == "") != (test.want == "") {
			t.Errorf("%s: refused for %q, want %q", test.name, p.Refused, test.want)
		}
		if (p.Refused == "") != (p.Next == "") {
			t.Errorf("%s: the next step is %q for %q", test.name, p.Next, p.Refused)
		}
		if p.Refused != "" && len(p.Points)+len(p.Cures) > 0 {
			t.Errorf("%s: refused, and has points all the same: %+v", test.name, p.Points)
		}
		for _, x := range p.Points {
			if !(x.Low > 0 && x.Low <= x.Value && x.Value <= x.High) {
				t.Errorf("%s: no band around a value: %+v", test.name, x)
			}
		}
	}
}

// TestKnee: Amdahl's program has its knee where its serial part is most of the time, and
// half of that is the cure.
func TestKnee(t *testing.T) {
	g := recorded(t, "amdahl60.p1")
	in := Input{Bench: "B", Walls: map[int][]float64{1: {g[0].Window, g[0].Window}}, Traces: []Trace{{Procs: 1, N: 1, Graphs: g}, {Procs: 1, N: 1, Graphs: g}}}
	p, err := Predict(in, testMachine, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p.Knee == nil || p.Knee.Procs > 4 || p.Knee.Share < 0.6 {
		t.Fatalf("Knee = %+v, want one at 2 or 4 processors, whose line has most of the time (%+v)", p.Knee, p)
	}
	if len(p.Cures) == 0 || p.Cures[0].To.Value < 1.3*p.Cures[0].From.Value {
		t.Errorf("Cures = %+v, want half of the serial part to move it by more than 30 %%", p.Cures)
	}
}

// TestMachineFile: what is no machine file is refused, with the way to one.
func TestMachineFile(t *testing.T) {
	const prices = `"prices":{"wake":{"ns":5000,"low":4000,"high":6000},"cacheLine":{"ns":50,"low":40,"high":60}}`
	for _, test := range []struct{ data, want string }{
		{`{"schema":1,` + prices + `}`, ""},
		{`{"schema":2,` + prices + `}`, "x was written by a newer payoff (schema 2, this one reads 1): update payoff"},
		{`{"schema":0,` + prices + `}`, "x has schema 0, this payoff reads 1: payoff machine -json > FILE makes one on that machine"},
		{`{` + prices + `}`, "x is no machine file (it has no schema): payoff machine -json > FILE makes one on that machine"},
		{`{"schema":1}`, "x: the price of a wake is not known: payoff machine says why"},
		{`{"schema":1,"prices":{"wake":{"ns":-1}}}`, "x is damaged (a price of -1 ns): payoff machine -json > FILE makes one on that machine"},
		{`nothing`, "x is no machine file (invalid character 'o' in literal null (expecting 'u')): payoff machine -json > FILE makes one on that machine"},
	} {
		_, err := ReadMachine("x", []byte(test.data))
		if got := errorText(err); got != test.want {
			t.Errorf("ReadMachine(%s): %q, want %q", test.data, got, test.want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestCalibrate: however much tracing took, the replay takes the time that was measured
// without a tracer.
func TestCalibrate(t *testing.T) {
	for name, procs := range map[string]int{"pipeline.p1": 1, "amdahl60.p1": 1, "pipeline.p2": 2, "amdahl60.p2": 2} {
		for _, part := range []float64{0.6, 1, 1.3} {
			g := recorded(t, name)
			x := &member{trace: Trace{Procs: procs, N: 1, Graphs: g}, wall: part * g[0].Window, when: map[int]result{}}
			if err := x.calibrate(testMachine, world.Next); err != nil {
				t.Fatal(err)
			}
			r, err := x.time(testMachine, procs, nil, world.Next)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(r.time/x.wall-1) > 0.03 {
				t.Errorf("%s, of which %.1f was measured: the replay takes %.0f ns, want %.0f", name, part, r.time, x.wall)
			}
		}
	}
}

// TestWide: where the models disagree by a factor, no figure is told, and the reason names
// what they disagree in.
func TestWide(t *testing.T) {
	serial, parallel := recorded(t, "amdahl60.p1"), recorded(t, "forkjoin.p1")
	as := *parallel[0]
	as.Places = slices.Clone(as.Places)
	for i := range as.Places {
		as.Places[i].Func = serial[0].Places[serial[0].Threads[0].Acts[0].At].Func
	}
	parallel = []*exectrace.Graph{&as}
	wall := as.Window
	in := Input{Bench: "B", Walls: map[int][]float64{1: {wall, wall}}, Traces: []Trace{{Procs: 1, N: 1, Graphs: serial}, {Procs: 1, N: 1, Graphs: parallel}}}
	p, err := Predict(in, testMachine, Options{Procs: []int{2, 32}})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(p.Refused, unknownTraces) {
		t.Errorf("refused for %q, points %+v, want all to be too wide for the difference between the traces", p.Refused, p.Points)
	}
	in.Traces[1].Graphs = serial
	if p, err = Predict(in, testMachine, Options{Procs: []int{2, 32}}); err != nil || len(p.Points) != 2 || p.Points[1].Wide != "" {
		t.Errorf("points %+v (%v) of traces that agree, want none too wide", p.Points, err)
	}
}

// TestTold: what a program does that asks for the number of processors is predicted of what
// it did on one when it was told of so many, and of no other number.
func TestTold(t *testing.T) {
	forked := recorded(t, "forkjoin.p1")
	wall := forked[0].Window
	place := slices.IndexFunc(forked[0].Threads[1].Acts, func(a exectrace.Act) bool { return a.Do == exectrace.DoRun })
	alone := []*exectrace.Graph{{Procs: 1, Window: wall, Whole: wall, Places: forked[0].Places, Threads: []exectrace.Thread{{Parent: -1, Acts: []exectrace.Act{{Do: exectrace.DoRun, At: forked[0].Threads[1].Acts[place].At, Time: int64(wall)}}}}}}
	predicted := func(walls map[int][]float64, traces ...Trace) Prediction {
		t.Helper()
		p, err := Predict(Input{Bench: "B", Walls: walls, Traces: append(traces, traces...)}, testMachine, Options{Procs: []int{2, 4}, Next: "again"})
		if err != nil || p.Refused != "" || len(p.Points) != 2 {
			t.Fatalf("%+v, %v, want two points", p, err)
		}
		return p
	}
	one := map[int][]float64{1: {wall, wall}}
	asks := predicted(one, Trace{Procs: 1, N: 1, Graphs: alone}, Trace{Procs: 1, Told: 2, N: 1, Graphs: forked})
	if x := asks.Points[0]; x.Wide != "" || x.Value < 1.6 || x.Low < 1.4 {
		t.Errorf("told of 2 it forks, and at 2 has %+v, want near 2", x)
	}
	if x := asks.Points[1]; x.Wide != unknownTold {
		t.Errorf("what it does at 4 it was not told, and %+v is said, want nothing for %q", x, unknownTold)
	}
	if x := predicted(one, Trace{Procs: 1, N: 1, Graphs: forked}, Trace{Procs: 1, Told: 2, N: 1, Graphs: forked}).Points[1]; x.Wide != "" {
		t.Errorf("it does the same whatever it is told, and at 4 nothing is said: %+v", x)
	}
	// Twice as long on one processor when told is half the speedup.
	longer := predicted(one, Trace{Procs: 1, N: 1, Graphs: alone}, Trace{Procs: 1, Told: 2, Longer: 2, N: 1, Graphs: forked})
	if got := asks.Points[0].Value / longer.Points[0].Value; math.Abs(got-2) > 0.1 {
		t.Errorf("told of 2 it takes twice as long on one, and the speedup is %.2f of the other's, want half", 1/got)
	}
	// What is not explained at 2 is not at 4.
	two := map[int][]float64{1: {wall, wall}, 2: {wall / 1.7, wall / 1.7}}
	told := []Trace{{Procs: 1, N: 1, Graphs: alone}, {Procs: 1, Told: 2, N: 1, Graphs: forked}, {Procs: 1, Told: 4, N: 1, Graphs: forked}}
	held, free := predicted(two, told...).Points[1], predicted(one, told...).Points[1]
	if held.High > 0.95*free.High {
		t.Errorf("at 2 it is slower than its graph, and at 4 it may be %.2f times as fast, want less than %.2f, where nothing was measured", held.High, free.High)
	}
}

// TestLockOrder: where goroutines take locks in another order than in the trace, what waits
// for one in the trace does not hold up the one that is to come first.
func TestLockOrder(t *testing.T) {
	act := func(do exectrace.Deed, n int, us int64) exectrace.Act {
		return exectrace.Act{Do: do, N: n, Time: us * 1000}
	}
	const does, lock, unlock, await, signal = exectrace.DoRun, exectrace.DoLock, exectrace.DoUnlock, exectrace.DoAwait, exectrace.DoSignal
	for _, kind := range []exectrace.Kind{exectrace.Mutex, exectrace.RWMutex} {
		g := &exectrace.Graph{Procs: 1, Window: 2e5, Whole: 2e5, Locks: 2, Places: make([]source.Place, 1),
			Waits: []exectrace.Await{{Kind: exectrace.WaitGroup, Thread: 0, Need: 2}, {Kind: kind, Thread: 2, Need: 1}},
			Threads: []exectrace.Thread{
				{Parent: -1, Acts: []exectrace.Act{act(exectrace.DoSpawn, 1, 0), act(exectrace.DoSpawn, 2, 0), act(await, 0, 0)}},
				{Acts: []exectrace.Act{act(does, 0, 50), act(lock, 0, 0), act(does, 0, 5), act(unlock, 0, 0), act(lock, 1, 0), act(does, 0, 50), act(unlock, 1, 0), act(signal, 1, 0), act(signal, 0, 0)}},
				{Acts: []exectrace.Act{act(lock, 0, 0), act(does, 0, 5), act(await, 1, 0), act(lock, 1, 0), act(does, 0, 20), act(unlock, 1, 0), act(unlock, 0, 0), act(signal, 0, 0)}},
			}}
		m := Machine{Wake: 5 * time.Microsecond, Low: 5 * time.Microsecond, High: 5 * time.Microsecond, Line: 50, Slower: 1, Stream: 1}
		for _, procs := range []int{1, 2, 8} {
			if r, err := run(g, m, procs, choice{}, 0, 1, world.Next); err != nil || r.time < 100e3 {
				t.Errorf("%v at %d: %v ns, %v; want some 100 µs at least", kind, procs, r.time, err)
			}
		}
	}
}
