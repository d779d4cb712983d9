package par_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gopayoff/payoff/par"
)

type dir struct {
	size int
	subs []*dir
}

// total belongs into a package variable: it learns from call to call.
var total = par.New(sizes)

// sizes has more than two parts: it forks the first directory and the rest.
func sizes(t *par.Task[[]*dir, int], dirs []*dir) int {
	switch len(dirs) {
	case 0:
		return 0
	case 1:
		return dirs[0].size + sizes(t, dirs[0].subs)
	}
	if t.Serial() {
		return sizes(t, dirs[:1]) + sizes(t, dirs[1:])
	}
	first, rest := t.Fork(dirs[:1], dirs[1:])
	return first + rest
}

func ExampleNew() {
	root := &dir{1, []*dir{{20, nil}, {300, []*dir{{4000, nil}}}}}
	fmt.Println(total.Call([]*dir{root}))
	// Output: 4321
}

var fib = par.New(func(t *par.Task[int, int], n int) int {
	if n < 2 {
		return n
	}
	a, b := t.Join(n-1, n-2)
	return a + b
})

func ExampleTask_Join() {
	fmt.Println(fib.Call(20))
	// Output: 6765
}

func ExampleDo() {
	var upper, title string
	par.Do(
		func() { upper = strings.ToUpper("gopher") },
		func() { title = strings.Repeat("go ", 2) },
	)
	fmt.Println(upper, title)
	// Output: GOPHER go go
}

// At rest there are no helpers.
func ExampleReadStats() {
	fib.Call(25)
	time.Sleep(10 * time.Millisecond)
	s := par.ReadStats()
	fmt.Println(s.Helpers, s.WakePrice > 0)
	// Output: 0 true
}

// A number is what generic code adds up.
type number interface{ ~int | ~float64 }

// sum adds up a slice of any numbers. There can be no package variable for all of
// them, so its calls go through [par.Call].
func sum[T number](t *par.Task[[]T, T], x []T) T {
	if len(x) == 1 {
		return x[0]
	}
	l, r := t.Join(x[:len(x)/2], x[len(x)/2:])
	return l + r
}

func ExampleCall() {
	fmt.Println(par.Call(sum[int], []int{1, 2, 3, 4}), par.Call(sum[float64], []float64{0.5, 0.25}))
	// Output: 10 0.75
}

// parse adds up the numbers of a list, of which some may be none.
var parse = par.NewContext(func(t *par.TaskContext[[]string, int], list []string) (int, error) {
	if len(list) == 1 {
		return strconv.Atoi(list[0])
	}
	l, r, err := t.Join(list[:len(list)/2], list[len(list)/2:])
	return l + r, err
})

func ExampleNewContext() {
	fmt.Println(parse.Call(context.Background(), []string{"1", "20", "300"}))
	fmt.Println(parse.Call(context.Background(), []string{"1", "two", "three"}))
	// Output:
	// 321 <nil>
	// 0 strconv.Atoi: parsing "two": invalid syntax
}
