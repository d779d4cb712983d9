package m18

import (
	"strconv"
	"testing"
)

var words = func() []string {
	words := make([]string, 10_000)
	for i := range words {
		words[i] = strconv.Itoa(i * 7 % 500)
	}
	return words
}()

func BenchmarkM18(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			count(words)
		}
	})
	b.Run("variant=locked", func(b *testing.B) {
		for b.Loop() {
			countLocked(words, 4)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := countLocked(words, 4), count(words); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
