package mechanisms

import (
	"sync"
	"sync/atomic"
)

// Maps that grow, and sync.Map.

// distinct counts the different numbers.
func distinct(xs []int) int {
	seen := make(map[int]struct{}, len(xs))
	for _, x := range xs {
		seen[x] = struct{}{}
	}
	return len(seen)
}

// distinctGrown gives each worker half of the values, and a map that starts
// empty.
func distinctGrown(xs []int) int {
	return split(2, func(lo, _ int) int {
		seen := make(map[int]struct{})
		for _, x := range xs {
			if x&1 == lo {
				seen[x] = struct{}{}
			}
		}
		return len(seen)
	})
}

// distinctSized is the same with room from the start.
func distinctSized(xs []int) int {
	return split(2, func(lo, _ int) int {
		seen := make(map[int]struct{}, len(xs)/2)
		for _, x := range xs {
			if x&1 == lo {
				seen[x] = struct{}{}
			}
		}
		return len(seen)
	})
}

// An order belongs to a customer.
type order struct{ customer, amount int }

func orders(n int) []order {
	out := make([]order, n)
	for i := range out {
		out[i] = order{int(mix(uint64(i), 3) % uint64(n)), i & 0xff}
	}
	return out
}

// largest adds up by customer, in one table that is used again, and returns
// the largest sum of each group of 2,000 orders.
func largest(all []order) int {
	sums := make(map[int]int, 2000)
	total := 0
	for lo := 0; lo < len(all); lo += 2000 {
		clear(sums)
		total += best(sums, all[lo:lo+2000])
	}
	return total
}

func best(sums map[int]int, group []order) int {
	most := 0
	for _, o := range group {
		sums[o.customer] += o.amount
		most = max(most, sums[o.customer])
	}
	return most
}

// largestGroups makes a map for each group.
func largestGroups(all []order) int {
	return split(len(all)/2000, func(lo, hi int) int {
		total := 0
		for g := lo; g < hi; g++ {
			sums := map[int]int{}
			total += best(sums, all[g*2000:(g+1)*2000])
		}
		return total
	})
}

// hits counts by page.
func hits(xs []int) int {
	counts := make(map[int]int, 1024)
	for _, x := range xs {
		counts[x&1023]++
	}
	return counts[5] + counts[77]
}

// hitsSyncMap counts in a sync.Map of atomic counters.
func hitsSyncMap(xs []int) int {
	var counts sync.Map
	split(len(xs), func(lo, hi int) int {
		for _, x := range xs[lo:hi] {
			c, ok := counts.Load(x & 1023)
			if !ok {
				c, _ = counts.LoadOrStore(x&1023, new(atomic.Int64))
			}
			c.(*atomic.Int64).Add(1)
		}
		return 0
	})
	total := 0
	for _, k := range []int{5, 77} {
		c, _ := counts.Load(k)
		total += int(c.(*atomic.Int64).Load())
	}
	return total
}

// latest keeps the last value of each key.
func latest(xs []int) int {
	last := make(map[int]int, 4096)
	for i, x := range xs {
		last[x&4095] = i
	}
	total := 0
	for _, v := range last {
		total += v
	}
	return total
}

// latestSyncMap lets each worker own the keys of one parity, in one sync.Map.
func latestSyncMap(xs []int) int {
	var last sync.Map
	split(2, func(lo, _ int) int {
		for i, x := range xs {
			if x&1 == lo {
				last.Store(x&4095, i)
			}
		}
		return 0
	})
	total := 0
	last.Range(func(_, v any) bool {
		total += v.(int)
		return true
	})
	return total
}

// A plan is looked up, and then takes 20 µs to carry out.
func plans() (*sync.Map, map[int]int) {
	shared, own := new(sync.Map), map[int]int{}
	for k := range 256 {
		shared.Store(k, k*7)
		own[k] = k * 7
	}
	return shared, own
}

func carryOut(own map[int]int, n int) int {
	total := 0
	for i := range n {
		total += int(mix(uint64(own[i&255]), 10_000) & 0xff)
	}
	return total
}

func carryOutSyncMap(shared *sync.Map, n int) int {
	return split(n, func(lo, hi int) int {
		total := 0
		for i := lo; i < hi; i++ {
			v, _ := shared.Load(i & 255)
			total += int(mix(uint64(v.(int)), 10_000) & 0xff)
		}
		return total
	})
}
