package par

import (
	"slices"
	"sync"
	"testing"

	"github.com/exascience/pargo/parallel"
	"github.com/gopayoff/payoff/par"
	"golang.org/x/sync/errgroup"
)

// A node is one of a binary tree. To sum a tree is the example of spice
// (https://github.com/judofyr/spice) and of the libraries after it: a node is so
// little work that whatever a fork costs shows.
type node struct {
	val         int
	left, right *node
}

// newTree returns a balanced tree whose nodes lie in memory in the order in
// which they are visited.
func newTree(nodes int) *node {
	next := 0
	var grow func(nodes int) *node
	grow = func(nodes int) *node {
		if nodes == 0 {
			return nil
		}
		next++
		n := &node{val: next}
		half := (nodes - 1) / 2
		n.left = grow(half)
		n.right = grow(nodes - 1 - half)
		return n
	}
	return grow(nodes)
}

func sumSerial(n *node) int {
	if n == nil {
		return 0
	}
	return n.val + sumSerial(n.left) + sumSerial(n.right)
}

var (
	treeSum     = par.New(sumTask)
	treeSumJoin = par.New(sumTaskJoin)
)

func sumTask(t *par.Task[*node, int], n *node) int {
	if n == nil {
		return 0
	}
	if t.Serial() {
		return n.val + sumTask(t, n.left) + sumTask(t, n.right)
	}
	l, r := t.Fork(n.left, n.right)
	return n.val + l + r
}

func sumTaskJoin(t *par.Task[*node, int], n *node) int {
	if n == nil {
		return 0
	}
	l, r := t.Join(n.left, n.right)
	return n.val + l + r
}

func sumRoot(n *node) int {
	var l int
	var wg sync.WaitGroup
	wg.Go(func() { l = sumSerial(n.left) })
	r := sumSerial(n.right)
	wg.Wait()
	return n.val + l + r
}

// sumCut forks where a subtree has at least cut of the nodes; that the tree is
// balanced tells how many.
func sumCut(n *node, nodes, cut int) int {
	if n == nil {
		return 0
	}
	if nodes < cut {
		return sumSerial(n)
	}
	var l int
	var wg sync.WaitGroup
	wg.Go(func() { l = sumCut(n.left, nodes/2, cut) })
	r := sumCut(n.right, nodes/2, cut)
	wg.Wait()
	return n.val + l + r
}

func sumErrgroup(n *node, nodes, cut int) int {
	if n == nil {
		return 0
	}
	if nodes < cut {
		return sumSerial(n)
	}
	var l int
	var g errgroup.Group
	g.Go(func() error {
		l = sumErrgroup(n.left, nodes/2, cut)
		return nil
	})
	r := sumErrgroup(n.right, nodes/2, cut)
	if err := g.Wait(); err != nil {
		panic(err)
	}
	return n.val + l + r
}

func sumPargo(n *node, nodes, cut int) int {
	if n == nil {
		return 0
	}
	if nodes < cut {
		return sumSerial(n)
	}
	var l, r int
	parallel.Do(
		func() { l = sumPargo(n.left, nodes/2, cut) },
		func() { r = sumPargo(n.right, nodes/2, cut) },
	)
	return n.val + l + r
}

// A tree knows its size, for those who need it to decide.
type tree struct {
	root  *node
	nodes int
}

var treeVariants = []variant[tree, int]{
	{name: "serial", run: func(t tree) int { return sumSerial(t.root) }},
	{name: "payoff", run: func(t tree) int { return treeSum.Call(t.root) }},
	{name: "payoff-join", run: func(t tree) int { return treeSumJoin.Call(t.root) }},
	{name: "goroutines-root", run: func(t tree) int { return sumRoot(t.root) }},
	{name: "goroutines-cut2048", run: func(t tree) int { return sumCut(t.root, t.nodes, 2048) }},
	{name: "goroutines-cut16384", run: func(t tree) int { return sumCut(t.root, t.nodes, 16384) }},
	{name: "goroutines-cut131072", run: func(t tree) int { return sumCut(t.root, t.nodes, 131072) }},
	{name: "goroutines-all", run: func(t tree) int { return sumCut(t.root, t.nodes, 0) }, most: 10000},
	{name: "errgroup-cut16384", run: func(t tree) int { return sumErrgroup(t.root, t.nodes, 16384) }},
	{name: "pargo-cut16384", run: func(t tree) int { return sumPargo(t.root, t.nodes, 16384) }},
}

var trees = sizes(func(n int) tree { return tree{newTree(n), n} },
	15, 127, 1023, 8191, 16383, 65535, 262143, 1048575, 8388607)

func BenchmarkTree(b *testing.B) { bench(b, trees, treeVariants) }
func TestTree(t *testing.T)      { same(t, 300_000, 2000, trees, treeVariants) }

// A forest is what a function meets in a program: many small trees and, now and
// then, a large one.
type forest []tree

// forests have n trees of 15 nodes and then a large one.
func forests(large int, ns ...int) []load[forest] {
	return sizes(func(n int) forest {
		small := tree{newTree(15), 15}
		return append(slices.Repeat(forest{small}, n), tree{newTree(large), large})
	}, ns...)
}

// mixedVariants do to each tree of a forest what those of trees do.
func mixedVariants() (in []variant[forest, int]) {
	for _, v := range treeVariants {
		if v.name == "goroutines-all" { // it takes seconds
			continue
		}
		in = append(in, variant[forest, int]{name: v.name, run: func(f forest) (sum int) {
			for _, t := range f {
				sum += v.run(t)
			}
			return sum
		}})
	}
	return in
}

// One op is n small trees and one of 2^20-1 nodes.
func BenchmarkMixed(b *testing.B) {
	bench(b, forests(1<<20-1, 10, 1000, 100_000), mixedVariants())
}

func TestMixed(t *testing.T) { same(t, 1000, 10, forests(1<<16-1, 10, 1000), mixedVariants()) }
