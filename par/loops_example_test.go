package par_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/gopayoff/payoff/par"
)

// The loop over a part is the body's own, over slices of its own: as fast as a plain
// one.
func ExampleFor() {
	from := []float64{1, 4, 9, 16}
	to := make([]float64, len(from))
	par.For(len(from), func(lo, hi int) {
		from, to := from[lo:hi], to[lo:hi]
		for i, v := range from {
			to[i] = math.Sqrt(v)
		}
	})
	fmt.Println(to)
	// Output: [1 2 3 4]
}

func ExampleForEach() {
	type point struct{ x, y, length float64 }
	points := []point{{3, 4, 0}, {5, 12, 0}, {8, 15, 0}}
	par.ForEach(points, func(i int, p *point) { p.length = math.Hypot(p.x, p.y) })
	fmt.Println(points)
	// Output: [{3 4 5} {5 12 13} {8 15 17}]
}

func ExampleMap() {
	fmt.Println(par.Map([]string{"a", "b", "c"}, strings.ToUpper))
	// Output: [A B C]
}

func ExampleMapN() {
	fmt.Println(par.MapN(5, func(i int) int { return i * i }))
	// Output: [0 1 4 9 16]
}

// A sum of floats that is the same in each call, and on each machine: blocks of
// a fixed length are summed at the same time, and their sums one after the
// other.
func ExampleMapN_sameSum() {
	s := make([]float64, 100_000)
	for i := range s {
		s[i] = 1 / float64(i+1)
	}
	const block = 1024
	sums := par.MapN((len(s)+block-1)/block, func(b int) (t float64) {
		for _, v := range s[b*block : min(len(s), (b+1)*block)] {
			t += v
		}
		return t
	})
	total := 0.0
	for _, v := range sums {
		total += v
	}
	fmt.Printf("%.9f\n", total)
	// Output: 12.090146130
}

func ExampleReduce() {
	words := strings.Fields("the cat and the dog and the bird")
	counts := par.Reduce(words, func(part []string) map[string]int {
		m := make(map[string]int)
		for _, w := range part {
			m[w]++
		}
		return m
	}, func(a, b map[string]int) map[string]int {
		for w, n := range b {
			a[w] += n
		}
		return a
	})
	fmt.Println(counts)
	// Output: map[and:2 bird:1 cat:1 dog:1 the:3]
}

func ExampleReduceN() {
	// The integral of x² from 0 to 3, in rectangles.
	const n = 300
	area := par.ReduceN(n, func(lo, hi int) (t float64) {
		for i := lo; i < hi; i++ {
			x := (float64(i) + 0.5) / 100
			t += x * x / 100
		}
		return t
	}, func(a, b float64) float64 { return a + b })
	fmt.Printf("%.3f\n", area)
	// Output: 9.000
}

func ExampleFilter() {
	s := []string{"go", "rust", "zig", "ocaml"}
	fmt.Println(par.Filter(s, func(s string) bool { return len(s) > 3 }))
	// Output: [rust ocaml]
}

func ExampleScan() {
	// Where each line of a text begins is the sum of the lengths before.
	lengths := par.Map([]string{"one", "two", "three"}, func(s string) int { return len(s) })
	fmt.Println(par.Scan(lengths, func(a, b int) int { return a + b }))
	// Output: [3 6 11]
}

func ExampleFind() {
	fmt.Println(par.Find([]int{2, 4, 7, 8, 9}, func(v int) bool { return v%2 == 1 }))
	// Output: 2
}

func ExampleFindN() {
	// The least divisor above 1.
	const n = 10_403
	fmt.Println(2 + par.FindN(n, func(i int) bool { return n%(i+2) == 0 }))
	// Output: 101
}

func ExampleAny() {
	fmt.Println(par.Any([]string{"a", "", "c"}, func(s string) bool { return s == "" }))
	// Output: true
}

func ExampleTiles() {
	const rows, cols = 2, 3
	from := [rows * cols]int{
		1, 2, 3,
		4, 5, 6,
	}
	var to [cols * rows]int
	par.Tiles(rows, cols, func(r0, r1, c0, c1 int) {
		for r := r0; r < r1; r++ {
			for c := c0; c < c1; c++ {
				to[c*rows+r] = from[r*cols+c]
			}
		}
	})
	fmt.Println(to)
	// Output: [1 4 2 5 3 6]
}

func ExampleForContext() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s := []int{3, 1, 2}
	err := par.ForContext(ctx, len(s), func(_ context.Context, lo, hi int) error {
		for i, v := range s[lo:hi] {
			if v == 2 {
				return fmt.Errorf("element %d is %d", lo+i, v)
			}
		}
		return nil
	})
	fmt.Println(err)
	// Output: element 2 is 2
}

func ExampleForEachContext() {
	s := []string{"a", "", "c"}
	err := par.ForEachContext(context.Background(), s, func(_ context.Context, i int, v *string) error {
		if *v == "" {
			return fmt.Errorf("element %d is empty", i)
		}
		return nil
	})
	fmt.Println(err)
	// Output: element 1 is empty
}

func ExampleMapContext() {
	ctx := context.Background()
	atoi := func(_ context.Context, s string) (int, error) { return strconv.Atoi(s) }
	fmt.Println(par.MapContext(ctx, []string{"1", "2", "3"}, atoi))
	_, err := par.MapContext(ctx, []string{"1", "b", "3"}, atoi)
	fmt.Println(err)
	// Output:
	// [1 2 3] <nil>
	// strconv.Atoi: parsing "b": invalid syntax
}

func ExampleReduceContext() {
	longest := func(a, b string) string {
		if len(b) > len(a) {
			return b
		}
		return a
	}
	s := []string{"go", "ocaml", "rust"}
	fmt.Println(par.ReduceContext(context.Background(), s, func(_ context.Context, part []string) (string, error) {
		best := ""
		for _, v := range part {
			if v == "" {
				return "", errors.New("a name is empty")
			}
			best = longest(best, v)
		}
		return best, nil
	}, longest))
	// Output: ocaml <nil>
}

func ExampleFilterContext() {
	s := []string{"4", "7", "8"}
	fmt.Println(par.FilterContext(context.Background(), s, func(_ context.Context, s string) (bool, error) {
		n, err := strconv.Atoi(s)
		return n%2 == 0, err
	}))
	// Output: [4 8] <nil>
}

func ExampleScanContext() {
	ctx, cancel := context.WithCancelCause(context.Background())
	add := func(a, b int) int { return a + b }
	fmt.Println(par.ScanContext(ctx, []int{1, 2, 3}, add))
	cancel(errors.New("no longer needed"))
	fmt.Println(par.ScanContext(ctx, []int{1, 2, 3}, add))
	// Output:
	// [1 3 6] <nil>
	// [] no longer needed
}

func ExampleFindContext() {
	s := []string{"4", "7", "x"}
	fmt.Println(par.FindContext(context.Background(), s, func(_ context.Context, s string) (bool, error) {
		n, err := strconv.Atoi(s)
		return n%2 == 1, err
	}))
	// Output: 1 <nil>
}

func ExampleTilesContext() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	fmt.Println(par.TilesContext(ctx, 100, 100, func(_ context.Context, r0, r1, c0, c1 int) error { return nil }))
	// Output: context canceled
}

func ExampleDoContext() {
	var user, orders string
	err := par.DoContext(context.Background(),
		func(ctx context.Context) error { user = "ada"; return nil },
		func(ctx context.Context) error { orders = "3 orders"; return ctx.Err() },
	)
	fmt.Println(user, orders, err)
	// Output: ada 3 orders <nil>
}

func ExampleMapIndexed() {
	fmt.Println(par.MapIndexed([]string{"a", "b", "c"}, func(i int, v string) string { return strings.Repeat(v, i+1) }))
	// Output: [a bb ccc]
}

// The least of no numbers is what it begins with.
func ExampleFold() {
	inf := func() float64 { return math.Inf(1) }
	fmt.Println(par.Fold([]float64{3, 1, 2}, inf, math.Min, math.Min))
	fmt.Println(par.Fold([]float64{}, inf, math.Min, math.Min))
	// Output:
	// 1
	// +Inf
}

func ExampleFoldContext() {
	count := func() map[rune]int { return make(map[rune]int) }
	add := func(_ context.Context, m map[rune]int, s string) (map[rune]int, error) {
		if !utf8.ValidString(s) {
			return nil, fmt.Errorf("%q is not UTF-8", s)
		}
		for _, r := range s {
			m[r]++
		}
		return m, nil
	}
	join := func(a, b map[rune]int) map[rune]int {
		for r, n := range b {
			a[r] += n
		}
		return a
	}
	m, err := par.FoldContext(context.Background(), []string{"abc", "cab"}, count, add, join)
	fmt.Println(m['a'], err)
	_, err = par.FoldContext(context.Background(), []string{"abc", "\xff"}, count, add, join)
	fmt.Println(err)
	// Output:
	// 2 <nil>
	// "\xff" is not UTF-8
}

// Two processors are left to others, if there are more.
func ExampleLimit() {
	squares := make([]int, 5)
	par.For(len(squares), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			squares[i] = i * i
		}
	}, par.Limit(max(1, runtime.GOMAXPROCS(0)-2)))
	fmt.Println(squares)
	// Output: [0 1 4 9 16]
}

func ExamplePanic() {
	defer func() {
		p := recover().(*par.Panic)
		var outOfRange runtime.Error
		fmt.Println(p.Value)
		fmt.Println(errors.As(p, &outOfRange), strings.Contains(string(p.Stack), "ExamplePanic"))
	}()
	s := []int{1, 2, 3}
	par.For(4, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s[i]++
		}
	})
	// Output:
	// runtime error: index out of range [3] with length 3
	// true true
}

func ExampleForSeq() {
	var bytes atomic.Int64
	par.ForSeq(strings.Lines("one\ntwo\nthree\n"), func(line string) { bytes.Add(int64(len(line))) })
	fmt.Println(bytes.Load())
	// Output: 14
}

// Lines are worked on ahead, and come in order.
func ExampleMapSeq() {
	for line := range par.MapSeq(strings.Lines("one\ntwo\nthree\n"), strings.ToUpper) {
		fmt.Print(line)
		if line == "TWO\n" {
			break
		}
	}
	// Output:
	// ONE
	// TWO
}

func ExampleMapSeq2() {
	for i, n := range par.MapSeq2(slices.All([]string{"one", "three"}), func(_ int, s string) int { return len(s) }) {
		fmt.Println(i, n)
	}
	// Output:
	// 0 3
	// 1 5
}

func ExampleMapSeqContext() {
	numbers := par.MapSeqContext(context.Background(), strings.FieldsSeq("1 2 x 4"), func(_ context.Context, s string) (int, error) {
		return strconv.Atoi(s)
	})
	for n, err := range numbers {
		fmt.Println(n, err)
	}
	// Output:
	// 1 <nil>
	// 2 <nil>
	// 0 strconv.Atoi: parsing "x": invalid syntax
}

func ExampleForSeqContext() {
	err := par.ForSeqContext(context.Background(), strings.FieldsSeq("1 2 x 4"), func(_ context.Context, s string) error {
		_, err := strconv.Atoi(s)
		return err
	})
	fmt.Println(err)
	// Output: strconv.Atoi: parsing "x": invalid syntax
}

func ExampleMapNContext() {
	fmt.Println(par.MapNContext(context.Background(), 3, func(ctx context.Context, i int) (int, error) { return i * i, ctx.Err() }))
	// Output: [0 1 4] <nil>
}

func ExampleReduceNContext() {
	sum, err := par.ReduceNContext(context.Background(), 101, func(_ context.Context, lo, hi int) (n int, err error) {
		for i := lo; i < hi; i++ {
			n += i
		}
		return n, nil
	}, func(a, b int) int { return a + b })
	fmt.Println(sum, err)
	// Output: 5050 <nil>
}

func ExampleFindNContext() {
	fmt.Println(par.FindNContext(context.Background(), 100, func(_ context.Context, i int) (bool, error) { return i*i > 50, nil }))
	// Output: 8 <nil>
}

func ExampleAnyContext() {
	fmt.Println(par.AnyContext(context.Background(), []string{"1", "2"}, func(_ context.Context, s string) (bool, error) {
		n, err := strconv.Atoi(s)
		return n > 1, err
	}))
	// Output: true <nil>
}
