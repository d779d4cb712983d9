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
		fs := make([]float64, len(xs))
		for i := range xs {
			xs[i] = r.IntN(30) - 8
			fs[i] = r.Float64() - 0.3
		}
		n := 1 + r.IntN(5)
		fmt.Println(sum(xs, n), rates(xs, n), walks(r.IntN(9)), tally(r.IntN(50)), raw(xs), publish(xs), generic(xs, min(n, len(xs))))
		p := &pool{make([]int, n)}
		p.run(n, xs)
		ws := make([]*worker, n)
		for w := range ws {
			ws[w] = &worker{xs: fs[len(fs)*w/n : len(fs)*(w+1)/n], sum: 1}
		}
		all(ws)
		fmt.Println(extents(xs))
		fmt.Println(means(xs))
		fmt.Println(pointed(xs, n))
		fmt.Println(started([]int8{1, -2, int8(n)}, n))
		for _, w := range ws {
			fmt.Print(w.sum, " ")
		}
		fmt.Println(p.counts, grid([][]int{xs, xs[len(xs)/2:], nil}, n))
	}
}
