// Package whole has serial forms of which no parts can be called.
package whole

import (
	"errors"
	"fmt"
	"sync"
)

func each(n int, f func(int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

var total int

func bump(buf []int, x int) { buf[0] += x }

// what came before is looked at
func seen(xs []int) int {
	seen := map[int]bool{}
	n := 0
	for _, x := range xs {
		if !seen[x] {
			n++
		}
		seen[x] = true
	}
	return n
}

func seenParallel(xs []int) int { // want "seen is its serial form" // refuse "parts: an iteration of seen may use what another has in seen"
	each(len(xs), func(int) {})
	return seen(xs)
}

// the element before is read
func before(xs []int) int {
	n := 0
	for i, x := range xs {
		if i > 0 && xs[i-1] < x {
			n++
		}
	}
	return n
}

func beforeParallel(xs []int) int { // want "before is its serial form" // refuse "parts: an iteration of before may use what another has in xs"
	each(len(xs), func(int) {})
	return before(xs)
}

// the number of an iteration is a value
func numbers(xs []int) []int {
	var out []int
	for i, x := range xs {
		if x > 0 {
			out = append(out, i)
		}
	}
	return out
}

func numbersParallel(xs []int) []int { // want "numbers is its serial form" // refuse "parts: an iteration of numbers may use what another has in i"
	each(len(xs), func(int) {})
	return numbers(xs)
}

// it begins with something
func started(xs []int) int {
	n := 1
	for _, x := range xs {
		n += x
	}
	return n
}

func startedParallel(xs []int) int { // want "started is its serial form" // refuse "parts: n has something before the loop"
	each(len(xs), func(int) {})
	return started(xs)
}

// it does more after the loop
func average(xs []int) int {
	n := 0
	for _, x := range xs {
		n += x
	}
	return n / len(xs)
}

func averageParallel(xs []int) int { // want "average is its serial form" // refuse "parts: average uses n beside the loop"
	each(len(xs), func(int) {})
	return average(xs)
}

// it may end early
func first(xs []int) int {
	n := 0
	for _, x := range xs {
		if x < 0 {
			break
		}
		n += x
	}
	return n
}

func firstParallel(xs []int) int { // want "first is its serial form" // refuse "parts: the loop of first may end by break"
	each(len(xs), func(int) {})
	return first(xs)
}

// it may return early
func ends(xs []int) int {
	n := 0
	for _, x := range xs {
		if x < 0 {
			return n
		}
		n += x
	}
	return n
}

func endsParallel(xs []int) int { // want "ends is its serial form" // refuse "parts: an iteration of ends may use what another has in n"
	each(len(xs), func(int) {})
	return ends(xs)
}

// two loops
func twice(xs []int) int {
	n := 0
	for _, x := range xs {
		n += x
	}
	for _, x := range xs {
		n -= x / 2
	}
	return n
}

func twiceParallel(xs []int) int { // want "twice is its serial form" // refuse "parts: twice does not have one loop, which counts from 0"
	each(len(xs), func(int) {})
	return twice(xs)
}

// it tells in order
func prints(xs []int) int {
	n := 0
	for _, x := range xs {
		fmt.Println(x)
		n += x
	}
	return n
}

func printsParallel(xs []int) int { // want "prints is its serial form" // refuse "parts: prints changes the world, in the order of what it is given"
	each(len(xs), func(int) {})
	return prints(xs)
}

// it looks at what it adds to
func grows(xs []int) []int {
	var out []int
	for _, x := range xs {
		out = append(out, x+len(out))
	}
	return out
}

func growsParallel(xs []int) []int { // want "grows is its serial form" // refuse "parts: an iteration of grows may use what another has in out"
	each(len(xs), func(int) {})
	return grows(xs)
}

// two ways to grow
func mixed(xs []int) int {
	n := 0
	for _, x := range xs {
		n += x
		n |= 1
	}
	return n
}

func mixedParallel(xs []int) int { // want "mixed is its serial form" // refuse "parts: an iteration of mixed may use what another has in n"
	each(len(xs), func(int) {})
	return mixed(xs)
}

// the length is a value
func length(xs []int) int {
	n := 0
	for _, x := range xs {
		n += x * len(xs)
	}
	return n
}

func lengthParallel(xs []int) int { // want "length is its serial form" // refuse "parts: an iteration of length may use what another has in xs"
	each(len(xs), func(int) {})
	return length(xs)
}

// what it made leads to what an iteration changes
func alias(xs []int) []int {
	rows := [][]int{{0}, {0}}
	var out []int
	for _, x := range xs {
		row := rows[x&1]
		row[0] += x
		out = append(out, row[0])
	}
	return out
}

func aliasParallel(xs []int) []int { // want "alias is its serial form" // refuse "parts: an iteration of alias may use what another has in rows"
	each(len(xs), func(int) {})
	return alias(xs)
}

// a call changes what it made
func scratch(xs []int) []int {
	buf := []int{0}
	var out []int
	for _, x := range xs {
		bump(buf, x)
		out = append(out, x)
	}
	return out
}

func scratchParallel(xs []int) []int { // want "scratch is its serial form" // refuse "parts: an iteration of scratch may use what another has in buf"
	each(len(xs), func(int) {})
	return scratch(xs)
}

// it changes a variable of the package
func global(xs []int) int {
	n := 0
	for _, x := range xs {
		total += x
		n += x
	}
	return n
}

func globalParallel(xs []int) int { // want "global is its serial form" // refuse "parts: global changes total"
	each(len(xs), func(int) {})
	return global(xs)
}

// its result has more elements
func longer(xs []int) []int {
	out := make([]int, len(xs)+1)
	for i, x := range xs {
		out[i] = x
	}
	return out
}

func longerParallel(xs []int) []int { // want "longer is its serial form" // refuse "parts: longer uses xs beside the loop"
	each(len(xs), func(int) {})
	return longer(xs)
}

// it multiplies
func product(xs []int) int {
	n := 0
	for _, x := range xs {
		n = n*3 + x
	}
	return n
}

func productParallel(xs []int) int { // want "product is its serial form" // refuse "parts: an iteration of product may use what another has in n"
	each(len(xs), func(int) {})
	return product(xs)
}

// it returns what it was given
func other(xs []int) []int {
	n := 0
	for _, x := range xs {
		n += x
	}
	return xs
}

func otherParallel(xs []int) []int { // want "other is its serial form" // refuse "parts: other uses xs beside the loop"
	each(len(xs), func(int) {})
	return other(xs)
}

// it goes over something else
func all(xs []int) int {
	n := 0
	for i := range 1000 {
		n += xs[i%len(xs)]
	}
	return n
}

func allParallel(xs []int) int { // want "all is its serial form" // refuse "parts: the loop of all goes over nothing that it is given"
	each(len(xs), func(int) {})
	return all(xs)
}

// it does not start at the first
func step(xs []int) int {
	n := 0
	for i := 1; i < len(xs); i++ {
		n += xs[i]
	}
	return n
}

func stepParallel(xs []int) int { // want "step is its serial form" // refuse "parts: step does not have one loop, which counts from 0"
	each(len(xs), func(int) {})
	return step(xs)
}

// its loop is not by itself
func nested(xs []int) int {
	n := 0
	if len(xs) > 1 {
		for _, x := range xs {
			n += x
		}
	}
	return n
}

func nestedParallel(xs []int) int { // want "nested is its serial form" // refuse "parts: nested has no loop that is a statement of its own"
	each(len(xs), func(int) {})
	return nested(xs)
}

type tally struct {
	n, last int
}

func (t *tally) add(x int) {
	if x != t.last {
		t.n++
	}
	t.last = x
}

// a method looks at what it adds to
func tallied(xs []int) tally {
	var t tally
	for _, x := range xs {
		t.add(x)
	}
	return t
}

func talliedParallel(xs []int) tally { // want "tallied is its serial form" // refuse "parts: an iteration of tallied may use what another has in t"
	each(len(xs), func(int) {})
	return tallied(xs)
}

type counts struct{ n int }

func (c *counts) add(x int) { c.n += x }

func startedWith(n int) *counts { return &counts{n: n} }

// a constructor begins with something
func counted(xs []int) *counts {
	c := startedWith(7)
	for _, x := range xs {
		c.add(x)
	}
	return c
}

func countedParallel(xs []int) *counts { // want "counted is its serial form" // refuse "parts: c.n has something before the loop"
	each(len(xs), func(int) {})
	return counted(xs)
}

// it reads another element of its result
func edges(xs []int) int {
	out, n := make([]int, len(xs)), 0
	for i, x := range xs {
		out[i] = x
		n += out[0]
	}
	return n
}

func edgesParallel(xs []int) int { // want "edges is its serial form" // refuse "parts: an iteration of edges may use what another has in out"
	each(len(xs), func(int) {})
	return edges(xs)
}

// the first element is read
func opening(xs []int) int {
	n := 0
	for _, x := range xs {
		n += x - xs[0]
	}
	return n
}

func openingParallel(xs []int) int { // want "opening is its serial form" // refuse "parts: an iteration of opening may use what another has in xs"
	each(len(xs), func(int) {})
	return opening(xs)
}

// its result has as many elements always
func fixed(xs []int) []int {
	out := make([]int, 1000)
	for i, x := range xs {
		out[i] = x
	}
	return out
}

func fixedParallel(xs []int) []int { // want "fixed is its serial form" // refuse "parts: out has something before the loop"
	each(len(xs), func(int) {})
	return fixed(xs)
}

// what it adds is of what is there
func compound(xs []int) int {
	n := 0
	for _, x := range xs {
		n += x * n
	}
	return n
}

func compoundParallel(xs []int) int { // want "compound is its serial form" // refuse "parts: an iteration of compound may use what another has in n"
	each(len(xs), func(int) {})
	return compound(xs)
}

// what it sets is of what is there
func doubled(xs []int) map[int]int {
	m := map[int]int{}
	for _, x := range xs {
		m[x%7] = m[x%7]*2 + x
	}
	return m
}

func doubledParallel(xs []int) map[int]int { // want "doubled is its serial form" // refuse "parts: an iteration of doubled may use what another has in m"
	each(len(xs), func(int) {})
	return doubled(xs)
}

// it keeps the last
func last(xs []int) int {
	n := 0
	for _, x := range xs {
		n = max(x, 3)
	}
	return n
}

func lastParallel(xs []int) int { // want "last is its serial form" // refuse "parts: an iteration of last may use what another has in n"
	each(len(xs), func(int) {})
	return last(xs)
}

// a field of a field begins with something
func inner(xs []int) outer {
	r := outer{in: counts{n: 3}}
	for _, x := range xs {
		r.in.n += x
	}
	return r
}

func innerParallel(xs []int) outer { // want "inner is its serial form" // refuse "parts: r.in.n has something before the loop"
	each(len(xs), func(int) {})
	return inner(xs)
}

// a field begins with something
func begun(xs []int) outer {
	r := outer{list: []int{1}}
	for _, x := range xs {
		r.list = append(r.list, x)
	}
	return r
}

func begunParallel(xs []int) outer { // want "begun is its serial form" // refuse "parts: r.list has something before the loop"
	each(len(xs), func(int) {})
	return begun(xs)
}

// a list begins with elements
func longList(xs []int) []int {
	out := make([]int, 3)
	for _, x := range xs {
		out = append(out, x)
	}
	return out
}

func longListParallel(xs []int) []int { // want "longList is its serial form" // refuse "parts: out has something before the loop"
	each(len(xs), func(int) {})
	return longList(xs)
}

// what a call gives is of what it made
func part(xs []int) int {
	rows := [][]int{{0}, {0}}
	n := 0
	for _, x := range xs {
		row := pick(rows, x)
		row[0] += x
		n += row[0]
	}
	return n
}

func partParallel(xs []int) int { // want "part is its serial form" // refuse "parts: an iteration of part may use what another has in rows"
	each(len(xs), func(int) {})
	return part(xs)
}

// what merges comes to another value
func functional(xs []int) vec {
	var v vec
	for _, x := range xs {
		v.see(x)
	}
	return v
}

func functionalParallel(xs []int) vec { // want "functional is its serial form" // refuse "parts: an iteration of functional may use what another has in v"
	each(len(xs), func(int) {})
	return functional(xs)
}

// a method calls itself
func again(xs []int) counts {
	var c counts
	for _, x := range xs {
		c.again(x)
	}
	return c
}

func againParallel(xs []int) counts { // want "again is its serial form" // refuse "parts: an iteration of again may use what another has in c"
	each(len(xs), func(int) {})
	return again(xs)
}

// two ways to grow
func grown(xs []int) int {
	n := 0
	for _, x := range xs {
		n += x
		n = max(n, 3)
	}
	return n
}

func grownParallel(xs []int) int { // want "grown is its serial form" // refuse "parts: an iteration of grown may use what another has in n"
	each(len(xs), func(int) {})
	return grown(xs)
}

// the length is a number before the loop
func scaled(xs []int) int {
	k, n := half(len(xs)), 0
	for _, x := range xs {
		n += x * k
	}
	return n
}

func scaledParallel(xs []int) int { // want "scaled is its serial form" // refuse "parts: scaled uses xs beside the loop"
	each(len(xs), func(int) {})
	return scaled(xs)
}

// it depends on the length
func nearly(xs []int) int {
	n, k := 0, 1
	if len(xs) > 10 {
		k = 2
	} else {
		k = 3
	}
	for _, x := range xs {
		n += x * k
	}
	return n
}

func nearlyParallel(xs []int) int { // want "nearly is its serial form" // refuse "parts: nearly uses xs beside the loop"
	each(len(xs), func(int) {})
	return nearly(xs)
}

// a result is something else
func double(xs []int) (int, int) {
	n, k := 0, 3
	for _, x := range xs {
		n += x
	}
	return n, k
}

func doubleParallel(xs []int) (int, int) { // want "double is its serial form" // refuse "parts: a result of double is nothing that the loop adds to"
	each(len(xs), func(int) {})
	return double(xs)
}

// it fails with a part of the results
func failing(xs []int) (int, error) {
	n := 0
	for _, x := range xs {
		if x < 0 {
			return 3, errNegative
		}
		n += x
	}
	return n, nil
}

func failingParallel(xs []int) (int, error) { // want "failing is its serial form" // refuse "parts: failing may end early with a result"
	each(len(xs), func(int) {})
	return failing(xs)
}

// others see what is given
func shared(xs []int, table []int) int {
	n := 0
	for _, x := range xs {
		table[x%len(table)]++
		n += x
	}
	return n
}

func sharedParallel(xs []int, table []int) int { // want "shared is its serial form" // refuse "parts: an iteration of shared may use what another has in table"
	each(len(xs), func(int) {})
	return shared(xs, table)
}

type outer struct {
	in   counts
	list []int
}

func pick(rows [][]int, x int) []int { return rows[x&1] }

func (c *counts) again(x int) {
	c.n++
	if x > 0 {
		c.again(x - 1)
	}
}

type vec struct{ n, most int }

func (v vec) Add(w vec) vec { return vec{v.n + w.n, max(v.most, w.most)} }

func (v *vec) see(x int) {
	if x > v.most+1 {
		v.n++
		v.most = x
	}
}

var errNegative = errors.New("negative")

func half(n int) int { return n / 2 }

// it refuses what is long
func limited(xs []int) (int, error) {
	n := 0
	if len(xs) > 100 {
		return 0, errNegative
	}
	for _, x := range xs {
		n += x
	}
	return n, nil
}

func limitedParallel(xs []int) (int, error) { // want "limited is its serial form" // refuse "parts: limited uses xs beside the loop"
	each(len(xs), func(int) {})
	return limited(xs)
}

// what it adds to says whether it had that
func unique(xs []int) int {
	s, n := set{}, 0
	for _, x := range xs {
		if s.insert(x) {
			n++
		}
	}
	return n
}

func uniqueParallel(xs []int) int { // want "unique is its serial form" // refuse "parts: an iteration of unique may use what another has in s"
	each(len(xs), func(int) {})
	return unique(xs)
}

type set map[int]bool

func (s set) insert(x int) bool {
	had := s[x]
	s[x] = true
	return !had
}

func (s set) merge(t set) {
	for x := range t {
		s[x] = true
	}
}
