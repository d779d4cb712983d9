// Package m10 defers in a loop: what is deferred piles up until the end.
package m10

type slot struct{ busy, used int }

func (s *slot) take() *slot { s.busy++; return s }

func (s *slot) give() { s.busy--; s.used++ }

func use(slots []slot, keys []int) (total int) {
	for _, k := range keys {
		s := slots[k%len(slots)].take()
		total += k
		s.give()
	}
	return total
}

func useDeferred(slots []slot, keys []int) (total int) {
	for _, k := range keys {
		s := slots[k%len(slots)].take()
		defer s.give() // mistake: deferloop
		total += k
	}
	return total
}
