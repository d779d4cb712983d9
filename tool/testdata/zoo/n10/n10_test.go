package n10

import "testing"

var words = func() []string {
	words := make([]string, 5000)
	for i := range words {
		words[i] = "abcdefghijklmnop"[i%4 : 8+i%8]
	}
	return words
}()

func BenchmarkN10(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			longest(words)
		}
	})
	b.Run("variant=sharded", func(b *testing.B) {
		for b.Loop() {
			longestSharded(words, 2)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := longestSharded(words, 2), longest(words); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
