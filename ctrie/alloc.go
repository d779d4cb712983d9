package ctrie

import (
	"sync/atomic"
	"unsafe"
)

// plain is the pointer in a field that no other goroutine has seen: a store to it
// need not be an atomic one, which is as dear as a compare-and-swap.
func plain[T any](p *atomic.Pointer[T]) **T { return (**T)(unsafe.Pointer(p)) }

// A node and its entries are one object.
type (
	main1[K comparable, V any] struct {
		main[K, V]
		in [1]entry[K, V]
	}
	main2[K comparable, V any] struct {
		main[K, V]
		in [2]entry[K, V]
	}
	main3[K comparable, V any] struct {
		main[K, V]
		in [3]entry[K, V]
	}
	main4[K comparable, V any] struct {
		main[K, V]
		in [4]entry[K, V]
	}
	main6[K comparable, V any] struct {
		main[K, V]
		in [6]entry[K, V]
	}
	main8[K comparable, V any] struct {
		main[K, V]
		in [8]entry[K, V]
	}
	main10[K comparable, V any] struct {
		main[K, V]
		in [10]entry[K, V]
	}
	main12[K comparable, V any] struct {
		main[K, V]
		in [12]entry[K, V]
	}
	main16[K comparable, V any] struct {
		main[K, V]
		in [16]entry[K, V]
	}
	main20[K comparable, V any] struct {
		main[K, V]
		in [20]entry[K, V]
	}
)

// newMain returns a node with room for n entries.
func newMain[K comparable, V any](n int) *main[K, V] {
	switch {
	case n == 0:
		return new(main[K, V])
	case n == 1:
		c := new(main1[K, V])
		c.entries = c.in[:n]
		return &c.main
	case n == 2:
		c := new(main2[K, V])
		c.entries = c.in[:n]
		return &c.main
	case n == 3:
		c := new(main3[K, V])
		c.entries = c.in[:n]
		return &c.main
	case n == 4:
		c := new(main4[K, V])
		c.entries = c.in[:n]
		return &c.main
	case n <= 6:
		c := new(main6[K, V])
		c.entries = c.in[:n]
		return &c.main
	case n <= 8:
		c := new(main8[K, V])
		c.entries = c.in[:n]
		return &c.main
	case n <= 10:
		c := new(main10[K, V])
		c.entries = c.in[:n]
		return &c.main
	case n <= 12:
		c := new(main12[K, V])
		c.entries = c.in[:n]
		return &c.main
	case n <= 16:
		c := new(main16[K, V])
		c.entries = c.in[:n]
		return &c.main
	case n <= 20:
		c := new(main20[K, V])
		c.entries = c.in[:n]
		return &c.main
	}
	return &main[K, V]{entries: make([]entry[K, V], n)}
}

// I-nodes' lists and what they are in are one object, too.
type (
	nodes1[K comparable, V any] struct {
		nodes[K, V]
		in [1]*inode[K, V]
	}
	nodes2[K comparable, V any] struct {
		nodes[K, V]
		in [2]*inode[K, V]
	}
	nodes4[K comparable, V any] struct {
		nodes[K, V]
		in [4]*inode[K, V]
	}
	nodes8[K comparable, V any] struct {
		nodes[K, V]
		in [8]*inode[K, V]
	}
	nodes16[K comparable, V any] struct {
		nodes[K, V]
		in [16]*inode[K, V]
	}
	nodes32[K comparable, V any] struct {
		nodes[K, V]
		in [1 << width]*inode[K, V]
	}
)

// newNodes returns a list with room for n I-nodes.
func newNodes[K comparable, V any](n int) *nodes[K, V] {
	switch {
	case n == 1:
		c := new(nodes1[K, V])
		c.list = c.in[:n]
		return &c.nodes
	case n == 2:
		c := new(nodes2[K, V])
		c.list = c.in[:n]
		return &c.nodes
	case n <= 4:
		c := new(nodes4[K, V])
		c.list = c.in[:n]
		return &c.nodes
	case n <= 8:
		c := new(nodes8[K, V])
		c.list = c.in[:n]
		return &c.nodes
	case n <= 16:
		c := new(nodes16[K, V])
		c.list = c.in[:n]
		return &c.nodes
	}
	c := new(nodes32[K, V])
	c.list = c.in[:n]
	return &c.nodes
}
