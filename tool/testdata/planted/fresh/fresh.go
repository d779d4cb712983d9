// Package fresh holds small programs of the kinds applications are made of, each
// with one known cause for which its concurrent variant does not pay, and some
// that are healthy. The causes were confirmed by removing each of them alone:
// truth.md has the figures.
package fresh

import (
	"math/rand/v2"
	"strconv"
)

// A few workers, more than most tests have processors.
const workers = 4

// cut returns the part of worker w.
func cut[T any](xs []T, w int) []T {
	return xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
}

// mix is a cheap hash of an integer.
func mix(x uint64) uint64 {
	x ^= x >> 31
	x *= 0x9e3779b97f4a7c15
	return x ^ x>>29
}

// grind is work of about a nanosecond per step.
func grind(x uint64, steps int) uint64 {
	for range steps {
		x = mix(x)
	}
	return x
}

// numbers returns n numbers below limit, the same ones each time.
func numbers(n, limit int) []int {
	r := rand.New(rand.NewPCG(17, uint64(n)))
	xs := make([]int, n)
	for i := range xs {
		xs[i] = r.IntN(limit)
	}
	return xs
}

// names returns n names of which about as many as kinds differ.
func names(prefix string, n, kinds int) []string {
	ns := make([]string, n)
	for i, x := range numbers(n, kinds) {
		ns[i] = prefix + strconv.Itoa(x*7717)
	}
	return ns
}
