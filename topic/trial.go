package topic

import (
	"runtime"
	"sync/atomic"
)

// A cache pays where the same subjects come again before what they match changes.
// Whether they do is tried: from time to time there is a cache, and it stays as long
// as the probes that its results save are more than what keeping them takes. Nobody
// reads a clock, and those who find a result count nothing but in the few moments
// when it is looked at.
const (
	firstRest = 256  // samples of 64 subjects, before the first trial
	longRest  = 4096 // the same, between two trials that failed, at least
	maxRest   = 6    // times that is doubled, at most
	tryAgain  = 64   // samples after which what could not be done is tried again

	lookEvery = 64 // samples of 16 misses, between two looks
	lookAt    = 64 // subjects that a look sees
	strikes   = 3  // poor looks in a row that end a trial

	// How many probes take as long as to make a result and keep it, as to find that
	// there is none, as to go from mark to mark, and as to take a subject apart, less
	// what it takes to find its result.
	keepCost  = 24
	missCost  = 2
	markCost  = 16
	splitCost = 2

	// As many probes take as long as it takes one processor to have a line again that
	// another has written.
	lineCost = 4
)

// A watch tells whether a cache pays.
type watch struct {
	misses atomic.Uint32 // in samples

	// seen is not 0 during a look. It has how many subjects are still to be seen
	// in 16 bits, and above them the probes saved so far, which may be negative.
	seen atomic.Int64
	from atomic.Uint64 // changes that had begun when the look did
	poor atomic.Int32  // looks in a row
}

// missed counts a sample of misses, and begins a look if it is time. So many changes
// have begun.
func (w *watch) missed(changes uint64) {
	if w.misses.Add(1)%lookEvery == 0 && w.seen.Load() == 0 {
		w.from.Store(changes) // before a look begins nobody reads it
		w.seen.CompareAndSwap(0, lookAt)
	}
}

// note counts a subject that came during a look, and the probes that the cache saved
// it. At the end of the look it returns those of all, and true. Subjects that come at
// the same time may not be counted.
func (w *watch) note(seen int64, saved int) (all int, end bool) {
	next := seen - 1 + int64(saved)<<16
	if next&0xffff != 0 {
		w.seen.CompareAndSwap(seen, next)
		return 0, false
	}
	return int(next >> 16), w.seen.CompareAndSwap(seen, 0)
}

// A trial is when an Index is to have a cache.
type trial[T any] struct {
	ix     *Index[T]
	rest   atomic.Int64 // samples until the next trial
	failed atomic.Int32 // trials in a row
}

func (t *trial[T]) begin(ix *Index[T]) {
	t.ix = ix
	t.rest.Store(firstRest)
}

// rested counts a sample of subjects that came while there was no cache, or one that is
// over, and makes one if it is time.
func (t *trial[T]) rested(old *cache[T]) {
	switch left := t.rest.Add(-1); {
	case left == 0:
		if !t.ix.setCache(old, true) {
			t.rest.Store(tryAgain)
		}
	case old != nil && left%tryAgain == 0:
		t.ix.setCache(old, false)
	}
}

// note counts a subject that came to cache c during a look, and takes the cache
// away if it does not pay.
func (t *trial[T]) note(c *cache[T], seen int64, saved int) {
	all, end := c.note(seen, saved)
	if !end {
		return
	}
	// Each change takes a line from all processors.
	all -= int(c.begun.Load()-c.from.Load()) * lineCost * (runtime.GOMAXPROCS(0) - 1)
	switch {
	case all > 0:
		c.poor.Store(min(0, c.poor.Load()))
		t.failed.Store(0)
	case c.poor.Add(1) >= strikes && c.over.CompareAndSwap(false, true):
		t.rest.Store(longRest << min(t.failed.Add(1)-1, maxRest))
		t.ix.setCache(c, false)
	}
}

// setCache gives the Index a new cache, or none, in the place of the old one, if it has
// that, and reports whether it did. It does nothing rather than wait for anybody: those
// who make changes may wait for each other all the time.
func (ix *Index[T]) setCache(old *cache[T], anew bool) bool {
	if !ix.mu.TryLock() {
		return false
	}
	defer ix.mu.Unlock()
	for i := range ix.stripes {
		if !ix.stripes[i].TryLock() {
			return false
		}
		defer ix.stripes[i].Unlock()
	}
	g := *ix.guide.Load()
	if g.cache != old {
		return false
	}
	g.cache = nil
	if anew {
		g.cache = newCache[T]()
	}
	ix.guide.Store(&g)
	return true
}
