package usual

import (
	"math/rand/v2"
	"sync"

	"github.com/puzpuzpuz/xsync/v4"

	"github.com/gopayoff/payoff/snapmap"
)

func maps() []load {
	return []load{
		{"Changes", "/n=1000/goroutines=2", func() []variant { return mapVariants(1000, 50) }, 2000},
		{"Reads", "/n=1000000/goroutines=2", func() []variant { return mapVariants(1_000_000, 0) }, 2000},
	}
}

// calls are those of a map.
type calls interface {
	Load(int) (int, bool)
	Store(int, int)
	Delete(int)
}

// A locked map has a lock that readers share.
type locked struct {
	mu sync.RWMutex
	m  map[int]int
}

func (l *locked) Load(k int) (int, bool) {
	l.mu.RLock()
	v, ok := l.m[k]
	l.mu.RUnlock()
	return v, ok
}

func (l *locked) Store(k, v int) {
	l.mu.Lock()
	l.m[k] = v
	l.mu.Unlock()
}

func (l *locked) Delete(k int) {
	l.mu.Lock()
	delete(l.m, k)
	l.mu.Unlock()
}

// mapVariants are maps of which every other of n keys is there, that two goroutines use:
// so many of a hundred operations store or delete. A key has one value, so what Load finds
// of those that are never deleted is the same whatever the order.
func mapVariants(n, writes int) []variant {
	each := func(name string, empty func() calls) variant {
		var m calls
		return variant{name: name, do: func(ops int) int {
			var sums [2]int
			var wg sync.WaitGroup
			for g := range sums {
				wg.Go(func() {
					r := rand.New(rand.NewPCG(uint64(g), 5))
					sum := 0
					for range ops / 2 {
						k := r.IntN(n / 2)
						switch what := r.IntN(200); {
						case what < writes:
							m.Store(2*k+1, k)
						case what < 2*writes:
							m.Delete(2*k + 1)
						default:
							v, _ := m.Load(2 * k)
							sum += v
						}
					}
					sums[g] = sum
				})
			}
			wg.Wait()
			return sums[0] + sums[1]
		}, begin: func() {
			m = empty()
			for k := 0; k < n; k += 2 {
				m.Store(k, k)
			}
		}}
	}
	return []variant{
		each("rwmutex", func() calls { return &locked{m: make(map[int]int)} }),
		each("xsync", func() calls { return xsync.NewMap[int, int]() }),
		each("payoff", func() calls { return new(snapmap.Map[int, int]) }),
	}
}
