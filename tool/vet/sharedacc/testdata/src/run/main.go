package main

import (
	"fmt"
	"math/rand/v2"
)

// main prints what the functions compute of many inputs.
func main() {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		xs := make([]int, r.IntN(40))
		for i := range xs {
			xs[i] = r.IntN(30) - 8
		}
		n := 1 + r.IntN(5)
		l := ledger(xs, n)
		fmt.Println(sumLocked(xs, n), sumAtomic(xs, n), parity(xs), count(xs, n), l.sum, l.n, nested([][]int{xs, nil, xs[len(xs)/2:]}, n), countHits(xs, n), tallied(xs, n))
		fmt.Println(noted(xs, n))
		fmt.Println(piled(xs, n))
		fmt.Println(tabled(xs, n))
		fmt.Println(owners(xs))
		fmt.Println(nowhere(xs))
		fmt.Println(pumped(xs))
		fmt.Println(journaled(xs, n))
		fmt.Println(greatest(xs, n))
		fmt.Println(stopped(xs, n))
		fmt.Println(lines(xs, n))
		fmt.Println(items(xs, n))
		fmt.Println(lockedFloats(xs, n), weighed(xs, n))
	}
}
