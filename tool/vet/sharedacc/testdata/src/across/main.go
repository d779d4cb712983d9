// Program across has accumulators that are updated in another function than the
// loop.
package main

import "fmt"

func main() {
	for _, n := range []int{0, 1, 7, 100} {
		xs := make([]int, n)
		for i := range xs {
			xs[i] = i*i%23 - 5
		}
		fmt.Println(chained(xs), pairs(xs), twofold(xs))
		fmt.Println(fielded(xs))
		fmt.Println(stepped(xs))
	}
}

func (s *service) note() { s.stats.misses.Add(2) }
