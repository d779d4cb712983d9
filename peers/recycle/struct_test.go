package recycle

import (
	"sync"
	"testing"

	"github.com/gopayoff/payoff/recycle"
)

// A record has the 96 bytes of the struct in "So You Wanna Go Fast?"
// (https://bravenewgeek.com/so-you-wanna-go-fast/), whose author measured 337ns
// to allocate structs concurrently and 65.5ns to recycle them with sync.Pool.
type record struct {
	id      int
	name    string
	payload []byte
	counts  [6]int
}

func (r *record) fill(i int) int {
	r.id += i // 0 before: an old value would show in the sum
	r.name = "record"
	r.payload = text[:i%8]
	r.counts[i%6] += i
	return r.id + r.counts[i%6] + len(r.name) + len(r.payload)
}

// Every variant hands out zeroed records and keeps nothing alive through them.
// That of sync.Pool zeroes at the place of use, as one would by hand.
var structs = []variant{
	{"alloc", func() loop {
		return func(g, ops int) (sum int) {
			for i := range ops {
				r := new(record)
				sinks[g].record = r
				sum += r.fill(i)
			}
			return sum
		}
	}},
	{"syncpool", func() loop {
		pool := &sync.Pool{New: func() any { return new(record) }}
		return func(g, ops int) (sum int) {
			for i := range ops {
				r := pool.Get().(*record)
				sum += r.fill(i)
				*r = record{}
				pool.Put(r)
			}
			return sum
		}
	}},
	{"payoff", func() loop {
		pool := new(recycle.Pool[record])
		return func(g, ops int) (sum int) {
			for i := range ops {
				r := pool.Get()
				sum += r.fill(i)
				pool.Put(r)
			}
			return sum
		}
	}},
	{"payoff-func", func() loop {
		pool := recycle.NewPoolFunc(nil, func(r *record) { *r = record{} })
		return func(g, ops int) (sum int) {
			for i := range ops {
				r := pool.Get()
				sum += r.fill(i)
				pool.Put(r)
			}
			return sum
		}
	}},
}

func BenchmarkStruct(b *testing.B) { bench(b, "", structs) }
func TestStruct(t *testing.T)      { same(t, structs) }
