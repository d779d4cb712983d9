//go:build amd64 || arm64

package queue

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/bytedance/gopkg/collection/lscq"
)

// lscq is assembly for two architectures. It is not bounded: nothing holds the
// producers back. It has no call that blocks, so consumers poll and yield.

var lscqInt64 = []flowVariant{{"lscq", mpmc, func() flow {
	q := lscq.NewUint64()
	var stop atomic.Bool
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				q.Enqueue(uint64(i))
			}
			return nil
		},
		consume: func() (t tally) {
			for {
				v, ok := q.Dequeue()
				if !ok {
					if stop.Load() {
						return t
					}
					runtime.Gosched()
					continue
				}
				i := int64(v)
				if i < 0 {
					return t
				}
				t.n++
				t.sum += i
			}
		},
		close: func(consumers int) {
			for range consumers {
				p := int64(poison)
				q.Enqueue(uint64(p))
			}
		},
		abort: func() { stop.Store(true) },
	}
}}}

// Items of more than a word travel by pointer, a new one for each. The race
// detector does not see that lscq's assembly orders the item's writes before
// its reads.
var lscqItem64 = lscqUnlessRace(flowVariant{"lscq", mpmc, func() flow {
	q := lscq.NewPointer()
	var stop atomic.Bool
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				v := new(elemItem64)
				*v = makeItem64(i)
				q.Enqueue(unsafe.Pointer(v))
			}
			return nil
		},
		consume: func() (t tally) {
			for {
				v, ok := q.Dequeue()
				if !ok {
					if stop.Load() {
						return t
					}
					runtime.Gosched()
					continue
				}
				i := valueItem64((*elemItem64)(v))
				if i < 0 {
					return t
				}
				t.n++
				t.sum += i
			}
		},
		close: func(consumers int) {
			for range consumers {
				v := makeItem64(poison)
				q.Enqueue(unsafe.Pointer(&v))
			}
		},
		abort: func() { stop.Store(true) },
	}
}})

func lscqUnlessRace(v flowVariant) []flowVariant {
	if race {
		return nil
	}
	return []flowVariant{v}
}

var lscqPolls = []mailboxVariant{{"lscq", mpmc, func(int) mailbox {
	q := lscq.NewUint64()
	return mailbox{
		send: func(v int64) { q.Enqueue(uint64(v)) },
		recv: func() (int64, bool) {
			for {
				if v, ok := q.Dequeue(); ok {
					return int64(v), int64(v) >= 0
				}
				runtime.Gosched()
			}
		},
		close: func(consumers int) {
			for range consumers {
				p := int64(poison)
				q.Enqueue(uint64(p))
			}
		},
	}
}}}
