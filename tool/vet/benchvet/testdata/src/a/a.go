// Package a holds benchmarks that measure something else, and some that do not.
package a

import (
	"math/bits"
	"os"
	"sync"
	"sync/atomic"
	"testing"
)

func mix(x uint32) uint32 {
	x ^= x >> 16
	x *= 0x7feb352d
	return x ^ x>>15
}

type vec struct{ x, y float64 }

func (v vec) dot(w vec) float64 { return v.x*w.x + v.y*w.y }

func (v *vec) scale(f float64) float64 { v.x *= f; return v.x }

func at(xs []int, i int) int { return xs[i] }

func div(a, b int) int { return a / b }

//go:noinline
func kept(x int) int { return x + 1 }

func sum(xs []int) (n int) {
	for _, x := range xs {
		n += x
	}
	return n
}

func numbers(n int) []int {
	xs := make([]int, n)
	for i := range xs {
		xs[i] = i
	}
	return xs
}

func table(n int) []int { return make([]int, n) }

var sink int

// Results that nobody wants.

func BenchmarkDropped(b *testing.B) {
	for i := 0; i < b.N; i++ {
		mix(uint32(i)) // want "the result of mix is not used: .* an empty loop is measured"
	}
}

func BenchmarkDroppedBlank(b *testing.B) {
	v := vec{1, 2}
	for range b.N {
		_ = v.dot(vec{}.twice()) // want "the result of v.dot is not used"
		_ = bits.Len(uint(sink)) // want "the result of bits.Len is not used"
	}
}

func (v vec) twice() vec { return vec{2 * v.x, 2 * v.y} }

func BenchmarkDroppedMethod(b *testing.B) {
	v := vec{1, 2}
	b.ReportAllocs()
	for i := range b.N {
		v.dot(v) // want "the result of v.dot is not used"
		if i > 1000 {
			continue
		}
	}
}

func BenchmarkDroppedInSub(b *testing.B) {
	b.Run("one", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			mix(1) // want "the result of mix is not used"
		}
	})
}

func BenchmarkDroppedUntil(b *testing.B) {
	for i := 0; i < b.N; i++ {
		mix(1) // want "the result of mix is not used" // refuse "loop: the loop is left by break before b.Loop says so"
		if i == 10 {
			break
		}
	}
}

func BenchmarkDroppedTwice(b *testing.B) {
	for i := 0; i < b.N; i += 2 {
		mix(uint32(i)) // want "the result of mix is not used" // refuse "loop: there is another loop: b.Loop can be used for one"
	}
	for i := 0; i < b.N; i++ {
		i++
		mix(uint32(i)) // want "the result of mix is not used" // refuse "loop: there is another loop: b.Loop can be used for one"
	}
}

func BenchmarkDroppedSteps(b *testing.B) {
	for i := 0; i < b.N; i += 2 {
		mix(uint32(i)) // want "the result of mix is not used" // refuse "loop: the loop counts in another way"
	}
}

func BenchmarkDroppedWritten(b *testing.B) {
	for i := 0; i < b.N; i++ {
		i++
		mix(uint32(i)) // want "the result of mix is not used" // refuse "loop: the loop changes its index"
	}
}

// Not certainly left out: kept, may panic, writes, loops, of another package.
func BenchmarkNotDropped(b *testing.B) {
	xs := table(4)
	v := &vec{1, 2}
	for i := 0; i < b.N; i++ {
		kept(i)
		at(xs, i)
		div(i, len(xs))
		v.scale(2)
		sum(xs)
		os.Getpid()
	}
}

func BenchmarkWanted(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += int(mix(uint32(i)))
	}
}

func BenchmarkLoop(b *testing.B) {
	for b.Loop() {
		mix(1)
	}
}

// Preparation that is timed.

func BenchmarkSetup(b *testing.B) {
	b.ReportAllocs()
	xs := numbers(1 << 20) // want "the timer runs through this preparation"
	for i := 0; i < b.N; i++ {
		sink += sum(xs[:1000])
	}
}

func BenchmarkSetupLoop(b *testing.B) {
	var xs []int
	for i := range 1000 { // want "the timer runs through this preparation"
		xs = append(xs, i)
	}
	for i := range b.N {
		sink += sum(xs) + i
	}
}

func BenchmarkSetupFile(b *testing.B) {
	data, err := os.ReadFile("a.go") // want "the timer runs through this preparation" // refuse "loop: b.N is used beside the loop, and b.Loop counts for itself"
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; i < b.N; i++ {
		sink += len(data)
	}
	b.ReportMetric(float64(b.N), "n")
}

func BenchmarkSetupReset(b *testing.B) {
	xs := numbers(1 << 20)
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		sink += sum(xs)
	}
}

func BenchmarkSetupShort(b *testing.B) {
	xs := table(1000)
	for i := 0; i < b.N; i++ {
		sink += sum(xs)
	}
}

func BenchmarkSetupModern(b *testing.B) {
	xs := numbers(1 << 20)
	for b.Loop() {
		sink += sum(xs)
	}
}

// RunParallel.

func BenchmarkInside(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		own := 0
		for i := 0; i < b.N; i++ { // want "each goroutine of RunParallel does all b.N operations" // refuse "next: Next of the .testing.PB deals out"
			own += sum(nil)
		}
		_ = own
	})
}

func BenchmarkInsideIndex(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		own := 0
		for i := range b.N { // want "each goroutine of RunParallel does all b.N operations" // refuse "next: Next of the .testing.PB deals out"
			own += i
		}
		_ = own
	})
}

func BenchmarkInsideNoName(b *testing.B) {
	b.RunParallel(func(*testing.PB) {
		for range b.N { // want "each goroutine of RunParallel does all b.N operations" // refuse "next: Next of the .testing.PB deals out"
			sum(nil)
		}
	})
}

func BenchmarkInsideBoth(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			for range b.N { // want "each goroutine of RunParallel does all b.N operations" // refuse "next: Next of the .testing.PB deals out"
				sum(nil)
			}
		}
	})
}

type hits struct {
	n    atomic.Int64
	last int
}

func BenchmarkSharedWrite(b *testing.B) {
	var h hits
	total := 0
	var raw int64
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			h.n.Add(1)               // want "all goroutines of RunParallel add to h.n: its cache line travels"
			h.last = 1               // want "all goroutines of RunParallel write h.last"
			total++                  // want "all goroutines of RunParallel write total"
			sink = total             // want "all goroutines of RunParallel write sink"
			atomic.AddInt64(&raw, 1) // want "all goroutines of RunParallel add to raw"
		}
	})
}

func BenchmarkOwnWrites(b *testing.B) {
	rows := make([]int, 64)
	var next atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		w := next.Add(1)
		own := 0
		for pb.Next() {
			own++
			rows[w]++
			_ = h.n.Load()
		}
		h.n.Add(int64(own))
	})
}

var h hits

// Goroutines that nobody waits for.

func BenchmarkUnjoined(b *testing.B) {
	xs := table(1000)
	for i := 0; i < b.N; i++ {
		go sum(xs) // want "nothing waits for this goroutine" // refuse "join: what has to wait for them"
	}
}

func BenchmarkUnjoinedLiteral(b *testing.B) {
	xs := table(1000)
	for i := range b.N {
		go func() { // want "nothing waits for this goroutine" // refuse "join: what has to wait for them"
			xs[i%1000] = sum(xs)
		}()
	}
}

func BenchmarkUnjoinedArgument(b *testing.B) {
	xs := table(1000)
	for i := 0; i < b.N; i++ {
		xs = xs[:len(xs)-1]
		go sum(xs) // want "nothing waits for this goroutine" // refuse "join: what has to wait for them"
	}
}

func BenchmarkUnjoinedMethod(b *testing.B) {
	v := vec{1, 2}
	for i := 0; i < b.N; i++ {
		go v.twice() // want "nothing waits for this goroutine" // refuse "join: what has to wait for them"
	}
}

func BenchmarkUnjoinedLoop(b *testing.B) {
	xs := table(1000)
	for b.Loop() {
		go sum(xs) // want "nothing waits for this goroutine" // refuse "join: what has to wait for them"
	}
}

func BenchmarkJoined(b *testing.B) {
	done := make(chan int)
	for i := 0; i < b.N; i++ {
		go func() { done <- sum(nil) }()
		<-done
	}
}

type server struct{ quit chan bool }

func (s *server) serve() { <-s.quit }
func (s *server) stop()  { s.quit <- true }

func BenchmarkServed(b *testing.B) {
	for i := 0; i < b.N; i++ {
		s := &server{make(chan bool)}
		go s.serve()
		s.stop()
	}
}

func BenchmarkCounted(b *testing.B) {
	var left atomic.Int64
	for i := 0; i < b.N; i++ {
		left.Add(1)
		go func() { left.Add(-1) }()
	}
	for left.Load() > 0 {
	}
}

// A timer that is stopped.

func BenchmarkStopped(b *testing.B) {
	xs := numbers(64)
	for i := 0; i < b.N; i++ {
		b.StopTimer() // want "the timer is stopped in each iteration" // refuse "loop: what is between the stop and the start"
		xs[0] = i
		b.StartTimer()
		sink += sum(xs)
	}
}

func BenchmarkStoppedOnce(b *testing.B) {
	b.StopTimer()
	xs := numbers(64)
	b.StartTimer()
	for i := 0; i < b.N; i++ {
		sink += sum(xs)
	}
}

// What is timed is another's.
func BenchmarkOther(b *testing.B) {
	b.Run("x", func(c *testing.B) {
		for i := 0; i < b.N; i++ {
			mix(uint32(i))
		}
	})
}

func BenchmarkEarly(b *testing.B) {
	b.StopTimer()
	each := b.N / 4
	var wg sync.WaitGroup
	wg.Add(4)
	for range 4 {
		go func() { // want "begins before the clock does" // refuse "late: move b.StartTimer above it"
			defer wg.Done()
			for range each {
				sink += sum(ys)
			}
		}()
	}
	b.StartTimer()
	wg.Wait()
}

// They wait for a signal, or begin late, or are there for all.
func BenchmarkSignal(b *testing.B) {
	each := b.N / 4
	begin, end := make(chan bool), make(chan bool)
	for range 4 {
		go func() {
			<-begin
			for range each {
				sink += sum(ys)
			}
			end <- true
		}()
	}
	b.ResetTimer()
	close(begin)
	for range 4 {
		<-end
	}
}

func BenchmarkLate(b *testing.B) {
	each := b.N / 4
	var wg sync.WaitGroup
	wg.Add(4)
	b.ResetTimer()
	for range 4 {
		go func() {
			defer wg.Done()
			for range each {
				sink += sum(ys)
			}
		}()
	}
	wg.Wait()
}

func BenchmarkBeside(b *testing.B) {
	results := make(chan int, b.N)
	go func() { results <- sum(ys) }()
	b.ResetTimer()
	for range b.N {
		sink += sum(ys)
	}
	<-results
}

func BenchmarkBesideParallel(b *testing.B) {
	results := make(chan int, 1)
	go func() { results <- sum(ys) }()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		n := 0
		for pb.Next() {
			n += sum(ys)
		}
	})
	<-results
}

var ys = []int{1, 2}
