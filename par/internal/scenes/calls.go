package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
	"github.com/gopayoff/payoff/internal/world/stage"
	"github.com/gopayoff/payoff/par"
)

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

func sum(all []time.Duration) (d time.Duration) {
	for _, t := range all {
		d += t
	}
	return d
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
func timed(r *stage.Machine, call func(v *visit)) {
	var took []time.Duration
	var v visit
	for range *calls {
		v = visit{from: world.Now(), first: map[int]time.Duration{}}
		call(&v)
		took = append(took, world.Now()-v.from)
		if *rest > 0 {
			world.Sleep(*rest)
		}
	}
	r.Add("best", best)
	r.Add("first", took[0])
	slices.Sort(took)
	mid := took[len(took)/2]
	r.Add("took", mid)
	r.Add("mean", sum(took)/time.Duration(len(took)))
	r.Add("gain", float64(*work)/float64(mid))
	r.Add("ofbest", float64(best)/float64(mid))
	r.Add("worst", took[len(took)-1])
	var at []time.Duration
	for _, t := range v.first {
		at = append(at, t)
	}
	slices.Sort(at)
	r.Add("came", len(at))
	r.Add("half", at[len(at)/2])
	r.Add("all", at[len(at)-1])
	r.Add("shape", v.busy())
}

func loop(v *visit) {
	n := int(*work / *elem)
	par.For(n, func(lo, hi int) {
		v.work(time.Duration(hi-lo) * *elem)
	})
}

// A part of reduce and fold is so many elements of a call, and so many words, of
// which each is to be counted once: there are some thousand, and ten in an element.
type words struct{ elems, words int }

const (
	allWords  = 5000
	elemWords = 10
	growWord  = 70 * time.Nanosecond // one that is new to a map
	joinWord  = 30 * time.Nanosecond
)

// more puts an element to v, and returns what that takes.
func (v *words) more() time.Duration {
	fresh := elemWords * (allWords - v.words) / allWords
	v.words += fresh
	v.elems++
	return *elem + time.Duration(fresh)*growWord
}

// joined is calls with joins: how many has one, at most?
func joined(r *stage.Machine, call func(v *visit, n int, join func(a, b words) words) words) {
	most := 0
	timed(r, func(v *visit) {
		joins := 0
		n := int(*work / *elem)
		got := call(v, n, func(a, b words) words {
			joins++
			v.work(time.Duration(b.words) * joinWord)
			return words{a.elems + b.elems, max(a.words, b.words)}
		})
		if got.elems != n {
			panic("wrong sum")
		}
		most = max(most, joins)
	})
	r.Add("joins", most)
}

func reduce(v *visit, n int, join func(a, b words) words) words {
	return par.ReduceN(n, func(lo, hi int) (part words) {
		took := time.Duration(0)
		for range hi - lo {
			took += part.more()
		}
		v.work(took)
		return part
	}, join)
}

func fold(v *visit, n int, join func(a, b words) words) words {
	return par.Fold(make([]struct{}, n), func() words { return words{} }, func(part words, _ struct{}) words {
		v.work(part.more())
		return part
	}, join)
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

// sleeping is a loop whose bodies sleep: how many do at once, in the call in which
// the fewest do?
func sleeping(r *stage.Machine) {
	const parts = 4 // for each processor
	least := parts * world.Procs()
	timed(r, func(v *visit) {
		now, most := 0, 0
		par.For(parts*world.Procs(), func(lo, hi int) {
			for range hi - lo {
				v.here()
				now++
				most = max(most, now)
				world.Sleep(5 * time.Millisecond)
				now--
			}
		})
		least = min(least, most)
	})
	r.Add("atonce", least)
}

// callers are 1,000 at once, each of which makes calls.
func callers(r *stage.Machine) {
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
	r.Add("serial", serial)
	r.Add("parallel", parallel)
	r.Add("throughput", float64(serial)/float64(parallel))
}

// beside runs call while others want processors too.
func beside(r *stage.Machine, other func(), call func(v *visit)) {
	over := false
	for range 4 {
		world.Go(func() {
			for !over {
				other()
			}
		})
	}
	timed(r, call)
	over = true
}

// tick sleeps for 200 µs and works for 2.
func tick() {
	world.Sleep(200 * time.Microsecond)
	world.Work(2 * time.Microsecond)
}

// compute works, as many do that never wait.
func compute() { world.Work(100 * time.Microsecond) }

// brief is calls of two loops that are too short for help, one after the other:
// what is kept of the speed of plain code?
func brief(r *stage.Machine) {
	const calls, each = 2000, 60 * time.Microsecond
	from := world.Now()
	for range calls {
		par.For(60, func(lo, hi int) { world.Work(time.Duration(hi-lo) * each / 60) })
		par.For(60, func(lo, hi int) { world.Work(time.Duration(hi-lo) * (each / 60)) })
	}
	r.Add("kept", float64(2*calls*each)/float64(world.Now()-from))
}
