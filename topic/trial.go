package topic

import "sync/atomic"

// A cache pays where the same subjects come again before what they match changes.
// Whether they do is tried: from time to time there is a cache, and it stays while
// a quarter of those who come find a result. Nobody reads a clock, and those
// who find a result count nothing but in the few moments when it is looked at.
const (
	firstRest = 256  // samples of 64 subjects, before the first trial
	longRest  = 4096 // the same, between two trials that failed, at least
	maxRest   = 6    // times that is doubled, at most

	lookEvery = 64 // samples of 16 misses, between two looks
	lookAt    = 64 // subjects that a look sees
	enough    = lookAt / 4
	strikes   = 3 // poor looks in a row that end a trial
)

// A watch tells whether a cache pays.
type watch struct {
	misses atomic.Uint32 // in samples

	// seen is not 0 during a look: how many subjects are still to be seen,
	// and above 16 bits how many found a result.
	seen atomic.Uint32
	poor atomic.Int32 // looks in a row
}

// missed counts a sample of misses, and begins a look if it is time.
func (w *watch) missed() {
	if w.misses.Add(1)%lookEvery == 0 {
		w.seen.CompareAndSwap(0, lookAt)
	}
}

// note counts a subject that came during a look, at whose end it returns what was
// seen, and true. Those that come at the same time may not be counted.
func (w *watch) note(seen uint32, hit bool) (hits uint32, end bool) {
	next := seen - 1
	if hit {
		next += 1 << 16
	}
	if next&0xffff != 0 {
		w.seen.CompareAndSwap(seen, next)
		return 0, false
	}
	return next >> 16, w.seen.CompareAndSwap(seen, 0)
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

// rested counts a sample of subjects that came while there was no cache, and
// makes one if it is time.
func (t *trial[T]) rested() {
	if t.rest.Add(-1) == 0 && !t.ix.setCache(nil, newCache[T]()) {
		t.rest.Store(1)
	}
}

// note counts a subject that came to cache c during a look, and takes the cache
// away if it does not pay.
func (t *trial[T]) note(c *cache[T], seen uint32, hit bool) {
	hits, end := c.note(seen, hit)
	switch {
	case !end:
	case hits >= enough:
		c.poor.Store(min(0, c.poor.Load()))
		t.failed.Store(0)
	case c.poor.Add(1) >= strikes && t.ix.setCache(c, nil):
		t.rest.Store(longRest << min(t.failed.Add(1)-1, maxRest))
	}
}

// setCache replaces the cache, if it is the old one, and reports whether it did. It
// does nothing rather than wait for anybody.
func (ix *Index[T]) setCache(old, c *cache[T]) bool {
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
	g.cache = c
	ix.guide.Store(&g)
	return true
}
