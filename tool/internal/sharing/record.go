package sharing

// This file is part of two programs. It is compiled here, for its tests, and
// Watch gives it, with another package clause, to the binary that it watches.
// So it names nothing of its package and needs no Go later than 1.22.

import (
	"bytes"
	"math/rand/v2"
	"os"
	"runtime"
	"sort"
	"strconv"
	"sync/atomic"
	"time"
)

// The summary lies between these, so that half of one is known for what it is.
const (
	recordHead = "payoff sharing 3\n"
	recordEnd  = "end\n"
)

// Sampling is by windows: to see a line go to another goroutine and come back,
// every access of all goroutines has to be seen for a while, and one in 64
// never shows two in a row. A window is long beside the five microseconds of a
// recorded access and short beside the time slices of goroutines that take
// turns on one processor, so those hardly meet in one.
//
// An access opens the next window, by chance, once a timer allows it. The timer
// alone would be the obvious thing and fires when a processor falls idle: when
// there is nobody left to share.
const (
	recordSpan   = 5 * time.Millisecond // a window closes this long after its first access
	recordBurst  = 4096                 // or after this many
	recordGap    = 5 * time.Millisecond // and no other opens for this long, or longer
	recordSlower = 32                   // windows after which the gaps are longer by one more
	recordChance = 1 << 10              // nor until one access of as many, on average, opens it
	recordFlush  = 20 * time.Millisecond
)

// Bounds on what is kept, whatever the program does.
const (
	recordVisitors = 16      // goroutines remembered for a line
	recordForget   = 8       // of so many goroutines beyond, one takes the place of another
	recordStretch  = 4       // lines of one access
	recordLines    = 1 << 16 // distinct lines counted
	recordPairs    = 1 << 12 // distinct pairs counted
	recordShown    = 16      // pairs in the summary
)

// A recordLock is a mutex that never parks a goroutine: a parked one is woken
// on the processor of the one that woke it, and the two that should be seen at
// once would take turns from then on. The zero recordLock is unlocked.
type recordLock struct {
	held    atomic.Bool
	waiting atomic.Int32 // goroutines in Lock that found it held
	_       [128]byte
}

func (l *recordLock) Lock() {
	if l.held.CompareAndSwap(false, true) {
		return
	}
	l.waiting.Add(1)
	for i := 1; l.held.Load() || !l.held.CompareAndSwap(false, true); i++ {
		if i%4096 == 0 {
			runtime.Gosched() // whoever holds it may be waiting for this processor
		}
	}
	l.waiting.Add(-1)
}

// Unlock gives way to a goroutine that waits and runs: the accesses of one that
// comes back at once would hide those of the others. It is not held up by one
// whose thread does not run.
func (l *recordLock) Unlock() {
	l.held.Store(false)
	for i := 0; i < 256 && l.waiting.Load() > 0 && !l.held.Load(); i++ {
	}
}

// States of a recorder. Nothing is recorded in the first two.
const (
	recordShut  = iota
	recordReady // the next access may open a window
	recordOpen
)

// A recordSite is a place in the source that reads or writes memory.
type recordSite struct {
	row    string // as the summary has it
	read   bool   // it does not write
	atomic bool
	lock   bool // it locks or unlocks a mutex
}

// A recorder follows the lines of memory through one window after another.
// Between windows nothing is remembered but the counts: a goroutine that
// writes now where another wrote long ago shares nothing with it, and neither
// does one that was handed its memory.
type recorder struct {
	state atomic.Int32 // of the window: recordShut …; a timer makes it ready, the rest is stored under mu
	_     [128]byte    // keep the loads of state off everything else

	mu    recordLock // guards what follows
	file  string
	sites []recordSite

	windows int                // opened so far
	left    int                // accesses until the window closes
	index   map[uintptr]int    // line address / 64 → its place in lines
	lines   []recordLine       // of this window
	waits   map[uint64]int     // of a goroutine in this window
	seen    map[uintptr]bool   // line addresses of all windows
	pairs   map[recordMeet]int // returns
	locks   map[uintptr]int    // accesses to a mutex, by its address
	count   struct {
		writes, reads, switches, same, other int
	}
	last      uint64    // goroutine of the window's last access, 0 before
	opened    time.Time // the window's first access
	flushed   time.Time
	flushedAt int // accesses at that time
}

// A recordLine is who used a line in this window.
type recordLine struct {
	n        int // visitors known
	beyond   int // accesses of others, once all places are taken
	visitors [recordVisitors]recordVisitor
}

// A recordVisitor is a goroutine and what became of a line since it used it. Its stay
// are its accesses since it came back, until another goroutine takes the line away.
type recordVisitor struct {
	g           uint64
	waits       int    // of the goroutine, before its last access
	wrote, read uint64 // bytes of the line that it used, a bit each
	writers     recordOthers
	readers     recordOthers
	stay        recordStay
}

// recordOthers are the others' writes, or reads, of a line.
type recordOthers struct {
	came bool   // there is one since the visitor's stay began
	bits uint64 // bytes written since the visitor used them, or read since it wrote them
	last int    // site of the last of them
	site int    // of the last to bytes that the visitor uses, or else the last
	same bool   // whether site went to bytes that the visitor uses
}

func (o *recordOthers) add(site int, bits, visitors uint64) {
	if same := visitors&bits != 0; same || !o.same {
		o.site, o.same = site, same
	}
	o.came, o.last = true, site
	o.bits |= bits
}

// use forgets bytes that the visitor, which uses others as well, has now.
func (o *recordOthers) use(bits, visitors uint64) {
	o.bits &^= bits
	o.same = o.same && o.bits&visitors != 0
}

// A recordStay is what the return that it began with counts as.
type recordStay struct {
	apart  bool // false sharing, unless the goroutine uses bytes yet that others took
	handed bool // the goroutine had waited before it
	meet   recordMeet
}

// A recordMeet is two sites that met, the smaller first.
type recordMeet struct {
	a, b int
	same bool
}

func newRecorder(file string, sites []recordSite) *recorder {
	return &recorder{file: file, sites: sites, index: map[uintptr]int{}, waits: map[uint64]int{}, seen: map[uintptr]bool{}, pairs: map[recordMeet]int{}, locks: map[uintptr]int{}}
}

// live reports whether an access is to be recorded. Most are not: a load and
// two branches.
func (r *recorder) live() bool {
	state := r.state.Load()
	return state == recordOpen || state == recordReady && rand.Uint32()%recordChance == 0 && r.reopen()
}

// start opens the first window at once: a short program has no second.
func (r *recorder) start() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.flushed = time.Now()
	r.open()
}

// reopen opens the next window if it is time, and reports whether one is open.
func (r *recorder) reopen() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state.Load() == recordReady {
		r.open()
	}
	return r.state.Load() == recordOpen
}

// gap is the time between windows. The first ones come one after the other,
// for short programs; what a hundred have not shown, a thousand will not.
func (r *recorder) gap() time.Duration {
	return recordGap * time.Duration(1+r.windows/recordSlower)
}

func (r *recorder) open() {
	r.windows++
	for line := range r.index {
		delete(r.index, line)
	}
	for g := range r.waits {
		delete(r.waits, g)
	}
	r.lines = r.lines[:0]
	r.left, r.last = recordBurst, 0
	r.state.Store(recordOpen)
}

func (r *recorder) close() {
	r.state.Store(recordShut)
	time.AfterFunc(r.gap(), func() { r.state.CompareAndSwap(recordShut, recordReady) })
	if r.accesses() > r.flushedAt {
		r.flush()
	}
}

func (r *recorder) accesses() int { return r.count.writes + r.count.reads }

// wait records that the goroutine waits, or may, until another lets it go on:
// what it finds afterwards may have been handed to it.
func (r *recorder) wait() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state.Load() == recordOpen && r.left < recordBurst { // else there is nothing before it
		r.waits[recordGoroutine()]++
	}
}

// touch records that the goroutine uses size bytes at addr, at the site.
func (r *recorder) touch(site int, addr, size uintptr) {
	if runtime.GOMAXPROCS(0) == 1 {
		return // nothing runs at once
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.state.Load() != recordOpen:
		return // the window closed meanwhile
	case r.left == recordBurst:
		r.opened = time.Now()
	case time.Since(r.opened) > recordSpan:
		r.close()
		return
	}
	r.access(recordGoroutine(), site, addr, size) // under the lock: the runtime's own would park
	if r.left--; r.left <= 0 {
		r.close()
		return
	}
	// Nothing tells a program's end, so a short one is written down as it goes.
	if n := r.accesses(); n >= 2*r.flushedAt && n >= 16 || time.Since(r.flushed) > recordFlush {
		r.flush()
	}
}

// access follows one access through the lines it lies on.
func (r *recorder) access(g uint64, site int, addr, size uintptr) {
	if r.sites[site].read {
		r.count.reads++
	} else {
		r.count.writes++
	}
	if r.last != 0 && r.last != g {
		r.count.switches++
	}
	r.last = g
	if size == 0 {
		return
	}
	if _, ok := r.locks[addr]; r.sites[site].lock && (ok || len(r.locks) < recordLines) {
		r.locks[addr]++
	}
	first, last := addr/64, (addr+size-1)/64
	for line := first; line <= last && line < first+recordStretch; line++ {
		from, to := uintptr(0), uintptr(64)
		if line == first {
			from = addr % 64
		}
		if line == last {
			to = (addr+size-1)%64 + 1
		}
		r.visit(g, site, line, ^uint64(0)<<from&(^uint64(0)>>(64-to)))
	}
}

// visit follows an access to bytes of one line. A read takes a copy of the
// line, a write takes all others' copies away.
func (r *recorder) visit(g uint64, site int, addr uintptr, bits uint64) {
	i, ok := r.index[addr]
	if !ok {
		i = len(r.lines)
		r.lines = append(r.lines, recordLine{})
		r.index[addr] = i
		if len(r.seen) < recordLines {
			r.seen[addr] = true
		}
	}
	l := &r.lines[i]
	write := !r.sites[site].read
	var me *recordVisitor
	for j := 0; j < l.n; j++ {
		v := &l.visitors[j]
		switch {
		case v.g == g:
			me = v
		case write:
			v.writers.add(site, bits, v.wrote|v.read)
		default:
			v.readers.add(site, bits, v.wrote)
		}
	}
	if me == nil {
		me = l.enter(g)
	} else if me.writers.came || write && me.readers.came {
		r.comesBack(me, site, bits)
	} else if me.stay.apart && me.taken(bits, write) {
		r.comesBackToo(me, site, bits)
	}
	if me != nil {
		me.waits = r.waits[g]
		if write {
			me.wrote |= bits
			me.readers.use(bits, me.wrote)
		} else {
			me.read |= bits
		}
		me.writers.use(bits, me.wrote|me.read)
	}
}

// enter gives a goroutine a place among the visitors, nil if there is none. What
// others did before is nothing to it: it may be their set-up.
func (l *recordLine) enter(g uint64) *recordVisitor {
	i := l.n
	if i < recordVisitors {
		l.n++
	} else {
		// To forget a goroutine at each access is tempting: when more take turns than
		// there are places, none would be known when it returns.
		if l.beyond++; l.beyond%recordForget != 0 {
			return nil
		}
		i = l.beyond / recordForget % recordVisitors
	}
	l.visitors[i] = recordVisitor{g: g}
	return &l.visitors[i]
}

// taken reports whether others wrote bytes since the visitor used them, or, where it
// writes, read them since it wrote them.
func (v *recordVisitor) taken(bits uint64, write bool) bool {
	return v.writers.bits&bits != 0 || write && v.readers.bits&bits != 0
}

// comesBack counts the return of a line to me, a goroutine that uses bytes of it now. It is true
// sharing if others took these bytes, or others that are used before the line goes
// again: had they been apart from all else on the line, they would still have come
// back. That is what a processor's cache would see if a line had one byte.
//
// To ask whether the others used what was used in the stay before is tempting: where
// many words of a line are used by all, it is the words of the stay before that, and
// the one before, that are used again.
func (r *recorder) comesBack(me *recordVisitor, site int, bits uint64) {
	me.stay = recordStay{handed: me.waits != r.waits[me.g]}
	by := me.readers.last
	if me.writers.came {
		by = me.writers.last
	}
	me.writers.came, me.readers.came = false, false
	if me.taken(bits, !r.sites[site].read) {
		r.countTrue(me, site, bits)
		return
	}
	me.stay.apart, me.stay.meet = true, recordMeetOf(site, by, false)
	r.count.other++
	r.meet(me.stay.meet)
}

// comesBackToo counts a return as true sharing that was counted as false.
func (r *recorder) comesBackToo(me *recordVisitor, site int, bits uint64) {
	me.stay.apart = false
	r.count.other--
	if n := r.pairs[me.stay.meet]; n > 1 {
		r.pairs[me.stay.meet] = n - 1
	} else {
		delete(r.pairs, me.stay.meet)
	}
	r.countTrue(me, site, bits)
}

// countTrue counts a return to bytes that others took.
func (r *recorder) countTrue(me *recordVisitor, site int, bits uint64) {
	if me.stay.handed && !r.sites[site].atomic {
		return // it waited, and these bytes were handed back to it
	}
	r.count.same++
	by := me.readers.site
	if me.writers.bits&bits != 0 {
		by = me.writers.site
	}
	r.meet(recordMeetOf(site, by, true))
}

func recordMeetOf(a, b int, same bool) recordMeet {
	if a > b {
		a, b = b, a
	}
	return recordMeet{a, b, same}
}

// meet counts one return of two sites.
func (r *recorder) meet(m recordMeet) {
	if _, ok := r.pairs[m]; ok || len(r.pairs) < recordPairs {
		r.pairs[m]++
	}
}

// flush writes the summary, whole or not at all. There is nobody to tell of an
// error; a file that stays away says it.
func (r *recorder) flush() {
	r.flushed, r.flushedAt = time.Now(), r.accesses()
	tmp := r.file + ".tmp"
	if os.WriteFile(tmp, r.summary(), 0o600) == nil {
		_ = os.Rename(tmp, r.file)
	}
}

func (r *recorder) summary() []byte {
	var b bytes.Buffer
	line := func(key string, n int) {
		b.WriteString(key + "\t" + strconv.Itoa(n) + "\n")
	}
	b.WriteString(recordHead)
	line("writes", r.count.writes)
	line("reads", r.count.reads)
	line("switches", r.count.switches)
	line("lines", len(r.seen))
	line("false", r.count.other)
	line("true", r.count.same)
	line("locks", r.mutexes())
	meets := make([]recordMeet, 0, len(r.pairs))
	for m := range r.pairs {
		meets = append(meets, m)
	}
	sort.Slice(meets, func(i, j int) bool {
		a, b := meets[i], meets[j]
		switch {
		case r.pairs[a] != r.pairs[b]:
			return r.pairs[a] > r.pairs[b]
		case a.a != b.a:
			return a.a < b.a
		case a.b != b.b:
			return a.b < b.b
		}
		return !a.same && b.same
	})
	for i, m := range meets {
		if i == recordShown {
			break
		}
		kind := "false"
		if m.same {
			kind = "true"
		}
		b.WriteString("pair\t" + kind + "\t" + strconv.Itoa(r.pairs[m]) + "\t" + r.sites[m.a].row + "\t" + r.sites[m.b].row + "\n")
	}
	b.WriteString(recordEnd)
	return b.Bytes()
}

// mutexes is how many mutexes are in use, those that are used less counting less:
// of n that are used alike it is n, and 1 if one has nearly all of the use.
func (r *recorder) mutexes() int {
	sum, squares := 0.0, 0.0
	for _, n := range r.locks {
		sum += float64(n)
		squares += float64(n) * float64(n)
	}
	if squares == 0 {
		return 0
	}
	return int(sum*sum/squares + 0.5)
}

// recordGoroutine is the number of the running goroutine. Only the head of its
// stack trace tells it, which takes a microsecond or two.
func recordGoroutine() uint64 {
	var buf [64]byte
	text := buf[:runtime.Stack(buf[:], false)]
	var n uint64
	for _, c := range text[len("goroutine "):] {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + uint64(c-'0')
	}
	return n
}
