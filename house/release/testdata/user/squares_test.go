package user

import (
	"slices"
	"testing"
)

var xs = make([]int, 2000)

func init() {
	for i := range xs {
		xs[i] = i
	}
}

func TestEach(t *testing.T) {
	if got, want := Each(xs), Serial(xs); !slices.Equal(got, want) {
		t.Errorf("Each = %v, want %v", got, want)
	}
}

func BenchmarkSquares(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			Serial(xs)
		}
	})
	b.Run("variant=each", func(b *testing.B) {
		for b.Loop() {
			Each(xs)
		}
	})
}
