package topic

import (
	"hash/maphash"
	"math"
)

// Cut leaves keys the bits of mask. The Index must be empty.
func (ix *Index[T]) Cut(mask uint64) { ix.hash.cut = mask }

// SetCache gives the Index a cache that stays, or takes it away.
func (ix *Index[T]) SetCache(on bool) bool {
	old := ix.guide.Load().cache
	if !ix.setCache(old, on) {
		return false
	}
	if c := ix.guide.Load().cache; on {
		c.poor.Store(math.MinInt32)
	}
	return true
}

// HasCache reports whether the Index has a cache.
func (ix *Index[T]) HasCache() bool {
	c := ix.guide.Load().cache
	return c != nil && !c.over.Load()
}

// Shapes returns how many shapes there are, and whether there are marks.
func (ix *Index[T]) Shapes() (n int, marks bool) {
	g := ix.guide.Load()
	return len(g.shapes), g.marks != nil
}

// Nodes returns how many nodes the table has, marks and others.
func (ix *Index[T]) Nodes() (n int) {
	for range ix.table.all() {
		n++
	}
	return n
}

// Slots returns how many slots the table has.
func (ix *Index[T]) Slots() (n int) {
	for i := range ix.table.slots {
		if s := ix.table.slots[i].Load(); s != ix.table.none {
			n += len(s.nodes)
		}
	}
	return n
}

// Results returns how many results the cache has.
func (ix *Index[T]) Results() (n int) {
	c := ix.guide.Load().cache
	for i := range c.slots {
		if c.slots[i].Load() != nil {
			n++
		}
	}
	return n
}

// NoTrial makes the Index try no cache by itself.
func (ix *Index[T]) NoTrial() { ix.trial.rest.Store(-1) }

// Kept reports whether there is a result for the subject that holds.
func (ix *Index[T]) Kept(subject string) bool {
	c := ix.guide.Load().cache
	_, holds := c.get(maphash.String(subjects, subject), subject)
	return holds
}

// MinSlots is how many slots the table has at least, once all of it was in use.
func (ix *Index[T]) MinSlots() int { return 8 * len(ix.stripes) }

// ShapeLimit is how many shapes of one number of tokens there may be. In tests there may be
// 64, so that a few patterns are found through marks.
var ShapeLimit = shapeLimit

func init() { shapeLimit = 64 }

// LimitShapes has Indexes keep so many shapes of one number of tokens, until restore.
func LimitShapes(n int) (restore func()) {
	old := shapeLimit
	shapeLimit = n
	return func() { shapeLimit = old }
}
