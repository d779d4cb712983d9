package padring

import "github.com/gopayoff/payoff/gallery/internal/casring"

// Serial puts the values 0..n-1 into the ring and gets each back, in one
// goroutine: what the ring costs unshared. It ignores the number of
// goroutines on each side.
func Serial(n, _ int) uint64 {
	r := casring.New(n, casring.Patience)
	var sum uint64
	for i := range n {
		r.Put(uint64(i))
		sum += mix(r.Get())
	}
	return sum
}

// mix makes something of a value of which a sum tells lost values from doubled
// ones.
func mix(x uint64) uint64 { return (x ^ x>>7) * 0xbf58476d1ce4e5b9 }
