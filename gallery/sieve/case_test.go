package sieve

import (
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"testing"
)

var variants = []struct {
	name   string
	primes func(limit, workers int) []int
	most   int // largest limit that it is measured at
}{
	{"serial", Serial, 100_000},
	{"chain", Chain, 10_000},
	{"batched", Batched, 10_000},
	{"grouped", Grouped, 100_000},
	{"staged", Staged, 100_000},
	{"eratosthenes", Eratosthenes, 1_300_000},
	{"segmented", Segmented, 1_300_000},
}

func TestVariants(t *testing.T) {
	var primes []int
	for i := range 4_000 {
		if big.NewInt(int64(i)).ProbablyPrime(0) {
			primes = append(primes, i)
		}
	}
	for _, limit := range []int{0, 1, 2, 3, 4, 5, 10, batchSize + 2, batchSize + 3, 3671, 3672, 3673, 4000} {
		below, _ := slices.BinarySearch(primes, limit)
		want := primes[:below]
		for _, v := range variants {
			for _, workers := range []int{1, 2, 3, 8, 17} {
				if got := v.primes(limit, workers); !slices.Equal(got, want) {
					t.Errorf("%s(%d, %d) = %v, want %v", v.name, limit, workers, got, want)
				}
			}
		}
	}
}

// Beyond the first segments the number of primes, and the largest, are known.
func TestManySegments(t *testing.T) {
	for _, test := range []struct{ limit, primes, last int }{
		{2 * segmentSize, 3512, 32749},
		{1_000_000, 78_498, 999_983},
		{1_299_709, 99_999, 1_299_689},
		{1_299_710, 100_000, 1_299_709},
	} {
		got := Eratosthenes(test.limit, 1)
		if len(got) != test.primes || got[len(got)-1] != test.last {
			t.Errorf("Eratosthenes(%d): %d primes up to %d, want %d up to %d", test.limit, len(got), got[len(got)-1], test.primes, test.last)
		}
		if !slices.Equal(Segmented(test.limit, 1), got) {
			t.Errorf("Segmented(%d) differs from Eratosthenes(%[1]d)", test.limit)
		}
	}
}

// HandOffs counts what crosses a channel of the chain, to see of how many primes
// the article's figures can be: each number crosses one channel for each prime
// that it is divided by, and one more if it is a prime itself.
func TestHandOffs(t *testing.T) {
	for _, test := range []struct {
		limit  int // numbers below it
		primes int
		count  int64
	}{
		{10_000, 1_229, 777_859},
		{100_000, 9_592, 46_324_068},
		{1_299_710, 100_000, 5_006_714_563},
	} {
		if primes, count := handOffs(test.limit); primes != test.primes || count != test.count {
			t.Errorf("handOffs(%d) = %d primes, %d, want %d, %d", test.limit, primes, count, test.primes, test.count)
		}
	}
}

// handOffs returns how many primes are below limit, and how often a number below
// it is handed from goroutine to goroutine in the chain.
func handOffs(limit int) (primes int, count int64) {
	crossed := make([]bool, limit)
	for i := 2; i < limit; i++ {
		if crossed[i] {
			continue
		}
		primes++
		count += int64(primes)
		for m := 2 * i; m < limit; m += i {
			if !crossed[m] {
				crossed[m] = true
				count += int64(primes) // it is this prime, the primes-th, that drops m
			}
		}
	}
	return primes, count
}

// BenchmarkPrimes keeps an op below 200 ms: divisions grow with the square of
// the number of primes, so what makes them sooner or later has to stop.
func BenchmarkPrimes(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_300_000} {
		for _, v := range variants {
			if n > v.most {
				continue
			}
			b.Run(fmt.Sprintf("variant=%s/n=%d", v.name, n), func(b *testing.B) {
				workers := runtime.GOMAXPROCS(0)
				for b.Loop() {
					v.primes(n, workers)
				}
			})
		}
	}
}
