// Program run prints what maps do.
package main

import (
	"fmt"
	"sort"
	"sync"
)

func count(words []string) {
	var counts sync.Map
	for _, w := range words {
		for {
			old, loaded := counts.LoadOrStore(w, 1)
			if !loaded || counts.CompareAndSwap(w, old, old.(int)+1) {
				break
			}
		}
	}
	var all []string
	counts.Range(func(k, v any) bool {
		all = append(all, fmt.Sprint(k, "=", v))
		return true
	})
	sort.Strings(all)
	fmt.Println(all)
	counts.Range(func(k, v any) bool {
		fmt.Println("once")
		return false
	})
}

func panics(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func absent(k string) int {
	var few sync.Map
	v, _ := few.Load(k)
	return v.(int)
}

func changes() {
	var few sync.Map
	few.Store("a", 1)
	fmt.Println(few.Swap("a", 2))
	fmt.Println(few.LoadAndDelete("a"))
	fmt.Println(few.LoadAndDelete("a"))
	fmt.Println(few.CompareAndDelete("b", 2), few.CompareAndSwap("b", 2, 3))
	few.Store("b", 2)
	fmt.Println(few.CompareAndDelete("b", 3), few.CompareAndDelete("b", 2))
	few.Store("c", 2)
	few.Delete("c")
	fmt.Println(few.Load("c"))
	few.Store("d", 2)
	few.Clear()
	fmt.Println(few.Load("d"))
}

func row(k int, v any) {
	var rows sync.Map
	rows.Store(k, v)
	fmt.Println(rows.CompareAndSwap(k, v, 1))
}

func main() {
	count([]string{"a", "b", "a", "c"})
	panics(func() { absent("none") })
	changes()
	panics(func() { row(1, []int{}) })
	row(1, nil)
	panics(func() { var none *sync.Map; none.Store(1, 1) })
}
