//go:build go1.24

// Package old is of a language before b.Loop let calls be inlined.
package old

import "testing"

func mix(x uint32) uint32 { return x ^ x>>16 }

func work() {
	for range 1000 {
	}
}

func BenchmarkDropped(b *testing.B) {
	for i := 0; i < b.N; i++ {
		mix(uint32(i)) // want "the result of mix is not used" // refuse "loop: until Go 1.26 b.Loop keeps the calls in its body from being inlined"
	}
}

func BenchmarkUnjoined(b *testing.B) {
	for i := 0; i < b.N; i++ {
		go work() // want "nothing waits for this goroutine" // refuse "join: what has to wait for them"
	}
}
