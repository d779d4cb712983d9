package pool

import (
	"context"
	"errors"
	"iter"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/internal/cacheline"
)

// A Batch is tasks of a [Pool] whose results are wanted together: make it with
// [Pool.Batch]. It keeps the results as long as it is in use. All methods may be
// called at once.
type Batch[In, Out any] struct {
	p        *Pool[In, Out]
	ctx      context.Context // as it was given
	canceled <-chan struct{} // when it is closed, tasks that have not begun are withdrawn; nil: never
	priority Priority
	job      job[In, Out]

	// slots has the results by index: the first 64, then as many again, and so on. Who
	// submits makes them; slot i is written by the one that has claimed task i, until that
	// is counted in ended.
	slots [32 - firstSlots + 1]atomic.Pointer[[]slot[Out]]
	n     atomic.Int64 // submitted
	_     cacheline.Pad

	// ended is how many tasks have, in the upper half, and in the lower the index, from 1
	// on, of the one that did last: the first of a list that goes on in slot.next, as far
	// as nobody has taken it.
	ended atomic.Uint64
	_     cacheline.Pad

	// wanted is for how many ends somebody waits; 0: nobody does. It is stored before
	// ended is looked at, and loaded after ended was moved.
	wanted atomic.Int64
	bell   chan struct{} // for a token

	mu      sync.Mutex // of calls that take results, or wait
	ready   []uint32   // indexes that were taken from the list, the first to end last
	taken   int64      // how many were
	settled int64      // the tasks below it have begun, or were withdrawn
}

// A slot is a result, and a link of the list of those that have ended.
type slot[Out any] struct {
	value   Out
	err     error
	next    uint32
	claimed atomic.Bool // see Batch.claim
}

// A Result is how a task has ended.
type Result[Out any] struct {
	Index int // of the task, from 0, in the order of submission
	Value Out
	Err   error
}

const (
	firstSlots = 6 // 64, as a power
	mostSlots  = min(1<<32-1-1<<firstSlots, math.MaxInt)
)

// Batch returns a Batch with no task in it. Its tasks run under ctx, as those of
// [Pool.Submit] do. When ctx is done, those that have not begun are withdrawn as soon as
// a call waits for the batch. They end with its cause, however busy the workers are.
func (p *Pool[In, Out]) Batch(ctx context.Context, how ...TaskOptions) *Batch[In, Out] {
	h := last(how)
	b := &Batch[In, Out]{p: p, ctx: ctx, priority: h.Priority, bell: make(chan struct{}, 1)}
	b.job.timeout, b.job.batch = h.Timeout, b
	if p.under(ctx, &b.job); b.job.ctx != nil {
		b.canceled = b.job.own.Parent().Done()
	}
	return b
}

// Submit is [Pool.Submit] with a result that is kept. Where it returns an error, the
// task counts as one that has failed with that.
func (b *Batch[In, Out]) Submit(in In) error {
	n := b.n.Add(1)
	if n > mostSlots {
		panic("pool: more tasks in a Batch than it can count")
	}
	at := int(n - 1)
	b.slot(at)
	err := b.p.submit(b.ctx, b.priority, task[In, Out]{in: in, at: at, job: &b.job})
	if err != nil && b.claim(at) {
		var none Out
		b.done(at, none, err)
	}
	return err
}

// claim reports whether a task is the caller's to end: it is about to run it, or says why
// it never runs. Where no task can be withdrawn only one comes for each, and it costs
// nothing.
func (b *Batch[In, Out]) claim(at int) bool {
	return b.canceled == nil || b.slot(at).claimed.CompareAndSwap(false, true)
}

// withdraw ends the tasks that have not begun. The caller has mu, or the batch to itself,
// and has found canceled closed. A task that is submitted after that fails in Submit.
func (b *Batch[In, Out]) withdraw() {
	cause := context.Cause(b.job.own.Parent())
	for n := b.n.Load(); b.settled < n; b.settled++ {
		if at := int(b.settled); b.claim(at) {
			var none Out
			b.done(at, none, cause)
		}
	}
}

// slot returns that of a task.
func (b *Batch[In, Out]) slot(at int) *slot[Out] {
	i := uint64(at) + 1<<firstSlots
	k := bits.Len64(i) - 1 - firstSlots
	p := &b.slots[k]
	s := p.Load()
	if s == nil {
		part := make([]slot[Out], 1<<(k+firstSlots))
		p.CompareAndSwap(nil, &part)
		s = p.Load()
	}
	return &(*s)[i-1<<(k+firstSlots)]
}

func (b *Batch[In, Out]) done(at int, out Out, err error) {
	s := b.slot(at)
	s.value, s.err = out, err
	for {
		old := b.ended.Load()
		s.next = uint32(old)
		if b.ended.CompareAndSwap(old, (old>>32+1)<<32|uint64(at+1)) {
			if n := b.wanted.Load(); n != 0 && int64(old>>32+1) >= n {
				select {
				case b.bell <- struct{}{}:
				default:
				}
			}
			return
		}
	}
}

// inner reports whether the batch is that of a task of its pool.
func (b *Batch[In, Out]) inner() bool { return b.ctx != background && b.p.isInside(b.ctx) }

// lock locks mu. Who has it may wait for tasks, so a task that waits for mu does too.
func (b *Batch[In, Out]) lock() {
	if !b.mu.TryLock() {
		b.p.crew.await(b.inner(), b.mu.Lock)
	}
}

// await returns when n tasks have ended. The caller has mu, or the batch to itself.
func (b *Batch[In, Out]) await(n int64) {
	if int64(b.ended.Load()>>32) >= n {
		return
	}
	b.p.crew.await(b.inner(), func() {
		canceled := b.canceled
		for {
			b.wanted.Store(n)
			if int64(b.ended.Load()>>32) >= n {
				break
			}
			select {
			case <-b.bell:
			case <-canceled:
				b.withdraw()
				canceled = nil // those that have begun are to end
			}
		}
		b.wanted.Store(0)
	})
}

// Wait returns when all tasks have ended that were submitted before, with their
// results in the order of submission. The errors of those that failed are joined, each
// an [*Error]; their results are what they returned with it.
//
// A task may wait for a batch of its own pool, made under its own context: another worker
// takes its place.
func (b *Batch[In, Out]) Wait() ([]Out, error) {
	b.lock()
	defer b.mu.Unlock()
	n := b.n.Load()
	b.await(n)
	out := make([]Out, n)
	var errs []error
	for i := range out {
		s := b.slot(i)
		out[i] = s.value
		if s.err != nil {
			errs = append(errs, &Error{i, s.err})
		}
	}
	return out, errors.Join(errs...)
}

// Results returns the results in the order in which tasks end, as they do. It ends when
// all were returned of those that are submitted by then, and a later call goes on there:
// each result is returned once.
func (b *Batch[In, Out]) Results() iter.Seq[Result[Out]] {
	return func(yield func(Result[Out]) bool) {
		for {
			at, ok := b.first()
			if !ok {
				return
			}
			s := b.slot(at)
			if !yield(Result[Out]{at, s.value, s.err}) {
				return
			}
		}
	}
}

// first returns the index of the task that has ended first, of those not returned yet.
// It waits for one, and returns false where all were.
func (b *Batch[In, Out]) first() (at int, ok bool) {
	b.lock()
	defer b.mu.Unlock()
	if len(b.ready) == 0 {
		if b.taken == b.n.Load() {
			return 0, false
		}
		b.await(b.taken + 1)
		old := b.ended.Load()
		for !b.ended.CompareAndSwap(old, old>>32<<32) {
			old = b.ended.Load()
		}
		for i := uint32(old); i != 0; i = b.slot(int(i - 1)).next {
			b.ready = append(b.ready, i-1)
		}
		b.taken += int64(len(b.ready))
	}
	end := len(b.ready) - 1
	at = int(b.ready[end])
	b.ready = b.ready[:end]
	return at, true
}
