package pipe

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gopayoff/payoff/internal/help"
)

// A lane is what a goroutine needs to work on batches of a segment. It is used by one
// at a time.
type lane struct {
	seg    *segment
	shared *shared // nil: the caller's
	ctx    context.Context
	// vecs are the results of the stages but the last; more of them where there are
	// more than fewStages.
	vecs [fewStages - 1]vector
	more []vector

	// These are of the batch that is worked on.
	st       *stage // that runs; nil: none
	base     int    // the index of the first item
	end      *ending
	gathered []error

	// place and item are where a function has panicked.
	place int
	item  any

	local   bool   // it is the caller's
	own     bool   // it is of one of the segment's own goroutines
	batches uint32 // that were counted
}

// A batch is items on their way through a segment.
type batch struct {
	in, out vector
	base    int // the index of the first item, of those that the segment gets
	n       int // items
	end     *ending
	// gathered are errors that did not end the run: of the source at first, if it had any.
	gathered []error

	result vector // in or out

	yield bool // who fills the source was let go on by what was taken for this batch

	// done: it was worked on. gone: it was delivered.
	done, gone bool
}

// An ending is how a batch ended that was not worked on to its end: by one of three.
type ending struct {
	err      error
	panicked *Panic
	// elsewhere: it did so on another goroutine than the caller's.
	elsewhere bool
	exited    bool // by runtime.Goexit
	index     int  // of the item
}

// work applies the stages to the items of b.
func (l *lane) work(b *batch) {
	stages := l.seg.stages
	b.result = b.in
	if len(stages) == 0 {
		return
	}
	l.base = b.base
	defer l.worked(b)
	if l.seg.counters != nil {
		l.workMetered(b)
		return
	}
	v, last := b.in, len(stages)-1
	for i := range stages[:last] {
		l.st = &stages[i]
		p := l.vec(i)
		v = l.st.op.run(l, v, *p)
		*p = v
	}
	l.st = &stages[last]
	b.out = l.st.op.run(l, v, b.out)
	b.result = b.out
	l.st = nil
}

// vec returns the place of the results of stage i.
func (l *lane) vec(i int) *vector {
	if i < len(l.vecs) {
		return &l.vecs[i]
	}
	i -= len(l.vecs)
	for i >= len(l.more) {
		l.more = append(l.more, nil)
	}
	return &l.more[i]
}

// worked is deferred by who works on b.
func (l *lane) worked(b *batch) {
	if l.st != nil {
		l.broken(b, recover())
	}
	if l.end != nil {
		b.end, l.end = l.end, nil
	}
	if l.gathered != nil {
		if b.end != nil {
			// A stage before has been called for items that come after, of the same batch.
			l.gathered = slices.DeleteFunc(l.gathered, func(err error) bool { return err.(*Error).Index > b.end.index })
		}
		b.gathered, l.gathered = append(b.gathered, l.gathered...), nil
	}
}

// broken is called where a function did not return, with what it has panicked with, if
// it has. Else this is Goexit, and goes on.
func (l *lane) broken(b *batch, v any) {
	b.result = nil
	if v == nil {
		l.end = &ending{exited: true, index: l.base + l.place}
	} else {
		l.end = &ending{index: l.base + l.place, panicked: asPanic(v, l.st, l.base+l.place, l.item), elsewhere: !l.local}
	}
	l.st, l.item = nil, nil
}

// failed is called by an op whose function has returned an error for an item. It
// reports whether the op is to go on, without that.
func (l *lane) failed(place int, item any, err error) bool {
	rule := stopRule
	if l.st.about != nil {
		rule = l.st.about.rule
	}
	if l.seg.counters != nil {
		l.seg.countError(l.st)
	}
	if l.ctx.Err() != nil { // the run ends by that, whatever the function makes of it
		l.end = &ending{err: l.ctx.Err(), index: l.base + place}
		return false
	}
	switch rule {
	case Skip:
		return true
	case Gather:
		l.gathered = append(l.gathered, &Error{l.st.name(), l.base + place, item, err})
		return true
	}
	l.end = &ending{err: &Error{l.st.name(), l.base + place, item, err}, index: l.base + place}
	return false
}

// again reports whether the function is to be called again that has returned err, for
// the try'th time, from 0. It waits before that, also for the stage's rate.
func (l *lane) again(try int, err error) bool {
	a := l.st.about
	if a == nil || try >= a.retry.Times || l.ctx.Err() != nil || a.retry.If != nil && !a.retry.If(err) {
		return false
	}
	if a.retry.Pause <= 0 {
		return a.pace == nil || a.pace.wait(l.ctx)
	}
	d := doubled(a.retry.Pause, try)
	if most := a.retry.Longest; most > 0 {
		d = min(d, most)
	}
	d -= time.Duration(rand.Int64N(int64(d)/2 + 1))
	return sleep(l.ctx, d) && (a.pace == nil || a.pace.wait(l.ctx))
}

// doubled returns d, doubled so many times, or the longest Duration there is.
func doubled(d time.Duration, times int) time.Duration {
	if times > 62 || d > math.MaxInt64>>times {
		return math.MaxInt64
	}
	return d << times
}

// paced reports whether the stage has a rate.
func (l *lane) paced() bool { return l.st.about != nil && l.st.about.pace != nil }

// wait waits until the stage's rate allows a call. It returns false where the context
// is done before.
func (l *lane) wait(place int) bool {
	sh := l.shared
	if sh != nil {
		sh.staff.turns.Add(1)
	}
	ok := l.st.about.pace.wait(l.ctx)
	if sh != nil {
		sh.staff.turns.Add(-1)
	}
	if !ok {
		l.end = &ending{err: l.ctx.Err(), index: l.base + place}
		return false
	}
	if sh != nil && sh.staff.on.Load() {
		sh.recruit(clock()) // somebody to wait for the next
	}
	return true
}

// sleep waits for d, and reports whether ctx was not done before.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// clock is help.Clock.
func clock() time.Duration { return help.Clock() }
