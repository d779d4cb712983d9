package par

import (
	"context"
	"iter"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/internal/help"
)

// ForSeq calls body for each element of seq. It is [ForEach] for what is not in a
// slice.
//
// seq runs on the goroutine of the caller, which collects elements and then works
// on them as ForEach does. It collects one at first, and then as many as take
// about two milliseconds, at most 8192. Where elements take longer than that, it
// collects two for each processor. So seq may be endless; but one that waits
// holds back what it has yielded before. For a stream whose source takes as long
// as the work, use goroutines and package queue.
//
// f gets an element after seq has yielded later ones: seq must not reuse what it
// has yielded, as a sequence of [bufio.Scanner.Bytes] does. Yield a copy, such as
// [bufio.Scanner.Text]. The results are wrong otherwise; with the race detector
// or package partest also for two elements.
//
// body never runs at the same time as seq.
//
// Panics and [runtime.Goexit] of body come out of ForSeq as they do of [ForEach],
// and end seq. ForSeq panics where seq or body is nil.
func ForSeq[E any](seq iter.Seq[E], body func(v E), limit ...Limit) {
	if seq == nil {
		panic("par.ForSeq: seq is nil")
	}
	if body == nil {
		panic("par.ForSeq: body is nil")
	}
	key := code(body)
	inBatches(seq, func(batch []E) bool {
		forEach(key, 0, batch, limit, func(_ int, v *E) { body(*v) })
		return true
	}, nil)
}

// ForSeq2 is [ForSeq] for a sequence of pairs, of which seq must reuse neither.
func ForSeq2[K, V any](seq iter.Seq2[K, V], body func(k K, v V), limit ...Limit) {
	if seq == nil {
		panic("par.ForSeq2: seq is nil")
	}
	if body == nil {
		panic("par.ForSeq2: body is nil")
	}
	key := code(body)
	inBatches(couples(seq), func(batch []couple[K, V]) bool {
		forEach(key, 0, batch, limit, func(_ int, p *couple[K, V]) { body(p.k, p.v) })
		return true
	}, nil)
}

// ForSeqContext is [ForSeq] with a body that may fail, and that stops when ctx is
// done: see [ForContext]. Of what seq has yielded, some may not be worked on then.
// As in ForSeq, seq must not reuse what it has yielded.
func ForSeqContext[E any](ctx context.Context, seq iter.Seq[E], body func(ctx context.Context, v E) error, limit ...Limit) error {
	if seq == nil {
		panic("par.ForSeqContext: seq is nil")
	}
	if body == nil {
		panic("par.ForSeqContext: body is nil")
	}
	return forSeqContext(ctx, code(body), seq, limit, func(ctx context.Context, _ int, v *E) error { return body(ctx, *v) })
}

// ForSeq2Context is to [ForSeq2] what [ForSeqContext] is to [ForSeq]. Here too seq
// must not reuse what it has yielded.
func ForSeq2Context[K, V any](ctx context.Context, seq iter.Seq2[K, V], body func(ctx context.Context, k K, v V) error, limit ...Limit) error {
	if seq == nil {
		panic("par.ForSeq2Context: seq is nil")
	}
	if body == nil {
		panic("par.ForSeq2Context: body is nil")
	}
	return forSeqContext(ctx, code(body), couples(seq), limit, func(ctx context.Context, _ int, p *couple[K, V]) error {
		return body(ctx, p.k, p.v)
	})
}

func forSeqContext[E any](ctx context.Context, key uintptr, seq iter.Seq[E], limit []Limit, body func(ctx context.Context, i int, v *E) error) (err error) {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	inBatches(seq, func(batch []E) bool {
		err = forEachContext(ctx, key, 0, batch, limit, body)
		return err == nil
	}, nil)
	return err
}

// MapSeq returns the sequence of f(v) for every v of seq, in the order of seq. It
// is [Map] for what is not in a slice. While the caller iterates over the result,
// f runs for elements ahead of the one yielded last. [ForSeq] says how many. f
// has returned for all of those when the first of them is yielded.
//
//	for page := range par.MapSeq(urls, render) {
//
// As in ForSeq, seq must not reuse what it has yielded. No f runs at the same
// time as seq or the body of the loop over the result: it needs no locks against
// them. So only f becomes faster. Where seq or that body takes as long as f, a
// goroutine for it and a queue gain more.
//
// A loop that stops iterating stops seq, and leaves no goroutine behind. Panics and
// [runtime.Goexit] of f come out of the iteration as they do of [ForEach]. They may
// do so before all that precedes them in the order was yielded. MapSeq panics where
// seq or f is nil.
func MapSeq[E, R any](seq iter.Seq[E], f func(v E) R, limit ...Limit) iter.Seq[R] {
	if seq == nil {
		panic("par.MapSeq: seq is nil")
	}
	if f == nil {
		panic("par.MapSeq: f is nil")
	}
	return func(yield func(R) bool) {
		var out []R
		inBatches(seq, func(batch []E) bool {
			out = resized(out, len(batch))
			mapSlice(code(f), out, batch, limit, f)
			return true
		}, func(batch []E) bool {
			for _, r := range out {
				if !yield(r) {
					return false
				}
			}
			return true
		})
	}
}

// MapSeq2 is [MapSeq] for a sequence of pairs, of which the first elements stay
// what they are: MapSeq2(slices.All(s), f) yields indexes. Neither element of a
// pair may be reused by seq.
func MapSeq2[K, V, R any](seq iter.Seq2[K, V], f func(k K, v V) R, limit ...Limit) iter.Seq2[K, R] {
	if seq == nil {
		panic("par.MapSeq2: seq is nil")
	}
	if f == nil {
		panic("par.MapSeq2: f is nil")
	}
	return func(yield func(K, R) bool) {
		var out []R
		inBatches(couples(seq), func(batch []couple[K, V]) bool {
			out = resized(out, len(batch))
			mapSlice(code(f), out, batch, limit, func(p couple[K, V]) R { return f(p.k, p.v) })
			return true
		}, func(batch []couple[K, V]) bool {
			for i, r := range out {
				if !yield(batch[i].k, r) {
					return false
				}
			}
			return true
		})
	}
}

// MapSeqContext is [MapSeq] with a function that may fail, and that stops when ctx
// is done. It yields what a plain loop does: the results before the first element
// for which f fails, each with a nil error. Then it yields that error with a zero
// R, or the cause of ctx where that is done before. As elements before the one
// that fails are wanted, f gets ctx itself. As in MapSeq, seq must not reuse what
// it has yielded.
func MapSeqContext[E, R any](ctx context.Context, seq iter.Seq[E], f func(ctx context.Context, v E) (R, error), limit ...Limit) iter.Seq2[R, error] {
	if seq == nil {
		panic("par.MapSeqContext: seq is nil")
	}
	if f == nil {
		panic("par.MapSeqContext: f is nil")
	}
	return func(yield func(R, error) bool) {
		var zero R
		if ctx.Err() != nil {
			yield(zero, context.Cause(ctx))
			return
		}
		var out []R
		var err error
		inBatches(seq, func(batch []E) bool {
			out = resized(out, len(batch))
			var n int
			if n, err = mapUntil(ctx, out, batch, limit, f); err != nil {
				out = out[:n]
			}
			return true
		}, func(batch []E) bool {
			for _, r := range out {
				if !yield(r, nil) {
					return false
				}
			}
			if err != nil {
				yield(zero, err)
			}
			return err == nil
		})
	}
}

// mapUntil sets out[i] for all elements before the first one that fails, and
// returns the index of that, with its error; where ctx is done before this is
// known, 0 and the cause.
func mapUntil[E, R any](ctx context.Context, out []R, s []E, limit []Limit, f func(ctx context.Context, v E) (R, error)) (int, error) {
	q := search{limit: limit, try: func(lo, hi int) (int, error) {
		for i, v := range s[lo:hi] {
			if looks(i) && ctx.Err() != nil {
				return lo + i, ctx.Err()
			}
			r, err := f(ctx, v)
			if err != nil {
				return lo + i, err
			}
			out[lo+i] = r
		}
		return -1, nil
	}}
	if ctx.Done() != nil {
		q.ctx = ctx
	}
	i, err := q.inOne(code(f), len(s))
	return max(i, 0), failure(ctx, err)
}

// resized returns a slice of n elements that are zero, s if it is long enough.
func resized[R any](s []R, n int) []R {
	clear(s)
	return slices.Grow(s[:0], n)[:n]
}

type couple[K, V any] struct {
	k K
	v V
}

// couples returns the sequence of the pairs of seq.
func couples[K, V any](seq iter.Seq2[K, V]) iter.Seq[couple[K, V]] {
	return func(yield func(couple[K, V]) bool) {
		for k, v := range seq {
			if !yield(couple[K, V]{k, v}) {
				return
			}
		}
	}
}

const (
	batchTime = 2 * time.Millisecond // for collecting and working
	mostBatch = 8192
	// Where parts are spread, batches do not depend on time.
	spreadBatch = 64
)

// inBatches collects elements of seq and calls work with them, and then after, if
// that is not nil, until one of them returns false. Of work, panics come out as
// they do of a loop; of seq and after they are not those of a body.
func inBatches[E any](seq iter.Seq[E], work func(batch []E) bool, after func(batch []E) bool) {
	var (
		batch []E
		size  = 1
		from  = help.Clock()
	)
	if force.Current() == force.Spread {
		size = spreadBatch
	}
	do := func() bool {
		collected := help.Clock()
		if !guarded(work, batch) {
			return false
		}
		size = nextBatch(len(batch), collected-from, help.Clock()-collected)
		if after != nil && !after(batch) {
			return false
		}
		clear(batch)
		batch = batch[:0]
		from = help.Clock()
		return true
	}
	for v := range seq {
		batch = append(batch, v)
		n := len(batch)
		if n < size && (n%max(1, size/16) != 0 || help.Clock()-from < batchTime) {
			continue
		}
		if !do() {
			return
		}
	}
	if len(batch) > 0 {
		do()
	}
}

// guarded calls work with a batch.
func guarded[E any](work func(batch []E) bool, batch []E) bool {
	defer rethrow()
	return work(batch)
}

// nextBatch returns how many elements to collect after n took so long to collect
// and to work on.
func nextBatch(n int, collecting, working time.Duration) int {
	switch force.Current() {
	case force.Spread:
		return spreadBatch
	case force.Serial:
		return 1
	}
	took := max(1, collecting+working)
	size := int(min(int64(n)*int64(batchTime)/int64(took), math.MaxInt32))
	if procs := runtime.GOMAXPROCS(0); procs > 1 && working > collecting {
		size = max(size, 2*procs)
	}
	return max(1, min(size, 4*n, mostBatch))
}
