package world

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
)

// An Explorer runs code in many orders of its steps. A step is an operation of
// sync/atomic, or one that starts, parks or wakes a goroutine. In Go these happen
// in one order that all agree on (The Go Memory Model, 2022), and code without
// data races sees nothing else; so all that can come of code is found by trying
// the orders, and by looking for races in each of them. For the second, code is
// built with -race: then the explorer's own steps are hidden from the detector,
// and what it sees is the code's alone.
//
// By default a goroutine goes on until it waits, yields or ends, and then the next
// one does. An order differs from this in a number of delays, at each of which
// the one that would be next is passed over (Emmi, Qadeer, Rakamarić: Delay-bounded
// scheduling, POPL 2011). All orders with so many delays are tried. Delays that
// come before a step which does not conflict with those of others change nothing
// and are left out.
type Explorer struct {
	Delays int           // in one order, at most
	Runs   int           // in all, at most
	Walks  int           // orders by chance: also some with long delays
	Look   time.Duration // that passes at each look at the clock
	Procs  int
	Seed   uint64

	// Crowded: a goroutine that asks may be told that others wait for processors. Else none
	// ever is.
	Crowded bool
}

// A Finding is what was wrong in an order.
type Finding struct {
	Wrong string
	Way   []string // what each did, in order
}

func (f *Finding) String() string {
	return f.Wrong + "\n\t" + strings.Join(f.Way, "\n\t")
}

// An order is one run.
type order struct {
	x       *explorer
	threads []*thread
	cur     *thread
	now     time.Duration
	rand    *rand.Rand
	steps   int
	at      int // next choice
	delays  int // left
	words   map[uintptr]*word
	way     []step
	wrong   string
	timers  int          // threads that wait for a time
	loose   bool         // main is over
	ended   atomic.Int32 // shows the detector that a thread's steps come before the next run
}

type explorer struct {
	Explorer
	// choices are those of the run at hand, as far as they are prescribed.
	choices []choice
	sites   map[uintptr]bool // of code whose steps conflict with others'
	grown   bool
	walking bool
}

type choice struct{ picked, of int }

// A word is what has been touched by an operation in this run.
type word struct {
	by      *thread
	shared  bool
	written bool
	sites   []uintptr
}

type thread struct {
	rand   *rand.Rand // its own chance
	id     int
	ready  bool          // to go on
	until  func() bool   // not nil: it waits until this holds, and is not ready
	at     time.Duration // not 0: likewise, and others go on until that time
	idle   bool          // it also goes on where none else can, before time passes
	over   bool
	chosen int
	// stalled is for how many turns of others it does not run, in a walk.
	stalled int
	run     chan struct{}
	says    chan said
}

// said is what a thread says before a step, and when it is over.
type said struct {
	kind  uint8
	write bool
	addr  uintptr
	pc    uintptr
	other *thread
	until func() bool
	at    time.Duration
	idle  bool
	panic string
}

const (
	stTouch = iota
	stYield
	stPark
	stWait
	stReady
	stGo
	stChoose
	stOver
)

type step struct {
	t  *thread
	on said
}

// exploring is the order that is run; nil: none.
var exploring *order

// mostSteps in one run are a sign that nothing goes forward.
const mostSteps = 50_000

// Explore runs main in all orders, each time from what package variables were
// before. Main returns what is wrong. It ends with the first finding.
func (e Explorer) Explore(main func() string) (runs int, f *Finding) {
	x := &explorer{Explorer: e, sites: map[uintptr]bool{}}
	keep()
	defer func() {
		if f == nil { // else some may be left that have not ended
			restore()
		}
	}()
	try := func(seed uint64) *Finding {
		runs++
		restore()
		o := &order{x: x, now: time.Second, delays: x.Delays, rand: rand.New(rand.NewPCG(seed, e.Seed)), words: map[uintptr]*word{}}
		o.play(main)
		if o.wrong == "" {
			return nil
		}
		return &Finding{o.wrong, o.tell()}
	}
	// walk tries orders by chance, and all those with so many delays until there were most
	// runs.
	walk := func(from, to int) *Finding {
		x.walking = true
		defer func() { x.walking = false }()
		for i := from; i < to; i++ {
			if f := try(uint64(i)); f != nil {
				return f
			}
		}
		return nil
	}
	all := func(delays, most int) *Finding {
		x.Delays = delays
		for x.grown = true; x.grown; {
			x.grown = false
			x.choices = nil
			for more := true; more && !x.grown; more = x.next() {
				if f := try(0); f != nil || runs >= most {
					return f
				}
			}
		}
		return nil
	}
	// What a single delay shows is found soon, once it is known where steps conflict.
	const first = 20
	if f := walk(0, first); f != nil {
		return runs, f
	}
	if f := all(min(1, e.Delays), e.Runs-max(0, e.Walks-first)); f != nil {
		return runs, f
	}
	if f := walk(first, e.Walks); f != nil || e.Delays <= 1 {
		return runs, f
	}
	f = all(e.Delays, e.Runs)
	return runs, f
}

// next prescribes the order after this one, and reports whether there is one.
func (x *explorer) next() bool {
	for n := len(x.choices); n > 0; n-- {
		if c := &x.choices[n-1]; c.picked+1 < c.of {
			c.picked++
			x.choices = x.choices[:n]
			return true
		}
	}
	return false
}

// choose picks one of so many.
func (o *order) choose(of int) int {
	x := o.x
	if of < 2 {
		return 0
	}
	if x.walking {
		if o.rand.IntN(6) == 0 {
			return o.rand.IntN(of)
		}
		return 0
	}
	if o.at == len(x.choices) {
		x.choices = append(x.choices, choice{0, of})
	}
	c := x.choices[o.at]
	if c.of != of {
		panic(fmt.Sprintf("world: a run is not that before: choice %d is of %d, was of %d", o.at, of, c.of))
	}
	o.at++
	return c.picked
}

// play runs main and what it starts.
func (o *order) play(main func() string) {
	explore(o)
	defer func() {
		explore(nil)
		o.ended.Load()
	}()
	o.spawn(func() { o.found(main()) })
	o.cur = o.threads[0]
	for {
		hidden(func() { o.cur.run <- struct{}{} })
		var s said
		hidden(func() { s = <-o.cur.says })
		o.way = append(o.way, step{o.cur, s})
		if o.steps++; o.steps > mostSteps {
			o.wrong = "nothing goes forward"
		}
		switch s.kind {
		case stOver:
			o.cur.over = true
			if o.cur.id == 0 && s.panic == "" {
				o.letLoose()
				return
			}
			if s.panic != "" {
				o.wrong = s.panic
			}
		case stPark:
			o.cur.ready = false
		case stWait:
			o.cur.ready, o.cur.until, o.cur.at, o.cur.idle = false, s.until, s.at, s.idle
			if s.at != 0 {
				o.timers++
			}
		case stReady:
			s.other.ready = true
		case stChoose:
			n := int(s.addr)
			if o.x.walking {
				o.cur.chosen = o.rand.IntN(n)
			} else {
				o.cur.chosen = o.choose(n)
			}
			continue
		}
		if o.wrong != "" || !o.pick(s) {
			return
		}
	}
}

// letLoose lets those end that main has left behind: helpers without work. One
// after the other goes on without taking turns, and time flies.
func (o *order) letLoose() {
	o.loose = true
	for i := 0; i < len(o.threads); i++ {
		if t := o.threads[i]; !t.over {
			o.cur = t
			hidden(func() {
				t.run <- struct{}{}
				<-t.says
			})
		}
	}
}

// pick says who goes on. It reports whether somebody does.
func (o *order) pick(s said) bool {
	n := len(o.threads)
	var next []*thread // in the default order
	mayGoOn := s.kind == stTouch || s.kind == stReady || s.kind == stGo
	if mayGoOn {
		next = append(next, o.cur)
	}
	if o.x.walking && mayGoOn && o.rand.IntN(40) == 0 {
		// It is as if the system had taken its processor.
		o.cur.stalled = o.rand.IntN(100)
		next = next[:0]
	}
	for i := range n - 1 {
		if t := o.threads[(o.cur.id+1+i)%n]; t.may() {
			if t.stalled > 0 {
				t.stalled--
				continue
			}
			next = append(next, t)
		}
	}
	if s.kind == stYield || s.kind == stWait && o.cur.may() {
		next = append(next, o.cur)
	}
	for i := 0; len(next) == 0 && i < n; i++ {
		if t := o.threads[i]; t.may() {
			t.stalled = 0
			next = append(next, t)
		}
	}
	if len(next) == 0 {
		for _, t := range o.threads {
			if !t.over && t.idle {
				next = append(next, t)
				break
			}
		}
	}
	if len(next) == 0 || o.x.walking && o.timers > 0 && o.rand.IntN(100) == 0 {
		if t := o.first(); t != nil { // time passes
			o.now = max(o.now, t.at)
			next = append(next, t)
		}
	}
	if len(next) == 0 {
		for _, t := range o.threads {
			if !t.over && t.at == 0 {
				o.wrong = fmt.Sprintf("goroutine %d waits for ever", t.id)
			}
		}
		return false
	}
	of := min(len(next)-1, o.delays) + 1
	if o.x.walking {
		of = len(next)
	}
	if s.kind == stTouch && !o.conflicts(s) {
		of = 1
	}
	i := o.choose(of)
	if !o.x.walking {
		o.delays -= i
	}
	o.cur = next[i]
	o.goesOn(o.cur)
	return true
}

// may reports whether t can go on now.
//
//go:norace
func (t *thread) may() bool {
	return !t.over && (t.ready || t.until != nil && t.at == 0 && t.until())
}

// goesOn ends what t has waited for.
func (o *order) goesOn(t *thread) {
	if t.at != 0 {
		o.timers--
	}
	t.ready, t.until, t.at, t.idle = true, nil, 0, false
}

// first is the thread that waits for the next time to come.
//
//go:norace
func (o *order) first() (first *thread) {
	for _, t := range o.threads {
		if t.at != 0 && t.until() && (first == nil || t.at < first.at) {
			first = t
		}
	}
	return first
}

// conflicts reports whether the step's code has touched what others do, one of
// them by writing, and notes it.
func (o *order) conflicts(s said) bool {
	w := o.words[s.addr]
	if w == nil {
		w = &word{by: o.cur}
		o.words[s.addr] = w
	}
	w.shared = w.shared || w.by != o.cur
	w.written = w.written || s.write
	w.sites = append(w.sites, s.pc)
	if w.shared && w.written {
		for _, pc := range w.sites {
			if !o.x.sites[pc] {
				o.x.sites[pc] = true
				o.x.grown = true
			}
		}
		w.sites = w.sites[:0]
	}
	if o.x.grown && !o.x.walking {
		return false // this run is not part of the next walk through all orders
	}
	return o.x.sites[s.pc]
}

// tell names the steps where control goes from one to another, and some around.
func (o *order) tell() (way []string) {
	for i, s := range o.way {
		if i > 0 && o.way[i-1].t == s.t && i < len(o.way)-1 && o.way[i+1].t == s.t {
			continue
		}
		what := [...]string{"reads", "yields", "parks", "waits", "wakes", "starts a goroutine", "chooses", "is over"}[s.on.kind]
		if s.on.write {
			what = "writes"
		}
		if s.on.pc != 0 {
			what += " at " + where([]uintptr{s.on.pc})
		}
		if s.on.other != nil {
			what += fmt.Sprintf(" %d", s.on.other.id)
		}
		way = append(way, fmt.Sprintf("%d %s", s.t.id, what))
	}
	if len(way) > 200 {
		way = append(way[:100], way[len(way)-100:]...)
	}
	return way
}

// Choose picks a number below n: each of them, in some order.
func Choose(n int) int {
	o := exploring
	o.say(said{kind: stChoose, addr: uintptr(n)})
	return o.picked()
}

// What follows is called by the threads. The detector of races is not to see what
// they write here, nor that they take turns.

//go:norace
func explore(o *order) { exploring = o }

//go:norace
func (o *order) found(wrong string) { o.wrong = wrong }

//go:norace
func (o *order) picked() int { return o.cur.chosen }

//go:norace
func (o *order) self() *thread { return o.cur }

// say tells the explorer of a step and waits for the turn to do it.
func (o *order) say(s said) {
	if o.isLoose() {
		if s.kind == stPark || s.kind == stWait {
			runtime.Goexit()
		}
		return
	}
	t := o.self()
	hidden(func() { t.says <- s })
	hidden(func() { <-t.run })
}

//go:norace
func (o *order) spawn(f func()) {
	id := len(o.threads)
	t := &thread{id: id, rand: rand.New(rand.NewPCG(uint64(id), o.x.Seed)), ready: true, run: make(chan struct{}), says: make(chan said)}
	o.threads = append(o.threads, t)
	go func() {
		hidden(func() { <-t.run })
		last := said{kind: stOver}
		returned := false
		defer func() {
			if !returned {
				if v := recover(); v != nil {
					buf := make([]byte, 4096)
					last.panic = fmt.Sprintf("panic: %v\n%s", v, buf[:runtime.Stack(buf, false)])
				}
			}
			o.ended.Add(1)
			hidden(func() { t.says <- last })
		}()
		f()
		returned = true
	}()
}

//go:norace
func (o *order) isLoose() bool { return o.loose }

// endIfLoose ends a thread that waits for what will not be.
func (o *order) endIfLoose() {
	if o.isLoose() {
		runtime.Goexit()
	}
}

//go:norace
func (o *order) look() time.Duration {
	o.now += o.x.Look
	if o.loose {
		o.now += time.Second
	}
	return o.now
}

//go:norace
func (o *order) pass(d time.Duration) { o.now += d }

// in returns the time d from now.
//
//go:norace
func (o *order) in(d time.Duration) time.Duration { return o.now + max(d, 1) }

// caller is the code that touches a word, above the machine's and the shim's.
func caller() uintptr {
	var pcs [1]uintptr
	runtime.Callers(5, pcs[:])
	return pcs[0]
}
