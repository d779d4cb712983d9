package par

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/par/internal/help"
)

// core is the part of a Task that decides, once in a while, what to do with the
// next forks. It counts forks, and so knows about how much time has passed; it
// looks at the clock about every [help.Beat].
//
// Most calls are over before the first beat, and cost a decrement for each fork.
// Once a call has lasted, and helpers are there or can be had and paid, it is
// active: then the first forks it comes by are registered, in a frame each, for
// as long as there is room, and those whose first half has run for a beat are
// offered to helpers, the oldest first.
//
// Only a few frames are needed. What is behind a frame is a large part of the
// work, since frames fill from the root of the recursion downward; and a half
// that is taken registers forks of its own. Where a call becomes active deep in
// the recursion, the first forks are small; but the fork that comes after a half
// of some size is, in general, larger, so the registered ones grow quickly.
type core struct {
	n   int    // forks until the next beat
	set int    // what n began with
	gen uint64 // calls so far

	clocked bool  // last is set
	learned bool  // from two looks at least
	early   bool  // that was at the first fork
	once    uint8 // calls that looked once
	again   bool  // the next call is to look at its first fork
	active  bool
	helped  bool // something was taken
	stolen  bool // it is somebody else's half
	lull    int8 // beats in a row without help in sight

	depth     int // frames in use
	old       int // of them, those older than a beat
	published int // of them, those that helpers know of

	done     int // forks before set
	lastDone int // at last
	expect   int // forks in what runs now; 0: not known
	entries  int // calls of beat since last
	peak     int // the largest of the small registered halves of late
	flat     int // those since that were not larger
	flatSkip int
	skip     int // no fork is registered before done is that

	last time.Duration // of the looks at the clock
	busy time.Duration // the time this goroutine has worked since it was booked
	// Likewise, the work that others have taken over, in the time it would have
	// taken here, and how long this goroutine has waited for it.
	saved, waited time.Duration

	// How long calls took that are not booked yet, since they were short.
	carried time.Duration

	account *help.Account
	pace    *pace
	offer   help.Offer
	gate    sync.Mutex // locked; to park
}

const (
	// window is how many forks are registered at most.
	window = 4

	// A function with so few forks in a beat is coarse: there is time to offer
	// each of them.
	coarse = 2

	// Among forks that are no larger than those before, an active call registers so
	// many in a row: to have come to the last of a node's many children is worth
	// more than that costs.
	mostFlat = 16

	// A call that is not active looks at the clock every 1<<maxLull beats if there is
	// no help; an active one when there has been none for mostLull beats.
	maxLull, mostLull = 3, 16

	// One of so many calls looks at the clock at its first fork, since forks may have
	// become so slow that calls end before the first beat.
	sampleCall = 64

	// bookAfter is how long a call runs before its credit is changed: others may
	// want the cache line.
	bookAfter = 50 * time.Microsecond
)

// A pace is how fast a function comes by forks, and by how many in a call.
type pace struct {
	perFork atomic.Int64 // ps
	forks   atomic.Int64 // in a beat, at least 1

	// first is how many forks a call makes before its first beat: as many as in a
	// beat, or 0 where forks are coarse and calls last a beat, or where calls have
	// been long of late, longOnes in a row.
	first    atomic.Int64
	longOnes atomic.Int64
	usual    atomic.Int64 // forks in a call of those
}

// A call of so many beats is long; after so many of them another is expected.
const (
	longCall = 8
	inARow   = 3
)

// ended tells of a call with so many forks in all that was looked at.
func (p *pace) ended(forks int) {
	perBeat := p.forks.Load()
	if int64(forks) < longCall*perBeat {
		if p.longOnes.Load() != 0 {
			p.longOnes.Store(0)
		}
		first := perBeat
		if perBeat <= coarse && int64(forks)*p.perFork.Load() >= int64(help.Beat)*1000 {
			first = 0
		}
		if p.first.Load() != first {
			p.first.Store(first)
		}
		return
	}
	usual := int64(forks)
	if n := p.longOnes.Load(); n < inARow {
		p.longOnes.Store(n + 1)
	} else {
		usual = min((p.usual.Load()+usual)/2, usual)
		p.first.Store(0)
	}
	p.usual.Store(usual)
}

// rearm sets the next beat, n forks from now.
func (c *core) rearm(n int) {
	c.done += c.set - c.n
	c.n, c.set = n, n
}

// beat is called when the forks are counted down. It reports whether the present
// fork is to be registered.
func (c *core) beat() bool {
	c.rearm(0)
	perBeat := int(c.pace.forks.Load())
	if c.active {
		c.entries++
		idle := c.lull > mostLull && !help.Sched.Seeking(c.last)
		if since := c.done - c.lastDone; since >= perBeat && !idle || since >= perBeat<<maxLull || c.entries > 64 {
			c.tick(help.Clock(), perBeat)
		}
		if c.depth == window || c.done < c.skip {
			c.rearm(perBeat)
			return false
		}
		return true
	}

	now := help.Clock()
	if c.clocked {
		perBeat = c.learn(now, perBeat)
		c.worked(now)
		c.book()
	} else {
		c.clocked = true
		if c.early = c.done <= 1 && c.pace.first.Load() == 0; !c.early && perBeat > coarse {
			c.last, c.lastDone = now, c.done
			c.rearm(perBeat)
			return false
		}
	}
	c.last, c.lastDone = now, c.done
	if c.depth < window && c.findsHelp(now) {
		c.active, c.lull = true, 0
		c.entries, c.peak, c.flat, c.flatSkip, c.skip, c.expect = 0, 0, 0, 0, 0, 0
		if c.early {
			c.expect = int(c.pace.usual.Load())
		}
		return true
	}
	c.lull = min(c.lull+1, maxLull)
	c.rearm(perBeat << c.lull)
	return false
}

// findsHelp reports whether there are helpers for a call that is not active. One
// that is part of another's is not asked whether it can pay.
func (c *core) findsHelp(now time.Duration) bool {
	if !c.stolen && !c.account.MayAsk() {
		return false
	}
	return help.Sched.Seeking(now) || c.worthWaking() && help.Sched.CanWake(now)
}

// worthWaking reports whether the call has lasted as long as a wake takes, or is
// expected to last much longer, and can pay for one.
func (c *core) worthWaking() bool {
	perFork, price := c.pace.perFork.Load(), help.Sched.Price()*1000
	return c.account.MayWake() && (int(c.pace.forks.Load()) <= coarse || int64(c.done)*perFork > price ||
		c.early && c.pace.usual.Load()*perFork > 4*price)
}

// learn corrects what is known of the time per fork. A look that comes late says
// little, since this goroutine may not have run, so the time grows to the double
// at most.
func (c *core) learn(now time.Duration, perBeat int) int {
	took := max(now-c.last, 1)
	forks := c.done - c.lastDone
	if forks == 0 || help.Unreal(now) {
		return perBeat
	}
	c.learned = true
	old := c.pace.perFork.Load()
	seen := int64(min(took, time.Second)) * 1000 / int64(forks)
	c.again = seen > 2*old
	perFork := max(min(seen, 2*old), old/2, 1)
	if 8*max(perFork-old, old-perFork) > old { // others read it
		c.pace.perFork.Store(perFork)
		perBeat = int(max(1, int64(help.Beat)*1000/perFork))
		c.pace.forks.Store(int64(perBeat))
		if c.pace.first.Load() != 0 {
			c.pace.first.Store(int64(perBeat))
		}
	}
	return perBeat
}

// worked books the time since the last look, less what is so long that this
// goroutine cannot have run all of it. It is called before last is set anew.
func (c *core) worked(now time.Duration) {
	took := now - c.last
	if perFork := c.pace.perFork.Load(); perFork < int64(help.Beat)*1000/8 {
		known := time.Duration(int64(c.done-c.lastDone+1) * perFork / 1000)
		took = min(took, known+known/4)
	}
	c.busy += took
}

// tick is the beat of an active call.
func (c *core) tick(now time.Duration, perBeat int) {
	if c.entries <= 1 || perBeat <= coarse {
		c.learn(now, perBeat) // other forks take longer here than in plain recursion
	}
	c.worked(now)
	c.learned = true
	c.book()
	c.last, c.lastDone, c.entries = now, c.done, 0
	if c.old > c.published {
		c.offerUpTo(c.old)
	}
	c.old = c.depth
}

// offerUpTo offers frames to helpers, if there are any or one can be had.
func (c *core) offerUpTo(n int) {
	wake := false
	if !help.Sched.Seeking(c.last) {
		if wake = c.worthWaking() && help.Sched.CanWake(c.last); !wake {
			c.lull = min(c.lull+1, mostLull+1)
			return
		}
	}
	c.lull = 0
	if c.published == 0 && !help.Sched.Post(&c.offer) {
		return
	}
	c.offer.Work.Publish(n)
	if wake {
		help.Sched.Wake(c.account, 1)
	}
}

// pushed is called when a frame was registered.
func (c *core) pushed() {
	perBeat := int(c.pace.forks.Load())
	c.expect /= 2
	if perBeat <= coarse || c.expect >= perBeat && help.Sched.Seeking(c.last) {
		c.offerUpTo(c.depth)
	}
	switch {
	case c.depth < window && c.expect >= perBeat:
		c.rearm(0)
	default:
		c.rearm(perBeat / 2)
	}
}

// popped ends frame k and returns the forks in its first half.
func (c *core) popped(k, before int) int {
	c.rearm(c.n)
	c.depth = k
	c.old = min(c.old, k)
	return c.done - before
}

// between is called between a registered first half with so many forks and the
// second, which is likely to have about as many, or is the rest of many parts.
func (c *core) between(size int) {
	if c.expect = size; c.depth == 0 || size >= int(c.pace.forks.Load()) {
		c.rearm(0)
		c.skip = 0
	} else {
		c.pauseFor(size)
	}
}

// after is called after both halves. The next fork in a recursion is, in
// general, that of a part at least as large as the one that is done now. So the
// registered forks grow until one lasts for a beat. There is no need to look for
// such a one where what is behind an older frame is larger, and little hope where
// many in a row have been small.
func (c *core) after(size int) {
	perBeat := int(c.pace.forks.Load())
	if c.expect = 2 * size; c.expect >= perBeat {
		c.flat, c.flatSkip, c.peak = 0, 0, 0
		c.rearm(0)
		c.skip = 0
		return
	}
	c.expect = 0
	if c.depth == 0 {
		if size > c.peak {
			c.peak = size
		} else {
			c.flat++
		}
		if c.flat <= mostFlat {
			c.rearm(0)
			c.skip = 0
			return
		}
	}
	c.flat, c.peak = 0, 0
	c.flatSkip = min(c.flatSkip+1, 6)
	c.pauseFor(perBeat << c.flatSkip)
}

// pauseFor has no fork registered before so many have passed.
func (c *core) pauseFor(forks int) {
	c.rearm(min(forks, int(c.pace.forks.Load())))
	c.skip = c.done + forks
}

// begin makes the Task of a stolen half active.
func (c *core) begin(now time.Duration, expect int) {
	c.clocked, c.active, c.stolen = true, true, true
	c.last, c.lastDone = now, c.done
	c.expect = expect
	c.rearm(0)
}

// book makes known what was earned and gained, so that it can be spent.
func (c *core) book() {
	if !c.stolen && c.busy > bookAfter {
		c.account.Add(c.busy/help.Earns + c.saved - c.waited)
		c.busy, c.saved, c.waited = 0, 0, 0
	}
}

// settle ends a call that has looked at the clock.
func (c *core) settle() {
	c.rearm(0)
	c.pace.ended(c.done)
	switch {
	case c.learned:
	case c.lastDone == 1:
		// The look was before the halves of the first fork.
		now := help.Clock()
		c.lastDone = 0
		c.learn(now, 0)
		c.worked(now)
	default:
		// Calls of this size would never learn, and may be shorter than is thought.
		if c.once++; c.once%16 == 0 {
			c.learn(help.Clock(), 0)
			c.learned = false
		}
	}
	if c.learned {
		if c.helped || c.busy+c.carried >= bookAfter {
			c.account.Earn(c.busy + c.carried)
			c.account.Add(c.saved - c.waited)
			c.carried = 0
		} else {
			c.carried += c.busy
		}
	}
	c.reset()
}

func (c *core) reset() {
	c.clocked, c.learned, c.active, c.helped = false, false, false, false
	c.stolen, c.busy, c.saved, c.waited = false, 0, 0, 0
	c.lull, c.done, c.lastDone, c.expect, c.old = 0, 0, 0, 0, 0
	c.peak, c.flat, c.flatSkip, c.skip, c.entries = 0, 0, 0, 0, 0
}
