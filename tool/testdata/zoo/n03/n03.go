// Package n03 limits its goroutines by depth, by a field and by a semaphore.
package n03

import "sync"

type node struct {
	left, right *node
	n           int
}

func grow(depth int) *node {
	if depth == 0 {
		return nil
	}
	return &node{grow(depth - 1), grow(depth - 1), depth}
}

func sum(t *node) int {
	if t == nil {
		return 0
	}
	return t.n + sum(t.left) + sum(t.right)
}

type summer struct {
	depth int
	slots chan struct{}
}

func (s summer) byField(t *node, depth int) int {
	if t == nil {
		return 0
	}
	if depth >= s.depth {
		return sum(t)
	}
	var left int
	var wg sync.WaitGroup
	wg.Go(func() { left = s.byField(t.left, depth+1) })
	right := s.byField(t.right, depth+1)
	wg.Wait()
	return t.n + left + right
}

func (s summer) bySemaphore(t *node) int {
	if t == nil {
		return 0
	}
	select {
	case s.slots <- struct{}{}:
	default:
		return sum(t)
	}
	defer func() { <-s.slots }()
	var left int
	var wg sync.WaitGroup
	wg.Go(func() { left = s.bySemaphore(t.left) })
	right := s.bySemaphore(t.right)
	wg.Wait()
	return t.n + left + right
}
