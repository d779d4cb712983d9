package explain

import (
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// aService is one that ran for a second on two processors, which worked for busy of the
// two seconds that they have.
func aService(busy float64, share map[stack.Category]float64, t exectrace.Facts, n int64) *evidence.Set {
	t.Window, t.Procs, t.Running = 1e9, 2, []float64{1 - busy/2, 0, busy / 2}
	set := &evidence.Set{Bench: "operations", Procs: 2, Trace: &t, Traced: &evidence.Run{N: n, Wall: 1e9 / float64(n)}}
	set.Profiled = &evidence.Run{N: n, Wall: 1e9 / float64(n), CPU: busy * 1e9 / float64(n)}
	set.CPU = &cpuprof.Digest{Samples: 1000, Total: busy * 1e9, Share: share}
	return set
}

// TestRunning: what a program that runs loses, against the work that it is there for.
func TestRunning(t *testing.T) {
	at := func(fn string) source.Place { return source.Place{Func: fn, File: "/m/f.go", Line: 7} }
	work := map[stack.Category]float64{stack.User: 0.7, stack.Net: 0.3}
	polls := func(yields int) *evidence.Set {
		set := aService(2, map[stack.Category]float64{stack.User: 1}, exectrace.Facts{Yields: yields, RunnableWait: exectrace.Dist{N: 2000, Mean: 1e6}, Blocks: []exectrace.Block{{Kind: exectrace.Yield, Site: at("m.wait"), N: yields}}}, 1)
		set.CPU.Lines = []cpuprof.Line{{Place: at("m.wait"), Share: 0.9, By: map[stack.Category]float64{stack.User: 0.9}}}
		set.CPU.Hot = []cpuprof.Hot{{Place: source.Place{Func: "sync/atomic.(*Bool).Load", File: "/go/type.go", Line: 20}, Category: stack.User, Share: 0.4, User: at("m.wait")}}
		return set
	}
	inARow := func(n int) *evidence.Set {
		set := aService(1.9, map[stack.Category]float64{stack.User: 0.1, stack.Net: 0.9}, exectrace.Facts{Syscalls: 400_000, Syscall: 1.7e9, Again: []exectrace.SiteCount{{Site: at("m.send"), N: n}}}, 1)
		set.CPU.Lines = []cpuprof.Line{{Place: at("m.send"), Share: 0.9, By: map[stack.Category]float64{stack.Net: 0.9}}}
		return set
	}
	locked := []exectrace.Block{{Kind: exectrace.Mutex, Site: at("m.f"), N: 900, Total: 5e9}}
	for _, tt := range []struct {
		name  string
		set   *evidence.Set
		first string // cause
		share float64
		says  string
	}{
		{"works", aService(1.9, work, exectrace.Facts{Doing: exectrace.Requests}, 1000), "", 0, ""},
		{"a lock", aService(1, work, exectrace.Facts{Doing: exectrace.Requests, Idle: exectrace.Idle{Total: 1e9, Lock: 1e9}, Blocks: locked}, 1000), "lock", 1, "0.9 times per operation"},
		{"a lock that a library has for itself", aService(1, work, exectrace.Facts{Doing: exectrace.Requests, Idle: exectrace.Idle{Total: 1e9, Serial: 1e9},
			Blocks: []exectrace.Block{{Kind: exectrace.Cond, Site: source.Place{Func: "sync.(*Cond).Wait", File: "/usr/local/go/src/sync/cond.go", Line: 71}, N: 9000, Total: 5e9}}}, 1000), "serial", 1, "for which others wait"},
		{"all wait, for nothing that is there to do", aService(0.1, work, exectrace.Facts{Idle: exectrace.Idle{Total: 1.9e9, Waiting: 1.9e9, Net: 1.9e9}}, 1), "", 0, ""},
		{"all wait, and work queues", aService(0.1, work, exectrace.Facts{Idle: exectrace.Idle{Total: 1.9e9, Waiting: 1.9e9, Sleep: 1.9e9}, Blocks: []exectrace.Block{{Kind: exectrace.ChanSend, Site: at("m.f"), N: 9, Total: 9e9}}}, 1), "waiting", 1, ""},
		{"a serial part, and nothing is asked for most of the time", aService(0.3, work, exectrace.Facts{Doing: exectrace.Requests, Served: exectrace.Served{Calm: 0.6e9}, Idle: exectrace.Idle{Total: 0.3e9, Serial: 0.3e9}}, 100), "", 0, ""},
		{"a serial part, and nothing is asked for less than that", aService(0.3, work, exectrace.Facts{Doing: exectrace.Requests, Served: exectrace.Served{Calm: 0.4e9}, Idle: exectrace.Idle{Total: 0.3e9, Serial: 0.3e9}}, 100), "serial", 1, ""},
		{"one worker has it all and waits outside, and channels have the processor time", aService(0.1, map[stack.Category]float64{stack.User: 0.3, stack.Chan: 0.7}, exectrace.Facts{Doing: exectrace.Items, Idle: exectrace.Idle{Total: 1.8e9, Imbalance: 1.8e9, Unrun: 1.8e9},
			Blocks: []exectrace.Block{{Kind: exectrace.ChanReceive, Site: at("m.f"), N: 900, Total: 9e9}}}, 100), "imbalance", 0.9, "a worker waits for something outside"},
		{"one worker has it all and waits outside, and there is one processor", func() *evidence.Set {
			x := aService(0.1, work, exectrace.Facts{Doing: exectrace.Items, Idle: exectrace.Idle{Total: 0.9e9, Imbalance: 0.9e9, Unrun: 0.9e9}}, 100)
			x.Procs, x.Trace.Procs, x.Trace.Running = 1, 1, []float64{0.9, 0.1}
			return x
		}(), "imbalance", 1, "a worker waits for something outside"},
		{"one worker has it all and computes", aService(1, work, exectrace.Facts{Doing: exectrace.Items, Idle: exectrace.Idle{Total: 1e9, Imbalance: 1e9}}, 100), "imbalance", 1, "a worker runs while other processors are idle"},
		{"allocation that requests are made of", aService(1.8, map[stack.Category]float64{stack.User: 0.8, stack.Alloc: 0.2}, exectrace.Facts{Doing: exectrace.Requests}, 1000), "", 0, ""},
		{"more of it", aService(1.8, map[stack.Category]float64{stack.User: 0.6, stack.Alloc: 0.25, stack.GC: 0.15}, exectrace.Facts{Doing: exectrace.Requests}, 1000), "alloc", 1, "allocation takes 450.0µs and collection 270.0µs of processor time per operation"},
		{"hardly asked, a lock of a twentieth of what it does", aService(0.05, work, exectrace.Facts{Doing: exectrace.Requests, Idle: exectrace.Idle{Total: 0.05e9, Lock: 0.05e9}, Blocks: locked}, 1000), "", 0, ""},
		{"a lock of less than a tenth of all", aService(0.2, work, exectrace.Facts{Doing: exectrace.Requests, Idle: exectrace.Idle{Total: 0.19e9, Lock: 0.19e9}, Blocks: locked}, 1000), "", 0, ""},
		{"a lock of a tenth of all", aService(0.2, work, exectrace.Facts{Doing: exectrace.Requests, Idle: exectrace.Idle{Total: 0.21e9, Lock: 0.21e9}, Blocks: locked}, 1000), "lock", 1, ""},
		{"connections for each request", aService(1.8, map[stack.Category]float64{stack.User: 0.2, stack.Net: 0.3, stack.Dial: 0.5}, exectrace.Facts{Doing: exectrace.Requests}, 1000), "network", 1, "setting up connections, with the handshakes of TLS, takes 900.0µs"},
		{"memory is measured for each request", aService(1.8, map[stack.Category]float64{stack.User: 0.5, stack.World: 0.5}, exectrace.Facts{Doing: exectrace.Requests}, 1000), "stoptheworld", 1, "stopping the world takes 900.0µs"},
		{"system calls, for each second", aService(1.8, map[stack.Category]float64{stack.User: 0.5, stack.Syscall: 0.5}, exectrace.Facts{Syscalls: 500, Syscall: 9e8}, 1), "syscalls", 1, "500 system calls per second"},
		{"writes to the network, most of them after another", inARow(360_000), "syscalls", 1, "90% of them follow one of the same goroutine at the same line"},
		{"writes to the network, one for each message", inARow(120_000), "", 0, ""},
		{"all wait, some of them for what they have started", aService(0.1, work, exectrace.Facts{Idle: exectrace.Idle{Total: 1.9e9, Waiting: 1.9e9, Sleep: 1.9e9}, Blocks: []exectrace.Block{{Kind: exectrace.WaitGroup, Site: at("m.f"), N: 9, Total: 9e9}}}, 1), "", 0, ""},
		{"writes that carry much", func() *evidence.Set {
			x := inARow(360_000)
			x.Trace.Syscalls, x.Trace.Again[0].N = 40_000, 36_000
			return x
		}(), "", 0, ""},
		{"a serial part, and waits for what was started", aService(0.6, work, exectrace.Facts{Idle: exectrace.Idle{Total: 1.4e9, Waiting: 0.4e9, Sleep: 0.4e9, Serial: 1e9}, Blocks: []exectrace.Block{{Kind: exectrace.WaitGroup, Site: at("m.f"), N: 9, Total: 2e8}}}, 1), "serial", 1, ""},
		{"hardly asked, and goroutines that hand over meanwhile", aService(0.1, map[stack.Category]float64{stack.User: 0.5, stack.Spawn: 0.5}, exectrace.Facts{Goroutines: 16_000, Run: exectrace.Dist{N: 16_000, Median: 3e3, Mean: 3e3, Total: 5e7}, Life: exectrace.Dist{N: 16_000, Median: 3e3, Mean: 3e3, Total: 5e7},
			RunnableWait: exectrace.Dist{N: 16_000, Mean: 2e4}, SpawnSites: []exectrace.SiteCount{{Site: at("m.f"), N: 16_000}}, Idle: exectrace.Idle{Total: 1.9e9, Waiting: 1.6e9, Sleep: 1.6e9, Handoff: 3e8}, Blocks: []exectrace.Block{{Kind: exectrace.ChanReceive, Site: at("m.f"), N: 16_000, Total: 3e8}}}, 1), "", 0, ""},
		{"loads a word beside other work of a line", func() *evidence.Set { x := polls(2000); x.CPU.Hot[0].Share = 0.05; return x }(), "", 0, ""},
		{"goes through a list by atomic pointers", func() *evidence.Set { x := polls(2000); x.Trace.Blocks[0].Site = at("m.other"); return x }(), "", 0, ""},
		{"waits by looking", polls(2000), "oversubscription", 1, "load a word again and again, for 1.800s of processor time, and give their turn up 2000 times"},
		{"loads a word that others write", polls(10), "", 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := Running(tt.set, machine.Prices{})
			first, share := "", 0.0
			text := ""
			if len(x.Causes) > 0 {
				first, share = x.Causes[0].Slug, x.Causes[0].Share
				for _, l := range x.Causes[0].Evidence {
					text += l.Text + "\n"
				}
			}
			if first != tt.first || share < tt.share-0.05 {
				t.Errorf("first cause %q with %.2f, want %q with %.2f or more", first, share, tt.first, tt.share)
			}
			if !strings.Contains(text, tt.says) || strings.Contains(text, "the base") {
				t.Errorf("evidence %q, want %q in it and no base", text, tt.says)
			}
		})
	}
}

// TestRunningBounds: what windows differ by bounds the shares.
func TestRunningBounds(t *testing.T) {
	set := aService(1, map[stack.Category]float64{stack.User: 1}, exectrace.Facts{Doing: exectrace.Requests, Idle: exectrace.Idle{Total: 1e9, Lock: 6e8, Serial: 4e8},
		Blocks: []exectrace.Block{{Kind: exectrace.Mutex, Site: source.Place{Func: "m.f", File: "/m/f.go", Line: 7}, N: 900, Total: 5e9}}}, 1000)
	if x := Running(set, machine.Prices{}); x.Causes[0].Low == x.Causes[0].Low {
		t.Errorf("one window: bounds of %v and %v, want none", x.Causes[0].Low, x.Causes[0].High)
	}
	for _, lock := range []float64{0.5, 0.6, 0.6, 0.7} {
		set.Idles = append(set.Idles, evidence.Idle{Window: 2.5e8, Idle: exectrace.Idle{Total: 2.5e8, Lock: lock * 2.5e8, Serial: (1 - lock) * 2.5e8}})
	}
	x := Running(set, machine.Prices{})
	if c := x.Causes[0]; c.Slug != "lock" || !(c.Low < 0.55 && c.Low > 0.4 && c.High > 0.65 && c.High < 0.8) {
		t.Errorf("%s %v [%v, %v], want lock 0.6 within about 0.47 and 0.73", c.Slug, c.Share, c.Low, c.High)
	}
}
