package pipe

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/internal/cacheline"
	"github.com/gopayoff/payoff/internal/help"
)

// A shared is a segment that others than the caller work on: a ring of batches, in the
// order of their items. See protocol.md.
type shared struct {
	s     *segment
	offer help.Offer
	most  int // who may work on it at once besides the caller

	// feeding is held by who takes from the feed. The caller may sleep while it holds
	// it; others try to get it, and do without. since, which it guards, is how many
	// items had come when the caller waited for one last.
	feeding sync.Mutex
	since   int

	judge     judge // the caller's
	delivered progress

	// These are the caller's: when the segment was shared, how many items had been
	// taken, and how long it has waited for the source.
	from    time.Duration
	takenAt int
	idle    time.Duration

	_ cacheline.Pad

	// mu guards what follows, and done and gone of the batches.
	mu sync.Mutex
	// Batches [head, filled) are in use, and of these [taken, filled) are for anyone to
	// work on; there are none but where items are pushed. What others than its worker
	// and the caller see of one is done.
	slots               []*batch
	head, taken, filled uint64
	inside              int  // who works on it besides the caller
	shut                bool // no batch is begun any more: there are no items, or one has failed
	closed              bool // likewise, and nobody may come: the run ends
	lanes               []*lane
	// ins and outs are vectors that no batch has, the one that was used last in the end:
	// it may still be in a cache, and as few are made as are used at the same time.
	ins, outs       []vector
	perItem, before int64 // as in tempo
	helped          time.Duration
	others          int // batches of helpers

	_ cacheline.Pad

	staff staff

	// away: others are to stay away. The caller stores it.
	away atomic.Bool
	// open says that there may be a batch to take. It is stored under mu.
	open atomic.Bool
	// long: items take longer than it takes to send one. Who ends a batch stores it.
	long atomic.Bool
	// next is how many items the next batch has, and worth how long what is left takes,
	// in ns. Who takes stores them.
	next, worth atomic.Int64
	_           [cacheline.Size - 32]byte
}

// sharedBatches counts the others of all runs, for tests.
var sharedBatches atomic.Uint64

// sendTime is about what it takes to send an item, in ps.
const sendTime = 40_000

// Batches in the ring: so many for each who works on it, so that one which takes long
// does not hold up the others soon, and bounds.
const (
	slotsEach  = 8
	leastSlots = 16
	mostSlots  = 512
)

// share offers the segment to others, and runs it to its end where it is pulled. It
// returns false where nobody can be asked. staffed: it has goroutines of its own from
// the beginning.
func (s *segment) share(staffed bool) bool {
	procs := max(2, help.Sched.Procs(s.pace.last))
	most := procs
	if s.limit > 0 {
		most = min(most, s.limit)
	}
	n := leastSlots
	for n < min(slotsEach*most, mostSlots) {
		n *= 2
	}
	sh := &shared{s: s, most: most - 1, perItem: s.pace.perItem, before: s.pace.before}
	sh.extend(n)
	sh.offer.Work = sh
	sh.next.Store(int64(sh.length()))
	sh.worth.Store(int64(s.worth()))
	sh.open.Store(s.feed != nil)
	sh.from, sh.takenAt = s.pace.last, s.taken
	sh.judge = judge{workers: procs, alone: s.site.alone.Load(), from: sh.from}
	if sh.judge.alone == 0 {
		sh.judge.alone = s.pace.perItem + s.pace.others
	}
	s.r.open()
	if staffed {
		if s.feed != nil {
			sh.staff.more = s.remaining()
		}
		sh.employ(sh.from)
	}
	// From here on others may take part. In a bubble only those of its own do.
	if sh.staff.bubble = help.InBubble(sh.from); sh.staff.bubble && !staffed || !sh.staff.bubble && !help.Sched.Post(&sh.offer) && !staffed {
		s.alone = true
		return false
	}
	s.lane.ctx = s.r.inner
	s.shared = sh
	p := &s.pace
	if p.streak > 0 && !p.unreal() {
		s.site.learn(p.perItem, p.others)
	}
	p.book(s)
	sh.grow(s.pace.last)
	if s.feed != nil {
		s.pullShared()
	}
	return true
}

// pullShared is the rest of pull.
func (s *segment) pullShared() {
	r, sh := s.r, s.shared
	var wait help.Wait
	waits := false
	for s.alive() {
		if s.step() {
			waits = false
			continue
		}
		if sh.finished() {
			break
		}
		if r.idle(s) {
			continue
		}
		staffed := sh.staff.on.Load()
		if !r.busy(s) && r.timeouts == nil {
			var l *lane
			if staffed {
				if l = sh.hire(); l == nil {
					runtime.Gosched() // those who are there find nothing, and leave
					continue
				}
			}
			var b *batch
			sh.await()
			// Nobody takes anything now; but somebody may have since the last look.
			if !r.busy(s) && !r.ready(s) {
				from := clock()
				b = sh.fill(&waiting{done: r.done})
				sh.idle += clock() - from
			}
			sh.awaited()
			sh.assign(l, b)
			continue
		}
		// A channel wakes the caller at once, and who is to send may wait for its
		// processor. Else the caller spins for a while.
		if (!s.feed.waits(s) || !sh.open.Load()) && !r.staffed(s) {
			if !waits {
				wait, waits = help.NewWait(clock()), true
			}
			if wait.Spin() {
				continue
			}
		}
		waits = false
		r.wakeAt(s)
		r.park()
		if r.ready(s) || r.due() || !r.busy(s) && r.timeouts == nil || sh.vacant() {
			r.unpark(false)
			continue
		}
		w := waiting{done: r.done, bell: r.bell}
		if s.feed.waits(s) && sh.open.Load() {
			var l *lane
			if staffed {
				l = sh.hire()
			}
			if l != nil || !staffed {
				sh.await()
				b := sh.fill(&w)
				sh.awaited()
				r.unpark(w.rang)
				sh.assign(l, b)
				continue
			}
		}
		select {
		case <-w.bell:
			w.rang = true
		case <-w.done:
		}
		r.unpark(w.rang)
	}
}

// step delivers a batch, or works on one. It reports whether there was any.
func (s *segment) step() bool {
	sh := s.shared
	if b := sh.ready(); b != nil {
		if s.finish(b) {
			sh.gone(b)
		}
		return true
	}
	if sh.staff.on.Load() {
		sh.recruit(clock())
		return false
	}
	if s.limit > 0 && sh.crowded() {
		return false
	}
	b := sh.take()
	if b == nil {
		return false
	}
	now := sh.do(&s.lane, b)
	sh.look(now)
	sh.grow(now)
	return true
}

// look sends others away where they do harm, and lets them come again.
func (sh *shared) look(now time.Duration) {
	p := sh.delivered
	p.now = now - sh.idle
	if sh.staff.on.Load() {
		sh.judge.begin(p) // package size judges
		return
	}
	if sh.judge.away && !sh.judge.begun {
		sh.mu.Lock()
		p.left = sh.inside == 0
		sh.mu.Unlock()
	}
	known := sh.judge.alone
	if away := sh.judge.look(p); away != sh.away.Load() {
		sh.away.Store(away)
	}
	if sh.judge.alone != known {
		learn(&sh.s.site.alone, sh.judge.alone)
	}
}

// service has the segment get on with what it has, and reports whether there was
// anything. Its source has nothing more for now.
func (s *segment) service() bool {
	did := s.collecting != nil && s.collecting.flush()
	if s.shared == nil {
		return did
	}
	for s.wanted() && s.step() {
		did = true
	}
	return did
}

// post puts n items, which are in own, into the ring.
func (s *segment) post(n int) {
	sh, r := s.shared, s.r
	for !sh.put(n) {
		if !s.alive() { // rest does not rest then
			return
		}
		if !s.step() && !r.serve(s) {
			s.rest()
		}
	}
	s.taken += n
	s.came(n)
	s.pace.next = int(sh.next.Load())
	for s.wanted() {
		b := sh.ready()
		if b == nil {
			break
		}
		if s.finish(b) {
			sh.gone(b)
		}
	}
	now := clock()
	sh.look(now)
	sh.grow(now)
}

// put moves what is in own into the ring, and reports whether there was room.
func (sh *shared) put(n int) bool {
	s := sh.s
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.shut {
		return true // nobody wants it any more
	}
	if sh.filled-sh.head == uint64(len(sh.slots)) {
		return false
	}
	b := sh.slot(sh.filled)
	b.in, b.out, s.own.in = s.own.in, pop(&sh.outs), pop(&sh.ins)
	b.base, b.n = s.taken, n
	sh.filled++
	sh.open.Store(true)
	sh.worth.Store(int64(worth(max(s.expected(s.pace.streak), int(sh.filled-sh.taken)*n), sh.perItem)))
	sh.next.Store(int64(sh.length()))
	return true
}

// drain works and waits until everything is delivered. It reports whether more would be
// wanted.
func (s *segment) drain() bool {
	for s.shared != nil && s.alive() && !s.shared.empty() {
		if !s.step() && !s.r.serve(s) {
			s.rest()
		}
	}
	return s.wanted()
}

// rest waits until something is to be delivered, of s or downstream.
func (s *segment) rest() {
	r := s.r
	staffed := r.staffed(s)
	for wait := help.NewWait(clock()); !staffed && wait.Spin(); {
		if r.ready(s) || !r.busy(s) {
			return
		}
	}
	r.wakeAt(s)
	r.park()
	rang := false
	if !r.ready(s) && r.busy(s) && !s.shared.vacant() {
		select {
		case <-r.bell:
			rang = true
		case <-r.done:
		}
	}
	r.unpark(rang)
}

func (sh *shared) slot(seq uint64) *batch { return sh.slots[seq&uint64(len(sh.slots)-1)] }

// extend makes the ring one of n batches at least, by a power of two. Who has a batch
// keeps it.
func (sh *shared) extend(n int) {
	old := len(sh.slots)
	if n <= old {
		return
	}
	slots, more := make([]*batch, n), make([]batch, n-old)
	for i := range uint64(n) {
		at := (sh.head + i) & uint64(n-1)
		if i < uint64(old) {
			slots[at] = sh.slot(sh.head + i)
		} else {
			slots[at] = &more[i-uint64(old)]
		}
	}
	sh.slots = slots
}

// pop removes the last vector and returns it; nil where there is none.
func pop(vs *[]vector) (v vector) {
	if n := len(*vs); n > 0 {
		v = (*vs)[n-1]
		*vs = (*vs)[:n-1]
	}
	return v
}

// length is how many items a batch is to have. Workers do one at a time: where some items
// wait and others do not, what is believed of the next one is no bound on what it takes.
// The caller of length holds mu, or is the first.
func (sh *shared) length() int {
	if sh.staff.on.Load() {
		return 1
	}
	p := &sh.s.pace
	want := max(sharedBatch, travel*time.Duration(sh.most+1))
	perItem := max(1, sh.perItem)
	// Rounded to the nearest: items of a little more than 10 µs go in twos.
	return int(max(1, min((int64(want)*1000+perItem/2)/perItem, int64(sharedMore*p.most))))
}

// ready returns a batch that is to be delivered now, or nil.
func (sh *shared) ready() *batch {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return sh.first()
}

// first is ready under mu.
func (sh *shared) first() *batch {
	if sh.head == sh.taken {
		return nil
	}
	if b := sh.slot(sh.head); b.done || !sh.s.unordered {
		if b.done {
			return b
		}
		return nil
	}
	for seq := sh.head + 1; seq < sh.taken; seq++ {
		if b := sh.slot(seq); b.done && !b.gone {
			return b
		}
	}
	return nil
}

func (sh *shared) hasReady() bool { return sh.ready() != nil }

// gone gives the place of a batch, which was delivered, to another one.
func (sh *shared) gone(b *batch) {
	sh.delivered.items += b.n
	sh.delivered.batches++
	sh.mu.Lock()
	defer sh.mu.Unlock()
	b.gone = true
	for sh.head < sh.taken {
		b := sh.slot(sh.head)
		if !b.gone {
			break
		}
		sh.ins, sh.outs = append(sh.ins, b.in), append(sh.outs, b.out)
		*b = batch{}
		sh.head++
	}
	if !sh.shut && sh.s.feed != nil {
		sh.open.Store(true)
	}
}

// inFlight reports whether somebody works on a batch.
func (sh *shared) inFlight() bool {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for seq := sh.head; seq < sh.taken; seq++ {
		if !sh.slot(seq).done {
			return true
		}
	}
	return false
}

// finished reports whether all was delivered, and no more will come.
func (sh *shared) finished() bool {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return sh.shut && sh.head == sh.filled
}

// empty reports whether all was delivered.
func (sh *shared) empty() bool {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return sh.head == sh.filled
}

// take returns a batch to work on, if there is one now.
func (sh *shared) take() *batch {
	if !sh.open.Load() {
		return nil
	}
	if sh.s.feed != nil {
		if !sh.feed() {
			return nil
		}
		b := sh.fill(nil)
		sh.feeding.Unlock()
		return b
	}
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.shut || sh.taken == sh.filled {
		sh.open.Store(false)
		return nil
	}
	b := sh.slot(sh.taken)
	sh.taken++
	sh.staff.begun++
	return b
}

// fill takes a batch from the feed, and waits for it if w is not nil. The caller of it
// holds feeding.
func (sh *shared) fill(w *waiting) *batch {
	s := sh.s
	sh.mu.Lock()
	seq := sh.filled
	if sh.shut || seq-sh.head == uint64(len(sh.slots)) {
		sh.open.Store(false)
		sh.mu.Unlock()
		return nil
	}
	b := sh.slot(seq) // of who holds feeding, until filled is past it
	if b.in == nil {
		b.in, b.out = pop(&sh.ins), pop(&sh.outs)
	}
	sh.mu.Unlock()
	asked := int(sh.next.Load())
	from := time.Duration(0)
	if w != nil && s.counters != nil {
		from = clock()
	}
	b.yield = sh.long.Load() && s.feed.full()
	n, ended := s.fetch(s.feed, b, asked, w)
	if w != nil {
		sh.since = s.taken
		s.waited(from)
	}
	b.base, b.n = s.taken, n
	s.taken += n
	if n > 0 {
		s.came(n)
	}
	rest := s.expected(s.taken - sh.since)
	more := 0
	if n == asked {
		more = s.remaining()
	}
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.staff.more = more
	sh.worth.Store(int64(worth(rest, sh.perItem)))
	if n == 0 {
		if ended {
			sh.shut = true
			sh.open.Store(false)
		}
		return nil
	}
	if sh.shut {
		return nil // another batch has failed meanwhile: these are not wanted
	}
	sh.filled++
	sh.taken++
	sh.staff.begun++
	return b
}

// do works on b, and returns the time after it.
func (sh *shared) do(l *lane, b *batch) time.Duration {
	if b.yield {
		// Who sends waits for a processor, most likely for this one. A helper that goes on
		// is found to be in the way, and leaves.
		help.Yield()
	}
	from := clock()
	returned := false
	defer func() {
		if !returned { // Goexit
			sh.did(l, b, 0, clock())
		}
	}()
	l.work(b)
	returned = true
	now := clock()
	sh.did(l, b, now-from, now)
	return now
}

// did ends the work on b.
func (sh *shared) did(l *lane, b *batch, took, now time.Duration) {
	sh.mu.Lock()
	b.done = true
	sh.staff.ended++
	if b.end != nil {
		sh.shut = true
		sh.open.Store(false)
	}
	if took > 0 {
		seen := each(took, b.n)
		sh.perItem, sh.before = believe(sh.perItem, seen, sh.before), seen
		sh.next.Store(int64(sh.length()))
		if long := sh.perItem > sendTime; long != sh.long.Load() {
			sh.long.Store(long)
		}
		sh.recognize(seen, now)
		if !l.local && !l.own {
			took = min(took, 4*sharedBatch+2*worth(b.n, sh.perItem))
			sh.helped += took
			sh.s.site.account.Add(took)
			sh.others++
		}
	}
	ready, perItem := !l.local && sh.first() != nil, sh.perItem
	sh.mu.Unlock()
	if l.local {
		p := &sh.s.pace
		p.last = now
		p.ran += took
		p.streak += b.n
		p.perItem = perItem
		if p.ran > bookEach {
			p.book(sh.s)
		}
	}
	if ready {
		sh.s.r.wake()
	}
}

// grow brings others, if there is enough for them.
func (sh *shared) grow(now time.Duration) {
	s := sh.s
	if sh.staff.on.Load() {
		sh.recruit(now)
		return
	}
	if sh.away.Load() {
		return
	}
	worth, price := sh.worth.Load(), help.Sched.Price()
	if worth <= max(int64(tooShort), 2*price) || !s.site.account.MayWake() || !help.Sched.CanWake(now) {
		return // most often, and without the lock
	}
	sh.mu.Lock()
	room := sh.most - sh.inside
	sh.mu.Unlock()
	if room > 0 {
		help.Sched.Bring(now, &s.site.account, min(room, max(1, int(worth/(price+help.Sched.Latency())))))
	}
}

// Ready is for a look to find out.
func (sh *shared) Ready() bool {
	return sh.open.Load() && !sh.away.Load() && !sh.staff.on.Load()
}

// Publish has nothing to add.
func (sh *shared) Publish(int) {}

// Help is called by helpers. It works on batches while there are any.
func (sh *shared) Help(h *help.Helper) bool {
	if !sh.Ready() {
		return false
	}
	l := sh.enter()
	if l == nil {
		return false
	}
	defer sh.leave(l)
	did := false
	for {
		b := sh.take()
		if b == nil {
			return did
		}
		if !did {
			did = true
			h.Took(&sh.s.site.account)
			h.Steals++
		}
		sh.grow(clock())
		now := sh.do(l, b)
		h.Parts++
		if h.Unwanted(now) || sh.away.Load() || sh.staff.on.Load() {
			return true
		}
	}
}

// enter returns a lane for one more, or nil.
func (sh *shared) enter() *lane {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.closed || sh.shut || sh.inside >= sh.most {
		return nil
	}
	return sh.lane()
}

// lane returns a lane for one more. The caller of it holds mu.
func (sh *shared) lane() *lane {
	sh.inside++
	sh.s.metered(1)
	if n := len(sh.lanes); n > 0 {
		l := sh.lanes[n-1]
		sh.lanes = sh.lanes[:n-1]
		return l
	}
	return &lane{seg: sh.s, shared: sh, ctx: sh.s.r.inner}
}

// leave takes the lane back. It also comes where a function has called Goexit.
func (sh *shared) leave(l *lane) {
	sh.mu.Lock()
	sh.lanes = append(sh.lanes, l)
	sh.inside--
	sh.s.metered(-1)
	last := sh.closed && sh.inside == 0
	sh.mu.Unlock()
	if last {
		sh.s.r.wake()
	}
}

// close has all others leave, and waits until they have.
func (s *segment) close() {
	sh := s.shared
	if sh == nil {
		return
	}
	help.Sched.Remove(&sh.offer)
	sh.mu.Lock()
	sh.closed, sh.shut = true, true
	sh.open.Store(false)
	sh.mu.Unlock()
	for r := s.r; ; {
		r.park()
		sh.mu.Lock()
		inside := sh.inside
		sh.mu.Unlock()
		if inside == 0 {
			r.unpark(false)
			break
		}
		<-r.bell
		r.unpark(true)
	}
	sharedBatches.Add(uint64(sh.others))
	if sh.retire() {
		return
	}
	// What it would have taken without others, and what it took.
	alone := worth(s.taken-sh.takenAt, sh.judge.alone)
	s.site.account.Settle(alone, clock()-sh.from-sh.idle, sh.helped)
}
