package exectrace

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// region does f as an operation.
func (g *simG) region(name string, f func()) {
	g.emit(event{op: opRegionBegin, name: name, at: g.stance("region")})
	f()
	g.emit(event{op: opRegionEnd, name: name, at: g.stance("region")})
}

// serveSim runs main and returns what it says of operations.
func serveSim(procs int, work Work, main func(g *simG)) *Facts {
	return newSim(procs, Options{Serve: true, Ops: work}).run(main)
}

// atOnce starts one goroutine for each function, and ends when they have.
func atOnce(bodies ...func(g *simG)) func(g *simG) {
	return func(g *simG) {
		w := &simGroup{n: len(bodies)}
		for _, body := range bodies {
			g.spawn("client", func(g *simG) { body(g); g.done(w) })
		}
		g.wait(w)
	}
}

// asked is a function that does f as an operation.
func asked(f func(g *simG)) func(g *simG) {
	return func(g *simG) { g.region("op", func() { f(g) }) }
}

// TestServedIdle: idle processors go to those that something could have been done for,
// as many as there are of these, and not more.
func TestServedIdle(t *testing.T) {
	m := &simMutex{}
	locked := asked(func(g *simG) { g.lock(m); g.work(100 * us); g.unlock(m) })
	// Who asks a server waits for its answer.
	server := func(ask *simChan, n int, serve func(g *simG)) func(g *simG) {
		return func(g *simG) {
			for range n {
				g.recv(ask)
				serve(g)
				ask.answer(g)
			}
		}
	}
	asks := func(c *simChan) func(g *simG) {
		return asked(func(g *simG) { g.send(c, 0); c.await(g) })
	}
	one, sleeps, busy, late := &simChan{cap: 9}, &simChan{cap: 9}, &simChan{cap: 9}, &simChan{cap: 9}
	for _, tt := range []struct {
		name  string
		procs int
		main  func(g *simG)
		want  Idle // Total aside
		out   float64
		free  float64
	}{
		{"a lock, four processors and three operations", 4, atOnce(locked, locked, locked), Idle{Lock: 300 * us}, 0, 600 * us},
		{"nobody asks", 4, atOnce(asked(func(g *simG) { g.work(100 * us) })), Idle{}, 0, 300 * us},
		{"a timer", 2, atOnce(asked(func(g *simG) { g.sleep(100 * us) })), Idle{}, 100 * us, 100 * us},
		{"one goroutine has the work of all", 2, atOnce(server(one, 2, func(g *simG) { g.work(100 * us) }), asks(one), asks(one)), Idle{Serial: 200 * us}, 0, 0},
		{"another goroutine waits outside for one", 2, atOnce(server(sleeps, 1, func(g *simG) { g.sleep(100 * us) }), asks(sleeps)), Idle{}, 100 * us, 100 * us},
		{"another goroutine has waited outside before it was asked", 2, atOnce(func(g *simG) {
			g.sleep(100 * us)
			server(late, 1, func(g *simG) { g.work(100 * us) })(g)
		}, func(g *simG) {
			g.sleep(90 * us)
			asks(late)(g)
		}), Idle{Serial: 100 * us * 10 / 11., Waiting: 10 * us * 10 / 11.}, 10 * us, 190 * us},
		{"and for two in turn", 3, atOnce(server(busy, 2, func(g *simG) { g.sleep(100 * us) }), asks(busy), asks(busy)), Idle{Waiting: 100 * us}, 200 * us, 300 * us},
		{"parts that are unequal", 4, atOnce(asked(func(g *simG) {
			w := &simGroup{n: 4}
			for _, d := range []int64{400, 100, 100, 100} {
				g.spawn("part", func(g *simG) { g.work(d * us); g.done(w) })
			}
			g.wait(w)
		})), Idle{Imbalance: 900 * us}, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := serveSim(tt.procs, Regions, tt.main)
			i := f.Idle
			i.SerialSites, i.ImbalanceSites, i.Total = nil, nil, 0
			near := func(what string, got, want float64) {
				if math.Abs(got-want) > 1 {
					t.Errorf("%s = %v, want %v", what, got, want)
				}
			}
			near("Lock", i.Lock, tt.want.Lock)
			near("Serial", i.Serial, tt.want.Serial)
			near("Handoff", i.Handoff, tt.want.Handoff)
			near("Imbalance", i.Imbalance, tt.want.Imbalance)
			near("Waiting", i.Waiting, tt.want.Waiting)
			near("Runnable", i.Runnable, tt.want.Runnable)
			near("Outside", f.Served.Outside, tt.out)
			near("Unasked", f.Served.Unasked, tt.free)
			served(t, f)
			calm := map[string]float64{"nobody asks": 100 * us, "a timer": 0, "a lock, four processors and three operations": 100 * us}
			if want, ok := calm[tt.name]; ok {
				near("Calm", f.Served.Calm, want)
			}
		})
	}
}

// answer and await are the way back of a channel.
func (c *simChan) answer(g *simG) { g.send(c.back(), 0) }
func (c *simChan) await(g *simG)  { g.recv(c.back()) }

func (c *simChan) back() *simChan {
	if c.reply == nil {
		c.reply = &simChan{cap: 9}
	}
	return c.reply
}

// served checks that the account of a trace with operations adds up.
func served(t *testing.T, f *Facts) {
	t.Helper()
	idle := 0.0
	for k, share := range f.Running {
		idle += float64(f.Procs-k) * share * f.Window
	}
	i := f.Idle
	if sum := i.Total + f.Served.Outside + f.Served.Unasked; math.Abs(sum-idle) > 1e-6*max(1, idle) {
		t.Errorf("idle time of %v is charged with %v", idle, sum)
	}
	if sum := i.Runnable + i.Lock + i.Handoff + i.Serial + i.Imbalance + i.Waiting; math.Abs(sum-i.Total) > 1e-6*max(1, idle) {
		t.Errorf("parts of idle time add up to %v, want %v", sum, i.Total)
	}
	if i.Unrun > i.Imbalance+1 {
		t.Errorf("no goroutine ran for %v of %v", i.Unrun, i.Imbalance)
	}
	if sum := f.Served.Run + f.Served.Other; math.Abs(sum-f.UserRun) > 1e-6*max(1, f.UserRun) {
		t.Errorf("running time of %v is divided into %v and %v", f.UserRun, f.Served.Run, f.Served.Other)
	}
	for _, p := range f.Ops {
		sum := 0.0
		for _, d := range p.Parts {
			sum += d
		}
		if total := p.Mean * float64(p.N); math.Abs(sum-total) > 1e-6*max(1, total) {
			t.Errorf("%s: parts add up to %v, want %v", p.Name, sum, total)
		}
		for _, path := range []*Path{p.Usual, p.Tail} {
			if path == nil {
				continue
			}
			sum := 0.0
			for _, l := range path.Legs {
				sum += l.Time
			}
			if math.Abs(sum-path.Time) > 1e-6*path.Time {
				t.Errorf("%s: legs add up to %v, want %v", p.Name, sum, path.Time)
			}
		}
	}
}

// TestParts: what an operation does is what it does, by name, with what slow ones do
// for longer.
func TestParts(t *testing.T) {
	m := &simMutex{}
	f := serveSim(2, Regions, func(g *simG) {
		for i := range 40 {
			wait := int64(0)
			if i%20 == 7 {
				wait = 500 * us
			}
			w := &simGroup{n: 1}
			g.spawn("holder", func(g *simG) { g.lock(m); g.work(10*us + wait); g.unlock(m); g.done(w) })
			g.sleep(us)
			g.region("get", func() { g.lock(m); g.work(20 * us); g.unlock(m) })
			g.wait(w)
		}
	})
	served(t, f)
	if len(f.Ops) != 1 || f.Ops[0].Name != "get" || f.Ops[0].N != 40 {
		t.Fatalf("Ops = %+v, want 40 of get", f.Ops)
	}
	p := f.Ops[0]
	want(t, "runs", p.Parts[PartRuns], 40*20*us)
	want(t, "lock", p.Parts[PartLock], 40*9*us+2*500*us)
	if p.P50 < 28*us || p.P50 > 30*us {
		t.Errorf("P50 = %v, want 29 µs to 3%%", p.P50)
	}
	want(t, "Max", p.Max, 529*us)
	if p.Fast != nil || p.Slow != nil {
		t.Errorf("of 40 operations 2 are slow: too few to tell; have %+v", p.Slow)
	}
	if len(f.Holders) != 1 || f.Holders[0].N != 40 || f.Holders[0].Wait.File != "mutex" || f.Holders[0].Give.File != "wake" {
		t.Errorf("Holders = %+v, want 40 waits at mutex", f.Holders)
	}
}

// TestSlow: the slow operations are held against the faster half.
func TestSlow(t *testing.T) {
	f := serveSim(2, Regions, func(g *simG) {
		for i := range 400 {
			g.region("get", func() {
				g.work(20 * us)
				if i%40 == 3 {
					g.sleep(300 * us)
				}
			})
		}
	})
	p := f.Ops[0]
	if p.Slow == nil || p.Fast == nil || p.Slow.N != 5 {
		t.Fatalf("Slow = %+v, want 5 operations", p.Slow)
	}
	want(t, "slow: timer", p.Slow.Parts[PartTimer], 300*us)
	want(t, "fast: timer", p.Fast.Parts[PartTimer], 0)
	if w := p.Slow.Waits; len(w) != 1 || w[0].Kind != Sleep || w[0].N != 5 || w[0].Mean != 300*us {
		t.Errorf("Waits = %+v, want 5 sleeps of %v", w, 300*us)
	}
}

// TestTasks: a task lasts until its end, whoever says so, and goes on where a region
// of it does.
func TestTasks(t *testing.T) {
	f := serveSim(2, Tasks, func(g *simG) {
		jobs := &simChan{cap: 9}
		w := &simGroup{n: 3}
		g.spawn("worker", func(g *simG) {
			for id := g.recv(jobs); id > 0; id = g.recv(jobs) {
				g.emit(event{op: opRegionBegin, id: uint64(id), name: "part", at: nowhere})
				g.work(50 * us)
				g.emit(event{op: opRegionEnd, id: uint64(id), name: "part", at: nowhere})
				g.emit(event{op: opTaskEnd, id: uint64(id), at: nowhere})
				g.done(w)
			}
		})
		for id := 1; id <= 3; id++ {
			g.emit(event{op: opTaskBegin, id: uint64(id), name: "order", at: nowhere})
			g.emit(event{op: opTaskBegin, id: uint64(10 + id), parent: uint64(id), name: "step", at: nowhere}) // a part of it
			g.work(10 * us)
			g.emit(event{op: opTaskEnd, id: uint64(10 + id), name: "step", at: nowhere})
			g.send(jobs, id)
		}
		g.wait(w)
		g.send(jobs, 0)
	})
	if len(f.Ops) != 1 || f.Ops[0].Name != "order" || f.Ops[0].N != 3 || f.Unended != 0 {
		t.Fatalf("Ops = %+v, %d not ended; want 3 orders", f.Ops, f.Unended)
	}
}

// next receives where the goroutine's function does so itself, or what this, a literal,
// calls does.
func (g *simG) next(c *simChan, head bool) int {
	switch {
	case len(c.buf) > 0 || len(c.senders) > 0:
		return g.recv(c)
	case c.closed:
		return -1
	}
	at := *g.stance("receive")
	at.head, at.called, at.handler = head, !head, spot{at.site, at.site}
	c.receivers = append(c.receivers, g)
	g.emit(event{op: opBlock, g: g.id, kind: ChanReceive, at: &at})
	g.p.g, g.p = nil, nil
	g.yield(struct{}{})
	return g.box
}

// TestAsks: goroutines that ask workers and wait for the answer have operations that wait,
// where more of them ask than there are workers at work. Where others of the workers are
// idle meanwhile, that is imbalance.
func TestAsks(t *testing.T) {
	work := func(g *simG) { g.work(100 * us) }
	sleep := func(g *simG) { g.sleep(100 * us) }
	const rounds = 200
	for _, tt := range []struct {
		name    string
		workers int
		to      []int // which worker each client asks
		serve   func(g *simG)
		kind    string
		most    bool // it is most of the idle time, or there is next to none of it
	}{
		{"all ask the one that computes", 1, []int{0, 0, 0}, work, "serial", true},
		{"one asks it", 1, []int{0}, work, "serial", false},
		{"all ask one of two, which computes", 2, []int{0, 0, 0}, work, "imbalance", true},
		{"and does not wait outside", 2, []int{0, 0, 0}, work, "unrun", false},
		{"which waits outside", 2, []int{0, 0, 0}, sleep, "imbalance", true},
		{"and runs for none of it", 2, []int{0, 0, 0}, sleep, "unrun", true},
		{"all ask the one that waits outside", 1, []int{0, 0, 0}, sleep, "waiting", true},
		{"each asks its own", 2, []int{0, 1}, sleep, "imbalance", false},
		{"and waits for no other", 2, []int{0, 1}, sleep, "waiting", false},
		{"of three workers one has nothing to do", 3, []int{0, 1}, work, "imbalance", false},
	} {
		for _, head := range []bool{true, false} {
			kind := Called
			if head {
				kind = Items
			}
			f := serveSim(2, kind, func(g *simG) {
				jobs, replies := make([]*simChan, tt.workers), make([]*simChan, len(tt.to))
				for i := range jobs {
					jobs[i] = &simChan{cap: 9}
					g.spawn("worker", func(g *simG) {
						for v := g.next(jobs[i], head); v >= 0; v = g.next(jobs[i], head) {
							tt.serve(g)
							g.send(replies[v], 0)
						}
					})
				}
				g.sleep(10 * us)
				w := &simGroup{n: len(tt.to)}
				for i, to := range tt.to {
					replies[i] = &simChan{cap: 1}
					g.spawn("client", func(g *simG) {
						for range rounds {
							g.send(jobs[to], i)
							g.next(replies[i], false) // at a glance it receives items, too
						}
						g.done(w)
					})
				}
				g.wait(w)
				for _, c := range jobs {
					g.close(c)
				}
			})
			served(t, f)
			idle := 0.0
			for k, share := range f.Running {
				idle += float64(f.Procs-k) * share * f.Window
			}
			got := map[string]float64{"serial": f.Idle.Serial, "imbalance": f.Idle.Imbalance, "unrun": f.Idle.Unrun, "waiting": f.Idle.Waiting}[tt.kind] / idle
			if tt.most && got < 0.5 || !tt.most && got > 0.2 {
				t.Errorf("%s (%s): %s is %.2f of the idle time, of %+v", tt.name, kind, tt.kind, got, f.Idle)
			}
			if tt.kind == "imbalance" && tt.most && (len(f.Idle.ImbalanceSites) == 0 || f.Idle.ImbalanceSites[0].Site.Func != "user.worker") {
				t.Errorf("%s (%s): at %+v, want the worker", tt.name, kind, f.Idle.ImbalanceSites)
			}
		}
	}
}

// TestNotAsked: what looks like it at a glance is no question that waits for a busy worker.
func TestNotAsked(t *testing.T) {
	const n = 100
	// pool starts workers that put what they have done into out.
	pool := func(g *simG, workers int, head bool, out *simChan) *simChan {
		jobs := &simChan{cap: 9}
		for range workers {
			g.spawn("worker", func(g *simG) {
				for g.next(jobs, head) >= 0 {
					g.work(50 * us)
					g.send(out, 0)
				}
			})
		}
		return jobs
	}
	for _, tt := range []struct {
		name string
		kind Work
		main func(g *simG)
		ops  string
		want func(i Idle) float64
	}{
		{"coordinators wait for results and for what is asked of them at one line", Items, func(g *simG) {
			results := &simChan{cap: 9, asSelector: true}
			jobs := pool(g, 4, true, results)
			w := &simGroup{n: 4}
			for i := range 4 {
				g.spawn("boss", func(g *simG) {
					for range n {
						g.wakes = g.s.now + (500+50*int64(i))*us
						g.s.sleepers = append(g.s.sleepers, g)
						g.block(Select)
						g.send(jobs, 1)
						g.recv(results)
					}
					g.done(w)
				})
			}
			g.wait(w)
			g.close(jobs)
		}, "user.worker", nil},
		{"a dispatcher gives to workers, and they to it", Called, func(g *simG) {
			events := &simChan{cap: 9}
			jobs := pool(g, 3, false, events)
			g.spawn("dispatcher", func(g *simG) {
				for v := g.next(events, false); v >= 0; v = g.next(events, false) {
					g.work(us)
					if v > 0 {
						g.send(jobs, 1)
					}
				}
				g.close(jobs)
			})
			for range n {
				g.sleep(200 * us)
				g.send(events, 1)
			}
			g.sleep(200 * us)
			g.close(events)
		}, "user.worker", nil},
		{"the stages of a pipeline have one function", Called, func(g *simG) {
			in := &simChan{cap: 1}
			first := in
			for i := range 3 {
				from, to := in, &simChan{cap: 1}
				in = to
				g.spawn("stage", func(g *simG) {
					for g.next(from, false) >= 0 {
						g.work(int64(100-40*i) * us)
						g.send(to, 0)
					}
					g.close(to)
				})
			}
			w := &simGroup{n: 1}
			g.spawn("sink", func(g *simG) {
				for g.recv(in) >= 0 {
				}
				g.done(w)
			})
			for range n {
				g.send(first, 0)
			}
			g.close(first)
			g.wait(w)
		}, "user.stage", nil},
		{"a few wait for one of two workers, and most for the one that runs", Items, func(g *simG) {
			w := &simGroup{n: 5}
			ask := func(name, of string, workers, clients int, serve func(g *simG)) {
				jobs, replies := make([]*simChan, workers), make([]*simChan, clients)
				for i := range jobs {
					jobs[i] = &simChan{cap: 9}
					g.spawn(name, func(g *simG) {
						for v := g.next(jobs[i], true); v >= 0; v = g.next(jobs[i], true) {
							serve(g)
							g.send(replies[v], 0)
						}
					})
				}
				g.sleep(10 * us) // so that they are seen to be idle
				for i := range replies {
					replies[i] = &simChan{cap: 1}
					g.spawn(of, func(g *simG) {
						for range n {
							g.send(jobs[0], i)
							g.recv(replies[i])
						}
						g.done(w)
					})
				}
			}
			ask("computes", "all", 1, 3, func(g *simG) { g.work(100 * us) })
			ask("sleeps", "few", 2, 2, func(g *simG) { g.sleep(100 * us) })
			g.wait(w)
		}, "user.computes", func(i Idle) float64 { return i.Serial }},
	} {
		f := serveSim(2, tt.kind, tt.main)
		served(t, f)
		if i := f.Idle; tt.want == nil && i.Imbalance > f.Window/20 {
			t.Errorf("%s: Imbalance is %.0f of %.0f ns", tt.name, i.Imbalance, f.Window)
		} else if tt.want != nil && tt.want(i) < 0.9*i.Total {
			t.Errorf("%s: Idle = %+v", tt.name, i)
		}
		least := n * 9 / 10
		if tt.want != nil {
			least = 1 // it is never without work
		}
		if !slices.ContainsFunc(f.Ops, func(p Op) bool { return p.Name == tt.ops && p.N >= least }) {
			t.Errorf("%s: no operations of %s, but %+v", tt.name, tt.ops, f.Ops)
		}
	}
}

// TestLearns: which goroutines are asked is learned from what ends waits, and what began them.
func TestLearns(t *testing.T) {
	const worker, client, other = 1, 2, 3
	// A step is a wait of a goroutine that starts with fn, and what ended it.
	type step struct {
		fn   site
		kind Kind
		at   site
		idle bool // it waited for its next operation
		by   site // 0: a timer
		busy bool // what ended it has an operation
		recv bool // and received
	}
	gives := step{worker, ChanReceive, 8, true, client, false, false}
	answers := step{client, Select, 9, false, worker, true, false}
	with := func(s step, change func(*step)) step { change(&s); return s }
	timer := with(answers, func(s *step) { s.by = 0 })
	for name, tt := range map[string]struct {
		called bool
		steps  []step
		asked  bool
	}{
		"asks and is answered":            {false, []step{gives, answers}, true},
		"is answered before it is known":  {false, []step{answers, gives, answers}, true},
		"never gives":                     {false, []step{answers, answers}, false},
		"sends, as all senders do":        {false, []step{with(gives, func(s *step) { s.recv = true }), answers}, false},
		"gives as a part of its own":      {false, []step{with(gives, func(s *step) { s.busy = true }), answers}, false},
		"which a literal's function may":  {true, []step{with(gives, func(s *step) { s.busy = true }), answers}, true},
		"a timer ends it one time in two": {false, []step{gives, answers, timer}, false},
		"one time in eleven":              {false, []step{gives, answers, answers, answers, answers, answers, answers, answers, answers, answers, answers, timer}, true},
		"another ends it":                 {false, []step{gives, answers, with(answers, func(s *step) { s.by = other })}, false},
		"of no function of the user's":    {false, []step{with(gives, func(s *step) { s.by = 0 }), with(answers, func(s *step) { s.fn = 0 })}, false},
		"waits at no place that is known": {false, []step{gives, with(answers, func(s *step) { s.at = 0 })}, false},
		"waits for a lock":                {false, []step{gives, with(answers, func(s *step) { s.kind = Mutex })}, false},
		"of the worker's own function":    {false, []step{with(gives, func(s *step) { s.by = worker }), with(answers, func(s *step) { s.fn = worker })}, false},
	} {
		o := newSim(1, Options{Serve: true, Ops: Items}).e.ops
		o.called = tt.called
		var g *gor
		var by [4]*gor
		for i := range by {
			by[i] = &gor{task: task{fn: site(i)}}
		}
		for _, s := range tt.steps {
			g = &gor{kind: s.kind, at: s.at, task: task{fn: s.fn, idle: s.idle}}
			from := by[s.by]
			if s.by == 0 && s.fn != worker {
				from = nil
			} else if from.task.span = nil; s.busy {
				from.task.span = new(span)
			}
			o.learns(g, from, s.recv)
		}
		if got := o.asks.asked(g) != nil; got != tt.asked {
			t.Errorf("%s: asked %t, want %t", name, got, tt.asked)
		}
		if w := by[worker].task.works; tt.asked {
			if w == nil || w.all != 1 {
				t.Errorf("%s: workers = %+v, want one", name, w)
			}
			o.ended(by[worker])
			if w.all != 0 {
				t.Errorf("%s: %d workers are left when it has ended", name, w.all)
			}
		}
	}
}

// TestQueued: more wait than there are workers at work, if any is.
func TestQueued(t *testing.T) {
	for w, want := range map[workers]int{
		{all: 1, asked: 3}: 2, {all: 4, idle: 3, asked: 1}: 0, {all: 4, idle: 3, asked: 3}: 2, {all: 4, idle: 4, asked: 3}: 0, {all: 2, asked: 1}: 0,
	} {
		if got := w.queued(); got != want {
			t.Errorf("%+v: %d are queued, want %d", w, got, want)
		}
	}
}

// TestCalled: a function that a goroutine's literal calls is one that may receive items;
// one that another function calls is not.
func TestCalled(t *testing.T) {
	frame := func(fn string) source.Place { return source.Place{Func: fn, File: "/m/f.go", Line: 7} }
	d := newDecoder(newEngine(Options{Serve: true}))
	d.frames = []source.Place{frame("runtime.gopark"), frame("m.(*T).run"), frame("m.start")}
	for name, tt := range map[string]struct {
		callers      []source.Place
		head, called bool
	}{
		"none":               {nil, true, false},
		"a literal":          {[]source.Place{frame("m.start.func1")}, false, true},
		"go run(x)":          {[]source.Place{frame("m.start.gowrap2")}, false, true},
		"a function":         {[]source.Place{frame("m.start")}, false, false},
		"a literal's callee": {[]source.Place{frame("m.next"), frame("m.start.func1")}, false, false},
	} {
		p := new(stance)
		d.serves(p, 1, "m.start", tt.callers)
		if p.head != tt.head || p.called != tt.called {
			t.Errorf("%s: head %t, called %t", name, p.head, p.called)
		}
	}
	// What a request has started does not name the request.
	o := newSim(1, Options{Serve: true, Ops: Requests}).e.ops
	g := &gor{task: task{span: new(span)}}
	o.sees(g, &stance{called: true, handler: spot{5, 6}})
	if got := g.task.span.place; got != (spot{}) {
		t.Errorf("the handler is %v", got)
	}
}

// TestAnswers: a worker that waits outside and then answers all that wait has kept none of
// them waiting for another.
func TestAnswers(t *testing.T) {
	f := serveSim(2, Items, func(g *simG) {
		jobs, replies := &simChan{cap: 9}, make([]*simChan, 3)
		g.spawn("worker", func(g *simG) {
			for v := g.next(jobs, true); v >= 0; v = g.next(jobs, true) {
				g.recv(jobs)
				g.recv(jobs)
				g.sleep(90 * us) // for more
				g.sleep(10 * us) // to store them
				for _, c := range replies {
					g.send(c, 0)
				}
			}
		})
		g.sleep(10 * us)
		w := &simGroup{n: len(replies)}
		for i := range replies {
			replies[i] = &simChan{cap: 1}
			g.spawn("client", func(g *simG) {
				for range 20 {
					g.send(jobs, 0)
					g.recv(replies[i])
				}
				g.done(w)
			})
		}
		g.wait(w)
		g.close(jobs)
	})
	served(t, f)
	if i := f.Idle; i.Waiting+i.Handoff+i.Serial+i.Imbalance > f.Window/20 {
		t.Errorf("Idle = %+v, want next to nothing: all wait for a timer", i)
	}
}

// TestItems: what a worker does from one receive in its first function to the next.
func TestItems(t *testing.T) {
	f := serveSim(2, Items, func(g *simG) {
		jobs := &simChan{}
		g.spawn("worker", func(g *simG) {
			for g.next(jobs, true) >= 0 {
				g.work(30 * us)
			}
		})
		g.sleep(10 * us)
		for range 5 {
			g.send(jobs, 1)
			g.sleep(100 * us)
		}
		g.close(jobs)
	})
	served(t, f)
	if len(f.Ops) != 1 || f.Ops[0].Name != "user.worker" {
		t.Fatalf("Ops = %+v, want those of user.worker", f.Ops)
	}
	want(t, "time of the first five", f.Ops[0].Max, 30*us)
	if i := f.Idle; i.Lock+i.Serial+i.Handoff+i.Waiting > us {
		t.Errorf("Idle = %+v, want nothing of it: between two jobs there is none", i)
	}
}

// TestRequests: a request is from one wait for a connection to the next; the end of a
// connection is none, nor is what takes the trace.
func TestRequests(t *testing.T) {
	s := newSim(2, Options{Serve: true, Ops: Requests})
	f := s.run(func(g *simG) {
		reads := *g.stance("read")
		reads.server = conn
		writes := reads
		writes.writes = true
		handles := reads
		handles.within, handles.handler = true, s.e.sites.spot(source.Place{Func: "user.get"})
		watches := handles
		watches.watches, watches.handler = true, spot{}
		serve := func(name string, requests int, handle func(g *simG)) {
			s.stances[name+"/start1"] = &reads
			g.spawn(name, func(g *simG) {
				next := func() {
					g.wakes = s.now + 50*us
					s.sleepers = append(s.sleepers, g)
					g.emit(event{op: opBlock, g: g.id, kind: Net, at: &reads})
					g.p.g, g.p = nil, nil
					g.yield(struct{}{})
				}
				for range requests {
					next()
					handle(g)
				}
				next() // and the connection is closed
			})
		}
		serve("conn", 5, func(g *simG) {
			g.work(10 * us)
			g.emit(event{op: opSyscall, g: g.id, to: syscalling, at: &handles})
			g.emit(event{op: opReturn, g: g.id, to: running, at: nowhere})
			g.emit(event{op: opSyscall, g: g.id, to: syscalling, at: &writes})
			g.emit(event{op: opReturn, g: g.id, to: running, at: nowhere})
		})
		serve("pprof", 1, func(g *simG) {
			g.emit(event{op: opSyscall, g: g.id, to: syscalling, at: &watches})
			g.emit(event{op: opReturn, g: g.id, to: running, at: nowhere})
			g.sleep(900 * us)
		})
		g.sleep(1000 * us)
	})
	if len(f.Ops) != 1 || f.Ops[0].Name != "user.get" || f.Ops[0].N != 5 || f.Unended != 0 {
		t.Fatalf("Ops = %+v, %d not ended; want 5 of user.get", f.Ops, f.Unended)
	}
	want(t, "Max", f.Ops[0].Max, 10*us)
	if f.Served.Outside > us {
		t.Errorf("Outside = %v: what takes the trace is no operation that waits", f.Served.Outside)
	}
	served(t, f)
}

// TestPieces: the pieces of a trace add up to it, however long that is.
func TestPieces(t *testing.T) {
	for _, n := range []int{3, 70, 1000} {
		m := &simMutex{}
		op := func(g *simG) {
			for range n {
				g.region("op", func() { g.lock(m); g.work(2000 * us); g.unlock(m) })
			}
		}
		f := serveSim(2, Regions, atOnce(op, op))
		if len(f.Pieces) > mostPieces {
			t.Errorf("%d operations: %d pieces, want at most %d", n, len(f.Pieces), mostPieces)
		}
		window, lock := 0.0, 0.0
		for i, p := range f.Pieces {
			if a := f.Pieces[0].Window; i < len(f.Pieces)-1 && (p.Window > 1.2*a || a > 1.2*p.Window) {
				t.Errorf("%d operations: a piece of %v and one of %v, want them equally long", n, a, p.Window)
			}
			window += p.Window
			lock += p.Idle.Lock
		}
		if window > f.Window || n > 3 && window < 0.9*f.Window || math.Abs(lock*f.Window-f.Idle.Lock*window) > 0.1*lock*f.Window {
			t.Errorf("%d operations: pieces of %v with %v for locks; want about %v and %v", n, window, lock, f.Window, f.Idle.Lock)
		}
	}
}

// TestAnd: two traces together have the operations of both.
func TestAnd(t *testing.T) {
	of := func(d int64) *Facts {
		return serveSim(2, Regions, func(g *simG) {
			for range 10 {
				g.region("op", func() { g.work(d) })
			}
		})
	}
	a, b := of(20*us), of(60*us)
	f := a.And(b)
	if len(f.Ops) != 1 || f.Ops[0].N != 20 {
		t.Fatalf("Ops = %+v, want 20", f.Ops)
	}
	want(t, "Mean", f.Ops[0].Mean, 40*us)
	want(t, "Max", f.Ops[0].Max, 60*us)
	want(t, "Window", f.Window, a.Window+b.Window)
	want(t, "Run", f.Served.Run, 10*80*us)
	served(t, f)
	if !slices.IsSortedFunc(f.Blocks, func(a, b Block) int { return cmp.Compare(b.Total, a.Total) }) {
		t.Errorf("Blocks = %+v, want most first", f.Blocks)
	}
}
