package par_test

import (
	"fmt"
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
