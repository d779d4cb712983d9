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
	all     chan struct{}

	_      cacheline.Pad
	next   atomic.Int64 // the first that nobody has taken; may be past the end
	left   atomic.Int64 // how many have not ended; who makes it 0 closes all
	queued atomic.Bool  // the task is in the ring
	_      cacheline.Pad
}

const (
	// Parts take at least so long, so that handing them out costs little, and at most so
	// long, so that other tasks get their turn.
	leastPart = 8 * time.Microsecond
	mostPart  = 100 * time.Microsecond

	mostSpread = 8
)

// SubmitAll has all of ins worked on, and returns when that is done, with the results in
// their order. The errors of those that failed are joined, each an [*Error]; their
// results are what they returned with it. Tasks that have not begun when ctx is done do
// not, and its cause is one more error.
//
// The caller works too, where a worker could be woken for it, and so a SubmitAll of short
// tasks costs about what a loop does. Tasks that are short are taken in parts, of some
// ten microseconds: so they must not wait for each other. One that calls runtime.Goexit
// on the caller's goroutine ends the caller.
func (p *Pool[In, Out]) SubmitAll(ctx context.Context, ins []In, how ...Task) ([]Out, error) {
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
	if s.ctx = p.join(ctx, &s.job.own); s.ctx == nil {
		s.ctx = p.ctx
	}
	s.job.slice = s
	inner := ctx != background && p.isInside(ctx)
	switch {
	case force.Current() == force.Spread && s.spread():
	case inner:
		s.work()
	case p.crew.enterSoon():
		s.workAndLeave()
	default:
		s.queued.Store(true)
		if err := p.submit(ctx, s.priority, task[In, Out]{job: &s.job}); err != nil {
			p.crew.spread.Add(-int64(len(ins)))
			return nil, err
		}
	}
	p.crew.await(func() { <-s.all })

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
		lo, hi := s.take()
		if lo == hi {
			return last
		}
		s.share(last)
		s.run(lo, hi)
		now = help.Clock()
		c.learn(hi-lo, now-last)
		c.ask(now)
	}
}

// workAndLeave is work of a caller that has entered.
func (s *slice[In, Out]) workAndLeave() {
	var now time.Duration
	defer func() { s.p.crew.leave(0, now, 0) }() // also where a task ends the goroutine
	now = s.work()
}

// help does a part for a worker. It returns how many tasks that was.
func (s *slice[In, Out]) help() (n int) {
	s.queued.Store(false)
	for {
		lo, hi := s.take()
		if lo == hi {
			return n
		}
		back := s.offer()
		s.hire(help.Clock())
		s.run(lo, hi)
		if n += hi - lo; back || s.rest() == 0 {
			return n
		}
	}
}

// rest is how many nobody has taken.
func (s *slice[In, Out]) rest() int { return max(0, len(s.in)-int(s.next.Load())) }

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
			defer func() { c.leave(0, help.Clock(), 0) }() // also where a task ends the goroutine
			s.run(at[i], at[i+1])
		}()
	}
	ready.Wait()
	close(begin)
	return true
}

// take takes a part, which is empty where nothing is left.
func (s *slice[In, Out]) take() (lo, hi int) {
	n := int64(len(s.in))
	next := s.next.Load()
	if next >= n {
		return 0, 0
	}
	mean := s.p.crew.mean.Load()
	part := int64(1)
	if mean != 0 {
		share := (n - next) / int64(4*help.Sched.Procs())
		part = max(1, int64(leastPart)/mean, min(share, int64(mostPart)/mean))
	}
	from := s.next.Add(part) - part
	if from >= n {
		return 0, 0
	}
	to := min(from+part, n)
	s.p.crew.spread.Add(from - to)
	return int(from), int(to)
}

// run does a part.
func (s *slice[In, Out]) run(lo, hi int) {
	if s.ctx.Err() != nil {
		s.mu.Lock()
		s.skipped = context.Cause(s.ctx)
		s.mu.Unlock()
	} else {
		for i := lo; i < hi; {
			i = s.stretch(i, lo, hi)
		}
	}
	s.ended(hi - lo)
}

func (s *slice[In, Out]) ended(n int) {
	if s.left.Add(-int64(n)) == 0 {
		close(s.all)
	}
}

// stretch does tasks [i, hi) of part [lo, hi), up to one that panics, and returns the
// next. Where one ends the goroutine, another goes on.
func (s *slice[In, Out]) stretch(i, lo, hi int) (next int) {
	returned := false
	defer func() {
		if returned {
			return
		}
		v := recover()
		s.failed(i, asError(v))
		next = i + 1
		if v == nil {
			go func() {
				for next < hi {
					next = s.stretch(next, lo, hi)
				}
				s.ended(hi - lo)
			}()
		}
	}()
	if s.timeout > 0 {
		for ; i < hi; i++ {
			var err error
			if s.out[i], err = s.p.call(s.ctx, s.timeout, s.in[i]); err != nil {
				s.failed(i, err)
			}
		}
	} else {
		fn, ctx := s.p.fn, s.ctx
		in, out := s.in[:hi], s.out[:hi]
		for ; i < len(in) && i < len(out); i++ {
			v, err := fn(ctx, in[i])
			if out[i] = v; err != nil {
				s.failed(i, err)
			}
		}
	}
	returned = true
	return hi
}

func (s *slice[In, Out]) failed(i int, err error) {
	s.mu.Lock()
	s.errs = append(s.errs, &Error{i, err})
	s.mu.Unlock()
}
