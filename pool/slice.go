package pool

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/internal/cacheline"
	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/internal/help"
)

// A slice is a call of SubmitAll. All who work on it take parts from the front. In the
// ring it is one task, which stands for all that is left: who takes it takes a part,
// and puts the task back for the next before it does its part.
type slice[In, Out any] struct {
	p        *Pool[In, Out]
	ctx      context.Context
	priority Priority
	job      job[In, Out]
	in       []In
	out      []Out
	timeout  time.Duration

	mu      sync.Mutex
	errs    []*Error // guarded by mu
	skipped error    // likewise: why tasks have not begun
	back    []span   // likewise: of parts that were ended early
	all     chan struct{}

	_      cacheline.Pad
	next   atomic.Int64 // the first that nobody has taken; may be past the end
	left   atomic.Int64 // how many have not ended; who makes it 0 closes all
	backed atomic.Int64 // how many tasks back has; stored under mu
	queued atomic.Bool  // the task is in the ring
	_      cacheline.Pad
}

// A span is tasks [lo, hi).
type span struct{ lo, hi int }

const (
	// Parts take at least so long, so that handing them out costs little, and at most so
	// long, so that other tasks get their turn.
	leastPart = 8 * time.Microsecond
	mostPart  = 100 * time.Microsecond

	mostSpread = 8
)

// SubmitAll has all of ins worked on, and returns when that is done, with the results in
// their order. The errors of those that failed are joined, each an [*Error]; their
// results are what they returned with it. Tasks that have not begun when ctx is done are
// withdrawn, however busy the workers are, and its cause is one more error.
//
// The caller works too, where a worker could be woken for it, and so a SubmitAll of short
// tasks costs about what a loop does. Tasks that are short are taken in parts, of some
// ten microseconds: so they must not wait for each other. Where one of a part takes long
// after all, others take those behind it when it has ended. One that calls runtime.Goexit
// on the caller's goroutine ends the caller.
func (p *Pool[In, Out]) SubmitAll(ctx context.Context, ins []In, how ...TaskOptions) ([]Out, error) {
	h := last(how)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	out := make([]Out, len(ins))
	if len(ins) == 0 {
		return out, nil
	}
	s := &slice[In, Out]{p: p, priority: h.Priority, in: ins, out: out, timeout: h.Timeout, all: make(chan struct{})}
	s.left.Store(int64(len(ins)))
	p.crew.spread.Add(int64(len(ins)))
	p.under(ctx, &s.job)
	if s.ctx = s.job.ctx; s.ctx == nil {
		s.ctx = p.ctx
	}
	s.job.slice = s
	if ctx.Done() != nil {
		defer context.AfterFunc(ctx, func() { p.crew.split.Add(1) })()
	}
	inner := ctx != background && p.isInside(ctx)
	switch {
	case force.Current() == force.Spread && s.spread():
	case inner:
		s.workInside()
	case p.crew.enterSoon():
		s.workAndLeave()
	default:
		s.queued.Store(true)
		if err := p.submit(ctx, s.priority, task[In, Out]{job: &s.job}); err != nil {
			p.crew.spread.Add(-int64(len(ins)))
			return nil, err
		}
	}
	p.crew.await(inner, func() {
		select {
		case <-s.all:
		case <-ctx.Done():
			s.withdraw(context.Cause(ctx))
			<-s.all
		}
	})

	slices.SortFunc(s.errs, func(a, b *Error) int { return cmp.Compare(a.Index, b.Index) })
	var errs []error
	for _, e := range s.errs {
		errs = append(errs, e)
	}
	return out, errors.Join(append(errs, s.skipped)...)
}

// work does parts until there are none.
func (s *slice[In, Out]) work() (now time.Duration) {
	c := &s.p.crew
	for last := help.Clock(); ; last = now {
		lo, hi := s.take(last)
		if lo == hi {
			return last
		}
		s.share(last)
		n := s.run(lo, hi)
		now = help.Clock()
		c.learn(n, now-last)
		c.ask(now)
	}
}

// workAndLeave is work of a caller that has entered.
func (s *slice[In, Out]) workAndLeave() {
	var now time.Duration
	defer s.leave(&now)
	now = s.work()
}

// leave leaves the crew. Where a task ends the goroutine, another takes its place, if
// there is more to do.
func (s *slice[In, Out]) leave(now *time.Duration) {
	if s.rest() > 0 {
		s.p.crew.bequeath(task[In, Out]{job: &s.job})
	} else {
		s.p.crew.leave(0, *now, 0)
	}
}

// workInside is work of a task. Where one of the slice ends the goroutine, the others are
// done before it ends: nobody else may know of them.
func (s *slice[In, Out]) workInside() {
	defer func() {
		if s.rest() > 0 {
			s.workInside()
		}
	}()
	s.work()
}

// The rule: a worker that takes a part first sees to it that another one comes for the
// next, and goes on until there is none.
//
// help does parts for a worker. It returns how many tasks that was.
func (s *slice[In, Out]) help() (n int) {
	s.queued.Store(false)
	returned := false
	defer func() {
		if !returned { // the task that ended the goroutine has counted for its part
			s.p.crew.ended.Add(uint64(n))
		}
	}()
	for {
		now := help.Clock()
		lo, hi := s.take(now)
		if lo == hi {
			break
		}
		back := s.offer()
		s.hire(now)
		did := s.run(lo, hi)
		// What it has given back may be all that is left, and then nobody else knows of it.
		if n += did; back && did == hi-lo || s.rest() == 0 {
			break
		}
	}
	returned = true
	return n
}

// withdraw takes what is left, of which nothing is to begin.
func (s *slice[In, Out]) withdraw(cause error) {
	now := help.Clock()
	for lo, hi := s.take(now); lo < hi; lo, hi = s.take(now) {
		s.p.crew.withdrawn.Add(uint64(hi - lo))
		s.skip(hi-lo, cause)
	}
}

// skip ends n tasks that do not begin.
func (s *slice[In, Out]) skip(n int, cause error) {
	s.mu.Lock()
	s.skipped = cause
	s.mu.Unlock()
	s.ended(n)
}

// rest is how many nobody has taken, or somebody has given back.
func (s *slice[In, Out]) rest() int {
	return max(0, len(s.in)-int(s.next.Load())) + int(s.backed.Load())
}

// giveBack has tasks [lo, hi) of a part be taken again.
func (s *slice[In, Out]) giveBack(lo, hi int) {
	if lo >= hi {
		return
	}
	s.mu.Lock()
	s.back = append(s.back, span{lo, hi})
	s.backed.Add(int64(hi - lo))
	s.mu.Unlock()
	s.p.crew.spread.Add(int64(hi - lo))
}

// takeBack takes a part of what was given back.
func (s *slice[In, Out]) takeBack(now time.Duration) (lo, hi int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.back) == 0 {
		return 0, 0
	}
	b := &s.back[len(s.back)-1]
	lo = b.lo
	hi = min(b.hi, lo+s.part(b.hi-b.lo, now))
	if b.lo = hi; b.lo == b.hi {
		s.back = s.back[:len(s.back)-1]
	}
	s.backed.Add(int64(lo - hi))
	s.p.crew.spread.Add(int64(lo - hi))
	return lo, hi
}

// part is how many tasks a part has where so many are left.
func (s *slice[In, Out]) part(left int, now time.Duration) int {
	mean := s.p.crew.mean.Load()
	if mean == 0 {
		return 1
	}
	share := int64(left / (4 * help.Sched.Procs(now)))
	return int(max(1, int64(leastPart)/mean, min(share, int64(mostPart)/mean)))
}

// offer puts what is left into the ring, unless it is there, and reports whether it is.
func (s *slice[In, Out]) offer() bool {
	if s.rest() == 0 {
		return false
	}
	if s.queued.Load() || !s.queued.CompareAndSwap(false, true) {
		return true
	}
	if s.p.crew.try(s.priority, task[In, Out]{job: &s.job}) != nil {
		s.queued.Store(false)
		return false
	}
	return true
}

// share is offer for a caller that works itself: it does nothing where nobody else may,
// or it would not pay.
func (s *slice[In, Out]) share(now time.Duration) {
	c := &s.p.crew
	may := c.signs.Load()&may != 0
	switch mean := time.Duration(c.mean.Load()); {
	case mean == 0 || mean >= shortTask:
		if may || c.sized() {
			s.offer()
		}
	case c.looking.Load() > 0:
		s.offer()
	case may && s.worth(mean) && help.Sched.CanWake(now):
		if s.offer() {
			c.hire()
		}
	}
}

// hire wakes another worker where that pays. The crew does so where tasks are long. Where
// they are short it cannot tell: it sees one task that waits, and not what that stands
// for.
func (s *slice[In, Out]) hire(now time.Duration) {
	c := &s.p.crew
	if mean := time.Duration(c.mean.Load()); c.signs.Load()&may != 0 && mean < shortTask &&
		s.queued.Load() && s.worth(mean) && help.Sched.CanWake(now) {
		c.hire()
	}
}

// worth reports whether what is left, divided by two, is worth a wake.
func (s *slice[In, Out]) worth(mean time.Duration) bool {
	return time.Duration(s.rest())*mean >= 2*worthWake
}

// spread does all parts at the same time, on goroutines of their own, where two may be
// active: so that the race detector sees what could run at once (see internal/force). It
// reports false where it did nothing.
func (s *slice[In, Out]) spread() bool {
	c := &s.p.crew
	n := c.reserve(min(len(s.in), mostSpread))
	if n < 2 {
		c.cede(n)
		return false
	}
	at := force.Cuts(len(s.in), n)
	c.cede(n - (len(at) - 1))
	c.spread.Add(-int64(len(s.in)))
	s.next.Store(int64(len(s.in)))
	// What they lock before their parts they lock before any part begins: so that orders no
	// part after another.
	var ready sync.WaitGroup
	begin := make(chan struct{})
	for i := range at[1:] {
		ready.Add(1)
		go func() {
			c.enlist()
			ready.Done()
			<-begin
			now := help.Clock()
			defer s.leave(&now)
			s.run(at[i], at[i+1])
			for lo, hi := s.take(now); lo < hi; lo, hi = s.take(now) {
				s.run(lo, hi)
			}
		}()
	}
	ready.Wait()
	close(begin)
	return true
}

// take takes a part, which is empty where nothing is left.
func (s *slice[In, Out]) take(now time.Duration) (lo, hi int) {
	if s.backed.Load() > 0 {
		if lo, hi = s.takeBack(now); lo < hi {
			return lo, hi
		}
	}
	n := int64(len(s.in))
	next := s.next.Load()
	if next >= n {
		return 0, 0
	}
	part := int64(s.part(int(n-next), now))
	from := s.next.Add(part) - part
	if from >= n {
		return 0, 0
	}
	to := min(from+part, n)
	s.p.crew.spread.Add(from - to)
	return int(from), int(to)
}

// run does a part, and returns how many tasks it did: it gives back the others where
// somebody wants parts to end.
func (s *slice[In, Out]) run(lo, hi int) (n int) {
	if s.ctx.Err() != nil {
		s.skip(hi-lo, context.Cause(s.ctx))
		return hi - lo
	}
	c := &s.p.crew
	split := c.split.Load()
	if hi-lo > 1 {
		c.beginPart()
		defer c.endPart()
	}
	i := lo
	for i < hi && (i == lo || c.split.Load() == split) {
		i = s.stretch(i, lo, hi, split)
	}
	s.giveBack(i, hi)
	s.ended(i - lo)
	return i - lo
}

func (s *slice[In, Out]) ended(n int) {
	if s.left.Add(-int64(n)) == 0 {
		close(s.all)
	}
}

// stretch does tasks [i, hi) of part [lo, hi), up to one that panics, or until split is
// not what it was, and returns the next. Where one ends the goroutine, it gives back those
// behind it.
func (s *slice[In, Out]) stretch(i, lo, hi int, split uint32) (next int) {
	c := &s.p.crew
	returned := false
	defer func() {
		if returned {
			return
		}
		v := recover()
		s.failed(i, asError(v))
		next = i + 1
		if v == nil {
			s.giveBack(next, hi)
			c.ended.Add(uint64(next - lo))
			s.ended(next - lo)
		}
	}()
	if s.timeout > 0 {
		for more := true; more && i < hi; i++ {
			var err error
			if s.out[i], err = s.p.call(s.ctx, s.timeout, s.in[i]); err != nil {
				s.failed(i, err)
			}
			more = c.split.Load() == split
		}
	} else {
		fn, ctx := s.p.fn, s.ctx
		in, out := s.in[:hi], s.out[:hi]
		for more := true; more && i < len(in) && i < len(out); i++ {
			v, err := fn(ctx, in[i])
			if out[i] = v; err != nil {
				s.failed(i, err)
			}
			more = c.split.Load() == split
		}
	}
	returned = true
	return i
}

func (s *slice[In, Out]) failed(i int, err error) {
	s.mu.Lock()
	s.errs = append(s.errs, &Error{i, err})
	s.mu.Unlock()
}
