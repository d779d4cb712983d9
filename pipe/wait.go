package pipe

import (
	"math"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/size"
)

// A staff is the goroutines that a shared segment has of its own, workers. It has some
// where items take long, since their functions may wait: then more of them than there
// are processors bring more. How many is found by package size. A worker takes an item
// and does it, and leaves where there is none, or where fewer are wanted.
//
// While there are workers the caller works on no item: it would not be there to
// deliver, and to hire. Helpers do not either, since others need them that compute.
type staff struct {
	// on: items take long. It is stored under mu of the shared, or before others come.
	on atomic.Bool
	// bubble: the clock is that of a bubble, and nobody else comes. It never changes.
	bubble bool

	// want is how many workers there are to be, and next when rule is to be asked again.
	// Who has deciding stores them.
	want     atomic.Int32
	next     atomic.Int64
	deciding sync.Mutex
	rule     *size.Rule    // nil: there were never any
	since    time.Duration // when the first batch of the run was to begin

	// awaiting: the caller waits in the source, or is to, and has feeding. The caller
	// stores it. waiters is how many workers wait for feeding.
	awaiting atomic.Bool
	waiters  atomic.Int32

	// turns is how many of those who work on it wait for the stage's rate. Others who do
	// are of other runs: they may go on for long.
	turns atomic.Int32

	// The rest is under mu of the shared: how many workers there are, how many batches
	// were begun and ended, how many items the feed had when one was taken last, and
	// what an item takes, in ps, in the mean of many.
	hired        int
	begun, ended uint64
	more         int
	perItem      int64
}

const (
	// Where an item takes so long, in ps, workers may come: to hire one is little beside
	// it. They leave where it takes leaveItem in the mean of meanItems.
	longWait  = 100_000_000
	leaveItem = longWait / 4
	meanItems = 64

	// The ring has so many batches for each worker, within a bound: others go on while
	// one of them takes long.
	slotsStaff    = 4
	mostStaffRing = 4096
)

// waiting reports whether the caller, alone, is to hire workers.
func (s *segment) waiting() bool {
	p := &s.pace
	if s.alone || p.perItem < longWait {
		return false
	}
	return s.feed == nil || s.expected(p.streak) > 1
}

// remaining is how many items the feed is known to have.
func (s *segment) remaining() int {
	if _, reader := s.feed.(*lines); reader || !s.feed.whole() && s.feed.full() {
		return size.Many // a reader does not tell
	}
	return s.feed.left(s)
}

// employ begins to have workers. The caller of it holds mu, or is alone.
func (sh *shared) employ(now time.Duration) {
	st := &sh.staff
	st.perItem = sh.perItem
	if st.rule == nil {
		limit, floor := sh.s.limit, sh.s.floor
		k := sh.kept(now, limit, floor)
		st.rule = k.rule
		st.begun += k.batches
		st.ended += k.batches
		st.since = now
		v := size.View{Since: now, Begun: st.begun, Ended: st.ended, Waiting: max(1, sh.unserved())}
		want, next := st.decide(now, v)
		st.rule.Bound(floor, limit)
		st.want.Store(int32(want))
		st.next.Store(int64(next))
		sh.room(want)
	}
	st.on.Store(true)
}

// kept returns the rule to begin with: that of the last run of the same functions, or
// where another run has that, one that begins with as many workers.
func (sh *shared) kept(now time.Duration, limit, floor int) *kept {
	workers := floor // it begins with those
	if sh.s.known {
		if !help.InBubble(now) { // where time is another
			if k := sh.s.site.kept.Swap(nil); k != nil && k.limit == limit && k.floor == floor {
				return k
			}
		}
		workers = max(workers, int(sh.s.site.workers.Load()))
	}
	if limit > 0 {
		workers = min(workers, limit)
	}
	return &kept{rule: size.New(workers, limit)}
}

// room makes the ring large enough for n workers. The caller of it holds mu, or is alone.
func (sh *shared) room(n int) {
	sh.extend(1 << bits.Len(uint(min(slotsStaff*n, mostStaffRing)-1)))
}

// recognize learns that an item took so long, in ps, and has workers come or leave. The
// caller of it holds mu.
func (sh *shared) recognize(seen int64, now time.Duration) {
	st := &sh.staff
	if !st.on.Load() {
		if sh.perItem >= longWait && st.deciding.TryLock() {
			sh.employ(now)
			st.deciding.Unlock()
		}
		return
	}
	st.perItem += (seen - st.perItem) / meanItems
	// In a bubble nobody else would come.
	if st.perItem < leaveItem && !st.bubble {
		st.on.Store(false)
	}
}

// decide asks how many workers there are to be, if it is time to.
func (sh *shared) decide(now time.Duration) {
	st := &sh.staff
	if int64(now) < st.next.Load() || !st.deciding.TryLock() {
		return
	}
	defer st.deciding.Unlock()
	sh.mu.Lock()
	// Only a run is seen to end. A burst within one is not, so it is none to compare.
	v := size.View{Since: now, Begun: st.begun, Ended: st.ended, Waiting: sh.unserved()}
	sh.mu.Unlock()
	want, next := st.decide(now, v)
	st.next.Store(int64(next))
	if old := int(st.want.Swap(int32(want))); want > old {
		sh.mu.Lock()
		sh.room(want)
		sh.mu.Unlock()
	}
}

// decide asks the rule, which has yet to see when that is and how busy the processors are.
// The caller of it has deciding.
func (st *staff) decide(now time.Duration, v size.View) (want int, next time.Duration) {
	v.Now = now
	v.Procs, v.Idle, v.Runnable = help.Load(now)
	return st.rule.Decide(v)
}

// unserved is how many items wait for a worker. Where the ring is full they wait for
// the sink. The caller of it holds mu.
func (sh *shared) unserved() int {
	full := sh.filled-sh.head == uint64(len(sh.slots))
	switch {
	case sh.shut:
		return 0
	case sh.s.feed == nil:
		n := int(sh.filled - sh.taken)
		if full && n > 0 {
			return size.Many // the caller has more
		}
		return n
	case full:
		return 0
	}
	return sh.staff.more
}

// recruit hires workers for what is there, up to as many as are wanted.
func (sh *shared) recruit(now time.Duration) {
	sh.decide(now)
	for sh.open.Load() {
		l := sh.hire()
		if l == nil {
			return
		}
		b := sh.take()
		if b == nil {
			sh.dismiss(l)
			return
		}
		go sh.serve(l, b)
	}
}

// assign has a worker with that lane do b, or the caller, where that is nil; nobody where
// b is.
func (sh *shared) assign(l *lane, b *batch) {
	switch {
	case b == nil && l != nil:
		sh.dismiss(l)
	case l != nil:
		go sh.serve(l, b)
	case b != nil:
		sh.do(&sh.s.lane, b)
	}
}

// hire returns a lane for one more worker, or nil.
func (sh *shared) hire() *lane {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.closed || sh.shut || !sh.hiring() {
		return nil
	}
	sh.staff.hired++
	l := sh.lane()
	l.own = true
	return l
}

// hiring reports whether fewer workers are there than are wanted, and none of them waits
// for the rate: another one would wait behind it. The caller of it holds mu.
func (sh *shared) hiring() bool {
	st := &sh.staff
	return st.hired < int(st.want.Load()) && (sh.s.limit == 0 || sh.inside < sh.s.limit) && st.turns.Load() == 0
}

// crowded reports whether as many work on it as may.
func (sh *shared) crowded() bool {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return sh.inside >= sh.s.limit
}

// vacant reports whether the caller could hire somebody for an item that is there.
func (sh *shared) vacant() bool {
	if sh == nil || !sh.staff.on.Load() || sh.s.feed != nil && !sh.s.feed.whole() || !sh.open.Load() {
		return false
	}
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return sh.hiring() && !sh.shut && (sh.s.feed != nil || sh.taken < sh.filled)
}

// serve is the life of a worker that begins with b.
func (sh *shared) serve(l *lane, b *batch) {
	defer sh.dismiss(l)
	for b != nil {
		now := sh.do(l, b)
		if !sh.staff.on.Load() {
			return
		}
		sh.recruit(now)
		if sh.superfluous() {
			return
		}
		b = sh.take()
	}
}

// superfluous reports whether more workers are there than are wanted.
func (sh *shared) superfluous() bool {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return sh.staff.hired > int(sh.staff.want.Load())
}

// dismiss has a worker leave. The caller looks after what comes next, and sleeps where
// it could not have hired another.
func (sh *shared) dismiss(l *lane) {
	sh.mu.Lock()
	sh.staff.hired--
	l.own = false
	sh.mu.Unlock()
	r := sh.s.r
	sh.leave(l)
	r.wake()
}

// The rule: workers that wait for feeding get it before the caller waits in the source.
//
// await takes feeding for the caller, which is to wait in the source. Each of these workers
// sees awaiting, or is seen here. In a bubble the clock would stand still while one of them
// waits.
func (sh *shared) await() {
	sh.staff.awaiting.Store(true)
	sh.feeding.Lock()
	for sh.staff.waiters.Load() > 0 {
		sh.feeding.Unlock()
		runtime.Gosched()
		sh.feeding.Lock()
	}
}

// awaited ends that.
func (sh *shared) awaited() {
	sh.feeding.Unlock()
	sh.staff.awaiting.Store(false)
}

// feed takes feeding, and reports whether it could. A worker waits for others who take
// an item, but not for the caller that waits for one.
func (sh *shared) feed() bool {
	if sh.feeding.TryLock() {
		return true
	}
	st := &sh.staff
	if !st.on.Load() {
		return false
	}
	st.waiters.Add(1)
	defer st.waiters.Add(-1)
	if st.awaiting.Load() {
		return false
	}
	sh.feeding.Lock()
	return true
}

// retire ends the staff, and reports whether there was one. The next run goes on with its
// rule, and with what an item takes in the mean: what the caller believed of the first few
// may be of some that did not wait.
func (sh *shared) retire() bool {
	st := &sh.staff
	if st.rule == nil {
		return false
	}
	if now := clock(); !help.InBubble(now) {
		want, _ := st.decide(now, size.View{Since: st.since, Begun: st.begun, Ended: st.begun})
		st.want.Store(int32(want))
		sh.s.site.kept.Store(&kept{st.rule, st.begun, sh.s.limit, sh.s.floor})
	}
	sh.s.site.workers.Store(st.want.Load())
	sh.s.site.perItem.Store(max(1, st.perItem))
	return true
}

// staffed reports whether s, or a segment downstream of it, has workers: what the caller
// waits for takes long, then.
func (r *run) staffed(s *segment) bool {
	if s.shared != nil && s.shared.staff.on.Load() {
		return true
	}
	for i := s.index - 1; i >= 0; i-- {
		if sh := r.segs[i].shared; sh != nil && sh.staff.on.Load() {
			return true
		}
	}
	return false
}

// wakeAt has the timer wake the caller when it is to look at the staff of s, or of a
// segment downstream of it.
func (r *run) wakeAt(s *segment) {
	at := int64(math.MaxInt64)
	look := func(s *segment) {
		sh := s.shared
		if sh == nil || !sh.staff.on.Load() {
			return
		}
		sh.mu.Lock()
		if sh.unserved() > 0 {
			at = min(at, sh.staff.next.Load())
		}
		sh.mu.Unlock()
	}
	look(s)
	for i := s.index - 1; i >= 0; i-- {
		look(r.segs[i])
	}
	if at == math.MaxInt64 {
		return
	}
	d := max(0, time.Duration(at)-clock())
	if r.timer == nil {
		r.timer = time.AfterFunc(d, r.wake)
	} else {
		r.timer.Reset(d)
	}
}
