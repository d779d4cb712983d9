// Package main has other meanings for the names that edits like to use.
package main

import (
	fm "fmt"
	strings "sort"
	"sync"
)

type slices struct{ atomic, min int }

func (s slices) Sort(xs []int) { fm.Println("not sorted", len(xs)) }

func max(a, b int) int { return a - b }

var runtime = slices{1, 2}

type string2 = string

// lens shadows len and append.
func lens(xs []int) int {
	len := func(xs []int) int { return 3 }
	append := func(xs []int, x int) []int { return xs[:1] }
	n := 0
	for _, x := range xs {
		xs = append(xs, x)
		n += len(xs)
	}
	return n
}

// sorted sorts through reflection where slices means something else.
func sorted(xs []int) []int {
	cmp := 3
	strings.Slice(xs, func(i, j int) bool { return xs[i] < xs[j] })
	strings.Slice(xs[:cmp], func(cmp, a int) bool { return xs[cmp] > xs[a] })
	return xs
}

type pair struct {
	a, b int
	name string2
}

// by sorts pairs with variables of the names that the edit would take.
func by(ps []pair) []pair {
	a, b, c := ps, 2, 3
	strings.SliceStable(a, func(i, j int) bool { return a[i].a*b < a[j].a*b+c-c })
	strings.Slice(a, func(i, j int) bool {
		if a[i].a != a[j].a {
			return a[i].a < a[j].a
		}
		if a[i].b != a[j].b {
			return a[i].b > a[j].b
		}
		return a[i].name < a[j].name
	})
	return a
}

// slots have the names that a local variable would take.
func slots(xs []int) (sums []int) {
	sums = make([]int, 4)
	sum, slot := 1, 2
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			ownSum := w
			for _, x := range xs {
				sums[w] += x*sum + slot - ownSum
			}
		})
	}
	wg.Wait()
	return sums
}

// each starts a goroutine for each element where min and workers are taken.
func each(xs []int) []int {
	min := func(a, b int) int { return 1000 }
	workers := 3
	out := make([]int, len(xs))
	var wg sync.WaitGroup
	for i, x := range xs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out[i] = min(x, workers) + runtime.min + x
		}()
	}
	wg.Wait()
	return out
}

// shadowed counts in a variable that an inner one hides.
func shadowed(xs []int) int {
	n := 0
	for _, n := range xs {
		n += n
		if n := n * 2; n > 10 {
			_ = n
		}
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() {
			v := x
			mu.Lock()
			defer mu.Unlock()
			n += v
		})
	}
	wg.Wait()
	return n
}

// texts formats where the packages that would do it are taken.
func texts(xs []int) (out []string2) {
	strconv, builder := "s", "b"
	for _, x := range xs {
		out = append(out, fm.Sprintf("%d", x), fm.Sprintf("%s%d", strconv, x), fm.Sprint(x)+builder)
	}
	return out
}

// joined builds a string in a loop; strings is another package.
func joined(xs []string2) string2 {
	s := ""
	for _, x := range xs {
		s += x + ","
	}
	return s
}

// counts has true, nil and iota shadowed.
func counts(xs []int) map[int]int {
	true, nil := false, 0
	m := map[int]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for _, x := range xs {
				if x%4 == w && !true {
					mu.Lock()
					m[x%3] += x + nil
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return m
}

type table struct {
	mu sync.RWMutex
	n  int
	m  map[string2]int
}

// get has value, ok and old taken.
func (t *table) get(k string2) (value int, ok bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	value, ok = t.m[k]
	return value, ok
}

func (t *table) count() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.n
}

func (t *table) set(k string2, value int) (old int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	old = t.m[k]
	t.m[k] = value
	t.n++
	return old
}

func main() {
	xs := make([]int, 12)
	for i := range xs {
		xs[i] = (i*7 + 3) % 12
	}
	fm.Println(lens(xs[:8:8]), max(1, 2))
	fm.Println(sorted(append([]int(nil), xs...)))
	fm.Println(by([]pair{{2, 1, "x"}, {1, 1, "b"}, {1, 1, "a"}, {1, 2, "c"}}))
	fm.Println(dotted(xs[:2]))
	fm.Println(total(xs))
	fm.Println(slots(xs), each(xs), shadowed(xs))
	fm.Println(texts(xs[:3]), joined([]string2{"a", "b"}), counts(xs))
	t := table{m: map[string2]int{}}
	fm.Println(t.set("a", 1), t.set("a", 2), t.count())
	fm.Println(t.get("a"))
	fm.Println(t.get("b"))
	runtime.Sort(xs)
}
