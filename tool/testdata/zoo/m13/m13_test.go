package m13

import "testing"

var words = func() []string {
	words := make([]string, 2000)
	for i := range words {
		words[i] = "abcdefghijklmnop"[:8+i%8]
	}
	return words
}()

func BenchmarkM13(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			longest(words)
		}
	})
	b.Run("variant=pooled", func(b *testing.B) {
		for b.Loop() {
			longestPooled(words)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := longestPooled(words), longest(words); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
