//go:build cgo

package native

import (
	"strings"
	"testing"
)

var sink int

func bench(b *testing.B, serial func() int, name string, variant func() int) {
	for _, v := range []struct {
		name string
		f    func() int
	}{{"serial", serial}, {name, variant}} {
		b.Run("variant="+v.name, func(b *testing.B) {
			for b.Loop() {
				sink = v.f()
			}
		})
	}
}

func numbers(n int) []int32 {
	xs := make([]int32, n)
	for i := range xs {
		xs[i] = int32(i*i) & 0xff
	}
	return xs
}

func names(n int) []string {
	var out []string
	for i := range n {
		out = append(out, strings.Repeat("n", i%20+1))
	}
	return out
}

func rows(n int) [][]int32 {
	var out [][]int32
	for i := range n {
		out = append(out, numbers(2000+i))
	}
	return out
}

func BenchmarkWeights(b *testing.B) {
	xs := numbers(20_000)
	bench(b, func() int { return weights(xs) }, "each", func() int { return weightsEach(xs) })
}

func BenchmarkLengths(b *testing.B) {
	xs := names(5_000)
	bench(b, func() int { return lengths(xs) }, "each", func() int { return lengthsEach(xs) })
}

func BenchmarkFolds(b *testing.B) {
	all := rows(200)
	bench(b, func() int { return folds(all) }, "whole", func() int { return foldsWhole(all) })
}

func Test(t *testing.T) {
	xs, ns, all := numbers(100), names(50), rows(6)
	for _, p := range []struct{ got, want int }{
		{weightsEach(xs), weights(xs)}, {lengthsEach(ns), lengths(ns)}, {foldsWhole(all), folds(all)},
	} {
		if p.got != p.want {
			t.Errorf("%d, want %d as in Go", p.got, p.want)
		}
	}
}
