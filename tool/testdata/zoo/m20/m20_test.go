package m20

import (
	"sync"
	"testing"
)

func numbers(n int) []uint32 {
	xs := make([]uint32, n)
	for i := range xs {
		xs[i] = mix(uint32(i))
	}
	return xs
}

var sink uint32

// As it should be.
func BenchmarkMix(b *testing.B) {
	for b.Loop() {
		sink = mix(sink)
	}
}

// The compiler leaves the call out.
func BenchmarkDropped(b *testing.B) {
	for i := 0; i < b.N; i++ {
		mix(uint32(i)) // mistake: benchvet dropped
	}
}

// The timer runs while the numbers are made.
func BenchmarkSetup(b *testing.B) {
	xs := numbers(1 << 20) // mistake: benchvet setup
	for i := 0; i < b.N; i++ {
		sink += sum(xs[:1000])
	}
}

// All processors wait for the one sum.
func BenchmarkSharedWrite(b *testing.B) {
	var h hits
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			h.n.Add(1) // mistake: benchvet shared
		}
	})
}

// Each processor does all the work.
func BenchmarkLoopInside(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		own := uint32(0)
		for i := 0; i < b.N; i++ { // mistake: benchvet bN
			own += mix(uint32(i))
		}
		atomicSink(own)
	})
}

// The work goes on after the clock has stopped.
func BenchmarkNotJoined(b *testing.B) {
	xs := numbers(1000)
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		go sum(xs) // mistake: benchvet unjoined
	}
}

// Stopping the timer takes longer than what is timed.
func BenchmarkStopped(b *testing.B) {
	xs := numbers(4096)
	for i := 0; i < b.N; i++ {
		b.StopTimer() // mistake: benchvet stopped
		xs[0] = uint32(i)
		b.StartTimer()
		sink += sum(xs)
	}
}

var mu sync.Mutex

func atomicSink(x uint32) {
	mu.Lock()
	sink += x
	mu.Unlock()
}
