package sieve

import "slices"

const (
	// batchSize is how many numbers a hand-off begins with. What a stage drops
	// makes the batch smaller.
	batchSize = 512

	// room is how many batches may wait between two stages.
	room = 4

	// groupSize is how many primes a stage has in the variants that give it
	// several. The chain has one.
	groupSize = 512
)

// Batched is Chain with slices of numbers in its channels: the same goroutines
// and divisions, and a hand-off for many of them.
func Batched(limit, _ int) []int {
	return batched(limit, 1)
}

// Grouped is Batched with groupSize primes to a goroutine.
func Grouped(limit, _ int) []int {
	return batched(limit, groupSize)
}

func batched(limit, perStage int) []int {
	ch := make(chan []int, room)
	go generateBatches(ch, limit)

	var stages []*stage
	for {
		batch, ok := <-ch
		if !ok {
			return join(stages)
		}
		s := newStage(perStage)
		stages = append(stages, s)
		next := make(chan []int, room)
		go s.filter(batch, ch, next)
		ch = next
	}
}

func generateBatches(out chan<- []int, limit int) {
	for lo := 2; lo < limit; lo += batchSize {
		batch := make([]int, min(batchSize, limit-lo))
		count(batch, lo)
		out <- batch
	}
	close(out)
}

// count sets batch to lo, lo+1, lo+2, …
func count(batch []int, lo int) {
	for k := range batch {
		batch[k] = lo + k
	}
}

// A stage is a link of the chain with room for several primes.
type stage struct {
	primes []int
}

func newStage(size int) *stage {
	return &stage{make([]int, 0, size)}
}

// filter is the goroutine of a stage. It begins with a batch that was received
// already.
func (s *stage) filter(batch []int, in <-chan []int, out chan<- []int) {
	for ok := true; ok; batch, ok = <-in {
		if kept := s.sift(batch); len(kept) > 0 {
			out <- kept
		}
	}
	close(out)
}

// sift returns the numbers of the batch that go on to the next stage, in the
// same memory. The first numbers that no prime divides it keeps: they are its
// primes.
func (s *stage) sift(batch []int) []int {
	kept := batch[:0]
	for _, i := range batch {
		switch {
		case divisible(i, s.primes):
		case len(s.primes) < cap(s.primes):
			s.primes = append(s.primes, i)
		default:
			kept = append(kept, i)
		}
	}
	return kept
}

// join returns the primes of the stages.
func join(stages []*stage) []int {
	var primes [][]int
	for _, s := range stages {
		primes = append(primes, s.primes)
	}
	return slices.Concat(primes...)
}
