// Package foreign holds programs in the way open-source packages are written:
// what they do was first seen there. want.json says which cause is to be named
// first, by the number of processors.
package foreign

// churn is work that touches no memory: n dependent steps of about 2 ns.
//
//go:noinline
func churn(seed, n int) int {
	x := uint64(seed)*2 + 1
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return int(x >> 33)
}

// grade is the work on an item: some 20 ns.
func grade(i int) int { return churn(i, 8) & 0xff }

func gradeAll(n int) int {
	total := 0
	for i := range n {
		total += grade(i)
	}
	return total
}
