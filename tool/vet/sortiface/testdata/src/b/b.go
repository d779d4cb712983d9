// Package b sorts in ways that stay as they are.
package b

import "sort"

type item struct {
	key  int
	list [4]int
	ok   bool
}

func (x *item) rank() int { return x.key }

// Already package slices.
func forwards(xs []int, ss []string) {
	sort.Ints(xs)
	sort.Strings(ss)
}

func search(xs []int) int { return sort.SearchInts(xs, 3) }

func elsewhere(xs []item, less func(i, j int) bool) {
	sort.Slice(xs, less) // want "sort.Slice" // refuse "typed: its less function is not written here"
}

func order(keys []int, xs []item) {
	sort.Slice(xs, func(i, j int) bool { return keys[i] < keys[j] }) // want "sort.Slice" // refuse "typed: the two sides of its comparison are not the same"
}

func captured(xs []item, rank map[int]int) {
	sort.Slice(xs, func(i, j int) bool { return rank[xs[i].key] < rank[xs[j].key] }) // want "sort.Slice" // refuse "typed: its less function reads rank besides"
}

func notStrict(xs []item) {
	sort.Slice(xs, func(i, j int) bool { return xs[i].key <= xs[j].key }) // want "sort.Slice" // refuse "typed: its less function is no strict comparison"
}

func flags(xs []item) {
	sort.Slice(xs, func(i, j int) bool { return !xs[i].ok && xs[j].ok }) // want "sort.Slice" // refuse "typed: its less function is no strict comparison"
}

func position(xs []item) {
	sort.Slice(xs, func(i, j int) bool { return xs[i].key+i < xs[j].key+j }) // want "sort.Slice" // refuse "typed: the two sides"
}

func differ(xs []item) {
	sort.Slice(xs, func(i, j int) bool { return xs[i].key < xs[j].list[0] }) // want "sort.Slice" // refuse "typed: the two sides"
}

func pointers(xs []item) {
	sort.Slice(xs, func(i, j int) bool { return xs[i].rank() < xs[j].rank() }) // want "sort.Slice" // refuse "typed: its less function takes the address of an element: the method has a pointer receiver"
}

func statement(xs []item) {
	n := 0
	sort.Slice(xs, func(i, j int) bool { // want "sort.Slice" // refuse "typed: its less function is more than a chain of comparisons"
		n++
		return xs[i].key < xs[j].key
	})
}

func commented(xs []item) {
	sort.Slice(xs, func(i, j int) bool { // want "sort.Slice" // refuse "typed: a comment stands in it"
		return xs[i].key < // that of the first
			xs[j].key
	})
}

func wrongKey(xs []item) {
	sort.Slice(xs, func(i, j int) bool { // want "sort.Slice" // refuse "typed: its less function is more than a chain of comparisons"
		if xs[i].list != xs[j].list {
			return xs[i].key < xs[j].key
		}
		return xs[i].list[0] < xs[j].list[0]
	})
}

func anonymous(xs []struct{ key int }) {
	sort.Slice(xs, func(i, j int) bool { return xs[i].key < xs[j].key }) // want "sort.Slice" // refuse "typed: the type of its elements cannot be written here"
}

func anything(xs any, ys []int) {
	sort.Slice(xs, func(i, j int) bool { return ys[i] < ys[j] }) // want "sort.Slice" // refuse "typed: the two sides"
}

// It sorts a field, and a custom Swap moves two slices together.
type table struct {
	keys []int
	vals []string
}

func (t table) Len() int           { return len(t.keys) }
func (t table) Less(i, j int) bool { return t.keys[i] < t.keys[j] }
func (t table) Swap(i, j int) {
	t.keys[i], t.keys[j] = t.keys[j], t.keys[i]
	t.vals[i], t.vals[j] = t.vals[j], t.vals[i]
}

func together(t table) {
	sort.Sort(t) // want "sort.Sort" // refuse "typed: Len is not the length of the slice"
}

type counted []item

var swaps int

func (c counted) Len() int           { return len(c) }
func (c counted) Less(i, j int) bool { return c[i].key < c[j].key }
func (c counted) Swap(i, j int) {
	swaps++
	c[i], c[j] = c[j], c[i]
}

func counting(c counted) {
	sort.Sort(c) // want "sort.Sort" // refuse "typed: Swap does more than exchange two elements"
}

type ranked []item

func weight(x int) int { return -x }

func (r ranked) Len() int           { return len(r) }
func (r ranked) Less(i, j int) bool { return weight(r[i].key) < weight(r[j].key) }
func (r ranked) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }

func hidden(r ranked) int {
	weight := 1
	sort.Sort(r) // want "sort.Sort" // refuse "typed: weight of Less means something else where the sorting is"
	return weight
}

func unknown(x sort.Interface) {
	sort.Sort(x) // want "sort.Sort" // refuse "typed: what it sorts is no slice"
}

type point struct {
	f float64
	n int
}

type byF []point

func (p byF) Len() int           { return len(p) }
func (p byF) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p byF) Less(i, j int) bool { return p[i].f < p[j].f }

func zeros(xs []float64) {
	sort.Stable(sort.Float64Slice(xs)) // want "sort.Stable" // refuse "typed: it compares floats"
}

// A NaN stays where it is among its neighbours.
func nans[E ~int | ~float32](ps []point, xs []E) {
	sort.SliceStable(ps, func(i, j int) bool { return ps[i].f > ps[j].f }) // want "sort.Slice" // refuse "typed: it compares floats: for < a NaN is like every number"
	sort.Stable(byF(ps))                                                   // want "sort.Stable" // refuse "typed: it compares floats"
	sort.SliceStable(xs, func(i, j int) bool { return xs[i] < xs[j] })     // want "sort.Slice" // refuse "typed: it compares floats"
	sort.SliceStable(ps, func(i, j int) bool {                             // want "sort.Slice" // refuse "typed: it compares floats"
		if ps[i].n != ps[j].n {
			return ps[i].n < ps[j].n
		}
		return ps[i].f < ps[j].f
	})
}

var first = []item{{}}

// A less function that reads elements that the sorting moves, or the other's.
func moved(xs []item) {
	sort.Slice(xs, func(i, j int) bool { return xs[i].key*xs[0].key < xs[j].key*xs[0].key })       // want "sort.Slice" // refuse "typed: its less function reads xs besides"
	sort.Slice(xs, func(i, j int) bool { return xs[i].key*first[0].key < xs[j].key*first[0].key }) // want "sort.Slice" // refuse "typed: its less function reads first besides"
	sort.Slice(xs, func(i, j int) bool { return xs[i].key < xs[j].key || !xs[i].ok })              // want "sort.Slice" // refuse "typed: its less function is no strict"
}
