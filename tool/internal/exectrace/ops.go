package exectrace

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// A Work says what counts as one operation of a program that runs.
type Work string

// The kinds of operations, by how they are found. What the program says itself
// comes first.
const (
	Whole    Work = ""        // none: the program as a whole
	Calls    Work = "call"    // calls of Options.Func
	Tasks    Work = "task"    // tasks of runtime/trace
	Requests Work = "request" // what servers of net/http and of gRPC handle
	Regions  Work = "region"  // regions of runtime/trace
	Items    Work = "item"    // what a goroutine does between two receives in the function it starts with
	Called   Work = "called"  // Items where that is a function literal, and what it calls receives; Facts.Doing is Items
)

// A Part is what an operation does, or waits for, at an instant.
type Part string

// The parts of an operation's time.
const (
	PartRuns    Part = "runs"
	PartAssist  Part = "assists the collector"
	PartReady   Part = "ready, no processor"
	PartLock    Part = "lock"
	PartChannel Part = "channel"
	PartJoin    Part = "goroutines it started"
	PartTimer   Part = "timer"
	PartNet     Part = "network"
	PartSyscall Part = "system call"
	PartGC      Part = "collector"
	PartOther   Part = "other"
)

// Parts are all of them, in the order of a report.
var Parts = []Part{PartRuns, PartAssist, PartReady, PartLock, PartChannel, PartJoin, PartTimer, PartNet, PartSyscall, PartGC, PartOther}

const (
	runs = iota
	assist
	readied
	lockWait
	channel
	join
	timer
	network
	syscalls
	collector
	others
	nParts
)

// partOf is the part of a state.
func partOf(s gstate, k Kind) int {
	switch s {
	case running:
		return runs
	case runnable:
		return readied
	case syscalling:
		return syscalls
	}
	switch k {
	case Mutex, RWMutex, Once, World:
		return lockWait
	case ChanSend, ChanReceive, Select, Cond:
		return channel
	case WaitGroup, Sync:
		return join
	case Sleep:
		return timer
	case Net:
		return network
	case GC:
		return collector
	}
	return others
}

// An Op sums up the operations of one name. Times are in ns.
type Op struct {
	Name  string
	Place source.Place // the function that carries it out; zero if the name is the program's
	N     int          // those that ended in the trace

	Mean, P50, P90, P99, Max float64

	Ran   float64          // running time of all its goroutines, of those that it started too
	Parts map[Part]float64 // of the goroutine that carries it out; sums to N·Mean

	// Fast are the faster half, Slow the slowest hundredth, or twentieth where
	// there are few; nil where there are too few to tell.
	Fast, Slow *Group

	// Usual and Tail are the paths of two operations: of one that takes about P50, and
	// of one that takes about P99. They are nil where nothing of them was seen.
	Usual, Tail *Path

	Row Row

	time *hist // of all of them
}

// A Row is what an operation waits for outside of the program, one wait after the other,
// on average. Waits of less than 200 µs do not count, nor do those for a ticker, and for
// what comes with a request.
type Row struct {
	N       float64
	Time    float64      // of all of them
	Longest float64      // of the longest one of each operation
	Site    source.Place // where the longest one is, of most time
}

// A Group is what some operations of a name did on average.
type Group struct {
	N     int
	Mean  float64
	Parts map[Part]float64
	// Waits are the longest waits of these, one of each operation, by what they were
	// for and where, most time first.
	Waits []Wait
}

// A Wait is one that others end.
type Wait struct {
	Kind Kind
	Site source.Place // where the operation waited
	By   source.Place // what ended it
	N    int
	Mean float64
}

// A Served says what processors had to do with operations. With Whole it is empty
// but for Other.
type Served struct {
	Run    float64 // running time of goroutines for operations
	Other  float64 // running time of the user's goroutines for anything else
	Assist float64 // of both, time in which they did the collector's work

	// Processors that were idle, and for which no reason lies in the program: an
	// operation waited for something outside, or there was none to carry out.
	Outside, Unasked float64

	// Calm is how long no operation waited for anything: those that there were ran.
	Calm float64
}

// A Holder is a place where a lock was given back to one that waited for it.
type Holder struct {
	Wait, Give source.Place
	N          int
	Time       float64 // of the waits that ended here
}

// A Piece is what a part of a long trace had, so that one can be held against
// the other. Pieces are equally long, but for the last.
type Piece struct {
	Window float64
	Idle   Idle
	Beside Beside
	Late   float64
}

// A task is the operation that a goroutine works for.
type task struct {
	span *span // nil: none
	root bool  // it carries the operation out, and was not started by it
	// It does so since it entered a region of the task, and until it leaves that.
	taken bool
	head  spot  // the function in which it waits for the next one
	idle  bool  // it waits for the next one
	deep  int   // regions that are open
	help  bool  // it assists the collector
	from  int64 // its time is charged up to here
	free  int64 // when it was last known to do nothing for an operation

	queue queue            // the number that it counts in
	fn    site             // the user's function that it starts with, as soon as a stack shows it
	asks  *workers         // it waits for one of them
	works *workers         // it is one of them
	cum   [reasons]float64 // operations.cum when its wait began

	trail *trail // nil: empty
	told  int64  // it reaches up to here

	// It has waited so long outside since it answered one that waited for it, the last time
	// until woke.
	outside, woke int64
	answered      bool // one since woke

	nap nap
	own bool // it waits for what its operation is to take
}

// A span is one operation.
type span struct {
	name    string
	place   spot
	start   int64
	root    *gor // nil: its goroutine is not known, or gone
	seen    bool // it is one, and not only the end of a connection
	closed  *opSum
	parts   [nParts]int64
	ran     int64
	live    int // goroutines that it started, those started by these too
	fan     int // how many there were at once, since there was none
	missing int // its part in operations.missing
	worst   wait
	row     row
	legs    legs
}

// A row sums up waits outside of the program, those of one operation or of many.
type row struct {
	n             int
	time, longest int64
	at            site // of the longest
}

// shortWait is how long a wait outside has to be to count in a row.
const shortWait = 200_000

type wait struct {
	kind     Kind
	site, by site
	d        int64
}

// An opKey is what operations of one name have in common: the name, or else the
// function.
type opKey struct {
	name string
	fn   site
}

// An opSum sums up operations of a name.
type opSum struct {
	place site
	n     int
	time  hist
	most  int64
	parts [nParts]int64
	ran   int64
	row   row
	outs  map[site]int64 // of row.longest
	every int            // one in so many is kept
	kept  []instance
	usual example
	tail  example
}

func newSum(place site) *opSum {
	return &opSum{place: place, outs: map[site]int64{}, usual: example{q: 0.5}, tail: example{q: 0.99}}
}

type instance struct {
	d     int64
	parts [nParts]int64
	worst wait
}

// mostKept bounds what is kept of the operations of a name.
const mostKept = 4096

func (o *opSum) add(s *span, d int64) {
	if o.n++; o.every == 0 {
		o.every = 1
	}
	o.time.add(d)
	o.usual.offer(d, s.legs, &o.time)
	o.tail.offer(d, s.legs, &o.time)
	o.most = max(o.most, d)
	o.ran += s.ran
	if r := s.row; r.n > 0 {
		o.row = row{n: o.row.n + r.n, time: o.row.time + r.time, longest: o.row.longest + r.longest}
		o.outs[r.at] += r.longest
	}
	for i, x := range s.parts {
		o.parts[i] += x
	}
	if o.n%o.every != 0 {
		return
	}
	if o.kept = append(o.kept, instance{d, s.parts, s.worst}); len(o.kept) == mostKept {
		o.thin()
	}
}

// A queue is a number of goroutines that wait, by what idle processors are charged to.
type queue uint8

const (
	noQueue   queue = iota
	onOthers        // an operation waits for other goroutines
	onOutside       // an operation waits for something outside of the program
	onWork          // a goroutine waits for the next operation
	onWorkers       // and another for one that does operations
	queues
)

// reasons are why an operation waits for others.
const (
	forOne  = iota // one goroutine runs
	forMany        // several do
	forNone        // those that it waits for wait for something outside
	forBusy        // the one that it waits for runs, and others like that one are idle
	forAway        // the one that it waits for waits outside, and others like that one are idle
	reasons
)

// The operations follow which goroutine works for what. They change nothing of
// which goroutine does what.
type operations struct {
	a     *accounts
	sites *sites
	work  Work
	// called: of Items, what a goroutine's function literal calls counts as its function.
	called bool
	sums   map[opKey]*opSum
	tasks  map[uint64]*span

	open    int // spans
	waiting [queues]int
	missing int // goroutines that operations had started and that have ended, while others go on
	asks    asks
	delays  delays

	// cum is, for each goroutine of onOthers, the idle time that it has been charged
	// with since the trace began.
	cum [reasons]float64

	served  Served
	holders map[[2]site]waits
	trails  []*trail // of goroutines that have ended
	spare   []legs   // of operations that have

	pieces []Piece
	piece  Piece   // the totals at the end of the last
	length float64 // of a piece
}

// The first pieces are so long. When there are most of them, two become one.
const (
	shortPiece = 25e6
	mostPieces = 32
)

func newOperations(a *accounts, s *sites, w Work) *operations {
	called := w == Called
	if called {
		w = Items
	}
	return &operations{a: a, sites: s, work: w, called: called, sums: map[opKey]*opSum{}, tasks: map[uint64]*span{}, holders: map[[2]site]waits{}, asks: newAsks(), delays: newDelays(), length: shortPiece}
}

// begin opens an operation that g carries out.
func (o *operations) begin(g *gor, start int64) *span {
	o.leaves(g)
	s := &span{start: start, root: g, seen: true}
	if n := len(o.spare); n > 0 {
		s.legs, o.spare = o.spare[n-1], o.spare[:n-1]
	}
	g.task.span, g.task.root, g.task.idle = s, true, false
	if g.state == running {
		s.parts[runs] += o.a.crew.now - start
		s.legs = s.legs.with(o.doing(g), o.a.crew.now-start)
	}
	o.open++
	o.enters(g)
	return s
}

// end closes the operation that g carries out, if there is one.
func (o *operations) end(g *gor) {
	if g.task.span == nil || !g.task.root {
		return
	}
	s := g.task.span
	o.leaves(g)
	o.delays.acts(g)
	g.task.span, g.task.root, g.task.free = nil, false, o.a.crew.now
	o.close(s)
	o.enters(g)
}

// release lets the operation that g carries out go on without it.
func (o *operations) release(g *gor) {
	o.leaves(g)
	s := g.task.span
	g.task.span, g.task.root, g.task.taken, s.root = nil, false, false, nil
	o.joins(s)
	o.enters(g)
}

// close sums an operation up.
func (o *operations) close(s *span) {
	o.open--
	o.missing -= s.missing
	s.missing, s.root = 0, nil
	key := opKey{s.name, s.place.fn}
	sum := o.sums[key]
	if sum == nil {
		sum = newSum(s.place.at)
		if s.seen {
			o.sums[key] = sum
		}
	}
	s.closed = sum
	sum.add(s, o.a.crew.now-s.start)
	if s.legs != nil {
		o.spare, s.legs = append(o.spare, s.legs[:0]), nil
	}
}

// leaves charges what g did since it was charged last, and takes it out of the
// numbers. It is in its state still.
func (o *operations) leaves(g *gor) {
	t := &g.task
	if t.queue != noQueue {
		o.counts(g, -1)
		t.queue, t.asks = noQueue, nil
	}
	now := o.a.crew.now
	d := now - t.from
	t.from = now
	if g.sys || g.state == unknown || g.state == gone || d <= 0 {
		return
	}
	o.walks(g, o.doing(g), now)
	helps := g.state == running && t.help
	if helps {
		o.served.Assist += float64(d)
	}
	s := t.span
	if g.state == running {
		if s != nil {
			o.served.Run += float64(d)
			if s.closed != nil { // a goroutine of it goes on
				s.closed.ran += d
			}
			s.ran += d
		}
	}
	if s == nil || !t.root {
		return
	}
	part := partOf(g.state, g.kind)
	if helps {
		part = assist
	}
	s.parts[part] += d
}

// enters counts g in the numbers of its state.
func (o *operations) enters(g *gor) {
	t := &g.task
	t.from = o.a.crew.now
	if g.sys {
		return
	}
	s := t.span
	in := s != nil && s.closed == nil
	if in && t.root {
		o.joins(s)
	}
	switch {
	case g.state == syscalling && in:
		t.queue = onOutside
	case g.state != waiting:
	case !in && g.kind == ChanSend && o.work == Items:
		t.queue = onOthers // the next operation is ready
	case !in && t.idle:
		t.queue = onWork
	case !in && o.asks.asked(g) != nil:
		t.queue, t.asks = onWorkers, o.asks.asked(g)
	case !in:
	default:
		switch partOf(waiting, g.kind) {
		case channel, join:
			if !(t.root && s.fan > 1) {
				t.queue = onOthers
			}
		case timer, network:
			t.queue = onOutside
		}
	}
	if t.queue == onOthers || t.queue == onWorkers {
		t.cum = o.cum
	}
	if t.queue != noQueue {
		o.counts(g, 1)
	}
}

// counts adds n to the numbers in which g, which waits, counts.
func (o *operations) counts(g *gor, n int) {
	t := &g.task
	o.waiting[t.queue] += n
	switch t.queue {
	case onWork:
		o.employs(g)
		o.asks.add(t.works, func(w *workers) { w.idle += n })
	case onWorkers:
		o.asks.add(t.asks, func(w *workers) { w.asked += n })
	}
}

// employs notes that g is one that others wait for.
func (o *operations) employs(g *gor) {
	if g.task.works == nil {
		w := o.asks.by[g.task.fn]
		if w == nil {
			w = new(workers)
			o.asks.by[g.task.fn] = w
		}
		g.task.works = w
		o.asks.add(w, func(w *workers) { w.all++ })
	}
}

// asks are goroutines without an operation that wait for one which does operations.
type asks struct {
	by     map[site]*workers // by the function of the user's that they start with
	at     map[wants]*answers
	ask    map[[2]site]bool // whether the first function has given the second what it waited for
	queued int              // so many more wait than there are workers at work
	beside int              // so many of these, where others of the workers are idle

	// Of [Called], where either of two functions gives to the other: the other one, what
	// their operations took, and whether it is known that one does nothing but ask.
	other map[site]site
	took  map[site]waits
	only  map[site]bool
}

// A wants is where goroutines with one start function wait.
type wants struct{ fn, at site }

// answers say which functions have ended so many of n waits at one place; 0 is a timer or
// the network. Those of fn, if it is known, are workers that were asked.
type answers struct {
	n    int
	ends map[site]int
	fn   site
	of   *workers
}

func newAsks() asks {
	return asks{by: map[site]*workers{}, at: map[wants]*answers{}, ask: map[[2]site]bool{}, other: map[site]site{}, took: map[site]waits{}, only: map[site]bool{}}
}

// workers are goroutines with one start function: how many there are, how many of them
// wait for the next operation, and how many others wait for one of them.
type workers struct{ all, idle, asked int }

// queued is how many wait for one that does something else. Where all are idle, nothing
// was asked for.
func (w *workers) queued() int {
	if w.idle >= w.all {
		return 0
	}
	return max(0, w.asked-(w.all-w.idle))
}

func (a *asks) add(w *workers, change func(*workers)) {
	for _, sign := range []int{-1, 1} {
		n := sign * w.queued()
		a.queued += n
		if w.idle > 0 {
			a.beside += n
		}
		if sign < 0 {
			change(w)
		}
	}
}

// asked returns those for one of which g waits; nil: that is not known.
func (a *asks) asked(g *gor) *workers {
	x := a.at[wants{g.task.fn, g.at}]
	if x == nil || 10*x.ends[x.fn] < 9*x.n { // anything else ends waits there, too
		return nil
	}
	return x.of
}

// hands reports whether a wait is one for another goroutine that has something or wants it.
func hands(k Kind) bool { return k == ChanReceive || k == ChanSend || k == Select || k == Cond }

// learns learns from the end of g's wait, by the doing of by; nil: of what is outside.
// received says that by received what g sent.
func (o *operations) learns(g, by *gor, received bool) {
	a, t, key := &o.asks, &g.task, wants{g.task.fn, g.at}
	if t.fn == 0 || g.at == 0 || !hands(g.kind) || by != nil && (by.task.fn == 0 || by.task.fn == t.fn) {
		return
	}
	if t.idle {
		if by != nil && !received && (o.called || by.task.span == nil) {
			a.gives(by.task.fn, t.fn)
		}
		return
	}
	if t.span != nil {
		return
	}
	x := a.at[key]
	if x == nil {
		x = &answers{ends: map[site]int{}}
		a.at[key] = x
	}
	x.n++
	if by == nil {
		x.ends[0]++
		return
	}
	x.ends[by.task.fn]++
	if a.ask[[2]site{t.fn, by.task.fn}] {
		o.employs(by)
		x.fn, x.of = by.task.fn, by.task.works
	}
}

// gives notes that a goroutine which starts with by gave one that starts with fn what it
// waited for.
func (a *asks) gives(by, fn site) {
	a.ask[[2]site{by, fn}] = true
	if a.ask[[2]site{fn, by}] && a.other[fn] == 0 && a.other[by] == 0 {
		a.other[fn], a.other[by] = by, fn
	}
}

// did notes that an operation by a goroutine which starts with fn took d. Of two functions
// that give to each other, one does what the other asks for. That takes longer than to ask
// for the next.
func (a *asks) did(fn site, d int64) {
	x := a.took[fn]
	x = waits{n: x.n + 1, total: x.total + d}
	a.took[fn] = x
	other := a.other[fn]
	if other == 0 || a.only[fn] || a.only[other] {
		return
	}
	switch y := a.took[other]; {
	case x.n < few:
	case y.n >= few:
		if x.total*int64(y.n) >= y.total*int64(x.n) {
			fn = other
		}
		a.only[fn] = true
	case x.n >= 5*few: // and the other is never without work
		a.only[fn] = true
	}
}

// joins keeps the part of s in o.missing: it waits for what it has started, and some
// of that has ended.
func (o *operations) joins(s *span) {
	o.missing -= s.missing
	s.missing = 0
	if g := s.root; g != nil && g.state == waiting && s.fan > 1 && s.live > 0 {
		if p := partOf(waiting, g.kind); p == channel || p == join {
			s.missing = s.fan - s.live
		}
	}
	o.missing += s.missing
}

// created: by, nil if that is not known, starts g, which shows where it starts.
func (o *operations) created(g, by *gor, at site, start *stance) {
	if by != nil {
		o.delays.created(g, by, at, o.a.crew.now)
	}
	switch {
	case start != nil && (o.work == Requests && start.server != noServer || o.work == Calls && start.within):
		s := o.begin(g, o.a.crew.now)
		s.seen, s.place = start.server != conn, start.handler
		if o.work == Calls {
			s.name, s.place = o.a.opt.Func, spot{}
		}
	case by != nil && by.task.span != nil && by.task.span.closed == nil:
		s := by.task.span
		g.task.span = s
		if s.live == 0 {
			s.fan = 0
		}
		s.live++
		s.fan++
		o.joins(s)
	}
}

// ended: g is no more.
func (o *operations) ended(g *gor) {
	o.delays.ended(g, o.a.crew.now)
	o.leaves(g)
	o.forgets(g)
	if w := g.task.works; w != nil {
		o.asks.add(w, func(w *workers) { w.all-- })
	}
	s := g.task.span
	switch {
	case s == nil:
	case !g.task.root:
		s.live--
		if s.closed == nil {
			o.joins(s)
		}
	case o.work == Tasks: // its end comes from elsewhere
		o.release(g)
	default:
		o.end(g)
	}
}

// blocked: g, which runs, has to wait. Its kind is known.
func (o *operations) blocked(g *gor, at *stance) {
	o.delays.blocked(g, o.a.crew.now)
	g.task.own = at.own
	between := false
	switch o.work {
	case Requests:
		between = at.server == conn && !at.within && g.kind == Net
	case Items:
		between = (at.head || o.called && at.called) && (g.kind == ChanReceive || g.kind == Select || g.kind == Cond)
		if between && !at.head {
			if s := g.task.span; s != nil {
				o.asks.did(g.task.fn, o.a.crew.now-s.start)
			}
			if o.asks.only[g.task.fn] {
				o.end(g) // what was taken for one before that was known
				between = false
			}
		}
	}
	if between && !g.sys {
		o.end(g)
		g.task.idle, g.task.head = true, spot{}
		if o.work == Items {
			g.task.head = at.handler
		}
	}
}

// woken: g, which waits, can run again, by the doing of by; nil: of a timer or of
// the network.
func (o *operations) woken(g, by *gor, at *stance) {
	t, now := &g.task, o.a.crew.now
	d := now - g.since
	if by == g {
		by = nil
	}
	if t.span == nil {
		t.free = now
	}
	outside := g.kind == Sleep || g.kind == Net || by == nil && (g.kind == ChanReceive || g.kind == Select)
	if by != nil && !outside {
		o.follows(g, by, at.site)
	}
	if outside {
		if t.answered {
			t.answered, t.outside = false, 0
		}
		t.outside, t.woke = t.outside+d, now
	}
	if (t.queue == onOthers || t.queue == onWorkers) && d > 0 {
		rest := 1 - o.excuse(g, by, d)
		if x := o.cum[forBusy] + o.cum[forAway] - t.cum[forBusy] - t.cum[forAway]; x > 0 && by != nil && by.task.works != nil {
			o.a.win.unequalAt[at.site] += rest * x
		}
	}
	if o.work == Items {
		o.learns(g, by, at != nil && at.recv)
	}
	if by != nil && (takes(g.kind) || g.kind == Once || g.kind == World) {
		key := [2]site{g.at, at.site}
		x := o.holders[key]
		o.holders[key] = waits{n: x.n + 1, total: x.total + d}
	}
	if s := t.span; s != nil && t.root {
		if d > s.worst.d {
			s.worst = wait{g.kind, g.at, at.site, d}
		}
		if d >= shortWait && !t.own && (g.kind == Sleep || g.kind == Net || by != nil && 2*away(g, by) > d) {
			s.row.n++
			s.row.time += d
			if d > s.row.longest {
				s.row.longest, s.row.at = d, g.at
			}
		}
	}
	o.delays.woken(g, by, now)
	if t.idle && t.span == nil {
		s := o.begin(g, now)
		s.seen, s.place = o.work == Items, t.head
	}
	t.idle = false
}

// excuse gives what g's wait of length d was charged with to what is outside of the
// program, and returns the share of it: all where a timer or the network ended the wait;
// where a goroutine did that for none of the other operations, or answered g, so much as
// that one waited outside meanwhile, since the one before that it answered.
func (o *operations) excuse(g, by *gor, d int64) (share float64) {
	share = 1
	if by != nil {
		b := &by.task
		if b.woke < g.since || g.task.asks == nil && b.span != nil && b.span.closed == nil && b.span != g.task.span {
			return 0
		}
		share = min(1, float64(away(g, by))/float64(d))
		b.answered = true
	}
	w := &o.a.win
	for i, of := range []*float64{forOne: &w.idle.Serial, forMany: &w.idle.Handoff, forNone: &w.idle.Waiting, forBusy: &w.idle.Imbalance, forAway: &w.idle.Imbalance} {
		x := min(share*(o.cum[i]-g.task.cum[i]), *of)
		*of -= x
		w.idle.Total -= x
		o.served.Outside += x
		if i == forAway {
			w.idle.Unrun = max(0, w.idle.Unrun-x)
		}
	}
	return share
}

// away is how long by, which ends g's wait, waited outside meanwhile.
func away(g, by *gor) int64 { return max(0, min(by.task.outside, by.task.woke-g.since)) }

// sees notes what a stack of g tells of its operation.
func (o *operations) sees(g *gor, at *stance) {
	t := &g.task
	if t.fn == 0 {
		t.fn = at.first
	}
	switch o.work {
	case Requests:
		if s := t.span; s != nil && s.closed == nil && at.watches {
			if t.root {
				o.release(g)
				o.open--
				s.closed = new(opSum) // for what it has started
			}
		} else if s != nil && s.closed == nil {
			s.seen = s.seen || at.within || at.writes
			if at.handler.at != 0 && !at.called {
				s.place = at.handler
			}
		}
	case Calls:
		switch {
		case at == nowhere:
		case at.within && t.span == nil:
			start := o.a.crew.now
			if t.free > 0 && g.state == running {
				start = t.free
			}
			o.begin(g, start).name = o.a.opt.Func
		case !at.within:
			o.end(g)
			t.free = o.a.crew.now
		}
	}
}

// region: g enters a region, or leaves it. id is that of its task.
func (o *operations) region(g *gor, ev *event) {
	t := &g.task
	switch {
	case ev.op == opRegionEnd:
		t.deep = max(0, t.deep-1)
		if t.deep == 0 && o.work == Regions {
			o.end(g)
		} else if s := t.span; t.deep == 0 && s != nil && t.taken { // the next one goes on with it
			o.release(g)
		}
		return
	case t.deep > 0 || t.span != nil:
	case o.work == Regions:
		o.begin(g, o.a.crew.now).name = ev.name
	case o.work == Tasks:
		if s := o.tasks[ev.id]; s != nil && s.root == nil { // it goes on here
			o.leaves(g)
			s.root, t.span, t.root, t.taken, t.idle = g, s, true, true, false
			o.enters(g)
		}
	}
	t.deep++
}

// task: a task begins, by the doing of g, or ends.
func (o *operations) task(g *gor, ev *event) {
	if o.work != Tasks {
		return
	}
	if ev.op == opTaskBegin {
		switch {
		case o.tasks[ev.parent] != nil: // a task within another is a part of it
			return
		case g == nil || g.task.span != nil && !g.task.root:
			o.open++
			o.tasks[ev.id] = &span{start: o.a.crew.now, seen: true}
		default:
			if g.task.span != nil { // which goes on elsewhere: this one begins the next
				o.release(g)
			}
			o.tasks[ev.id] = o.begin(g, o.a.crew.now)
		}
		o.tasks[ev.id].name = ev.name
		return
	}
	s := o.tasks[ev.id]
	if s == nil {
		return
	}
	delete(o.tasks, ev.id)
	if s.root != nil {
		o.end(s.root)
	} else {
		o.close(s)
	}
}

// assists: g begins or ends to do a part of the collector's work.
func (o *operations) assists(g *gor, begins bool) {
	o.leaves(g)
	g.task.help = begins
	o.enters(g)
}

// pass says where the time d of idle processors goes. At each instant they go to
// those that something could have been done for, as many as there are of them, in
// this order: what waits for locks, what is ready, what has started others that are
// done, operations that wait for other goroutines. Of the rest, operations that wait
// outside have their part, and for what is left there was nothing to do.
func (o *operations) pass(d float64, idle int) {
	w, c := &o.a.win, o.a.crew
	left, spare := idle, 0
	take := func(n int) float64 {
		n = max(0, min(n, left))
		left -= n
		return float64(n) * d
	}
	// beside is what would be taken if what is ready had no more to do.
	beside := func(n int) float64 {
		n = max(0, min(n-min(n, left), spare))
		spare -= n
		return float64(n) * d
	}
	lock := take(o.a.locked - o.a.conds)
	spare = min(c.runnable, left)
	ready := take(c.runnable)
	unequal := 0.0
	if len(c.runners) > 0 {
		w.beside.Imbalance += beside(o.missing)
		unequal = take(o.missing)
	}
	w.idle.Lock += lock
	w.idle.Runnable += ready
	w.idle.Imbalance += unequal
	if unequal > 0 {
		w.unequalAt[o.a.stands(c.runners[0])] += unequal
	}
	w.idle.Total += lock + ready + unequal
	if n := o.waiting[onOthers] + o.asks.queued; n > 0 || o.work == Items && o.waiting[onWork] > 0 && o.source() {
		if o.work == Items { // what has nothing to do waits for the same
			n += o.waiting[onWork]
		}
		also := beside(n)
		x := take(n)
		each := float64(n - o.asks.queued + o.waiting[onWorkers])
		if k := o.unequal(); k > 0 { // of those that wait
			part := min(1, float64(k)/float64(o.waiting[onOthers]+o.asks.queued))
			why := forBusy
			if len(c.runners) == 0 {
				why = forAway
				w.idle.Unrun += part * x
			}
			w.idle.Imbalance += part * x
			w.idle.Total += part * x
			w.beside.Imbalance += part * also
			o.cum[why] += part * x / each
			x, also = x-part*x, also-part*also
		}
		why, of := forNone, &w.idle.Waiting
		switch {
		case len(c.runners) == 1:
			why, of = forOne, &w.idle.Serial
			w.beside.Serial += also
			if x > 0 {
				w.serialAt[o.a.stands(c.runners[0])] += x
			}
		case len(c.runners) > 1 || o.outside() == 0:
			why, of = forMany, &w.idle.Handoff
			w.beside.Handoff += also
		}
		*of += x
		w.idle.Total += x
		o.cum[why] += x / each
	}
	if left == idle && o.waiting[onOutside] == 0 {
		o.served.Calm += d
	}
	o.served.Outside += take(o.waiting[onOutside])
	o.served.Unasked += float64(left) * d
}

// unequal is how many wait for one of several workers, of which others are idle: for one
// that waits outside itself, or for the one that runs.
func (o *operations) unequal() int {
	switch r := o.a.crew.runners; {
	case len(r) == 0 && o.outside() > 0:
		return o.asks.beside
	case len(r) == 1 && r[0].task.works != nil && r[0].task.works.idle > 0:
		return min(o.asks.beside, r[0].task.works.queued())
	}
	return 0
}

// outside is how many goroutines wait for timers, the network and system calls.
func (o *operations) outside() int { return o.a.outside + o.a.crew.calling }

// source reports whether one goroutine runs and does so for no item: it makes them.
func (o *operations) source() bool {
	r := o.a.crew.runners
	return len(r) == 1 && r[0].task.span == nil
}

// cut ends a piece where that is long enough.
func (o *operations) cut(last bool) {
	w := &o.a.win
	if d := w.window - o.piece.Window; d < o.length && !(last && d > o.length/2) {
		return
	}
	b := w.beside
	now := Piece{w.window, w.idle, Beside{b.Lock, b.Handoff, b.Serial, b.Forked, b.Imbalance}, float64(w.late)}
	p := Piece{now.Window - o.piece.Window, now.Idle.less(o.piece.Idle), now.Beside.less(o.piece.Beside), max(0, now.Late-o.piece.Late)}
	o.piece = now
	if o.pieces = append(o.pieces, p); len(o.pieces) == mostPieces {
		for i := range mostPieces / 2 {
			a, b := o.pieces[2*i], o.pieces[2*i+1]
			o.pieces[i] = Piece{a.Window + b.Window, a.Idle.And(b.Idle), a.Beside.and(b.Beside), a.Late + b.Late}
		}
		o.pieces = o.pieces[:mostPieces/2]
		o.length *= 2
	}
}

// less is what a later account has more than an earlier one.
func (i Idle) less(x Idle) Idle {
	return Idle{
		Total: max(0, i.Total-x.Total), Runnable: max(0, i.Runnable-x.Runnable), Lock: max(0, i.Lock-x.Lock), Handoff: max(0, i.Handoff-x.Handoff),
		Serial: max(0, i.Serial-x.Serial), Forked: max(0, i.Forked-x.Forked), Imbalance: max(0, i.Imbalance-x.Imbalance), Unrun: max(0, i.Unrun-x.Unrun), Waiting: max(0, i.Waiting-x.Waiting),
		Sleep: max(0, i.Sleep-x.Sleep), Net: max(0, i.Net-x.Net), Syscall: max(0, i.Syscall-x.Syscall), Cgo: max(0, i.Cgo-x.Cgo), Held: max(0, i.Held-x.Held), GC: max(0, i.GC-x.GC),
	}
}

func (b Beside) less(x Beside) Beside {
	return Beside{max(0, b.Lock-x.Lock), max(0, b.Handoff-x.Handoff), max(0, b.Serial-x.Serial), max(0, b.Forked-x.Forked), max(0, b.Imbalance-x.Imbalance)}
}

func (b Beside) and(x Beside) Beside {
	return Beside{b.Lock + x.Lock, b.Handoff + x.Handoff, b.Serial + x.Serial, b.Forked + x.Forked, b.Imbalance + x.Imbalance}
}

// facts puts what there is into f.
func (o *operations) facts(f *Facts) {
	o.served.Other = max(0, f.UserRun-o.served.Run)
	f.Doing, f.Served, f.Pieces, f.Delays = o.work, o.served, o.pieces, o.delays.facts(o.sites)
	o.unnamed()
	for key, x := range o.sums {
		if x.n > 0 {
			f.Ops = append(f.Ops, o.op(cmp.Or(o.sites.all[key.fn].Func, key.name), x))
		}
	}
	slices.SortFunc(f.Ops, mostTime)
	f.Unended = o.open
	type pair = [2]site
	for _, at := range slices.SortedFunc(maps.Keys(o.holders), func(a, b pair) int {
		return cmp.Or(cmp.Compare(o.holders[b].total, o.holders[a].total), o.sites.less(a[0], b[0]), o.sites.less(a[1], b[1]))
	}) {
		if len(f.Holders) == maxSites {
			break
		}
		x := o.holders[at]
		f.Holders = append(f.Holders, Holder{o.sites.all[at[0]], o.sites.all[at[1]], x.n, float64(x.total)})
	}
}

// unnamed gives the requests whose handler no stack showed, since it did nothing but
// compute, to the one that there is, if there is one alone.
func (o *operations) unnamed() {
	x := o.sums[opKey{}]
	if x == nil || len(o.sums) != 2 {
		return
	}
	for key, y := range o.sums {
		if key != (opKey{}) {
			y.join(x)
		}
	}
	delete(o.sums, opKey{})
}

// join adds the operations of x.
func (o *opSum) join(x *opSum) {
	o.n += x.n
	o.time.merge(&x.time)
	o.most = max(o.most, x.most)
	o.ran += x.ran
	o.row = row{n: o.row.n + x.row.n, time: o.row.time + x.row.time, longest: o.row.longest + x.row.longest}
	for at, d := range x.outs {
		o.outs[at] += d
	}
	for i, d := range x.parts {
		o.parts[i] += d
	}
	for o.every < x.every {
		o.thin()
	}
	for x.every < o.every {
		x.thin()
	}
	o.kept = append(o.kept, x.kept...)
	for _, e := range []struct{ to, from *example }{{&o.usual, &x.usual}, {&o.tail, &x.tail}} {
		e.to.next = 0
		e.to.offer(e.from.d, e.from.legs, &o.time)
	}
}

// thin keeps half of what is kept.
func (o *opSum) thin() {
	n := len(o.kept) / 2
	for i := range n {
		o.kept[i] = o.kept[2*i]
	}
	o.kept = o.kept[:n]
	o.every *= 2
}

// mostTime orders operations by the time of all of a name.
func mostTime(a, b Op) int {
	return cmp.Or(cmp.Compare(b.Mean*float64(b.N), a.Mean*float64(a.N)), strings.Compare(a.Name, b.Name))
}

// longest orders waits by the time of all of a kind.
func longest(a, b Wait) int {
	return cmp.Or(cmp.Compare(b.Mean*float64(b.N), a.Mean*float64(a.N)), cmp.Compare(a.Kind, b.Kind), a.Site.Compare(b.Site), a.By.Compare(b.By))
}

// op is what an opSum says.
func (o *operations) op(name string, x *opSum) Op {
	p := Op{Name: name, Place: o.sites.all[x.place], N: x.n, Mean: ratio(float64(x.time.total), float64(x.n)),
		P50: x.time.quantile(0.5), P90: x.time.quantile(0.9), P99: min(x.time.quantile(0.99), float64(x.most)), Max: float64(x.most), Ran: float64(x.ran), Parts: named(x.parts, 1), Usual: o.sites.path(&x.usual), Tail: o.sites.path(&x.tail), time: &x.time}
	if n := float64(x.n); x.row.n > 0 {
		p.Row = Row{float64(x.row.n) / n, float64(x.row.time) / n, float64(x.row.longest) / n, o.sites.all[top(x.outs, 1, o.sites.less)[0]]}
	}
	kept := slices.SortedFunc(slices.Values(x.kept), func(a, b instance) int { return cmp.Compare(a.d, b.d) })
	n := len(kept)
	slow := max(n/100, min(n/20, 5))
	if slow < 3 {
		return p
	}
	p.Fast, p.Slow = o.group(kept[:n/2]), o.group(kept[n-slow:])
	return p
}

func (o *operations) group(some []instance) *Group {
	g := &Group{N: len(some)}
	var parts [nParts]int64
	by := map[wait]waits{}
	for _, x := range some {
		g.Mean += float64(x.d) / float64(len(some))
		for i, d := range x.parts {
			parts[i] += d
		}
		if w := x.worst; w.d > 0 {
			d := w.d
			w.d = 0
			by[w] = waits{n: by[w].n + 1, total: by[w].total + d}
		}
	}
	g.Parts = named(parts, float64(len(some)))
	for w, x := range by {
		g.Waits = append(g.Waits, Wait{w.kind, o.sites.all[w.site], o.sites.all[w.by], x.n, float64(x.total) / float64(x.n)})
	}
	slices.SortFunc(g.Waits, longest)
	g.Waits = g.Waits[:min(len(g.Waits), 3)]
	return g
}

// named gives parts their names, each divided by n.
func named(parts [nParts]int64, n float64) map[Part]float64 {
	out := map[Part]float64{}
	for i, d := range parts {
		if d > 0 {
			out[Parts[i]] = float64(d) / n
		}
	}
	return out
}
