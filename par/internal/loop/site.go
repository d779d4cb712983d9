package loop

import (
	"math"
	"math/rand/v2"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/gopayoff/payoff/internal/cacheline"
	"github.com/gopayoff/payoff/internal/help"
)

// A site is what is known of one function that is called for the elements of
// loops. Sites are found by the address of the function's code: functions that
// share it, such as closures of one literal, share a site, and the mean of what
// they take is a guess to begin with, that the clock corrects.
//
// Calls that are timed write to it, and only where that says something new.
type site struct {
	perElem  atomic.Int64 // ps; 0: not known
	overhead atomic.Int64 // ns; see [Overhead]
	account  help.Account
	absent   atomic.Int64 // ns: when a call seemed to have had no processor; see [loop.away]

	// See [place.look]. timed is when a call was timed last, at least about; watch
	// how many ns may be spent on timing the calls to come; and stale how much time
	// without a timed call is a reason to.
	timed, watch, stale atomic.Int64
}

// A set has a few sites, so that functions whose addresses collide keep what is
// known of them. Calls that are not timed touch one cache line of it.
type set struct {
	code [ways]atomic.Uintptr
	// most is the number of elements up to which a call is small, 0 where none is.
	most [ways]atomic.Uint32
	_    [cacheline.Size - (ways*(unsafe.Sizeof(uintptr(0))+4))%cacheline.Size]byte

	sites [ways]site
	_     cacheline.Pad
}

const (
	ways = 4
	sets = 256

	// What is known to take less than this is done in one go. It is little
	// compared to the wake of a helper, and much compared to a look at the clock.
	smallWork = 4 * time.Microsecond

	// Calls that come seldom are small if they take less than this.
	seldomWork = tooShort / 2

	// One of so many small calls is timed, to see whether it is still small.
	sample = 32

	// timing is what it costs to time a call. That may take one of so many parts of
	// all time.
	timing     = 100 * time.Nanosecond
	watchShare = 32
	mostWatch  = 4 * time.Millisecond

	// Bounds of stale.
	leastStale = watchShare * 10 * timing
	mostStale  = 100 * time.Millisecond

	// A call that was thought to be small and took so long is a surprise.
	surprise = 16 * smallWork
)

// Calls that are not timed touch the first line of a set alone.
var _ [0]struct{} = [unsafe.Offsetof(set{}.sites) % cacheline.Size]struct{}{}

var table [sets]set

// A place is that of a site in the table.
type place struct {
	site *site
	most *atomic.Uint32
	code *atomic.Uintptr
	key  uintptr
}

// held reports whether the place is still that of its key: another function may have
// got it meanwhile, to which what is learned here says nothing.
func (p place) held() bool { return p.code.Load() == p.key }

func index(key uintptr) int { return int(uint32(key) * 0x9E3779B1 >> 24) }

// siteOf returns the site of a key, after it has made one if there is none: at the
// expense of another, where the set is full. That one's debts are the new one's,
// and its credit is not: or else two that take turns would have their first credit
// again and again.
func siteOf(key uintptr, now time.Duration) place {
	t := &table[index(key)]
	free := -1
	for w := range t.code {
		switch t.code[w].Load() {
		case key:
			return place{&t.sites[w], &t.most[w], &t.code[w], key}
		case 0:
			if free < 0 {
				free = w
			}
		}
	}
	w := free
	if w < 0 {
		w = int(rand.Uint32N(ways))
	}
	s := &t.sites[w]
	t.most[w].Store(0)
	t.code[w].Store(key)
	s.perElem.Store(0)
	s.overhead.Store(0)
	s.timed.Store(int64(now))
	s.watch.Store(0)
	s.absent.Store(0)
	s.stale.Store(int64(leastStale))
	if free >= 0 || s.account.Credit() > 0 {
		s.account.Open()
	}
	return place{s, &t.most[w], &t.code[w], key}
}

// Small reports whether n elements are known to be too little work for more than
// one processor, and not worth timing now: the caller does them in one go.
func Small(key uintptr, n int) bool {
	t := &table[index(key)]
	for w := range t.code {
		if t.code[w].Load() == key {
			return uint(n) <= uint(t.most[w].Load()) && rand.Uint32()%sample != 0
		}
	}
	return n <= 0
}

// look is called at the end of a call that was timed: of n elements that took took,
// as much as without help, and perElem ps each in the mean of all calls, and that
// were thought to be small or not. It decides whether calls as the next ones are
// small.
//
// Where nothing is small, each call is timed, and corrected while it runs if it is
// not what the others were. Where calls are small, one of some is, and one in
// between may be a thousand times as long. So if much time has passed since a call
// was timed, a small part of it is spent on timing all that come: a long one that
// comes again, as it did before, is not missed.
//
// Where all calls were timed and much time has passed nevertheless, there was none:
// they come seldom. Then to time them costs most, since nothing of what that takes is
// in the cache; and they are small as long as no helper that is woken would come
// before they end.
func (p place) look(from, now, took time.Duration, n int, small bool, perElem int64) {
	s := p.site
	watch, limit := time.Duration(s.watch.Load()), smallWork
	gap := from - time.Duration(s.timed.Load())
	all := uint(n) > uint(p.most.Load()) // such calls are timed
	switch {
	case small && took >= surprise:
		s.stale.Store(int64(leastStale))
		watch = min(took/watchShare, mostWatch)
		s.watch.Store(int64(watch))
	case all && gap > gone:
		watch, limit = 0, seldomWork
		s.watch.Store(0)
	case watch > 0:
		if watch = time.Duration(s.watch.Add(-int64(timing))); watch <= 0 {
			s.stale.Store(min(4*s.stale.Load(), int64(mostStale)))
		}
	case gap >= time.Duration(s.stale.Load()):
		watch = min(gap/watchShare, mostWatch)
		s.watch.Store(int64(watch))
	}
	if now-time.Duration(s.timed.Load()) >= leastStale/8 { // others read it
		s.timed.Store(int64(now))
	}
	most := uint32(0)
	if watch <= 0 {
		// Calls that are much longer than those that were seen may be something else.
		most = uint32(min(uint64(limit)*1000/uint64(perElem), max(4*uint64(n), uint64(p.most.Load())), math.MaxUint32))
	}
	if most != p.most.Load() {
		p.most.Store(most)
	}
}

// learn keeps what an element takes, in the mean.
func (p place) learn(seen int64) int64 {
	old := p.site.perElem.Load()
	now := seen
	if old != 0 {
		now = max(1, (old+min(seen, 3*old))/2)
	}
	if 8*max(now-old, old-now) > old { // others read it
		p.site.perElem.Store(now)
	}
	return now
}

// learnOverhead keeps what an overhead is.
func (s *site) learnOverhead(now int64) {
	old := s.overhead.Load()
	if 8*max(now-old, old-now) > old { // others read it
		s.overhead.Store(now)
	}
}

// Code returns the address of f's code, which tells functions apart; closures
// of one function literal have the same.
func Code[F any](f F) uintptr { return **(**uintptr)(unsafe.Pointer(&f)) }

// Forget forgets what is known of all functions: no loop is small until it has been
// run again.
func Forget() {
	for i := range table {
		for w := range table[i].code {
			table[i].code[w].Store(0)
			table[i].most[w].Store(0)
		}
	}
}
