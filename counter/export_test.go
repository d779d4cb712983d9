package counter

import (
	"testing"
	"unsafe"
)

// Hooks that make the rare common. None may be used while goroutines add.

// SetLot lets every lot win, or none, until the test ends.
func SetLot(tb testing.TB, wins bool) {
	old := lot
	lot = func(uint32) bool { return wins }
	tb.Cleanup(func() { lot = old })
}

// CollideInBase is an Add that saw no table and found base changed by another.
func (c *Int) CollideInBase(n int64) {
	c.base.Add(n)
	addSlow(c, nil, n)
}

// Collide is what an Add does that found its stripe changed by another.
func (c *Int) Collide() { c.collided(c.table.Load()) }

// Spread spreads an Int whatever GOMAXPROCS, and a spread one once more.
func (c *Int) Spread() { c.spread(c.table.Load()) }

// Crowd sends all goroutines to one stripe.
func (c *Int) Crowd() { c.table.Load().seed.Store(0) }

// Crowded reports whether they are still sent there.
func (c *Int) Crowded() bool { return c.table.Load().seed.Load() == 0 }

// Stripes returns how many stripes the newest table has, 0 if there is none.
func (c *Int) Stripes() int {
	t := c.table.Load()
	if t == nil {
		return 0
	}
	return len(t.stripes)
}

// Tables returns how many tables are summed.
func (c *Int) Tables() (n int) {
	for t := c.table.Load(); t != nil; t = t.older {
		n++
	}
	return n
}

// Mine returns the index of the calling goroutine's stripe.
func (c *Int) Mine() int {
	t := c.table.Load()
	s := t.mine()
	for i := range t.stripes {
		if s == &t.stripes[i] {
			return i
		}
	}
	return -1
}

// Padding returns how many bytes New keeps before and behind a T.
func Padding[T any]() (before, after uintptr) {
	var p padded[T]
	before = unsafe.Offsetof(p.v)
	return before, unsafe.Sizeof(p) - before - unsafe.Sizeof(p.v)
}
