package exectrace

import (
	"strings"
	"testing"

	"golang.org/x/exp/trace"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// stackOf makes a stack of functions, the leaf first. The line of each is its
// distance from the leaf, counted from 1.
func stackOf(funcs string) trace.Stack {
	var frames []trace.StackFrame
	for i, fn := range strings.Fields(funcs) {
		frames = append(frames, trace.StackFrame{PC: uint64(i + 1), Func: fn, File: "f.go", Line: uint64(i + 1)})
	}
	return trace.MakeStack(frames)
}

// What the probe does is at the line of package testing that called it: nobody
// has its file.
func TestStanceOfTheProbe(t *testing.T) {
	d := newDecoder(newEngine(Options{}))
	p := d.stance(trace.MakeStack([]trace.StackFrame{
		{PC: 1, Func: "runtime/trace.Log", File: "/go/src/runtime/trace/annotation.go", Line: 1},
		{PC: 2, Func: "testing/internal/testdeps.(*payoffCollector).PayoffClose", File: "/go/src/testing/internal/testdeps/payoff_evidence.go", Line: 2},
		{PC: 3, Func: "testing.(*B).payoffStop", File: "/go/src/testing/payoff_probe.go", Line: 155},
		{PC: 4, Func: "testing.(*B).StopTimer", File: "/go/src/testing/benchmark.go", Line: 4},
		{PC: 5, Func: "testing.(*B).launch", File: "/go/src/testing/benchmark.go", Line: 5},
	}))
	if at := d.e.sites.all[p.site].Short(); at != "benchmark.go:4" {
		t.Errorf("at %s, want benchmark.go:4", at)
	}
}

func TestStances(t *testing.T) {
	for _, c := range []struct {
		stack  string
		reason string
		kind   Kind
		site   string
		depth  int
	}{
		{"internal/sync.(*Mutex).lockSlow internal/sync.(*Mutex).Lock sync.(*Mutex).Lock main.f main.main", "sync", Mutex, "main.f", 2},
		{"sync.(*Mutex).lockSlow sync.(*Mutex).Lock a.org/x.(*T).F[...] main.main", "sync", Mutex, "a.org/x.(*T).F[...]", 2},
		{"internal/sync.(*Mutex).lockSlow sync.(*Mutex).Lock sync.(*RWMutex).Lock main.main", "sync", RWMutex, "main.main", 1},
		{"sync.(*RWMutex).RLock main.main", "sync", RWMutex, "main.main", 1},
		{"internal/sync.(*Mutex).lockSlow sync.(*Mutex).Lock sync.(*Once).doSlow sync.(*Once).Do main.main", "sync", Once, "main.main", 1},
		{"internal/sync.(*Mutex).lockSlow sync.(*Mutex).Lock sync.(*Once).doSlow sync.(*Once).Do sync.OnceFunc.func1 main.main", "sync", Once, "main.main", 1},
		{"sync.(*WaitGroup).Wait a.org/x/errgroup.(*Group).Wait main.main", "sync", WaitGroup, "a.org/x/errgroup.(*Group).Wait", 2},
		{"internal/sync.(*Mutex).lockSlow internal/sync.(*HashTrieMap[...]).LoadOrStore sync.(*Map).LoadOrStore main.main", "sync", Mutex, "main.main", 1},
		{"internal/poll.(*fdMutex).rwlock internal/poll.(*FD).writeLock os.(*File).Write main.main", "sync", Mutex, "main.main", 1},
		// After a signal Wait locks again.
		{"internal/sync.(*Mutex).lockSlow sync.(*Mutex).Lock sync.(*Cond).Wait main.main", "sync", Mutex, "main.main", 1},
		{"sync.(*Cond).Wait main.main", "sync.(*Cond).Wait", Cond, "main.main", 1},
		{"sync.runtime_Semacquire main.main", "sync", Sync, "main.main", 1},
		// A lock taken by a callback of Once is the user's own.
		{"sync.(*Mutex).Lock main.init sync.(*Once).Do main.main", "sync", Mutex, "main.init", 3},
		{"runtime.chanrecv1 testing.(*B).run testing.tRunner", "chan receive", ChanReceive, "runtime.chanrecv1", 0},
		{"runtime.chansend1 main.f.func1", "chan send", ChanSend, "main.f.func1", 1},
		{"runtime.selectgo main.f", "select", Select, "main.f", 1},
		{"runtime.semacquire runtime.gcStart runtime.mallocgc main.f", "sync", GC, "main.f", 1},
		{"runtime.semacquire1 runtime.stopTheWorld runtime.ReadMemStats main.f", "sync", World, "main.f", 1},
		{"time.Sleep main.f", "sleep", Sleep, "main.f", 1},
		{"internal/poll.(*FD).Read net.(*conn).Read main.f", "network", Net, "main.f", 1},
		{"runtime.gcAssistAlloc main.f", "GC mark assist wait for work", GC, "main.f", 1},
		{"runtime.GC main.f", "wait until GC ends", GC, "main.f", 1},
		{"main.f", "preempted", Preempted, "main.f", 1},
		{"main.f", "what Go 2 will wait for", Other, "main.f", 1},
	} {
		d := newDecoder(newEngine(Options{}))
		p := d.stance(stackOf(c.stack))
		if got := kindOf(c.reason, p); got != c.kind {
			t.Errorf("%s, %q: kind = %q, want %q", c.stack, c.reason, got, c.kind)
		}
		if got := d.e.sites.all[p.site].Func; got != c.site || p.depth != c.depth {
			t.Errorf("%s: site, depth = %s, %d, want %s, %d", c.stack, got, p.depth, c.site, c.depth)
		}
		if got := strings.Contains(c.stack, "chanrecv"); p.recv != got {
			t.Errorf("%s: recv = %v, want %v", c.stack, p.recv, got)
		}
	}
	if p := newDecoder(newEngine(Options{})).stance(trace.NoStack); p != nowhere {
		t.Errorf("stance of no stack = %+v, want nowhere", p)
	}
}

// TestOwn: what waits for the rest of its request, and what waits for a connection of its own.
func TestOwn(t *testing.T) {
	const serve = " main.upload net/http.HandlerFunc.ServeHTTP net/http.serverHandler.ServeHTTP net/http.(*conn).serve"
	for stack, want := range map[string]bool{
		"internal/poll.(*FD).Read net.(*conn).Read net/http.(*connReader).Read bufio.(*Reader).Read net/http.(*body).Read io.Copy" + serve: true,
		"sync.(*Cond).Wait net/http.(*http2pipe).Read net/http.(*http2requestBody).Read io.Copy" + serve:                                   true,
		"internal/poll.(*FD).Read net.(*conn).Read main.query" + serve:                                                                     false,
	} {
		if got := newDecoder(newEngine(Options{Serve: true, Ops: Requests})).stance(stackOf(stack)).own; got != want {
			t.Errorf("%s: own = %v, want %v", stack, got, want)
		}
	}
}

// TestStacksOfOneGeneration: a sync ends a generation and with it its stacks.
func TestStacksOfOneGeneration(t *testing.T) {
	d := newDecoder(newEngine(Options{}))
	d.stance(stackOf("main.f"))
	ev, err := trace.MakeEvent(trace.EventConfig[trace.Sync]{Kind: trace.EventSync, Details: trace.Sync{N: 1}})
	if err != nil {
		t.Fatal(err)
	}
	d.event(&ev, new(event))
	if len(d.stances) != 0 {
		t.Errorf("%d stacks kept, want none", len(d.stances))
	}
}

func TestUserOption(t *testing.T) {
	d := newDecoder(newEngine(Options{User: func(fn, file string) bool { return strings.HasPrefix(fn, "example/") && file == "f.go" }}))
	p := d.stance(stackOf("sync.(*Mutex).Lock a.org/x.f example/mine.g main.main"))
	if got := d.e.sites.all[p.site]; got != (source.Place{File: "f.go", Line: 3, Func: "example/mine.g"}) {
		t.Errorf("site = %+v, want line 3 of example/mine.g", got)
	}
}

func TestPlaceOption(t *testing.T) {
	for prefix, want := range map[string]string{"b.org/": "b.org/mine.g", "none/": "a.org/x.f"} {
		d := newDecoder(newEngine(Options{Place: func(fn, file string) bool { return strings.HasPrefix(fn, prefix) }}))
		p := d.stance(stackOf("sync.(*Mutex).Lock a.org/x.f b.org/mine.g main.main"))
		if got := d.e.sites.all[p.site].Func; got != want || p.depth != 3 {
			t.Errorf("with code of %s the site is in %s, %d frames from the root; want %s and 3", prefix, got, p.depth, want)
		}
	}
}
