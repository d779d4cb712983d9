package explain

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// moves lets the variant reach so many bytes on a machine with a cache of 32 MB.
func moves(bytes float64) func(*measure.Series) {
	return func(s *measure.Series) {
		s.Cache = 32e6
		s.Evidence[measure.Cell{Bench: "BenchmarkX/variant=new", Procs: 2}].Touched = bytes
	}
}

// samples changes the samples of the variant.
func samples(s *measure.Series, change func(*measure.Sample)) {
	for c, xs := range s.Samples {
		if c.Bench == "BenchmarkX/variant=new" {
			for i := range xs {
				change(&xs[i])
			}
		}
	}
}

// dear is a program that takes more time for a mechanism, at one processor and
// at two.
func dear(by shares) program {
	p := healthy()
	p.wall1, p.cpu1, p.wall2, p.cpu2 = 60*ms, 60*ms, 31*ms, 61*ms
	p.one, p.two = by, by
	return p
}

// TestMechanisms: what names each cause, and what is like it and does not.
func TestMechanisms(t *testing.T) {
	faults := func(n, system float64) func(*measure.Series) {
		return func(s *measure.Series) {
			samples(s, func(x *measure.Sample) { x.Faults, x.System = float32(n), float32(system) })
		}
	}
	// The base faults as often; at once the kernel takes four times as long.
	queueing := func(n float32) func(*measure.Series) {
		return func(s *measure.Series) {
			for c, xs := range s.Samples {
				for i := range xs {
					xs[i].Faults, xs[i].System = n, float32(2*ms)
					if c.Procs == 2 && c.Bench == "BenchmarkX/variant=new" {
						xs[i].System = float32(8 * ms)
					}
				}
			}
		}
	}
	lives := func(bytes float32) func(*measure.Series) {
		return func(s *measure.Series) {
			samples(s, func(x *measure.Sample) { x.Live, x.GC, x.Allocs = bytes, 0.5, 20000 })
		}
	}
	cases := func(n int) func(*measure.Series) {
		return func(s *measure.Series) {
			for _, set := range s.Evidence {
				set.CPU.Lines = []cpuprof.Line{{Place: source.Place{File: "/m/x.go", Line: 7}, Share: 0.8, By: shares{stack.Select: 0.8}}}
				set.Selects = []evidence.Select{{Place: source.Place{File: "/m/x.go", Line: 7}, Cases: n}}
			}
		}
	}
	cores := func(n int) func(*measure.Series) {
		return func(s *measure.Series) { s.Cores = n }
	}
	selecting := dear(shares{stack.User: 0.1, stack.Select: 0.8, stack.Switch: 0.1})
	selecting.trace.Blocks = blocks(exectrace.Select, 5000, 500)
	network := dear(shares{stack.User: 0.1, stack.Net: 0.6, stack.Switch: 0.3})
	network.trace.Blocks = blocks(exectrace.Net, 1000, 5000)
	slower := healthy()
	slower.wall2, slower.cpu2 = 8*ms, 16*ms
	crawling := healthy()
	crawling.wall2, crawling.cpu2 = 50*ms, 100*ms
	loading := slower
	loading.hot1, loading.hot2, loading.sharing = hot(instr.Load, 0.8), hot(instr.Load, 0.9), seenNone
	pooled := dear(shares{stack.User: 0.3, stack.Pool: 0.7})
	saving := pooled // its base allocates instead, for as long
	saving.base = shares{stack.User: 0.3, stack.Alloc: 0.7}
	saving.wall1, saving.cpu1, saving.wall2, saving.cpu2 = 10.5*ms, 10.5*ms, 5.3*ms, 10.5*ms
	// Each has the causes at one and at two processors, all of them.
	for _, tt := range []struct {
		name, one, two string
		p              program
		more           func(*measure.Series)
	}{
		{"page faults", "pagefault", "pagefault", dear(shares{stack.User: 1}), faults(50000, 45*ms)},
		{"page faults that the kernel's time does not confirm", "work", "work", dear(shares{stack.User: 1}), faults(50000, 1*ms)},
		{"page faults of a heap that grows, which longer runs do not have", "work", "work", dear(shares{stack.User: 1}), func(s *measure.Series) {
			faults(50000, 45*ms)(s)
			for _, set := range s.Evidence {
				set.Profiled.Heap = &evidence.Heap{Faults: 10}
			}
		}},
		{"page faults beside system calls", "syscalls work", "syscalls work", dear(shares{stack.User: 0.4, stack.Syscall: 0.6}), faults(50000, 38*ms)},
		{"page faults of several threads at once", "", "pagefault", slower, queueing(2000)},
		{"kernel time at once with few page faults", "", "", slower, queueing(20)},
		{"kernel time without a fault", "work", "work", dear(shares{stack.User: 1}), faults(0, 45*ms)},
		{"a pool of small objects", "pool work", "pool work", pooled, nil},
		{"a pool whose objects do not come back", "pool", "pool", dear(shares{stack.User: 0.1, stack.Pool: 0.1, stack.PoolMiss: 0.4, stack.GC: 0.4}), nil},
		{"a pool that pays", "", "", saving, nil},
		{"a large heap that is marked", "gc alloc", "gc alloc", dear(shares{stack.User: 0.1, stack.Alloc: 0.2, stack.GC: 0.7}), lives(40 << 20)},
		{"a small heap that is collected often", "alloc", "alloc", dear(shares{stack.User: 0.1, stack.Alloc: 0.2, stack.GC: 0.7}), lives(1 << 20)},
		{"allocation beside a large heap", "alloc gc", "alloc gc", dear(shares{stack.User: 0.1, stack.Alloc: 0.5, stack.Sweep: 0.2, stack.GC: 0.2}), lives(40 << 20)},
		{"the allocator's locks", "alloc", "alloc", dear(shares{stack.User: 0.1, stack.Alloc: 0.05, stack.AllocWait: 0.85}), nil},
		{"calls that stop the world", "stoptheworld work", "stoptheworld work", dear(shares{stack.User: 0.3, stack.World: 0.7}), nil},
		{"timers", "timer work", "timer work", dear(shares{stack.User: 0.3, stack.Timer: 0.7}), nil},
		{"timers that are collected", "timer", "timer", dear(shares{stack.User: 0.15, stack.Timer: 0.35, stack.TimerMade: 0.3, stack.GC: 0.2}), nil},
		{"timers beside as much allocation", "timer alloc", "timer alloc", dear(shares{stack.User: 0.1, stack.Timer: 0.1, stack.TimerMade: 0.2, stack.Alloc: 0.2, stack.GC: 0.4}), nil},
		{"the clock", "work", "work", dear(shares{stack.User: 0.3, stack.Clock: 0.7}), nil},
		{"a select over twelve channels", "select handoff", "select handoff", selecting, cases(12)},
		{"reflect.Select", "select handoff", "select handoff", selecting, cases(0)},
		{"a select over three channels", "handoff", "handoff", selecting, cases(3)},
		{"a select over two channels", "handoff", "handoff", selecting, cases(2)},
		{"maps that grow", "mapgrow work", "mapgrow work", dear(shares{stack.User: 0.2, stack.Map: 0.2, stack.MapGrow: 0.6}), nil},
		{"maps", "work", "work", dear(shares{stack.User: 0.2, stack.Map: 0.8}), nil},
		{"sync.Map", "syncmap", "syncmap", dear(shares{stack.User: 0.2, stack.SyncMap: 0.8}), nil},
		{"messages", "network", "network", network, nil},
		{"calls of C", "cgo", "cgo", dear(shares{stack.User: 0.2, stack.Cgo: 0.8}), nil},
		{"two threads of one core", "", "smt", slower, cores(1)},
		{"far slower than two threads of one core", "", "", crawling, cores(1)},
		{"two cores", "", "", slower, cores(2)},
		{"cores that are not known", "", "", slower, nil},
		{"memory that streams", "", "bandwidth", loading, moves(150e6)},
		{"memory that fits the cache", "", "", loading, func(s *measure.Series) { moves(150e6)(s); s.Cache = 200e6 }},
		{"memory that hardly moves", "", "", loading, func(s *measure.Series) { moves(40e6)(s); s.Cache = 8e6 }},
		{"pages looked at here and there", "", "", loading, moves(900e6)},
		{"cache misses that are counted", "", "bandwidth", loading, func(s *measure.Series) {
			moves(0)(s)
			for _, set := range s.Evidence {
				set.Counters = &evidence.Counters{Instructions: 1e6, Cycles: 1e6, CacheMisses: 150e6 / cacheLine}
			}
		}},
		{"memory that nobody asked for", "", "", loading, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := tt.p
			p.more = tt.more
			all := p.findings(t)
			for procs, want := range map[int]string{1: tt.one, 2: tt.two} {
				if got := strings.Join(slugs(t, all, procs), " "); got != want {
					t.Errorf("at %d: causes %q, want %q", procs, got, want)
				}
			}
		})
	}
}

// Evidence of before these causes leaves them out.
func TestOlderEvidence(t *testing.T) {
	unknown := float32(math.NaN())
	p := dear(shares{stack.User: 0.1, stack.Alloc: 0.2, stack.GC: 0.7})
	p.more = func(s *measure.Series) {
		samples(s, func(x *measure.Sample) { x.Faults, x.System, x.Live = unknown, unknown, unknown })
	}
	if got := slugs(t, p.findings(t), 1); !slices.Equal(got, []string{"alloc"}) {
		t.Errorf("causes %q, want alloc alone", got)
	}
}
