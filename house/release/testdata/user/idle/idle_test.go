// Package idle has a benchmark that measures nothing: the compiler leaves out the
// division, whose result nobody uses.
package idle

import "testing"

func half(x int) int { return x / 2 }

func BenchmarkHalf(b *testing.B) {
	for i := 0; i < b.N; i++ {
		half(i)
	}
}
