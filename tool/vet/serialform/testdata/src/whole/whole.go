// Goldens show the edit parts alone.

// Package whole has serial forms of which no parts can be called.
package whole

import (
	"fmt"
	"sync"
)

func start() {
	var wg sync.WaitGroup
	wg.Go(func() {})
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

func seenParallel(xs []int) int { start(); return seen(xs) } // want "seen is its serial form" // refuse "parts: an iteration of seen may use what another has in seen"

// it begins with something
func started(xs []int) int {
	n := 1
	for _, x := range xs {
		n += x
	}
	return n
}

func startedParallel(xs []int) int { start(); return started(xs) } // want "started is its serial form" // refuse "parts: n has something before the loop"

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

func firstParallel(xs []int) int { start(); return first(xs) } // want "first is its serial form" // refuse "parts: the loop of first may end by break"

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

func endsParallel(xs []int) int { start(); return ends(xs) } // want "ends is its serial form" // refuse "parts: an iteration of ends may use what another has in n"

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

func twiceParallel(xs []int) int { start(); return twice(xs) } // want "twice is its serial form" // refuse "parts: twice does not have one loop, which counts from 0"

// it tells in order
func prints(xs []int) int {
	n := 0
	for _, x := range xs {
		fmt.Println(x)
		n += x
	}
	return n
}

func printsParallel(xs []int) int { start(); return prints(xs) } // want "prints is its serial form" // refuse "parts: prints changes the world, in the order of what it is given"

// it looks at what it adds to
func grows(xs []int) []int {
	var out []int
	for _, x := range xs {
		out = append(out, x+len(out))
	}
	return out
}

func growsParallel(xs []int) []int { start(); return grows(xs) } // want "grows is its serial form" // refuse "parts: an iteration of grows may use what another has in out"

// two ways to grow
func mixed(xs []int) int {
	n := 0
	for _, x := range xs {
		n += x
		n |= 1
	}
	return n
}

func mixedParallel(xs []int) int { start(); return mixed(xs) } // want "mixed is its serial form" // refuse "parts: an iteration of mixed may use what another has in n"

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

func aliasParallel(xs []int) []int { start(); return alias(xs) } // want "alias is its serial form" // refuse "parts: an iteration of alias may use what another has in rows"

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

func scratchParallel(xs []int) []int { start(); return scratch(xs) } // want "scratch is its serial form" // refuse "parts: an iteration of scratch may use what another has in buf"

// it changes a variable of the package
func global(xs []int) int {
	n := 0
	for _, x := range xs {
		total += x
		n += x
	}
	return n
}

func globalParallel(xs []int) int { start(); return global(xs) } // want "global is its serial form" // refuse "parts: global changes total"

// it multiplies
func product(xs []int) int {
	n := 0
	for _, x := range xs {
		n = n*3 + x
	}
	return n
}

func productParallel(xs []int) int { start(); return product(xs) } // want "product is its serial form" // refuse "parts: an iteration of product may use what another has in n"

// it does not start at the first
func step(xs []int) int {
	n := 0
	for i := 1; i < len(xs); i++ {
		n += xs[i]
	}
	return n
}

func stepParallel(xs []int) int { start(); return step(xs) } // want "step is its serial form" // refuse "parts: step does not have one loop, which counts from 0"

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

func nestedParallel(xs []int) int { start(); return nested(xs) } // want "nested is its serial form" // refuse "parts: nested has no loop that is a statement of its own"

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

func talliedParallel(xs []int) tally { start(); return tallied(xs) } // want "tallied is its serial form" // refuse "parts: an iteration of tallied may use what another has in t"

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

func countedParallel(xs []int) *counts { start(); return counted(xs) } // want "counted is its serial form" // refuse "parts: c.n has something before the loop"

// it reads another element of its result
func edges(xs []int) int {
	out, n := make([]int, len(xs)), 0
	for i, x := range xs {
		out[i] = x
		n += out[0]
	}
	return n
}

func edgesParallel(xs []int) int { start(); return edges(xs) } // want "edges is its serial form" // refuse "parts: an iteration of edges may use what another has in out"

// what it adds is of what is there
func compound(xs []int) int {
	n := 0
	for _, x := range xs {
		n += x * n
	}
	return n
}

func compoundParallel(xs []int) int { start(); return compound(xs) } // want "compound is its serial form" // refuse "parts: an iteration of compound may use what another has in n"

// what it sets is of what is there
func doubled(xs []int) map[int]int {
	m := map[int]int{}
	for _, x := range xs {
		m[x%7] = m[x%7]*2 + x
	}
	return m
}

func doubledParallel(xs []int) map[int]int { start(); return doubled(xs) } // want "doubled is its serial form" // refuse "parts: an iteration of doubled may use what another has in m"

// it keeps the last
func last(xs []int) int {
	n := 0
	for _, x := range xs {
		n = max(x, 3)
	}
	return n
}

func lastParallel(xs []int) int { start(); return last(xs) } // want "last is its serial form" // refuse "parts: an iteration of last may use what another has in n"

// a field of a field begins with something
func inner(xs []int) outer {
	r := outer{in: counts{n: 3}}
	for _, x := range xs {
		r.in.n += x
	}
	return r
}

func innerParallel(xs []int) outer { start(); return inner(xs) } // want "inner is its serial form" // refuse "parts: r.in.n has something before the loop"

// a field begins with something
func begun(xs []int) outer {
	r := outer{list: []int{1}}
	for _, x := range xs {
		r.list = append(r.list, x)
	}
	return r
}

func begunParallel(xs []int) outer { start(); return begun(xs) } // want "begun is its serial form" // refuse "parts: r.list has something before the loop"

// a list begins with elements
func longList(xs []int) []int {
	out := make([]int, 3)
	for _, x := range xs {
		out = append(out, x)
	}
	return out
}

func longListParallel(xs []int) []int { start(); return longList(xs) } // want "longList is its serial form" // refuse "parts: out has something before the loop"

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

func partParallel(xs []int) int { start(); return part(xs) } // want "part is its serial form" // refuse "parts: an iteration of part may use what another has in rows"

// a method calls itself
func again(xs []int) counts {
	var c counts
	for _, x := range xs {
		c.again(x)
	}
	return c
}

func againParallel(xs []int) counts { start(); return again(xs) } // want "again is its serial form" // refuse "parts: an iteration of again may use what another has in c"

// two ways to grow
func grown(xs []int) int {
	n := 0
	for _, x := range xs {
		n += x
		n = max(n, 3)
	}
	return n
}

func grownParallel(xs []int) int { start(); return grown(xs) } // want "grown is its serial form" // refuse "parts: an iteration of grown may use what another has in n"

// others see what is given
func shared(xs []int, table []int) int {
	n := 0
	for _, x := range xs {
		table[x%len(table)]++
		n += x
	}
	return n
}

func sharedParallel(xs []int, table []int) int { start(); return shared(xs, table) } // want "shared is its serial form" // refuse "parts: an iteration of shared may use what another has in table"

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

func uniqueParallel(xs []int) int { start(); return unique(xs) } // want "unique is its serial form" // refuse "parts: an iteration of unique may use what another has in s"

type set map[int]bool

func (s set) insert(x int) bool {
	had := s[x]
	s[x] = true
	return !had
}

// the order in which it adds up counts
func rounded(xs []float64) float64 {
	n := 0.0
	for _, x := range xs {
		n += x
	}
	return n
}

func roundedParallel(xs []float64) float64 { start(); return rounded(xs) } // want "rounded is its serial form" // refuse "parts: an iteration of rounded may use what another has in n"

// it goes over an array
func array(xs []int) int {
	n := 0
	of := [4]int{1, len(xs), 2, 3}
	for _, x := range of {
		n += xs[x]
	}
	return n
}

func arrayParallel(xs []int) int { start(); return array(xs) } // want "array is its serial form" // refuse "parts: the loop of array goes over an array"

// it goes on elsewhere
func skips(xs []int) int {
	n := 0
	for i := 0; i < len(xs); i++ {
		n += xs[i]
		i += xs[i] & 1
	}
	return n
}

func skipsParallel(xs []int) int { start(); return skips(xs) } // want "skips is its serial form" // refuse "parts: an iteration of skips may use what another has in i"

// how far it counts may change
func counting(xs []int, to *struct{ n int }) int {
	n := 0
	for i := 0; i < to.n; i++ {
		n += xs[i]
	}
	return n
}

func countingParallel(xs []int, to *struct{ n int }) int { start(); return counting(xs, to) } // want "counting is its serial form" // refuse "parts: counting does not have one loop, which counts from 0"

// what it sets has two names
func twoNames(xs []int) []int {
	out := make([]int, len(xs))
	old := out
	for i, x := range xs {
		out[i] = x + old[i/2]
	}
	return out
}

func twoNamesParallel(xs []int) []int { start(); return twoNames(xs) } // want "twoNames is its serial form" // refuse "parts: twoNames uses out before the loop"

// what it sets is of another
func borrowed(xs []int, get func() []int) []int {
	out := get()
	for i, x := range xs {
		out[i] = x
	}
	return out
}

func borrowedParallel(xs []int, get func() []int) []int { start(); return borrowed(xs, get) } // want "borrowed is its serial form" // refuse "parts: borrowed does not make out"

// it looks at what it adds to before the loop
func looked(xs []int) int {
	n := 0
	show := func() int { return n }
	for _, x := range xs {
		n += x
	}
	return show()
}

func lookedParallel(xs []int) int { start(); return looked(xs) } // want "looked is its serial form" // refuse "parts: looked uses n before the loop"

// the loop goes over what it adds to
func fed(xs []int) []int {
	var out []int
	for i := range out {
		out = append(out, xs[i])
	}
	return out
}

func fedParallel(xs []int) []int { start(); return fed(xs) } // want "fed is its serial form" // refuse "parts: fed uses out before the loop"

// what it adds to comes with another
func couple(xs []int) int {
	n, k := 0, len(xs)
	for _, x := range xs {
		n += x * k
	}
	return n
}

func coupleParallel(xs []int) int { start(); return couple(xs) } // want "couple is its serial form" // refuse "parts: k is declared together with what the loop adds to"

// it is one of two results
func ofTwo(xs []int) int {
	var n, k = two()
	for _, x := range xs {
		n += x
	}
	return n + k
}

func ofTwoParallel(xs []int) int { start(); return ofTwo(xs) } // want "ofTwo is its serial form" // refuse "parts: k is declared together with what the loop adds to"

func two() (int, int) { return 0, 0 }

// what it begins with changes
func changed(xs []int) *scaled {
	k := 4
	s := newScaled(k)
	k = 8
	for _, x := range xs {
		s.n += x
	}
	return s
}

func changedParallel(xs []int) *scaled { start(); return changed(xs) } // want "changed is its serial form" // refuse "parts: k may be something else where a part begins"

type scaled struct {
	n, k int
	of   []int
}

func newScaled(k int) *scaled { return &scaled{k: k} }

// it begins with what it is given
func lent(xs []int, of []int) scaled {
	s := scaled{of: of}
	for _, x := range xs {
		s.n += x
	}
	return s
}

func lentParallel(xs []int, of []int) scaled { start(); return lent(xs, of) } // want "lent is its serial form" // refuse "parts: of may be something else where a part begins"

// it adds to what it is given
func into(xs []int, s map[int]int) {
	for _, x := range xs {
		s[x]++
	}
}

func intoParallel(xs []int, s map[int]int) { start(); into(xs, s) } // want "into is its serial form" // refuse "parts: into adds to s, which it is given"

// it must not be copied
func guarded(xs []int) int {
	var g guard
	for _, x := range xs {
		g.n += x
	}
	return g.n
}

func guardedParallel(xs []int) int { start(); return guarded(xs) } // want "guarded is its serial form" // refuse "parts: g must not be copied"

type guard struct {
	mu sync.Mutex
	n  int
}

// it stops a panic of the loop
func saved(xs []int) (n int) {
	defer func() { recover() }()
	for _, x := range xs {
		n += 100 / x
	}
	return n
}

func savedParallel(xs []int) (n int) { // want "saved is its serial form" // refuse "parts: saved stops panics"
	defer func() { recover() }()
	start()
	return saved(xs)
}

// a literal adds after the iteration
func delayed(xs []int) int {
	n := 0
	var all []func()
	for _, x := range xs {
		all = append(all, func() { n += x })
	}
	for i := len(all); i > 0; i-- {
		all[i-1]()
	}
	return n
}

func delayedParallel(xs []int) int { start(); return delayed(xs) } // want "delayed is its serial form" // refuse "parts: delayed does not have one loop, which counts from 0"

// a literal of a call adds after the iteration
func wrapped(xs []int) int {
	n := 0
	var all fs
	for _, x := range xs {
		all = append(all, same(func() { n += x }))
	}
	all.run()
	return n
}

func wrappedParallel(xs []int) int { start(); return wrapped(xs) } // want "wrapped is its serial form" // refuse "parts: an iteration of wrapped may use what another has in n"

type fs []func()

func (all fs) run() {
	for _, f := range all {
		f()
	}
}

func same(f func()) func() { return f }

// a literal changes what is given
func noted(xs []int, t *tally) int {
	n := 0
	for _, x := range xs {
		twiceOver(x, func(y int) { t.add(y); n += y })
	}
	return n
}

func notedParallel(xs []int, t *tally) int { start(); return noted(xs, t) } // want "noted is its serial form" // refuse "parts: noted changes n"

func twiceOver(x int, f func(int)) { f(x); f(x) }

// it returns nothing early
func stops(xs []int) {
	for i, x := range xs {
		if x == 0 {
			return
		}
		xs[i]++
	}
}

func stopsParallel(xs []int) { start(); stops(xs) } // want "stops is its serial form" // refuse "parts: the loop of stops may end by return"

// its names mean other things there
func limit(xs []int) int {
	workers, n := 3, 0
	for _, x := range xs {
		n += x % workers
	}
	return n
}

func limitParallel(xs []int, workers int) int { start(); return limit(xs) } // want "limit is its serial form" // refuse "parts: workers is declared together with what the loop adds to"

func names(xs []int) int {
	workers := 3
	n := 0
	for _, x := range xs {
		n += x % workers
	}
	return n
}

func namesParallel(xs []int, workers int) int { start(); return names(xs) } // want "names is its serial form" // refuse "parts: workers means something else in it"

func renamed(xs []int, by *tally) int {
	t := 3
	n := 0
	for _, x := range xs {
		n += x % t * by.last
	}
	return n
}

func renamedParallel(xs []int, t *tally) int { start(); return renamed(xs, t) } // want "renamed is its serial form" // refuse "parts: t means something else in it"

func of[T any](xs []T, f func(T) int) int {
	n := 0
	for _, x := range xs {
		n += f(x)
	}
	return n
}

func ofParallel[E any](xs []E, f func(E) int) int { start(); return of(xs, f) } // want "of is its serial form" // refuse "parts: its type parameters have other names"

// the type of what it adds to is its own
func local(xs []int) int {
	type sum struct{ n int }
	var s sum
	for _, x := range xs {
		s.n += x
	}
	return s.n
}

func localParallel(xs []int) int { start(); return local(xs) } // want "local is its serial form" // refuse "parts: the type of a result has no name here"

// it changes something before a loop over what is made there
func numbered(t *tally, xs []int) int {
	t.n++
	n := 0
	for _, x := range positive(xs) {
		n += x
	}
	return n
}

func numberedParallel(t *tally, xs []int) int { start(); return numbered(t, xs) } // want "numbered is its serial form" // refuse "parts: numbered changes n before the loop"

// it sets what it was given before a loop over that
func ready(xs []int) int {
	xs = positive(xs)
	n := 0
	for _, x := range xs {
		n += x
	}
	return n
}

func readyParallel(xs []int) int { start(); return ready(xs) } // want "ready is its serial form" // refuse "parts: ready sets xs before the loop"

func positive(xs []int) []int { return xs[1:] }

// it goes over one thing twice
func pair(xs []int) int {
	var t tally
	n := 0
	for _, p := range []*tally{&t, &t} {
		p.add(len(xs))
		n += p.n
	}
	return n
}

func pairParallel(xs []int) int { start(); return pair(xs) } // want "pair is its serial form" // refuse "parts: the loop of pair may go over something twice"

// what it is given becomes its own
func anew(xs []int, t *tally) int {
	t = &tally{}
	n := 0
	for _, x := range xs {
		t.add(x)
		n += x
	}
	return n + t.n
}

func anewParallel(xs []int, t *tally) int { start(); return anew(xs, t) } // want "anew is its serial form" // refuse "parts: an iteration of anew may use what another has in t"

// what it is given leads to its own
func nextTo(xs []int, l *list) int {
	l.next = &list{}
	n := 0
	for _, x := range xs {
		l.next.see(x)
		n += x
	}
	return n + l.next.n
}

func nextToParallel(xs []int, l *list) int { start(); return nextTo(xs, l) } // want "nextTo is its serial form" // refuse "parts: nextTo changes n"

type list struct {
	n    int
	next *list
}

func (l *list) see(x int) { l.n = 2*l.n + x }

// what it begins with is numbered
func series(xs []int) *scaled {
	s := nextScaled()
	for _, x := range xs {
		s.n += x
	}
	return s
}

func seriesParallel(xs []int) *scaled { start(); return series(xs) } // want "series is its serial form" // refuse "parts: series changes total"

func nextScaled() *scaled { return &scaled{k: count()} }

func count() int {
	total++
	return total
}

// it sets the element of another iteration
func spread(xs []int) []int {
	out := make([]int, len(xs))
	for i, x := range xs {
		out[x] = i
	}
	return out
}

func spreadParallel(xs []int) []int { start(); return spread(xs) } // want "spread is its serial form" // refuse "parts: an iteration of spread may use what another has in out"

// a method goes elsewhere
func handed(xs []int) counts {
	var c counts
	for range xs {
		later = c.add
	}
	return c
}

func handedParallel(xs []int) counts { start(); return handed(xs) } // want "handed is its serial form" // refuse "parts: an iteration of handed may use what another has in c"

var later func(int)

// it counts where it keeps the largest
func records(xs []int) int {
	n, k := 0, 0
	for _, x := range xs {
		if x > n {
			n = x
			k++
		}
	}
	return k
}

func recordsParallel(xs []int) int { start(); return records(xs) } // want "records is its serial form" // refuse "parts: an iteration of records may use what another has in n"

// it counts where it does not
func lesser(xs []int) int {
	n, k := 0, 0
	for _, x := range xs {
		if x > n {
			n = x
		} else {
			k++
		}
	}
	return k
}

func lesserParallel(xs []int) int { start(); return lesser(xs) } // want "lesser is its serial form" // refuse "parts: an iteration of lesser may use what another has in n"

// what makes it is not looked into
func built(xs []int) counts {
	c := sevenths()
	for _, x := range xs {
		c.n += x
	}
	return c
}

func builtParallel(xs []int) counts { start(); return built(xs) } // want "built is its serial form" // refuse "parts: c.n has something before the loop"

func sevenths() (c counts) {
	c.n = 7
	return c
}

// a literal without keys
func unnamed(xs []int) counts {
	c := counts{3}
	for _, x := range xs {
		c.n += x
	}
	return c
}

func unnamedParallel(xs []int) counts { start(); return unnamed(xs) } // want "unnamed is its serial form" // refuse "parts: c.n has something before the loop"

// a list begins with as many elements as there are
func longer(xs []int) []int {
	out := make([]int, len(xs))
	for _, x := range xs {
		out = append(out, x)
	}
	return out
}

func longerParallel(xs []int) []int { start(); return longer(xs) } // want "longer is its serial form" // refuse "parts: out has something before the loop"
