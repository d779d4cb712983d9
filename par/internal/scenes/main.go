// Scenes runs package par on a machine that is simulated, and prints what came of
// it. It is built by its tests; see package world.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
	"github.com/gopayoff/payoff/par"
)

var (
	scene   = flag.String("scene", "loop", "what runs: "+strings.Join(names(), " "))
	machine = flag.String("machine", "ring", "ring, chiplet, mesh or here")
	wake    = flag.Duration("wake", 1500, "what a wake costs")
	latency = flag.Duration("latency", 5000, "how long a thread takes to wake")
	work    = flag.Duration("work", time.Millisecond, "of a call, on one processor")
	elem    = flag.Duration("elem", 100, "work of an element or leaf")
	calls   = flag.Int("calls", 5, "one after the other")
	rest    = flag.Duration("rest", 2*time.Millisecond, "between calls")
	seed    = flag.Uint64("seed", 1, "of chance")
	orderOf = flag.String("order", "", "instead of a scene, a call that is run in many orders of its steps")
	delays  = flag.Int("delays", 2, "in the orders that are explored")
	runs    = flag.Int("runs", 20000, "orders, at most")
	walks   = flag.Int("walks", 2000, "orders by chance")
	hot     = flag.Int("hot", 0, "print so many of the hottest cache lines")
)

// A scene runs on the machine and tells what came of it.
var scenes = map[string]func(r *result){
	"loop":    func(r *result) { timed(r, loop) },
	"tree":    func(r *result) { timed(r, tree()) },
	"plain":   func(r *result) { timed(r, plain) },
	"sleep":   sleeping,
	"callers": callers,
	"tick":    ticking,
	"brief":   brief,
}

func names() (all []string) {
	for name := range scenes {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// A result is what is printed, in order.
type result struct{ fields []string }

func (r *result) add(name string, v any) {
	if f, ok := v.(float64); ok {
		v = fmt.Sprintf("%.3f", f)
	}
	r.fields = append(r.fields, fmt.Sprintf("%s=%v", name, v))
}

func main() {
	flag.Parse()
	if !shim.Driven {
		fmt.Fprintln(os.Stderr, "scenes: not built for the machine; see the tests")
		os.Exit(2)
	}
	if f := orders[*orderOf]; f != nil {
		explore(f)
		return
	}
	f := scenes[*scene]
	prices, err := world.Machine(*machine, *wake, *latency)
	if err != nil || f == nil {
		fmt.Fprintln(os.Stderr, "scenes: no such scene or machine", err)
		os.Exit(2)
	}
	r := new(result)
	r.add("scene", *scene)
	r.add("machine", *machine)
	r.add("procs", shim.Procs)
	r.add("wake", *wake)
	r.add("latency", *latency)
	r.add("work", *work)
	r.add("elem", *elem)
	r.add("seed", *seed)
	var ramp []time.Duration
	if _, err := world.Run(prices, shim.Procs, *seed, func() { ramp = plainRamp() }); err != nil {
		r.add("error", err)
	}
	best = bestOf(ramp, *work)
	w, err := world.Run(prices, shim.Procs, *seed, func() { f(r) })
	r.add("asks", w.Asks)
	r.add("looks", w.Looks)
	r.add("threads", w.Wakes)
	r.add("spawns", w.Spawns)
	r.add("parks", w.Parks)
	r.add("busy", w.Busy())
	r.add("events", w.Events)
	if lines := w.Hot(1); len(lines) > 0 {
		r.add("peak", lines[0].Peak)
		r.add("line", strings.ReplaceAll(lines[0].Where, " ", ""))
	}
	if err != nil {
		r.add("error", fmt.Sprintf("%q", err))
	}
	fmt.Println(strings.Join(r.fields, " "))
	for _, l := range w.Hot(*hot) {
		fmt.Printf("\t%s: %d reads, %d writes, %d moves, busy %v, waited %v, peak %.2f\n", l.Where, l.Reads, l.Writes, l.Moves, l.Busy, l.Waited, l.Peak)
	}
}

// best is the least time in which Go can do the work of a call.
var best time.Duration

// plainRamp returns when goroutines run that are started at once, one for each
// processor.
func plainRamp() []time.Duration {
	from := world.Now()
	at := []time.Duration{0}
	procs := world.Procs()
	started := 1
	for range procs - 1 {
		world.Go(func() {
			at = append(at, world.Now()-from)
			started++
			for started < procs {
				world.Look()
				world.Work(time.Microsecond)
			}
		})
	}
	world.Go(func() {}) // so that none of them is left to run next
	for started < procs {
		world.Look()
		world.Work(time.Microsecond)
	}
	slices.Sort(at)
	return at
}

// bestOf is the time in which processors that come at these times do the work.
func bestOf(at []time.Duration, work time.Duration) time.Duration {
	sum := time.Duration(0)
	for i, a := range at {
		sum += a
		n := time.Duration(i + 1)
		if t := (work + sum) / n; i+1 == len(at) || t <= at[i+1] {
			return t
		}
	}
	return work
}

// A visit notes when processors come to a call, and how much they do in each
// twentieth of the least time that it may take.
type visit struct {
	from  time.Duration
	first map[int]time.Duration
	shape [60]time.Duration
}

// work is that of a body.
func (v *visit) work(d time.Duration) {
	v.here()
	world.Work(d)
	v.shape[min(int((world.Now()-v.from)*20/best), len(v.shape)-1)] += d
}

// busy is what part of the processors worked in each twentieth, in percent.
func (v *visit) busy() string {
	var b strings.Builder
	each := best / 20 * time.Duration(world.Procs())
	for _, d := range v.shape {
		fmt.Fprintf(&b, ",%d", 100*d/each)
	}
	return strings.Trim(b.String(), ",0")
}

func (v *visit) here() {
	p := world.Proc()
	if _, ok := v.first[p]; !ok {
		v.first[p] = world.Now() - v.from
	}
}

// timed makes calls one after the other and tells how many processors they had.
func timed(r *result, call func(v *visit)) {
	var took []time.Duration
	var v visit
	for range *calls {
		v = visit{from: world.Now(), first: map[int]time.Duration{}}
		call(&v)
		took = append(took, world.Now()-v.from)
		world.Sleep(*rest)
	}
	r.add("best", best)
	r.add("first", took[0])
	slices.Sort(took)
	mid := took[len(took)/2]
	r.add("took", mid)
	r.add("gain", float64(*work)/float64(mid))
	r.add("ofbest", float64(best)/float64(mid))
	r.add("worst", took[len(took)-1])
	var at []time.Duration
	for _, t := range v.first {
		at = append(at, t)
	}
	slices.Sort(at)
	r.add("came", len(at))
	r.add("half", at[len(at)/2])
	r.add("all", at[len(at)-1])
	r.add("shape", v.busy())
}

func loop(v *visit) {
	n := int(*work / *elem)
	par.For(n, func(lo, hi int) {
		v.work(time.Duration(hi-lo) * *elem)
	})
}

// tree returns a recursion over leaves.
func tree() func(v *visit) {
	var at *visit
	f := par.New(func(t *par.Task[int, int], n int) int {
		if n <= 1 {
			at.work(*elem)
			return n
		}
		l, r := t.Join(n/2, n-n/2)
		return l + r
	})
	return func(v *visit) {
		at = v
		if n := int(*work / *elem); f.Call(n) != n {
			panic("wrong sum")
		}
	}
}

// plain cuts the work in as many parts as there are processors.
func plain(v *visit) {
	var wg shim.WaitGroup
	procs := time.Duration(world.Procs())
	for range procs {
		wg.Go(func() {
			v.work(*work / procs)
		})
	}
	wg.Wait()
}

// sleeping is a loop whose bodies sleep: how many do at once?
func sleeping(r *result) {
	timed(r, func(v *visit) {
		now, most := 0, 0
		par.For(4*world.Procs(), func(lo, hi int) {
			for range hi - lo {
				v.here()
				now++
				most = max(most, now)
				world.Sleep(5 * time.Millisecond)
				now--
			}
		})
		if len(r.fields) > 0 && !strings.HasPrefix(r.fields[len(r.fields)-1], "atonce=") {
			r.add("atonce", most)
		} else {
			r.fields[len(r.fields)-1] = fmt.Sprintf("atonce=%d", most)
		}
	})
}

// callers are 1,000 at once, each of which makes calls.
func callers(r *result) {
	const many = 1000
	var serial, parallel time.Duration
	for _, help := range []bool{false, true} {
		var wg shim.WaitGroup
		from := world.Now()
		for range many {
			wg.Go(func() {
				for range *calls {
					if help {
						par.For(int(*work / *elem), func(lo, hi int) { world.Work(time.Duration(hi-lo) * *elem) })
					} else {
						world.Work(*work)
					}
				}
			})
		}
		wg.Wait()
		if help {
			parallel = world.Now() - from
		} else {
			serial = world.Now() - from
		}
	}
	r.add("serial", serial)
	r.add("parallel", parallel)
	r.add("throughput", float64(serial)/float64(parallel))
}

// ticking is a loop beside goroutines that wake and sleep.
func ticking(r *result) {
	over := false
	for range 4 {
		world.Go(func() {
			for !over {
				world.Sleep(200 * time.Microsecond)
				world.Work(2 * time.Microsecond)
			}
		})
	}
	timed(r, loop)
	over = true
}

// explore runs f in many orders.
func explore(f func() string) {
	for _, look := range []time.Duration{500 * time.Microsecond, 20 * time.Microsecond} {
		x := world.Explorer{Delays: *delays, Runs: *runs, Walks: *walks, Look: look, Procs: 3, Seed: *seed}
		n, found := x.Explore(f)
		fmt.Printf("order=%s look=%v runs=%d\n", *orderOf, look, n)
		if found != nil {
			fmt.Println(found)
			os.Exit(1)
		}
	}
}

// brief is calls of two loops that are too short for help, one after the other:
// what is kept of the speed of plain code?
func brief(r *result) {
	const calls, each = 2000, 60 * time.Microsecond
	from := world.Now()
	for range calls {
		par.For(60, func(lo, hi int) { world.Work(time.Duration(hi-lo) * each / 60) })
		par.For(60, func(lo, hi int) { world.Work(time.Duration(hi-lo) * (each / 60)) })
	}
	r.add("kept", float64(2*calls*each)/float64(world.Now()-from))
}
