package help

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/internal/cacheline"
)

// A Scheduler has the helpers, the board, and what all go by.
//
// Each group of fields is on cache lines of its own. None is written for each part
// of somebody's work: an answer at most each 30 µs, sought each 5, the others at a
// wake or the end of a helper.
type Scheduler struct {
	board board        // see there
	procs atomic.Int32 // GOMAXPROCS, by the last answer; read it by Procs
	_     cacheline.Pad

	// price is what a wake costs who wakes, and latency how long a helper takes from
	// its start until it runs, in ns, as averages. Who has seen one stores it.
	price, latency atomic.Int64
	_              cacheline.Pad

	// sought is the time until which somebody is taken to look for work. Who looks
	// stores it ahead of the clock, and again when half of that is over. Where there are
	// few processors, whoever has stored it last takes it back when it has found some.
	sought atomic.Int64
	_      cacheline.Pad

	answer answer // see there
	usage  usage  // see there

	// helpers is how many live, and starting how many of them were woken and have not
	// run yet. Who wakes adds, before they are started; a helper takes itself out.
	helpers, starting atomic.Int32
	// opened is the time up to which first credits were given. See [Account.Open].
	opened atomic.Int64
	_      cacheline.Pad

	Counts Counts
}

// Counts are what [par.Stats] tells. Helpers add when they leave, and each
// millisecond.
type Counts struct {
	Wakes, Late, Steals, Parts, Parks, Taken atomic.Uint64
}

const (
	// A Beat is how long a caller runs without looking at the clock. A look
	// costs 10 to 50 ns.
	Beat = 2 * time.Microsecond

	// What a wake is taken to cost before one was seen, and the most that is believed:
	// who was preempted in the middle of it has learned nothing.
	FirstPrice = 10 * time.Microsecond
	leastPrice = 500 * time.Nanosecond
	MostPrice  = 50 * time.Microsecond

	firstLatency = 50 * time.Microsecond
	mostLatency  = 2 * time.Millisecond

	// fan is how many helpers are started at a time. They start more, so a few will
	// do; and who starts them has work at hand.
	fan = 4

	// Callers that park start helpers up to so many for each processor. Of those who
	// are helpers themselves, each sleeps, so as many as there are processors are left.
	mostRelayed = 2
)

// Sched is the scheduler of the program. Tests replace it while no helper lives.
var Sched = NewScheduler()

func NewScheduler() *Scheduler {
	procs := runtime.GOMAXPROCS(0)
	s := &Scheduler{board: newBoard(max(procs, runtime.NumCPU()))}
	s.price.Store(int64(FirstPrice))
	s.latency.Store(int64(firstLatency))
	s.procs.Store(int32(procs))
	s.opened.Store(-firstCredits * Earns * int64(FirstPrice))
	return s
}

// Post puts o on the board, and reports whether there was room.
func (s *Scheduler) Post(o *Offer) bool { return s.board.post(o) }

// Remove takes o from the board, if it is there. A helper may still look at it.
func (s *Scheduler) Remove(o *Offer) { s.board.remove(o) }

// Helpers is how many helpers live.
func (s *Scheduler) Helpers() int { return int(s.helpers.Load()) }

// Procs is GOMAXPROCS as of now, or of the last answer, which is some ms old at most: a
// program may change it at any time, and so may the runtime. Not all
// code that goes by it looks for help, so it asks if it is time to. In a bubble it is what
// it was outside.
func (s *Scheduler) Procs(now time.Duration) int {
	s.look(now)
	return s.answered()
}

// answered is GOMAXPROCS by the last answer: for code that has looked by itself.
func (s *Scheduler) answered() int { return int(s.procs.Load()) }

// Price is what waking helpers costs who wakes, in ns.
func (s *Scheduler) Price() int64 { return s.price.Load() }

// Latency is how long helpers take until they run, in ns.
func (s *Scheduler) Latency() int64 { return s.latency.Load() }

// Seeking reports whether somebody looks for work.
func (s *Scheduler) Seeking(now time.Duration) bool {
	return int64(now) < s.sought.Load() && !InBubble(now)
}

// CanWake reports whether there is a processor that a helper could have. It costs a
// load or two, but for one caller in a period, who asks.
func (s *Scheduler) CanWake(now time.Duration) bool {
	s.look(now)
	return s.answer.free.Load() > 0 && !InBubble(now)
}

// Bring wakes up to want helpers where processors are idle and payer can pay. It
// returns how many. Everybody who takes part in some work calls it from time to
// time while there is work left: so those who were woken wake the next, and who had
// to leave is replaced.
func (s *Scheduler) Bring(now time.Duration, payer *Account, want int) int {
	if want <= 0 || !payer.MayWake() || !s.CanWake(now) {
		return 0
	}
	return s.Wake(payer, want)
}

// Wake is [Scheduler.Bring] after [Account.MayWake] and [Scheduler.CanWake].
func (s *Scheduler) Wake(payer *Account, want int) int {
	n := min(want, fan, int(payer.credit.Load()/max(1, s.price.Load())))
	if n = draw(&s.answer.free, n); n == 0 {
		return 0
	}
	s.helpers.Add(int32(n))
	s.starting.Add(int32(n))
	s.Counts.Wakes.Add(uint64(n))
	from := Clock()
	host.Start(n, func() { s.helper(from, payer) })
	cost := min(Clock()-from, MostPrice)
	s.price.Store(average(s.price.Load(), max(cost, leastPrice)))
	payer.Add(-cost)
	return n
}

// MayRelay reports whether [Scheduler.Relay] makes sense: payer may have help, there are
// not too many helpers, and somewhere on the board, from a place of chance on, is work.
func (s *Scheduler) MayRelay(payer *Account, chance int) bool {
	return payer.MayAsk() && int(s.helpers.Load()) < mostRelayed*s.answered() && s.board.ready(chance)
}

// Relay starts a helper that runs where the caller does, as soon as that parks: the
// processor stays at work, and no thread is woken.
func (s *Scheduler) Relay(payer *Account) {
	s.helpers.Add(1)
	host.Relay(func() { s.helper(0, payer) })
}

// average moves old an eighth of the way to what was seen.
func average(old int64, seen time.Duration) int64 { return old + (int64(seen)-old)/8 }

// Pretend has somebody seem to look for work, or nobody. It is for tests.
func (s *Scheduler) Pretend(seeking bool) {
	s.sought.Store(0)
	if seeking {
		s.sought.Store(1 << 62)
	}
}

// Absent ends a helper that was started and will not come. It is for tests.
func (s *Scheduler) Absent() {
	s.starting.Add(-1)
	s.helpers.Add(-1)
}
