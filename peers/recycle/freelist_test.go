package recycle

import (
	"fmt"
	"sync"
	"testing"

	"github.com/gopayoff/payoff/recycle"
)

// room is for less than the 64 goroutines want to keep when each holds 8.
const room = 256

// A mutexList is a slice under a lock.
type mutexList struct {
	mu   sync.Mutex
	free []*record
}

func (l *mutexList) get() (*record, bool) {
	l.mu.Lock()
	n := len(l.free)
	if n == 0 {
		l.mu.Unlock()
		return nil, false
	}
	r := l.free[n-1]
	l.free[n-1] = nil
	l.free = l.free[:n-1]
	l.mu.Unlock()
	return r, true
}

func (l *mutexList) put(r *record) {
	l.mu.Lock()
	if len(l.free) < cap(l.free) {
		l.free = append(l.free, r)
	}
	l.mu.Unlock()
}

// A chanList is a buffered channel.
type chanList chan *record

func (c chanList) get() (*record, bool) {
	select {
	case r := <-c:
		return r, true
	default:
		return nil, false
	}
}

func (c chanList) put(r *record) {
	select {
	case c <- r:
	default:
	}
}

// lists returns the variants for goroutines that take hold records and then
// give them back. Their lists keep up to room records and promise the same, but
// for sync.Pool: it has no bound, and the collector empties it. The loop is
// written out for each, since calls through an interface or a type parameter
// would cost as much as what is compared.
func lists(hold int) []variant {
	return []variant{
		{"mutex", func() loop {
			list := &mutexList{free: make([]*record, 0, room)}
			return func(g, ops int) (sum int) {
				held := make([]*record, 0, hold)
				for i := 0; i < ops; held = held[:0] {
					for range min(hold, ops-i) {
						r, ok := list.get()
						if !ok {
							r = new(record)
						}
						r.id = i
						sum += r.id
						held = append(held, r)
						i++
					}
					for _, r := range held {
						list.put(r)
					}
				}
				return sum
			}
		}},
		{"chan", func() loop {
			list := make(chanList, room)
			return func(g, ops int) (sum int) {
				held := make([]*record, 0, hold)
				for i := 0; i < ops; held = held[:0] {
					for range min(hold, ops-i) {
						r, ok := list.get()
						if !ok {
							r = new(record)
						}
						r.id = i
						sum += r.id
						held = append(held, r)
						i++
					}
					for _, r := range held {
						list.put(r)
					}
				}
				return sum
			}
		}},
		{"syncpool", func() loop {
			list := new(sync.Pool)
			return func(g, ops int) (sum int) {
				held := make([]*record, 0, hold)
				for i := 0; i < ops; held = held[:0] {
					for range min(hold, ops-i) {
						r, ok := list.Get().(*record)
						if !ok {
							r = new(record)
						}
						r.id = i
						sum += r.id
						held = append(held, r)
						i++
					}
					for _, r := range held {
						list.Put(r)
					}
				}
				return sum
			}
		}},
		{"payoff", func() loop {
			list := recycle.NewFreeList[*record](room)
			return func(g, ops int) (sum int) {
				held := make([]*record, 0, hold)
				for i := 0; i < ops; held = held[:0] {
					for range min(hold, ops-i) {
						r, ok := list.Get()
						if !ok {
							r = new(record)
						}
						r.id = i
						sum += r.id
						held = append(held, r)
						i++
					}
					for _, r := range held {
						list.Put(r)
					}
				}
				return sum
			}
		}},
	}
}

var holds = []int{1, 8}

func BenchmarkFreeList(b *testing.B) {
	for _, hold := range holds {
		bench(b, fmt.Sprintf("/hold=%d", hold), lists(hold))
	}
}

func TestFreeList(t *testing.T) {
	for _, hold := range holds {
		t.Run(fmt.Sprintf("hold=%d", hold), func(t *testing.T) { same(t, lists(hold)) })
	}
}
