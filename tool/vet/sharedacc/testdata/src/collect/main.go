package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

func sorted(xs []int) []int {
	slices.Sort(xs)
	return xs
}

// main prints what the functions compute of many inputs.
func main() {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		xs := make([]int, r.IntN(40))
		for i := range xs {
			xs[i] = r.IntN(30) - 8
		}
		n := 1 + r.IntN(5)
		fmt.Println(sorted(items(xs, n)), sorted(each(xs)), each(nil) == nil, made(n), received(xs, n), points(xs, n), texts(xs, n))
	}
}
