// Package d has lists.
package d

import (
	"fmt"
	"strings"
)

type cell struct {
	value any
	next  *cell
}

// Each number is boxed and linked.
func boxed(xs []int) (sum int) {
	var head *cell
	for _, x := range xs {
		head = &cell{x, head} // want "each value of head is allocated with a cell of a list"
	}
	for c := head; c != nil; c = c.next {
		sum = sum*3 + c.value.(int)&0xff
	}
	return sum
}

// Its values are of several types.
func mixed(xs []int, names []string) string {
	var all strings.Builder
	var head *cell
	for i, x := range xs {
		head = &cell{x, head} // want "each value of head is allocated"
		if i < len(names) {
			head = &cell{value: names[i], next: head}
		}
	}
	if head == nil {
		return "none"
	}
	for c := head; c != nil; c = c.next {
		if c.value == "stop" {
			break
		}
		fmt.Fprint(&all, c.value, ";")
	}
	n := 0
	for c := head; c != nil; c = c.next {
		n++
	}
	return all.String() + fmt.Sprint(n)
}

type span struct{ from, to int }

type spans struct {
	next *spans
	span
}

func overlaps(ss []span) (n int) {
	var open *spans
	for _, s := range ss {
		for o := open; o != nil; o = o.next {
			if o.span.from < s.to && s.from < o.span.to {
				n++
				open = &spans{open, span{s.to, s.from}} // want "each value of open is allocated"
			}
		}
		open = &spans{next: open, span: s}
	}
	return n
}

// What follows is no list of values, or somebody else has it.

type node struct {
	left, right *node
}

func trees(n int) *node {
	var root *node
	for range n {
		root = &node{root, root}
	}
	return root
}

func popped(xs []int) (sum int) {
	var head *cell
	for _, x := range xs {
		head = &cell{x, head} // want "each value of head is allocated" // refuse "slice: head is used otherwise"
	}
	for head != nil {
		sum -= head.value.(int)
		head = head.next
	}
	return sum
}

func returned(xs []int) *cell {
	var head *cell
	for _, x := range xs {
		head = &cell{x, head} // want "each value of head is allocated" // refuse "slice: head is used otherwise"
	}
	return head
}

func changed(xs []int) (sum int) {
	var head *cell
	for _, x := range xs {
		head = &cell{x, head} // want "each value of head is allocated" // refuse "slice: a value of the list is changed"
	}
	for c := head; c != nil; c = c.next {
		c.value = sum
		sum++
	}
	return sum
}

func skipped(xs []int) (sum int) {
	var head *cell
	for _, x := range xs {
		head = &cell{x, head} // want "each value of head is allocated" // refuse "slice: c is used otherwise than for its value"
	}
	for c := head; c != nil; c = c.next {
		sum += c.value.(int)
		if c.next != nil {
			c = c.next
		}
	}
	return sum
}

func later(xs []int) func() int {
	var head *cell
	for _, x := range xs {
		head = &cell{x, head} // want "each value of head is allocated" // refuse "slice: a function literal uses head"
	}
	return func() (sum int) {
		for c := head; c != nil; c = c.next {
			sum += c.value.(int)
		}
		return sum
	}
}
