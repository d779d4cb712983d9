package evidence

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// The run of two processes has the operations of both, and figures of an operation by
// how many each has; of what lives in the heap the larger.
func TestAnd(t *testing.T) {
	a := &Run{N: 10, Wall: 100, CPU: 50, Heap: &Heap{Faults: 8, Cycles: 4, Live: 1000}}
	b := &Run{N: 30, Wall: 20, CPU: 90, Heap: &Heap{Faults: 16, Cycles: 8, Live: 3000}}
	for _, x := range []*Run{a.And(b), b.And(a)} {
		if x.N != 40 || x.Wall != 40 || x.CPU != 80 || *x.Heap != (Heap{14, 7, 3000}) {
			t.Errorf("%+v with %+v, want 40 operations of 40 and 80 with {14 7 3000}", x, x.Heap)
		}
	}
	if (*Run)(nil).And(a) != a {
		t.Error("nothing and a run is not the run")
	}
	// Where one of them does not know, that of the later one stands.
	if x := (&Run{N: 1}).And(a); x.Heap != a.Heap {
		t.Errorf("heap %+v, want %+v", x.Heap, a.Heap)
	}
	if x := a.And(&Run{N: 1}); x.Heap != nil {
		t.Errorf("heap %+v, want none", x.Heap)
	}
}

// A set is less than one of more processes, or with a kind that it has not.
func TestLess(t *testing.T) {
	two := make([]Profile, 2)
	for _, tt := range []struct {
		name string
		s, x *Set
		want bool
	}{
		{"none", &Set{}, nil, false},
		{"equal", &Set{Profiles: two}, &Set{Profiles: two}, false},
		{"more processes", &Set{Profiles: two[:1]}, &Set{Profiles: two}, true},
		{"fewer processes", &Set{Profiles: two}, &Set{Profiles: two[:1]}, false},
		{"a profile", &Set{}, &Set{CPU: &cpuprof.Digest{}}, true},
		{"a profile of both", &Set{CPU: &cpuprof.Digest{}}, &Set{CPU: &cpuprof.Digest{}}, false},
		{"no profile any more", &Set{CPU: &cpuprof.Digest{}}, &Set{}, false},
		{"a trace", &Set{}, &Set{Trace: &exectrace.Facts{}}, true},
		{"a trace of both", &Set{Trace: &exectrace.Facts{}}, &Set{Trace: &exectrace.Facts{}}, false},
		{"no trace any more", &Set{Trace: &exectrace.Facts{}}, &Set{}, false},
		{"an experiment", &Set{}, &Set{Sharing: &Sharing{}}, true},
		{"an experiment of both", &Set{Sharing: &Sharing{}}, &Set{Sharing: &Sharing{}}, false},
		{"no experiment any more", &Set{Sharing: &Sharing{}}, &Set{}, false},
	} {
		if got := tt.s.Less(tt.x); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
}

// What a set says of a line is of that line, in that file; what is missing is said once.
func TestOfLine(t *testing.T) {
	at := func(file string, line int) source.Place { return source.Place{File: file, Line: line} }
	s := &Set{Shapes: []Shape{{at("x.go", 1), Spin}, {at("x.go", 2), Look}}, Source: []Text{{at("x.go", 1), "one"}, {at("y.go", 1), "other"}}}
	for _, tt := range []struct {
		kind ShapeKind
		at   source.Place
		want bool
	}{{Spin, at("x.go", 1), true}, {Look, at("x.go", 1), false}, {Spin, at("x.go", 2), false}, {Look, source.Place{File: "x.go", Line: 2, Func: "f"}, true}, {Spin, at("y.go", 1), false}} {
		if got := s.Shaped(tt.kind, tt.at); got != tt.want {
			t.Errorf("%s at %v: %t, want %t", tt.kind, tt.at, got, tt.want)
		}
	}
	for p, want := range map[source.Place]string{at("x.go", 1): "one", at("y.go", 1): "other", at("x.go", 2): ""} {
		if got := s.Written(p); got != want {
			t.Errorf("%v is written %q, want %q", p, got, want)
		}
	}
	s.Disturbed = []string{"cpu"}
	for _, what := range []string{"cpu", "trace", "cpu"} {
		s.Miss(what)
	}
	if got := strings.Join(s.Missing, " ") + "; " + strings.Join(s.Disturbed, " "); got != "cpu trace; cpu" {
		t.Errorf("missing %q, want cpu and trace once", got)
	}
	for _, tt := range []struct {
		x    Sharing
		want bool
	}{
		{Sharing{}, true}, {Sharing{Pad: &Trial{How: "n has room"}}, true}, {Sharing{Pad: &Trial{How: "n stays: it is a parameter"}}, false},
		{Sharing{Leaves: make([]edit.Note, 1)}, false}, {Sharing{Pad: &Trial{}, Leaves: make([]edit.Note, 1)}, false},
	} {
		if got := tt.x.Whole(); got != tt.want {
			t.Errorf("%+v is whole: %t, want %t", tt.x, got, tt.want)
		}
	}
}

// Sets that are just sound are; a message names what is not.
func TestSoundEdges(t *testing.T) {
	trace := func(change func(*exectrace.Facts)) *Set {
		f := &exectrace.Facts{Window: 1, Running: []float64{0, 1}, Timeline: &exectrace.Timeline{Running: []float64{1}, System: []float64{1}, Ready: []float64{1}, Alone: []float64{1}, Who: []int{-1}}}
		if change != nil {
			change(f)
		}
		return &Set{Traced: &Run{N: 1}, Trace: f}
	}
	line := func(change func(*exectrace.Timeline)) *Set {
		return trace(func(f *exectrace.Facts) { change(f.Timeline) })
	}
	flame := func(depths ...int) *Set {
		d := &cpuprof.Digest{}
		for _, n := range depths {
			d.Flame = append(d.Flame, cpuprof.Frame{Depth: n})
		}
		return &Set{CPU: d}
	}
	for _, tt := range []struct {
		name string
		s    *Set
		want string // "": sound
	}{
		{"empty", &Set{}, ""},
		{"a trace of one processor", trace(nil), ""},
		{"no timeline", trace(func(f *exectrace.Facts) { f.Timeline = nil }), ""},
		{"a window of less than nothing", trace(func(f *exectrace.Facts) { f.Window = -1 }), "a trace without a run, a window or processors"},
		{"a trace of no processor", trace(func(f *exectrace.Facts) { f.Running = f.Running[:1] }), "a trace without a run, a window or processors"},
		{"a short column of the runtime", line(func(l *exectrace.Timeline) { l.System = nil }), "a timeline with columns that do not fit"},
		{"a short column of the ready", line(func(l *exectrace.Timeline) { l.Ready = nil }), "a timeline with columns that do not fit"},
		{"a short column of who", line(func(l *exectrace.Timeline) { l.Who = nil }), "a timeline with columns that do not fit"},
		{"a short column of the user", line(func(l *exectrace.Timeline) { l.Running = nil }), "a timeline with columns that do not fit"},
		{"a goroutine below none", line(func(l *exectrace.Timeline) { l.Who[0] = -2 }), "a timeline with columns that do not fit"},
		{"frames beside each other", flame(0, 1, 2, 1, 0, 1), ""},
		{"a first frame that is deep", flame(1), "frames that nobody calls"},
		{"a frame deeper by two", flame(0, 2), "frames that nobody calls"},
		{"a frame above all", flame(0, -1), "frames that nobody calls"},
		{"counters", &Set{Counters: &Counters{Instructions: 1, Cycles: 2}}, ""},
		{"no instructions", &Set{Counters: &Counters{Cycles: 2}}, "counters that counted nothing"},
		{"no cycles", &Set{Counters: &Counters{Instructions: 1}}, "counters that counted nothing"},
		{"as large as can be", &Set{Touched: 1e18}, ""},
		{"larger", &Set{Touched: 1.0001e18}, "Touched: a figure of 1.0001e+18"},
		{"deep inside", &Set{Sharing: &Sharing{Pad: &Trial{High: -1}}}, "Sharing: Pad: High: a figure of -1"},
		{"of a list", &Set{Locks: []Lock{{}, {Delay: -2}}}, "Locks: Delay: a figure of -2"},
	} {
		err := tt.s.Sound()
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || err.Error() != tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// Counters count per operation, and both of the first two must count.
func TestCountersEdges(t *testing.T) {
	for data, want := range map[string]string{
		"instructions\t9\ncycles\t0\n":          "nothing was counted: the counters are in use, or hidden by the hypervisor",
		"instructions\t0\ncycles\t9\n":          "nothing was counted: the counters are in use, or hidden by the hypervisor",
		"instructions\t9\ncycles\tx\n":          `counter line "cycles\tx\n": strconv.ParseUint: parsing "x": invalid syntax`,
		"cycles\n":                              `counter line "cycles\n": want a name and a count`,
		"cycles\terror\tno\ninstructions\t9\n":  "cycles are not counted here (no): the processor has no counters, or a hypervisor hides them",
		"instructions\t9\ncycles\t9\nx\ty\tz\n": `counter line "x\ty\tz\n": want a name and a count`,
	} {
		if c, err := ReadCounters([]byte(data), 3); err == nil || err.Error() != want {
			t.Errorf("ReadCounters(%q) = %+v, %v; want %s", data, c, err, want)
		}
	}
	if c, err := ReadCounters([]byte("instructions\t9\ncycles\t3"), 3); err != nil || *c != (Counters{3, 1, 0}) {
		t.Errorf("%+v, %v; want 3 and 1 of each operation", c, err)
	}
}

// Waits are by line and by what was called there, most delay first, equals by place,
// sixteen at most; what no function is known of is no place.
func TestLocksEdges(t *testing.T) {
	mine := func(fn, _ string) bool { return strings.HasPrefix(fn, "main.") }
	read := func(now, before map[string][2]int64) []Lock {
		got, err := ReadLocks("block", contended(t, now), contended(t, before), mine)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	show := func(all []Lock) string {
		var b strings.Builder
		for _, l := range all {
			fmt.Fprintf(&b, "%s by %s %d %v; ", l.Site.Func, l.Call, l.N, l.Delay)
		}
		return b.String()
	}
	for _, tt := range []struct {
		name        string
		now, before map[string][2]int64
		want        string
	}{
		{"equal delays", map[string][2]int64{"sync.f main.b": {1, 5}, "sync.f main.a": {2, 5}, "sync.f main.c": {3, 9}}, nil, "main.c by sync.f 3 9; main.a by sync.f 2 5; main.b by sync.f 1 5; "},
		{"two calls of one line", map[string][2]int64{"sync.f main.a": {1, 5}, "sync.g main.a": {2, 6}}, nil, "main.a by sync.g 2 6; main.a by sync.f 1 5; "},
		{"no event of its own", map[string][2]int64{"sync.f main.a": {1, 5}}, map[string][2]int64{"sync.f main.a": {1, 4}}, ""},
		{"no delay of its own", map[string][2]int64{"sync.f main.a": {2, 5}}, map[string][2]int64{"sync.f main.a": {1, 5}}, ""},
		{"one event of its own", map[string][2]int64{"sync.f main.a": {2, 5}}, map[string][2]int64{"sync.f main.a": {1, 4}}, "main.a by sync.f 1 1; "},
		{"no user's", map[string][2]int64{"sync.f runtime.g": {2, 5}}, nil, "sync.f by runtime.g 2 5; "},
		{"the user's own, called by nothing", map[string][2]int64{"main.a": {2, 5}}, nil, "main.a by  2 5; "},
	} {
		if got := show(read(tt.now, tt.before)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	many := map[string][2]int64{}
	for i := range 20 {
		many[fmt.Sprintf("sync.f main.f%02d", i)] = [2]int64{1, int64(i + 1)}
	}
	if got := read(many, nil); len(got) != 16 || got[15].Delay != 5 {
		t.Errorf("%d, the last %+v; want the 16 with most delay", len(got), got[len(got)-1])
	}
	// Frames without a function are left out; a profile from before that holds nothing
	// takes nothing away.
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "contentions", Unit: "count"}, {Type: "delay", Unit: "nanoseconds"}}, PeriodType: &profile.ValueType{}}
	fn := &profile.Function{ID: 1, Name: "main.a", Filename: "/a.go"}
	empty := &profile.Function{ID: 2, Filename: "/b.go"}
	p.Function = []*profile.Function{fn, empty}
	p.Location = []*profile.Location{{ID: 1, Line: []profile.Line{{Function: empty, Line: 3}}}, {ID: 2, Line: []profile.Line{{Function: fn, Line: 7}}}}
	p.Sample = []*profile.Sample{{Value: []int64{1, 5}, Location: p.Location}}
	written := func(p *profile.Profile) *bytes.Buffer {
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		return &b
	}
	other := &profile.Profile{SampleType: []*profile.ValueType{{Type: "contentions", Unit: "count"}}, PeriodType: &profile.ValueType{}}
	got, err := ReadLocks("mutex", written(p), written(other), mine)
	if err != nil || len(got) != 1 || got[0].Call != "" || got[0].Site.Func != "main.a" || got[0].Site.Line != 7 {
		t.Errorf("%+v, %v; want main.a, which called nothing that is known", got, err)
	}
	for _, types := range [][]*profile.ValueType{{{Type: "contentions", Unit: "count"}}, {{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}} {
		if got, err := ReadLocks("mutex", written(&profile.Profile{SampleType: types, PeriodType: &profile.ValueType{}}), written(other), mine); err == nil || err.Error() != "mutex profile: holds no contentions: it is another kind of profile" {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if _, err := ReadLocks("mutex", strings.NewReader("x"), written(other), mine); err == nil || !strings.HasPrefix(err.Error(), "mutex profile: ") {
		t.Error(err)
	}
	if _, err := ReadLocks("block", written(p), strings.NewReader("x"), mine); err == nil || !strings.HasPrefix(err.Error(), "block profile from before the timed region: ") {
		t.Error(err)
	}
}
