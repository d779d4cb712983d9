package a

import "sync"

type couple struct{ n, m int }

// The goroutine reads the slot as a part of a struct.
func structs(xs []int) []couple {
	all := make([]couple, 4)
	last := make([]string, 4)
	var wg sync.WaitGroup
	for w := range all {
		wg.Go(func() {
			s := &all[w]
			p := &s.n
			for i := range xs {
				*p += i // want `\*p is updated in memory` // refuse `local: \*s may be the same memory as \*p`
				if *s == (couple{n: 3}) {
					last[w] = "three"
				}
			}
		})
	}
	wg.Wait()
	return all
}

// It reads the slot as a part of an array.
func arrays(xs []int) (all [4]int) {
	equal := make([]string, 4)
	for w := range all {
		var wg sync.WaitGroup
		wg.Go(func() {
			p := &all[w]
			for i := range xs {
				*p += i // want `\*p is updated in memory` // refuse `local: all may be the same memory as \*p`
				if all == [4]int{} {
					equal[w] = "empty"
				}
			}
		})
		wg.Wait()
	}
	return all
}

// The goroutine changes the number of its slot, which need not be there.
func doubled(xs []int) []int {
	sums := make([]int, 4)
	var wg sync.WaitGroup
	for w := range sums {
		wg.Add(1)
		go func(w int) {
			defer wg.Done()
			w *= 2
			for _, x := range xs {
				sums[w] = x ^ sums[w] // want `sums\[w\] is updated in memory` // refuse `local: sums\[w\] may not be there`
			}
		}(w)
	}
	wg.Wait()
	return sums
}
