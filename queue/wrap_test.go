package queue_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
)

// wraps are the counts at which a queue that is new counts on: a little before
// the one at which some number of bits goes round.
func wraps(capacity uint64) (from []uint64) {
	for _, bits := range []uint{16, 31, 32, 58, 59, 63, 64} {
		end := uint64(1)<<(bits-1)<<1 - 1
		for _, before := range []uint64{0, 1, capacity, 3 * capacity} {
			from = append(from, end-before)
		}
	}
	return from
}

// startAt lets an unused queue count from n, if it can.
func startAt[T any](q ring[T], n uint64) {
	if s, ok := q.(interface{ StartAt(uint64) }); ok {
		s.StartAt(n)
	}
}

// Queues that count beyond any number of bits go on as if nothing had happened.
func TestWrapSequence(t *testing.T) {
	seed := stress.Seed(t)
	rnd := rand.New(rand.NewPCG(seed, 0))
	for _, k := range kinds[int]()[2:] {
		for _, capacity := range []int{1, 3, 8, 64} {
			stress.Within(t, time.Minute, fmt.Sprintf("%s of %d", k.name, capacity), func() {
				for _, from := range wraps(uint64(capacity)) {
					ops := make([]byte, 200)
					for i := range ops {
						ops[i] = byte(rnd.Uint32())
					}
					q := k.make(capacity)
					startAt(q, from)
					if err := runSequence(q, func(i int) int { return i + 1 }, ops); err != nil {
						t.Errorf("%s of %d counting from %#x: %v", k.name, capacity, from, err)
					}
				}
			})
		}
	}
}

func TestWrapStress(t *testing.T) {
	seed := stress.Seed(t)
	values := 1000
	if !stress.Long() {
		values = 100
	}
	for _, k := range kinds[token]()[2:] {
		for _, capacity := range []int{1, 8, 64} {
			for i, from := range wraps(uint64(capacity)) {
				wrapping := k
				wrapping.make = func(n int) ring[token] {
					q := k.make(n)
					startAt(q, from)
					return q
				}
				l := load{wrapping, many(k.manySends, 4), many(k.manyRecvs, 4), values, capacity, closeAtEnd, seed + uint64(i)}
				stress.Within(t, time.Minute, l.String(), func() {
					if err := l.run(); err != nil {
						t.Errorf("%v, counting from %#x: %v", l, from, err)
					}
				})
			}
		}
	}
}
