// Package aa is code of several kinds, each measured against itself: whatever
// a comparison finds here beyond "even" or "cannot say" is a false alarm.
//
//	payoff run -base 'variant=a$' ./tool/testdata/aa
package aa

import (
	"encoding/json"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
)

// sink keeps results alive.
var sink int

type kind struct {
	name string
	run  func()
}

func kinds() []kind {
	return []kind{
		{"spin", func() { sink += spin(100_000) }},
		{"spinpar", func() { each(2, func(int) { spin(100_000) }) }},
		{"isort", func() { s := append(sort.IntSlice(nil), numbers...); sort.Sort(s); sink += s[0] }},
		{"msort", func() { s := slices.Clone(numbers); msort(s, make([]int, len(s))); sink += s[0] }},
		{"json", func() { each(2, func(int) { encode() }) }},
		{"alloc", func() { each(2, func(int) { allocate(2000) }) }},
		{"chan", func() { sink += pipeline(2000, 64) }},
		{"map", func() { sink += fill(2000) }},
		{"mutex", func() { sink += contended(4, 500) }},
		{"build", func() { sink += len(build(500)) }},
	}
}

var numbers = func() []int {
	s := make([]int, 5000)
	x := uint32(1)
	for i := range s {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		s[i] = int(x)
	}
	return s
}()

//go:noinline
func spin(n int) int {
	x := 1
	for i := range n {
		x = x*31 + i
	}
	return x
}

func each(n int, f func(int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

func msort(s, tmp []int) {
	if len(s) <= 1024 {
		slices.Sort(s)
		return
	}
	mid := len(s) / 2
	var wg sync.WaitGroup
	wg.Go(func() { msort(s[:mid], tmp[:mid]) })
	msort(s[mid:], tmp[mid:])
	wg.Wait()
	copy(tmp, s)
	i, j := 0, mid
	for k := range s {
		if j == len(s) || i < mid && tmp[i] <= tmp[j] {
			s[k] = tmp[i]
			i++
		} else {
			s[k] = tmp[j]
			j++
		}
	}
}

func encode() {
	type item struct {
		Name string
		Tags []string
		N    map[string]int
	}
	for i := range 20 {
		data, err := json.Marshal(item{"name", []string{"a", "b"}, map[string]int{"x": i}})
		var back item
		if err != nil || json.Unmarshal(data, &back) != nil {
			panic("json")
		}
	}
}

type node struct{ next *node }

func allocate(n int) {
	var head *node
	for i := range n {
		if i%100 == 0 {
			head = nil
		}
		head = &node{head}
	}
	runtime.KeepAlive(head)
}

func pipeline(n, size int) int {
	in, out := make(chan int, size), make(chan int, size)
	go func() {
		for i := range n {
			in <- i
		}
		close(in)
	}()
	go func() {
		for v := range in {
			out <- v + 1
		}
		close(out)
	}()
	sum := 0
	for v := range out {
		sum += v
	}
	return sum
}

func fill(n int) int {
	m := map[int]int{}
	for i := range n {
		m[i*7919] += i
	}
	return len(m)
}

func contended(workers, n int) int {
	var mu sync.Mutex
	m := map[int]int{}
	each(workers, func(w int) {
		for i := range n {
			mu.Lock()
			m[i&63] += w
			mu.Unlock()
		}
	})
	return len(m)
}

func build(n int) string {
	var b strings.Builder
	for range n {
		b.WriteString("concurrency ")
	}
	return strings.ToUpper(b.String())
}
