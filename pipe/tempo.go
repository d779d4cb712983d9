package pipe

import (
	"time"

	"github.com/gopayoff/payoff/internal/help"
)

// A tempo is how fast the caller comes by, and how long batches are to be.
type tempo struct {
	perItem int64 // ps that the stages take for an item; 0: not known
	before  int64 // of the last batch
	guess   int64 // what perItem is if the first batch does not tell otherwise; 0: no guess
	others  int64 // ps that an item takes the caller besides: at the source and the sink
	next    int   // items in the next batch
	most    int   // at most
	streak  int   // items that came since the caller had to wait
	sure    bool  // perItem is of more than a look at the clock takes

	last  time.Duration // of the looks at the clock
	ran   time.Duration // by the caller, that is not booked
	begun time.Duration // when the batch did
	began time.Duration // when the streak did
}

// longItem is what takes so long that a switch of goroutines is little beside it, in ps.
const longItem = 20_000_000

// sureBatch is how long a batch takes that tells what its items take.
const sureBatch = 2 * time.Microsecond

// bookEach is how long the caller runs before it books that.
const bookEach = 50 * time.Microsecond

func (p *tempo) start(s *segment) {
	most := uintptr(1)
	for i := range s.stages {
		in, out := s.stages[i].op.sizes()
		most = max(most, in, out)
	}
	p.most = int(max(16, min(mostItems, mostBytes/most)))
	p.next = 1
	if p.perItem > 0 {
		// Items may not be what they were before.
		if s.known {
			p.believed(s)
		} else {
			p.guess, p.perItem = p.perItem, 0
		}
	}
	if s.alone && isSpread() {
		p.next = spreadBatch
	}
	p.last = clock()
	p.began = p.last
}

// believed begins with what is known of runs before.
func (p *tempo) believed(s *segment) {
	p.next = min(p.items(aloneBatch/4), firstItems)
	p.sure = s.feed != nil && s.feed.whole()
}

// items is how many items take d.
func (p *tempo) items(d time.Duration) int {
	return int(max(1, min(int64(d)*1000/max(1, p.perItem), int64(p.most))))
}

// from begins a batch.
func (p *tempo) from() { p.begun = clock() }

// waited is called after the caller had to wait for an item.
func (p *tempo) waited() {
	p.streak, p.last = 0, clock()
	p.began = p.last
}

// saw ends a batch of n items.
func (p *tempo) saw(s *segment, n int) {
	now := clock()
	took, besides := now-p.begun, p.begun-p.last
	p.last = now
	p.streak += n
	if p.streak > n {
		p.others = p.others/2 + each(besides, n)/2
	}
	seen := each(took, n)
	if guess := p.guess; guess > 0 {
		p.guess = 0
		if took <= time.Microsecond+8*worth(n, guess) {
			p.perItem = guess
			p.believed(s)
			return
		}
		s.site.perItem.Store(0)
	}
	p.ran += min(took, 4*aloneBatch+2*time.Duration(int64(n)*p.perItem/1000))
	p.perItem, p.before = believe(p.perItem, seen, p.before), seen
	p.sure = p.sure || took >= sureBatch && p.others > 0
	if p.ran > bookEach {
		p.book(s)
	}
	if s.alone && isSpread() {
		return
	}
	p.next = min(p.items(aloneBatch), 8*n)
}

// book books what the caller has run.
func (p *tempo) book(s *segment) {
	s.site.account.Earn(p.ran)
	p.ran = 0
}

// each is the ps of one of n items that took so long.
func each(took time.Duration, n int) int64 {
	return max(1, int64(min(took, time.Hour))*1000/int64(n))
}

// believe returns what an item is believed to take, if it was old before, a batch says
// seen, and the batch before it said last. What seems slow may have been interrupted,
// unless that one was as slow; what is fast was not.
func believe(old, seen, last int64) int64 {
	if old == 0 {
		return seen
	}
	return max(1, (old+max(min(seen, max(2*old, min(last, 8*old))), old/16))/2)
}

// unreal reports whether the clock is that of a bubble.
func (p *tempo) unreal() bool { return help.Unreal(p.last) }
