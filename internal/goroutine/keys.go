package goroutine

import (
	"slices"
	"sync/atomic"
)

// Keys finds functions that write to the key for which they are called. It has the
// keys for which functions run, and the goroutine of each. The zero Keys is empty.
type Keys[K comparable] struct {
	calls atomic.Pointer[[]*Call[K]] // never changed once stored; nil: none
}

// A Call is a function that runs for a key.
type Call[K comparable] struct {
	key K
	id  uintptr
}

// Begin says that the calling goroutine is about to call a function for a key. End
// takes that back.
func (k *Keys[K]) Begin(key K) *Call[K] {
	c := &Call[K]{key, ID()}
	for {
		old := k.calls.Load()
		list := []*Call[K]{c}
		if old != nil {
			list = append(list, *old...)
		}
		if k.calls.CompareAndSwap(old, &list) {
			return c
		}
	}
}

// End ends what Begin returned.
func (k *Keys[K]) End(c *Call[K]) {
	for {
		old := k.calls.Load()
		var next *[]*Call[K]
		if len(*old) > 1 {
			i := slices.Index(*old, c)
			list := slices.Concat((*old)[:i], (*old)[i+1:])
			next = &list
		}
		if k.calls.CompareAndSwap(old, next) {
			return
		}
	}
}

// Mine reports whether the calling goroutine is in a function that runs for key. It
// is one load while no function runs, and false where goroutines are not known.
func (k *Keys[K]) Mine(key K) bool { return Known && k.calls.Load() != nil && k.mine(key) }

func (k *Keys[K]) mine(key K) bool {
	calls, id := k.calls.Load(), ID()
	return calls != nil && slices.ContainsFunc(*calls, func(c *Call[K]) bool { return c.id == id && c.key == key })
}
