// Program run prints what maps do.
package main

import (
	"fmt"
	"sort"
	"sync"
)

var counts sync.Map

func count(words []string) {
	for _, w := range words {
		for {
			old, loaded := counts.LoadOrStore(w, 1)
			if !loaded || counts.CompareAndSwap(w, old, old.(int)+1) {
				break
			}
		}
	}
}

func list(m *sync.Map) {
	var all []string
	m.Range(func(k, v any) bool {
		all = append(all, fmt.Sprint(k, "=", v))
		return true
	})
	sort.Strings(all)
	fmt.Println(all)
}

// Deleted elements do not come, and what changes comes as it is.
func during() {
	var m sync.Map
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 8 {
			m.Store(i, i)
		}
	})
	wg.Wait()
	n := 0
	m.Range(func(k, v any) bool {
		for i := range 8 {
			if i != k.(int) {
				m.Delete(i)
			}
		}
		n++
		return true
	})
	fmt.Println(n)
}

func panics(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

var few sync.Map

func absent(k string) int {
	v, _ := few.Load(k)
	return v.(int)
}

func changes() {
	few.Store("a", 1)
	fmt.Println(few.Swap("a", 2))
	fmt.Println(few.LoadAndDelete("a"))
	fmt.Println(few.CompareAndDelete("b", 2), few.CompareAndSwap("b", 2, 3))
	few.Store("b", 2)
	fmt.Println(few.CompareAndDelete("b", 2))
	few.Clear()
}

var rows sync.Map

func row(k int, v any) {
	rows.Store(k, v)
	fmt.Println(rows.CompareAndSwap(k, v, 1))
}

func main() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { count([]string{"a", "b", "a", "c"}) })
	}
	wg.Wait()
	list(&counts)
	during()
	panics(func() { absent("none") })
	changes()
	panics(func() { row(1, []int{}) })
	row(1, nil)
	row(2, 2)
	panics(func() { var none *sync.Map; none.Store(1, 1) })
}
