package cpuprof

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gopayoff/payoff/tool/internal/stack"
)

// A sampled is one sample: its stack, leaf first, as main.f@7 on line 7 of main.go,
// how many they are, their nanoseconds, and the address of the leaf.
type sampled struct {
	stack string
	n, ns int64
	addr  uint64
}

func profiled(t *testing.T, o Options, samples ...sampled) *Digest {
	t.Helper()
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}, PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 7, DurationNanos: 9}
	for _, x := range samples {
		s := &profile.Sample{Value: []int64{x.n, x.ns}}
		for i, frame := range strings.Fields(x.stack) {
			name, at, _ := strings.Cut(frame, "@")
			line := int64(0)
			fmt.Sscan(at, &line)
			fn := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, Filename: "/src/" + strings.SplitN(name, ".", 2)[0] + "/x.go"}
			loc := &profile.Location{ID: fn.ID, Line: []profile.Line{{Function: fn, Line: line}}}
			if i == 0 {
				loc.Address = x.addr
			}
			p.Function, p.Location = append(p.Function, fn), append(p.Location, loc)
			s.Location = append(s.Location, loc)
		}
		p.Sample = append(p.Sample, s)
	}
	d, err := Read(encode(t, p), o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Shares by category, by line and by instruction add up to the time of the samples
// that fell there, several of each.
func TestShares(t *testing.T) {
	d := profiled(t, Options{},
		sampled{"main.f@7 testing.(*B).runN", 1, 10, 0x10}, // the benchmark's own
		sampled{"main.f@7 testing.(*B).runN", 2, 20, 0x10},
		sampled{"main.f@8 main.g@9", 3, 30, 0x20}, // another's, in the same function
		sampled{"main.f@8 main.g@9", 1, 5, 0x20},
		sampled{"main.h@1 testing.(*B).runN", 4, 40, 0x30}, // own alone
		sampled{"main.k@2 testing.(*B).runN", 1, 15, 0x31}, // in common, too
		sampled{"main.k@2 main.g@9", 1, 5, 0x31},
		sampled{"runtime.mapassign main.f@7 testing.(*B).runN", 1, 10, 0x40},
		sampled{"runtime.memmove main.f@7 testing.(*B).runN", 1, 15, 0x41},
		sampled{"internal/sync.(*Mutex).lockSlow sync.(*Mutex).Lock main.f@7 testing.(*B).runN", 1, 5, 0x42},
		sampled{"sync.(*RWMutex).RLock main.f@7 testing.(*B).runN", 1, 5, 0x43},
		sampled{"runtime.chansend runtime.chansend1 main.f@7 testing.(*B).runN", 2, 25, 0x44},
		sampled{"runtime.gcBgMarkWorker", 1, 15, 0x50},
	)
	show := func(what string, got any, want string) {
		if s := fmt.Sprint(got); s != want {
			t.Errorf("%s: %s, want %s", what, s, want)
		}
	}
	show("samples, total, period, duration", []any{d.Samples, d.Total, d.Period, d.Duration}, "[20 200 7 9]")
	show("shares", d.Share, "map[chan:0.125 copy:0.075 gc:0.075 lock:0.025 map:0.05 rwmutex:0.025 user:0.625]")
	var lines, hot []string
	for _, l := range d.Lines {
		lines = append(lines, fmt.Sprintf("%s:%d %.4g %v", l.Func, l.Line, l.Share, l.By))
	}
	for _, h := range d.Hot {
		hot = append(hot, fmt.Sprintf("%x %s %.4g %s", h.Addr, h.Category, h.Share, h.User.Func))
	}
	show("lines", strings.Join(lines, "; "), "main.f:7 0.45 map[chan:0.125 copy:0.075 lock:0.025 map:0.05 rwmutex:0.025 user:0.15]; main.h:1 0.2 map[user:0.2]; main.f:8 0.175 map[user:0.175]; main.k:2 0.1 map[user:0.1]")
	show("instructions", strings.Join(hot, "; "), "30 user 0.2 main.h; 20 user 0.175 main.f; 10 user 0.15 main.f; 31 user 0.1 main.k; 41 copy 0.075 main.f; 40 map 0.05 main.f; 42 lock 0.025 main.f; 43 rwmutex 0.025 main.f")
	show("callers", d.Callers, "[/src/main/x.go:9]")
	// Own are 30 of f, 40 of h and 15 of k; f and k are common.
	if math.Abs(d.Own-0.425) > 1e-9 || math.Abs(d.Common-0.225) > 1e-9 {
		t.Errorf("own %v, in common %v; want 0.425 and 0.225", d.Own, d.Common)
	}
}

// Of code that hides below what is shown, whose time it is goes by the user's nearest
// frame, where it is shown by another.
func TestShownApart(t *testing.T) {
	place := func(fn, _ string) bool { return strings.HasPrefix(fn, "main.") }
	d := profiled(t, Options{Place: place},
		sampled{"dep.sum@3 main.f@7 testing.(*B).runN", 1, 10, 1},
		sampled{"dep.sum@3 main.g@8 main.start@2", 1, 30, 1},
	)
	if d.Own != 0.25 || d.Common != 0.25 {
		t.Errorf("own %v, in common %v; want 0.25, all of it in dep.sum", d.Own, d.Common)
	}
	got := ""
	for _, l := range d.Lines {
		got += fmt.Sprintf("%s@%d %v, ", l.Func, l.Line, l.Share)
	}
	for _, h := range d.Hot {
		got += fmt.Sprintf("%x by %s %v, ", h.Addr, h.User.Func, h.Share)
	}
	if want := "main.g@8 0.75, main.f@7 0.25, 1 by main.g 0.75, 1 by main.f 0.25, "; got != want {
		t.Errorf("%s want %s", got, want)
	}
}

// Equals come in one order, whatever the map's: lines by place, instructions by
// address, category and place, functions by name.
func TestTies(t *testing.T) {
	samples := []sampled{
		{"main.b@2", 1, 10, 5}, {"main.a@2", 1, 10, 5}, {"main.a@1", 1, 10, 9},
		{"runtime.mapassign main.a@1", 1, 10, 9}, {"runtime.memmove main.a@1", 1, 10, 9},
	}
	want := ""
	for range 20 {
		got := ""
		d := profiled(t, Options{}, samples...)
		for _, l := range d.Lines {
			got += fmt.Sprintf("%s@%d ", l.Func, l.Line)
		}
		for _, h := range d.Hot {
			got += fmt.Sprintf("%x %s %s, ", h.Addr, h.Category, h.User.Func)
		}
		for _, f := range d.Flame {
			got += f.Func + " "
		}
		if want == "" {
			want = "main.a@1 main.a@2 main.b@2 5 user main.a, 5 user main.b, 9 copy main.a, 9 map main.a, 9 user main.a, main.a runtime.mapassign runtime.memmove main.b "
		}
		if got != want {
			t.Fatalf("%s want %s", got, want)
		}
	}
}

// Frames of half a per cent and less are left out; of more than a hundred the least
// go, with those that took as long.
func TestSmallFrames(t *testing.T) {
	d := profiled(t, Options{}, sampled{"main.a@1", 1, 9950, 1}, sampled{"main.b@1", 1, 50, 1})
	if len(d.Flame) != 1 {
		t.Errorf("%+v, want main.a alone: half a per cent is too small", d.Flame)
	}
	if d = profiled(t, Options{}, sampled{"main.a@1", 1, 9949, 1}, sampled{"main.b@1", 1, 51, 1}); len(d.Flame) != 2 || d.Flame[1] != (Frame{0, "main.b", 0.0051}) {
		t.Errorf("%+v, want main.b with 0.0051", d.Flame)
	}
	for _, tt := range []struct{ n, equal, want int }{{100, 0, 100}, {101, 0, 100}, {101, 3, 98}, {103, 2, 100}, {140, 0, 100}} {
		var all []sampled
		for i := range tt.n {
			ns := int64(100 + i)
			if i < tt.equal {
				ns = 100
			}
			all = append(all, sampled{fmt.Sprintf("main.f%03d@1", i), 1, ns, 1})
		}
		if got := len(profiled(t, Options{}, all...).Flame); got != tt.want {
			t.Errorf("%d functions, the last %d of them equal: %d frames, want %d", tt.n, tt.equal, got, tt.want)
		}
	}
}

// The columns are found by what they are; a profile that lacks one is another kind.
func TestColumns(t *testing.T) {
	v := func(typ, unit string) *profile.ValueType { return &profile.ValueType{Type: typ, Unit: unit} }
	for _, tt := range []struct {
		types []*profile.ValueType
		count int
		cpu   int
		err   string
	}{
		{[]*profile.ValueType{v("samples", "count"), v("cpu", "nanoseconds")}, 0, 1, ""},
		{[]*profile.ValueType{v("cpu", "nanoseconds"), v("x", "y"), v("samples", "count")}, 2, 0, ""},
		{[]*profile.ValueType{v("samples", "count")}, 0, 0, "samples/count"},
		{[]*profile.ValueType{v("cpu", "nanoseconds")}, 0, 0, "cpu/nanoseconds"},
		{[]*profile.ValueType{v("samples", "bytes"), v("cpu", "nanoseconds")}, 0, 0, "samples/bytes, cpu/nanoseconds"},
		{[]*profile.ValueType{v("objects", "count"), v("cpu", "nanoseconds")}, 0, 0, "objects/count, cpu/nanoseconds"},
		{[]*profile.ValueType{v("samples", "count"), v("cpu", "seconds")}, 0, 0, "samples/count, cpu/seconds"},
		{[]*profile.ValueType{v("samples", "count"), v("space", "nanoseconds")}, 0, 0, "samples/count, space/nanoseconds"},
		{nil, 0, 0, ""},
	} {
		count, cpu, err := columns(&profile.Profile{SampleType: tt.types})
		if want := "cpuprof: a profile of " + tt.err + ", not of processor time: record it with -cpuprofile"; count != tt.count || cpu != tt.cpu || (err != nil) != (tt.err != "" || tt.types == nil) || err != nil && err.Error() != want {
			t.Errorf("columns %d, %d, %v; want %d, %d, %s", count, cpu, err, tt.count, tt.cpu, tt.err)
		}
	}
	// A difference of profiles is none, in either column.
	for _, values := range [][]int64{{-1, 5}, {1, -5}} {
		p := &profile.Profile{SampleType: []*profile.ValueType{v("samples", "count"), v("cpu", "nanoseconds")}, PeriodType: v("cpu", "nanoseconds")}
		p.Sample = []*profile.Sample{{Value: values}}
		if d, err := Read(encode(t, p), Options{}); err == nil || !strings.Contains(err.Error(), "negative sample") {
			t.Errorf("%v: %+v, %v", values, d, err)
		}
	}
	// A period of something else is not known.
	p := &profile.Profile{SampleType: []*profile.ValueType{v("samples", "count"), v("cpu", "nanoseconds")}, PeriodType: v("cpu", "count"), Period: 3}
	p.Sample = []*profile.Sample{{Value: []int64{1, 5}}}
	if d, err := Read(encode(t, p), Options{}); err != nil || d.Period != 0 || d.Share[stack.Runtime] != 1 {
		t.Errorf("%+v, %v; want no period", d, err)
	}
}

// An address above 4 GiB is one that the system moved: the mapping undoes that.
func TestAddress(t *testing.T) {
	const high = 1 << 32
	for _, tt := range []struct {
		name string
		addr uint64
		m    *profile.Mapping
		want uint64
	}{
		{"no mapping", high + 7, nil, high + 7},
		{"where the linker placed it", 0x401000, &profile.Mapping{Start: 0x400000, Offset: 0x10}, 0x401000},
		{"just below", high, &profile.Mapping{Start: high - 1, Offset: 0x10}, high},
		{"moved", high + 0x1000, &profile.Mapping{Start: high, Offset: 0x200, Limit: 9 * high}, 0x1200},
		{"at its start", high, &profile.Mapping{Start: high, Offset: 0x200}, 0x200},
		{"before its mapping", high, &profile.Mapping{Start: high + 1, Offset: 0x200}, high},
	} {
		if got := Address(&profile.Location{Address: tt.addr, Mapping: tt.m}); got != tt.want {
			t.Errorf("%s: %#x, want %#x", tt.name, got, tt.want)
		}
	}
}
