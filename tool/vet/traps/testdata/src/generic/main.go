// Package main has the shapes in generic code, and recursions of all sorts.
package main

import (
	"cmp"
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
)

type number interface{ ~int | ~float64 }

type celsius float64

// sums adds in slots whose type nobody knows; floats round.
func sums[T number](xs []T, n int) []T {
	slots := make([]T, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for i := w; i < len(xs); i += n {
				slots[w] += xs[i]
			}
		})
	}
	wg.Wait()
	return slots
}

type box[K comparable, V any] struct {
	mu sync.RWMutex
	m  map[K]V
	n  int
}

func (b *box[K, V]) put(k K, v V) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.m[k] = v
	b.n++
}

func (b *box[K, V]) get(k K) (v V, ok bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	v, ok = b.m[k]
	return v, ok
}

func (b *box[K, V]) len() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.n
}

// each runs f for all, at once.
func each[S ~[]E, E any](xs S, f func(int, E)) {
	var wg sync.WaitGroup
	for i, x := range xs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f(i, x)
		}()
	}
	wg.Wait()
}

// sorted sorts by a key.
func sorted[T any, K cmp.Ordered](xs []T, key func(T) K) []T {
	sort.Slice(xs, func(i, j int) bool { return key(xs[i]) < key(xs[j]) })
	return xs
}

// mapped makes a slice of results.
func mapped[T, U any](xs []T, f func(T) U) []U {
	var out []U
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}

type tree[T any] struct {
	left, right *tree[T]
	v           T
}

func build(n int) *tree[int] {
	if n == 0 {
		return nil
	}
	t := &tree[int]{v: n}
	t.left, t.right = build(n/2), build(n-n/2-1)
	return t
}

// walk recurses through a method with a shared count.
func (t *tree[T]) walk(f func(T), depth *atomic.Int64) {
	if t == nil {
		return
	}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); t.left.walk(f, depth) }()
	go func() { defer wg.Done(); t.right.walk(f, depth) }()
	f(t.v)
	wg.Wait()
	depth.Add(1)
}

// merges sorts by halves, into a buffer that both share.
func merges[T cmp.Ordered](xs, buf []T) {
	if len(xs) < 2 {
		return
	}
	m := len(xs) / 2
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		merges(xs[:m], buf[:m])
	}()
	merges(xs[m:], buf[m:])
	wg.Wait()
	copy(buf, xs)
	for i, l, r := 0, 0, m; i < len(xs); i++ {
		if l < m && (r >= len(xs) || buf[l] <= buf[r]) {
			xs[i] = buf[l]
			l++
		} else {
			xs[i] = buf[r]
			r++
		}
	}
}

// fib has results by channels.
func fib(n int) int {
	if n < 2 {
		return n
	}
	a, b := make(chan int, 1), make(chan int, 1)
	go func() { a <- fib(n - 1) }()
	go func() { b <- fib(n - 2) }()
	return <-a + <-b
}

// quick swaps in place and starts the halves.
func quick(xs []int, wg *sync.WaitGroup) {
	defer wg.Done()
	if len(xs) < 2 {
		return
	}
	p, i := xs[0], 0
	for j := range xs {
		if xs[j] < p {
			i++
			xs[i], xs[j] = xs[j], xs[i]
		}
	}
	xs[0], xs[i] = xs[i], xs[0]
	wg.Add(2)
	go quick(xs[:i], wg)
	go quick(xs[i+1:], wg)
}

func main() {
	xs := make([]int, 24)
	fs := make([]celsius, 24)
	for i := range xs {
		xs[i] = (i*7 + 5) % 24
		fs[i] = celsius(i) / 7
	}
	fmt.Println(sums(xs, 3), sums(fs, 3))
	b := box[string, []int]{m: map[string][]int{}}
	each(xs, func(i, x int) { b.put(fmt.Sprint(i%5), []int{i % 5}) })
	fmt.Println(b.get("3"))
	fmt.Println(b.get("7"))
	out := make([]int, len(xs))
	each(xs, func(i, x int) { out[i] = x * x })
	fmt.Println(b.len(), out)
	fmt.Println(sorted([]string{"ccc", "a", "bb"}, func(s string) int { return len(s) }))
	fmt.Println(mapped(xs[:3], func(x int) string { return fmt.Sprint(x) }), mapped(xs[:0], func(x int) int { return x }) == nil)
	var n, d atomic.Int64
	build(50).walk(func(v int) { n.Add(int64(v)) }, &d)
	fmt.Println(n.Load(), d.Load(), fib(12))
	ys := append([]int(nil), xs...)
	merges(ys, make([]int, len(ys)))
	var wg sync.WaitGroup
	wg.Add(1)
	quick(xs, &wg)
	wg.Wait()
	fmt.Println(ys, xs)
}
