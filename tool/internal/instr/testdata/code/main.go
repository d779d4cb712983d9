// Command code holds one function for each kind of instruction. The tests of
// the package above build it for several systems and decode it.
package main

import (
	"os"
	"sync/atomic"
)

//go:noinline
func atomicAdd(p *atomic.Int64, n int) {
	for range n {
		p.Add(1)
	}
}

//go:noinline
func atomicNeighbours(a []atomic.Int64, i, n int) {
	for range n {
		a[i].Add(1)
	}
}

//go:noinline
func addEach(x []int, v int) {
	for i := range x {
		x[i] += v
	}
}

//go:noinline
func addFloat(x []float64, v float64) {
	for i := range x {
		x[i] += v
	}
}

//go:noinline
func addGlobal(n int) {
	for range n {
		total++
	}
}

var total int

//go:noinline
func accumulate(n int) int {
	s := 1
	for i := range n {
		s = s*31 + i
	}
	return s
}

//go:noinline
func sum(x []int) int {
	s := 0
	for _, v := range x {
		s += v
	}
	return s
}

//go:noinline
func fill(x []int, v int) {
	for i := range x {
		x[i] = v
	}
}

type block struct{ a [8]int }

//go:noinline
func copyBlock(dst, src *block) { *dst = *src }

type node struct {
	next *node
	v    int
}

//go:noinline
func chase(n *node) *node {
	for n.next != nil {
		n = n.next
	}
	return n
}

//go:noinline
func onStack(i, n int) int {
	var a [64]int
	for range n {
		a[i&63] += n
		i++
	}
	return a[7]
}

type counted[T any] struct {
	n atomic.Int64
	v T
}

func (c *counted[T]) note() { c.n.Add(1) }

func noteBoth(c *counted[int]) {
	c.note()
	c.note()
}

//go:noinline
func noteEach(c *counted[int], n int) {
	for range n {
		noteBoth(c)
	}
}

type passes struct{ left, gone int }

func (p *passes) next() bool {
	if p.left == 0 {
		return false
	}
	p.left--
	p.gone++
	return true
}

//go:noinline
func storeEach(p *passes, x *int) {
	for p.next() {
		last = *x
	}
}

var last int

func main() {
	storeEach(&passes{left: len(os.Args)}, new(int))
	noteEach(new(counted[int]), len(os.Args))
	var c atomic.Int64
	n := len(os.Args)
	x, b := make([]int, n), make([]block, 2)
	atomicAdd(&c, n)
	atomicNeighbours(make([]atomic.Int64, 8), n, n)
	addEach(x, n)
	addFloat(make([]float64, n), 1)
	addGlobal(n)
	fill(x, n)
	copyBlock(&b[0], &b[1])
	last := chase(&node{next: &node{v: n}})
	os.Exit(accumulate(n) + sum(x) + last.v + onStack(n, n) + total)
}
