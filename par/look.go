package par

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/internal/help"
)

// The rule: a call asks for help once a look at the clock has found that it lasts, and
// gives away the half nearest to the root that it has not begun.
//
// A core is the part of a Task that decides, once in a while, what becomes of the
// next fork. It counts forks, and so knows how much time has passed, about. Every
// [help.Beat] it has a beat, and at a beat, mostly, a look at the clock.
//
// These are all of its rules.
//
//   - Look. A call looks at every beat, with many processors at every second to ninth
//     ([lookEvery]); after eight without help only at every eighth of these, or where a
//     helper seeks work. Forks that are registered count for more ([registerCost]), and
//     one that takes as long by itself is looked at. A call begins with a beat's worth of
//     plain recursion, which most calls do not outlast. One that is expected to be
//     long, and one of 64 whatever is expected, looks at its first fork.
//   - Active. A call becomes active where, at a look, helpers seek work or one can
//     be woken and paid.
//   - Register. An active call registers the next fork where there is a frame for it.
//     What a frame holds grows: the fork that follows a half in a recursion is, in
//     general, that of a part at least as large. But where halves are small it stops
//     for some beats after some tries, since most forks of most recursions are
//     small, and one that is registered costs ten that are not.
//   - Offer. A frame is offered to helpers where a beat has passed since it was
//     registered, or at once where its half is believed to take a beat. Helpers are
//     woken while frames and processors are left.
//
// Four frames that nobody has taken are enough. What is behind a frame is a large
// part of the work, since frames are filled from the root of the recursion down; and
// a half that is taken registers forks of its own.
//
// All fields belong to the goroutine of the Task.
type core struct {
	n    int    // forks to the next beat
	set  int    // what n was last set to
	done int64  // forks of the call before that
	gen  uint64 // calls of this Task so far

	// The last look, if the call had one.
	clocked bool
	whole   bool          // the first look was at the first fork
	last    time.Duration // the time of it
	seen    int64         // done at it
	slow    int64         // calls of beat since
	lull    int           // looks in a row without help
	every   int64         // beats to a look

	pace // as this call goes by it, once clocked

	active   bool
	stolen   bool  // this is somebody else's half
	believed int64 // leaves in the part that runs now; 0: not known
	tries    int   // small halves in a row that were registered
	resume   int64 // until done is this, no fork is registered

	depth     int // frames in use
	old       int // of them, those of the last look
	published int // of them, those that helpers may take
	taken     int // of them, those that thieves had at the last look

	usual int64 // leaves that were expected at the first look

	// Time that is not booked: that this goroutine has worked, that thieves have worked
	// who are done, and that this goroutine has waited for them.
	busy, gained, waited time.Duration
	booked               uint8 // times, for a thief

	// dropped is the frame's, of a stolen half; its owner sets it.
	dropped *atomic.Bool

	// frames are the Task's, whose first n it publishes, or of which it counts those that
	// were taken, from the n'th on.
	frames interface {
		Publish(n int)
		countTaken(n int) int
	}
	account *help.Account
	history *history // of the Func
	offer   help.Offer
	gate    sync.Mutex // locked; to park

	// relayed: a helper was started in the place of this goroutine, which parks. It is
	// set before the frame is parked, and read by the thief that ends that.
	relayed bool
}

const (
	// window is how many frames there are at most that nobody has taken, and mostFrames
	// how many in all: what is behind a frame that was taken halves with each.
	window     = 4
	mostFrames = 12

	// After so many small halves in a row no fork is registered for so many beats.
	mostTries = 16
	restBeats = 8

	// After so many looks without help a call looks every so many beats.
	mostLull  = 8
	lullBeats = 8

	// A call of so many beats is long; after two of them another is expected.
	longBeats = 8

	// One of so many calls looks at its first fork whatever is expected: forks may
	// have become so slow that calls end before the first beat.
	sampleCall = 64

	// What a registered fork costs, as a part of a beat.
	registerCost = 32

	// bookAfter is how much time a Task books at once: the account is everybody's.
	bookAfter = 50 * time.Microsecond
)

// lookEvery returns how many beats there are to a look. All look at the word that says
// whether somebody seeks work; after a change each fetches it anew, one after the
// other, which many processors must not do all the time.
func lookEvery(now time.Duration) int64 { return int64(1 + help.Sched.Procs(now)/32) }

// start begins a call.
func (c *core) start() {
	c.gen++
	c.n = int(c.history.first.Load())
	if c.gen%sampleCall == 0 {
		c.n = 0
	}
	c.set = c.n
}

// startStolen makes the call one of a half that was taken. Helpers are there, so it
// is active from the beginning.
func (c *core) startStolen(owner pace, dropped *atomic.Bool) {
	c.last, c.dropped = help.Clock(), dropped
	c.pace, c.every = owner, lookEvery(c.last)
	c.n, c.set = 0, 0
	c.clocked, c.active, c.stolen = true, true, true
}

// endStolen ends it. It returns how many leaves it had, and the time that is not booked:
// that is left to the owner, since most halves are small and the account is everybody's.
func (c *core) endStolen() (leaves int64, gained time.Duration) {
	c.count(0)
	c.passed(help.Clock())
	gained = c.busy + c.gained
	c.busy, c.gained, c.waited = 0, 0, 0
	return c.done + 1, gained
}

// end ends a call.
func (c *core) end() {
	c.count(0)
	if c.clocked && !c.stolen {
		if c.whole && c.seen <= 1 { // there was but that look, before all halves
			c.seen = 0
			c.passed(help.Clock())
		}
		c.history.leave(c.last, c.pace, c.done+1)
		c.book(c.gained > 0)
	}
	c.reset()
}

func (c *core) reset() {
	c.n, c.set, c.done, c.seen, c.slow = 0, 0, 0, 0, 0
	c.clocked, c.whole, c.active, c.stolen = false, false, false, false
	c.lull, c.believed, c.tries, c.resume, c.old, c.taken, c.booked = 0, 0, 0, 0, 0, 0, 0
	c.dropped = nil
}

// count sets the next beat, n forks from now, and counts those before.
func (c *core) count(n int64) {
	c.done += int64(c.set - c.n)
	c.n, c.set = int(n), int(n)
}

// beat is called when the forks are counted down. It reports whether the present
// fork is to be registered.
func (c *core) beat() bool {
	c.count(0)
	if !c.clocked {
		c.pace, c.usual = c.history.load(), c.history.usual.Load()
	}
	beats := c.every
	if c.lull >= mostLull && !help.Sched.Seeking(c.last) {
		beats *= lullBeats
	}
	c.slow++
	if !c.clocked || c.done-c.seen+c.slow*c.perBeat/registerCost >= beats*c.perBeat ||
		c.perFork >= beats*int64(help.Beat)*1000 { // one fork takes as long
		c.look()
	}
	if c.active && c.hasFrame() && c.done >= c.resume {
		return true
	}
	c.count(c.perBeat - 1)
	return false
}

// hasFrame reports whether there is a frame for the next fork.
func (c *core) hasFrame() bool { return c.depth < min(c.taken+window, mostFrames) }

// look looks at the clock, and for help.
func (c *core) look() {
	now := help.Clock()
	if c.clocked {
		c.passed(now)
		c.book(false)
	} else {
		c.clocked, c.whole, c.every = true, c.done <= 1, lookEvery(now)
	}
	c.last, c.seen, c.slow = now, c.done, 0
	if c.published > c.taken {
		c.taken = c.frames.countTaken(c.taken)
	}
	switch {
	case !c.active:
		if c.hasFrame() && c.findsHelp() {
			c.active, c.lull, c.tries, c.resume, c.believed = true, 0, 0, 0, 0
			if c.whole && c.done <= 1 {
				c.believed = c.usual
			}
		} else {
			c.lull++
		}
	case c.old > 0:
		c.offerUpTo(c.old)
	default:
		c.lull++
	}
	c.old = c.depth
}

// passed learns from the time since the last look, and counts it as worked, less
// what is so long that this goroutine cannot have run all of it.
func (c *core) passed(now time.Duration) {
	took := max(now-c.last, 1)
	forks, perFork := c.done-c.seen, c.perFork
	if forks > 0 && !help.Unreal(now) && (!c.active || c.slow <= 1 || c.perBeat == 1) {
		// Where some may be registered, they take longer than those of plain recursion.
		c.saw(int64(min(took, time.Second)) * 1000 / forks)
	}
	if perFork < int64(help.Beat)*1000/8 {
		known := time.Duration((forks + 1) * perFork / 1000)
		took = min(took, known+known/4)
	}
	c.busy += took
}

// findsHelp reports whether there is help for a call that is not active.
func (c *core) findsHelp() bool {
	return c.account.MayAsk() && (help.Sched.Seeking(c.last) || c.canWake())
}

// canWake reports whether a helper can be woken and is worth it: where the call has
// lasted as long as a wake takes, or is expected to last much longer, or where a fork
// takes a beat, so that nothing is known of what its halves hold.
func (c *core) canWake() bool {
	if !c.account.MayWake() {
		return false
	}
	perFork, price := c.perFork, help.Sched.Price()*1000
	return (c.stolen || c.perBeat == 1 ||
		c.done*perFork > price || c.whole && c.usual*perFork > 4*price) &&
		help.Sched.CanWake(c.last)
}

// offerUpTo offers the first n frames to helpers, if there are any or one can be
// woken, and wakes as many as there are frames and processors for.
func (c *core) offerUpTo(n int) {
	seeking := help.Sched.Seeking(c.last)
	if n > c.published && (seeking || c.canWake()) && (c.published > 0 || help.Sched.Post(&c.offer)) {
		c.frames.Publish(n)
	}
	woken := help.Sched.Bring(c.last, c.account, c.published-c.taken)
	if seeking || woken > 0 {
		c.lull = 0
	} else {
		c.lull++
	}
}

// pushed is called when a frame was registered, before its first half.
func (c *core) pushed() {
	c.depth++
	if c.believed > 0 {
		c.believed = max(1, c.believed/2)
	}
	if c.believed >= c.perBeat || c.perBeat == 1 {
		c.tries = 0
		c.offerUpTo(c.depth)
	} else if c.tries++; c.tries == mostTries {
		c.tries, c.resume = 0, c.done+restBeats*c.perBeat
	}
	if c.believed == 0 || c.believed >= c.perBeat {
		c.count(0)
	} else {
		c.count(c.perBeat - 1)
	}
}

// popped ends frame k.
func (c *core) popped(k int) {
	c.count(int64(c.n))
	c.depth = k
	c.old, c.taken = min(c.old, k), min(c.taken, k)
}

// between is called between the halves of a registered fork. The second is likely to
// have as many leaves as the first, or as were believed.
func (c *core) between(leaves int64) {
	c.believed = leaves
	if leaves < c.perBeat {
		c.count(min(4*leaves, c.perBeat-1))
	} else {
		c.resume = 0
		c.count(0)
	}
}

// after is called after both halves. The next fork of a recursion is, in general,
// that of a part at least as large as the one that is done now.
func (c *core) after(leaves int64) {
	c.believed = leaves
	if leaves >= c.perBeat {
		c.resume = 0
	}
	c.count(0)
}

// book makes known what was earned, so that it can be spent. The gain is what thieves
// work less what the caller waits for them; what they wait is in its time already. It
// pays for the next wakes, so a thief books soon at first, and then seldom.
func (c *core) book(now bool) {
	if !now && c.busy < bookAfter<<c.booked {
		return
	}
	if c.stolen {
		if c.account.Rich() {
			return // what the most credit would cut off is left to the owner
		}
		c.booked++
		c.account.Add(c.busy + c.gained)
	} else {
		c.account.Add(c.busy/help.Earns + c.gained - c.waited)
	}
	c.busy, c.gained, c.waited = 0, 0, 0
}
