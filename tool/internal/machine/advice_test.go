package machine_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/machine"
)

func TestAdvice(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	snap := func(after, steal time.Duration) machine.Load {
		return machine.Load{Busy: after, Steal: steal, Total: 2 * after, At: at.Add(after), OK: true}
	}
	two := machine.Env{LogicalCPUs: 2, PhysicalCores: 2, UsableCPUs: 2, OS: "linux"}
	with := func(f func(*machine.Env)) machine.Env {
		e := two
		f(&e)
		return e
	}
	for _, c := range []struct {
		name  string
		env   machine.Env
		caps  []machine.Capacity
		loads []machine.Load
		want  []string
	}{
		{name: "nothing known"},
		{name: "quiet", env: with(func(e *machine.Env) { e.Governor, e.Load = "performance", "0.10 0.90 0.90" }),
			caps:  []machine.Capacity{{Procs: 1, Cores: 0.99, Low: 0.98}, {Procs: 2, Cores: 1.95, Low: 1.6}},
			loads: []machine.Load{snap(0, 0), snap(time.Second, 10*time.Millisecond)}},
		{name: "busy", env: two,
			caps: []machine.Capacity{{Procs: 1, Cores: 0.85, Low: 0.8}, {Procs: 2, Cores: 1.3, Low: 1.1}},
			want: []string{"2 processors asked for, 1.3 given: something else is running; stop it or expect `cannot say`"}},
		{name: "stacked", env: two,
			caps: []machine.Capacity{{Procs: 2, Cores: 1.02, Low: 1, Stacked: true}},
			want: []string{"2 processors asked for, 1 given: the system ran several threads on one processor in turns; stop what else is running or expect `cannot say`"}},
		{name: "now and then", env: two,
			caps: []machine.Capacity{{Procs: 2, Cores: 1.91, Low: 1.2}},
			want: []string{"2 processors asked for, 1.9 given, but only 1.2 at worst: something else runs now and then; stop it or expect wide intervals"}},
		{name: "more asked than there are", env: two,
			caps: []machine.Capacity{{Procs: 8, Cores: 1.97, Low: 1.9, Stacked: true}}},
		{name: "more asked than there are, and busy", env: two,
			caps: []machine.Capacity{{Procs: 8, Cores: 1.5, Low: 1.2, Stacked: true}},
			want: []string{"8 processors asked for, 2 usable, 1.5 given: something else is running; stop it or expect `cannot say`"}},
		{name: "env unknown",
			caps: []machine.Capacity{{Procs: 1, Cores: 0.5, Low: 0.5}},
			want: []string{"1 processor asked for, 0.5 given: something else is running; stop it or expect `cannot say`"}},
		{name: "steal", env: two, loads: []machine.Load{snap(0, 0), snap(time.Second, time.Second), snap(10*time.Second, time.Second)},
			want: []string{"steal 9.1 %: the hypervisor gives 0.10 processors to other machines; expect wide intervals, or use a host of your own"}},
		{name: "steal on a large machine", env: two, loads: []machine.Load{{At: at, OK: true},
			{Busy: 10 * time.Second, Steal: 2 * time.Second, Total: 640 * time.Second, At: at.Add(10 * time.Second), OK: true}},
			want: []string{"steal 16.7 %: the hypervisor gives 0.20 processors to other machines; expect wide intervals, or use a host of your own"}},
		{name: "steal unknown", env: two, loads: []machine.Load{{At: at}, snap(time.Second, time.Second)}},
		{name: "one snapshot", env: two, loads: []machine.Load{snap(time.Second, time.Second)}},
		{name: "one processor", env: machine.Env{LogicalCPUs: 4, PhysicalCores: 4, UsableCPUs: 1},
			want: []string{"1 usable processor: parallel code cannot pay on one processor; only overhead and waiting can be judged here"}},
		{name: "quota", env: with(func(e *machine.Env) { e.Quota = 1.5 }),
			want: []string{"control group allows 1.5 processors, GOMAXPROCS defaults to 2: the process is stopped when its share is spent; raise the limit or keep to GOMAXPROCS=1"}},
		{name: "wide quota", env: with(func(e *machine.Env) { e.Quota = 4 })},
		{name: "load", env: with(func(e *machine.Env) { e.Load = "0.51 0.00 0.00" }),
			want: []string{"load average 0.51 on 2 processors: programs ran within the last minute, builds included; let them end before measuring"}},
		{name: "quota of all", env: with(func(e *machine.Env) { e.Quota = 2 })},
		{name: "quota of half a processor", env: with(func(e *machine.Env) { e.Quota = 0.5 }),
			want: []string{"control group allows 0.5 processors, GOMAXPROCS defaults to 2: the process is stopped when its share is spent; raise the limit or keep to GOMAXPROCS=1"}},
		{name: "steal of one per cent", env: two, loads: []machine.Load{snap(0, 0), snap(990*time.Millisecond, 10*time.Millisecond)}},
		{name: "just enough", env: two, caps: []machine.Capacity{{Procs: 2, Cores: 1.8, Low: 1.5}}},
		{name: "just too little", env: two, caps: []machine.Capacity{{Procs: 2, Cores: 1.79, Low: 1.7}},
			want: []string{"2 processors asked for, 1.8 given: something else is running; stop it or expect `cannot say`"}},
		{name: "just too little at worst", env: two, caps: []machine.Capacity{{Procs: 2, Cores: 1.91, Low: 1.49}},
			want: []string{"2 processors asked for, 1.9 given, but only 1.5 at worst: something else runs now and then; stop it or expect wide intervals"}},
		{name: "load of few that are usable", env: machine.Env{LogicalCPUs: 8, PhysicalCores: 8, UsableCPUs: 2, Load: "0.60 0 0"},
			want: []string{"load average 0.60 on 2 processors: programs ran within the last minute, builds included; let them end before measuring"}},
		{name: "load malformed", env: with(func(e *machine.Env) { e.Load = "high" })},
		{name: "governors", env: with(func(e *machine.Env) { e.Governor = "performance,powersave" }),
			want: []string{"governor powersave: the clock rate follows the load, so short runs are timed at a low rate; set it to performance"}},
		{name: "virtual", env: with(func(e *machine.Env) { e.Virtual = "KVMKVMKVM" }),
			want: []string{"virtual machine (KVMKVMKVM): processors are shared with others unseen; figures of real hardware do not carry over"}},
		{name: "windows", env: with(func(e *machine.Env) { e.OS, e.Virtual = "windows", "Microsoft Hv" }),
			want: []string{"hypervisor Microsoft Hv: a virtual machine, or Windows with core isolation; figures of other machines do not carry over"}},
		{name: "threads per core", env: machine.Env{LogicalCPUs: 8, PhysicalCores: 4, UsableCPUs: 8},
			want: []string{"8 logical processors on 4 cores: scaling beyond 4 is not expected to be linear"}},
		{name: "gravest first", env: machine.Env{LogicalCPUs: 2, PhysicalCores: 1, UsableCPUs: 1, Governor: "ondemand"},
			want: []string{
				"1 usable processor: parallel code cannot pay on one processor; only overhead and waiting can be judged here",
				"governor ondemand: the clock rate follows the load, so short runs are timed at a low rate; set it to performance",
				"2 logical processors on 1 core: scaling beyond 1 is not expected to be linear",
			}},
	} {
		var got []string
		for _, h := range machine.Advice(c.env, c.caps, c.loads...) {
			got = append(got, h.Text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: Advice =\n%q, want\n%q", c.name, got, c.want)
		}
	}
}

func TestSummarize(t *testing.T) {
	type thread = []machine.Spell
	// turns gives half of the slots between from and to, each 1 long, to a thread.
	turns := func(first, from, to int64, cpu int) thread {
		var s thread
		for at := from + first; at < to; at += 2 {
			s = append(s, machine.Spell{From: at, To: at + 1, CPU: cpu})
		}
		return s
	}
	// each gives a thread a part of each slice, on one processor.
	each := func(from, to int64, cpu int) (s thread) {
		for at := int64(0); at < 60; at += 10 {
			s = append(s, machine.Spell{From: at + from, To: at + to, CPU: cpu})
		}
		return s
	}
	for _, c := range []struct {
		name     string
		threads  []thread
		ran, low float64
		stacked  bool
	}{
		{"two all the time", []thread{{{From: 0, To: 60}}, {{From: 0, To: 60, CPU: 1}}}, 2, 2, false},
		{"clipped", []thread{{{From: -10, To: 90}}}, 1, 1, false},
		{"moved", []thread{{{From: 0, To: 5}, {From: 5, To: 60, CPU: 1}}, {{From: 0, To: 5, CPU: 1}, {From: 5, To: 60}}}, 2, 2, false},
		{"in turns", []thread{turns(0, 0, 60, 3), turns(1, 0, 60, 3)}, 1, 1, true},
		{"in turns, processor unknown", []thread{turns(0, 0, 60, -1), turns(1, 0, 60, -1)}, 1, 1, false},
		{"half of two processors", []thread{turns(0, 0, 60, 0), turns(1, 0, 60, 1)}, 1, 1, false},
		{"in turns at the start only", []thread{
			append(turns(0, 0, 10, 0), machine.Spell{From: 10, To: 60}),
			append(turns(1, 0, 10, 0), machine.Spell{From: 10, To: 60, CPU: 1}),
		}, 11.0 / 6, 1, false},
		{"in turns for a third", []thread{
			append(turns(0, 0, 20, 0), machine.Spell{From: 20, To: 60}),
			append(turns(1, 0, 20, 0), machine.Spell{From: 20, To: 60, CPU: 1}),
		}, 10.0 / 6, 1, true},
		{"on one processor for seven of ten", []thread{each(0, 7, 0), each(2, 9, 0)}, 1.4, 1.4, true},
		{"on one processor for eight of ten", []thread{each(0, 8, 0), each(2, 10, 0)}, 1.6, 1.6, false},
		{"two of ten on the other's", []thread{each(0, 5, 0), slices.Concat(each(5, 7, 0), each(7, 10, 1))}, 1, 1, true},
		{"one of ten on the other's", []thread{each(0, 5, 0), slices.Concat(each(5, 6, 0), each(6, 10, 1))}, 1, 1, false},
		{"away for a slice", []thread{{{From: 0, To: 20}, {From: 30, To: 60}}}, 5.0 / 6, 0, false},
		{"never ran", []thread{nil, nil}, 0, 0, false},
	} {
		ran, low, stacked := machine.Summarize(c.threads, 0, 60)
		if d := ran - c.ran; d < -1e-9 || d > 1e-9 || math.Abs(low-c.low) > 1e-9 || stacked != c.stacked {
			t.Errorf("%s: summarize = %v, %v, %v; want %v, %v, %v", c.name, ran, low, stacked, c.ran, c.low, c.stacked)
		}
	}
}

func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		in   []float64
		q    float64
		want float64
	}{
		{[]float64{3}, 0.5, 3},
		{[]float64{1, 3}, 0.5, 2},
		{[]float64{1, 2, 3, 4, 5}, 0.25, 2},
		{[]float64{1, 2, 3, 4, 5}, 1, 5},
	} {
		if got := machine.Quantile(c.in, c.q); got != c.want {
			t.Errorf("quantile(%v, %v) = %v, want %v", c.in, c.q, got, c.want)
		}
	}
}
