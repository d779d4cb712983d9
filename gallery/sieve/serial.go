package sieve

// Serial returns the primes below limit by the divisions of the chain. It divides each
// number by the primes before it, smallest first, until one divides it. It ignores the
// number of workers.
func Serial(limit, _ int) []int {
	var primes []int
	for i := 2; i < limit; i++ {
		if !divisible(i, primes) {
			primes = append(primes, i)
		}
	}
	return primes
}

// divisible reports whether one of the primes divides i. To stop at the root of
// i would save most of the divisions, and the chain does not.
func divisible(i int, primes []int) bool {
	for _, p := range primes {
		if i%p == 0 {
			return true
		}
	}
	return false
}
