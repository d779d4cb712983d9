package sieve

import "github.com/gopayoff/payoff/queue"

// viewSize is how many numbers a stage sifts before it sends what is left of
// them: few, so that the next stage can begin soon. To send them is cheap, since
// nobody is woken who does not wait.
const viewSize = 64

// Staged is Grouped on queues. A stage sifts the numbers where they lie in its queue
// and copies what goes on into the next. It allocates nothing for a batch. The numbers
// that few stages let through come together again on the way.
func Staged(limit, _ int) []int {
	s := newStage(groupSize)
	stages := []*stage{s}
	q := queue.NewSPSC[int](room * batchSize)
	go s.generateQueue(q, limit)
	for q.View(1) != nil { // something came so far
		s := newStage(groupSize)
		stages = append(stages, s)
		next := queue.NewSPSC[int](room * batchSize)
		go s.filterQueue(q, next)
		q = next
	}
	return join(stages)
}

// generateQueue is the goroutine of the first stage, which generates its numbers
// itself: no queue has to carry those that it drops.
func (s *stage) generateQueue(out *queue.SPSC[int], limit int) {
	var batch [viewSize]int
	for lo := 2; lo < limit; lo += viewSize {
		part := batch[:min(viewSize, limit-lo)]
		count(part, lo)
		out.SendAll(s.sift(part))
	}
	out.Close()
}

// filterQueue is the goroutine of another stage.
func (s *stage) filterQueue(in, out *queue.SPSC[int]) {
	for batch := in.View(viewSize); batch != nil; batch = in.View(viewSize) {
		out.SendAll(s.sift(batch))
		in.Release(len(batch))
	}
	out.Close()
}
