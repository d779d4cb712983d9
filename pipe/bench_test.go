package pipe_test

import (
	"fmt"
	"testing"

	"github.com/gopayoff/payoff/pipe"
)

// A burner takes a while for an item. The compiler does not see which function it is.
func burner(rounds int) func(v int) int {
	if rounds == 0 {
		return plus
	}
	return func(v int) int {
		x := uint64(v)
		for range rounds {
			x = x*2862933555777941757 + 3037000493
		}
		return int(x)
	}
}

//go:noinline
func plus(v int) int { return v + 1 }

var burners = map[int]func(v int) int{0: burner(0), 3: burner(3), 14: burner(14), 150: burner(150), 1500: burner(1500)}

var sink int

// Three stages over a slice, against the loop: PAYOFF's peers have the rivals.
func BenchmarkStages(b *testing.B) {
	for _, c := range []struct{ n, rounds int }{
		{100000, 0}, {100000, 14}, {100000, 150}, {10000, 1500},
		{1, 3}, {10, 3}, {100, 3}, {1000, 3}, {10000, 3},
	} {
		items := numbers(c.n)
		f, g, h := burners[c.rounds], burners[c.rounds], burners[c.rounds]
		name := fmt.Sprintf("n=%d/rounds=%d", c.n, c.rounds)
		b.Run(name+"/variant=serial", func(b *testing.B) {
			for b.Loop() {
				sum := 0
				for _, v := range items {
					sum += h(g(f(v)))
				}
				sink += sum
			}
		})
		b.Run(name+"/variant=foreach", func(b *testing.B) {
			for b.Loop() {
				sum := 0
				pipe.Map(pipe.Map(pipe.Map(pipe.Slice(items), f), g), h).ForEach(bg, func(v int) error { sum += v; return nil })
				sink += sum
			}
		})
		b.Run(name+"/variant=all", func(b *testing.B) {
			for b.Loop() {
				sum := 0
				for v := range pipe.Map(pipe.Map(pipe.Map(pipe.Slice(items), f), g), h).All(bg) {
					sum += v
				}
				sink += sum
			}
		})
		b.Run(name+"/variant=reduce", func(b *testing.B) {
			for b.Loop() {
				sum, _ := pipe.Reduce(bg, pipe.Map(pipe.Map(pipe.Map(pipe.Slice(items), f), g), h), 0, func(a, v int) int { return a + v })
				sink += sum
			}
		})
	}
}

// A channel that another goroutine fills.
func BenchmarkChan(b *testing.B) {
	const n = 100000
	for _, rounds := range []int{0, 14, 150} {
		f, g, h := burners[rounds], burners[rounds], burners[rounds]
		run := func(name string, consume func(c chan int) int) {
			b.Run(fmt.Sprintf("rounds=%d/variant=%s", rounds, name), func(b *testing.B) {
				for b.Loop() {
					c := make(chan int, 1000)
					go func() {
						for i := range n {
							c <- i
						}
						close(c)
					}()
					sink += consume(c)
				}
			})
		}
		run("serial", func(c chan int) (sum int) {
			for v := range c {
				sum += h(g(f(v)))
			}
			return sum
		})
		run("pipe", func(c chan int) (sum int) {
			sum, _ = pipe.Reduce(bg, pipe.Map(pipe.Map(pipe.Map(pipe.Chan(c), f), g), h), 0, func(a, v int) int { return a + v })
			return sum
		})
	}
}

// One item in a hundred takes a thousand times as long.
func BenchmarkSkew(b *testing.B) {
	items := numbers(10000)
	f, heavy := burner(14), burner(14000)
	skewed := func(v int) int {
		if v%100 == 37 {
			return heavy(v)
		}
		return f(v)
	}
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			for _, v := range items {
				sink += skewed(v)
			}
		}
	})
	b.Run("variant=pipe", func(b *testing.B) {
		for b.Loop() {
			pipe.Map(pipe.Slice(items), skewed).ForEach(bg, func(v int) error { sink += v; return nil })
		}
	})
}
