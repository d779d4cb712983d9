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

func BenchmarkSerial(b *testing.B) {
	for b.Loop() {
		count(words)
	}
}

func BenchmarkLocked(b *testing.B) {
	for b.Loop() {
		countLocked(words, 4)
	}
}

func TestSame(t *testing.T) {
	if got, want := countLocked(words, 4), count(words); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
