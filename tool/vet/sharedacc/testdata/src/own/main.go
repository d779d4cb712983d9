// Command own hands an object that goroutines share to functions that add to it.
package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Through an interface, by several methods, and with elements of a map.

type entry struct {
	from, to string
	amount   int
}

type account struct{ in, out, moves int }

type book struct {
	mu       sync.Mutex
	accounts map[string]*account
	posted   int
}

func newBook() *book { return &book{accounts: make(map[string]*account)} }

func (b *book) post(e entry) {
	b.move(e.from, account{out: e.amount, moves: 1})
	b.move(e.to, account{in: e.amount, moves: 1})
	b.tick()
}

func (b *book) move(name string, by account) {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.account(name)
	a.in += by.in
	a.out += by.out
	a.moves += by.moves
}

func (b *book) tick() {
	b.mu.Lock()
	b.posted++
	b.mu.Unlock()
}

func (b *book) account(name string) *account {
	a := b.accounts[name]
	if a == nil {
		a = new(account)
		b.accounts[name] = a
	}
	return a
}

type poster interface{ post(entry) }

func postAll(p poster, entries []entry) {
	for _, e := range entries {
		p.post(e)
	}
}

func load(b *book, entries []entry, workers int) {
	var wg sync.WaitGroup
	for w := range workers {
		wg.Add(1)
		go func(part []entry) {
			defer wg.Done()
			postAll(b, part) // want `postAll calls methods of b in a loop, and the goroutines share it` // dearer "local: each goroutine takes more memory: a map like accounts"
		}(entries[len(entries)*w/workers : len(entries)*(w+1)/workers])
	}
	wg.Wait()
}

// Objects within another, of a generic type.

type counter[K cmp.Ordered] struct {
	mu sync.Mutex
	n  map[K]int
}

func (c *counter[K]) add(key K, delta int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = make(map[K]int)
	}
	c.n[key] += delta
}

type meter struct{ lines, bytes atomic.Int64 }

func (m *meter) line(n int) {
	m.lines.Add(1)
	m.bytes.Add(int64(n))
}

type stats struct {
	words counter[string]
	sizes counter[int]
	meter meter
	short int
}

func (s *stats) word(w string) {
	s.words.add(w, 1)
	s.sizes.add(len(w), 1)
}

func consume(lines []string, s *stats) {
	for _, line := range lines {
		s.meter.line(len(line)) // want `s.meter.line updates m.lines atomically in each iteration`
		if line == "" {
			s.words.add("none", 1)
			continue
		}
		words(line, s)
	}
}

func words(line string, s *stats) {
	for _, w := range strings.Fields(line) {
		if len(w) > s.limit() {
			s.word(w) // want `s.word locks c.mu in each iteration` // refuse `local: word does more than add up`
		}
	}
}

func (s *stats) limit() int { return s.short }

func count(lines []string, workers int) *stats {
	s := &stats{short: 1}
	var wg sync.WaitGroup
	for w := range workers {
		part := lines[len(lines)*w/workers : len(lines)*(w+1)/workers]
		wg.Go(func() { consume(part, s) }) // want `consume calls methods of s in a loop, and the goroutines share it` // dearer "own: $"
	}
	wg.Wait()
	return s
}

// By a method value, and by a literal.

type sums struct {
	mu      sync.Mutex
	n, long int
}

func (s *sums) add(w string) {
	s.mu.Lock()
	s.n += len(w)
	s.mu.Unlock()
}

func (s *sums) longer(by int) {
	s.mu.Lock()
	s.long += by
	s.mu.Unlock()
}

func each(line string, do func(string)) {
	for _, w := range strings.Fields(line) {
		do(w)
	}
}

func scan(lines []string, s *sums) {
	for _, line := range lines {
		each(line, s.add)
		each(line, func(w string) {
			if len(w) > 1 {
				s.longer(len(w) - 1)
			}
		})
	}
}

func scanned(s *sums, lines []string) {
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() { scan(lines[len(lines)*w/4:len(lines)*(w+1)/4], s) }) // want `scan calls methods of s in a loop, and the goroutines share it`
	}
	wg.Wait()
}

// There may be none to add to.

type progress struct{ steps, odd atomic.Int64 }

func (p *progress) step(i int) {
	if p != nil {
		p.steps.Add(1)
		p.odd.Add(int64(i & 1))
	}
}

func (p *progress) more(n int) {
	if p == nil {
		return
	}
	p.steps.Add(int64(n))
}

func steps(n int, p *progress) (sum int) {
	for i := range n {
		p.step(i) // want `p.step updates p.steps atomically in each iteration`
		p.more(i & 3)
		sum += i * i
	}
	return sum
}

func progressed(p *progress, xs []int) int64 {
	var sum atomic.Int64
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 50 {
				sum.Add(int64(steps(w+i+xs[0], p))) // want `steps calls methods of p in a loop` `sum is updated atomically`
			}
		})
	}
	wg.Wait()
	return sum.Load()
}

// In a literal that the goroutines call.

func spread(n int, do func(i int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	for range 3 {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1 // want `next is updated atomically` // refuse "local: the result of adding to next is used"
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	wg.Wait()
}

type lengths struct {
	mu sync.Mutex
	n  int
	by [size]int
}

const size = 4

func (l *lengths) add(w string) {
	l.mu.Lock()
	l.n += len(w)
	l.by[len(w)&3]++
	l.mu.Unlock()
}

func spreads(l *lengths, lines []string) {
	spread(len(lines), func(i int) { measure(lines[i], l) }) // want `measure calls methods of l in a loop`
}

func measure(line string, l *lengths) { each(line, l.add) }

// In a loop of the goroutine, with a slice that is as long as it was.

type histogram struct {
	mu   sync.Mutex
	bins []int
	sums [2][4]atomic.Int64
	all  []string
}

func (h *histogram) add(x int) {
	h.mu.Lock()
	h.bins[x&15]++
	if x%1000 == 0 {
		h.all = append(h.all, fmt.Sprint(x%3))
	}
	h.mu.Unlock()
	h.sums[x&1][x&3].Add(int64(x))
}

func fill(h *histogram, xs []int) {
	for _, x := range xs {
		h.add(x) // want `h.add locks h.mu in each iteration`
	}
}

func histograms(h *histogram, xs []int, workers int) {
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < 16; i += workers {
				fill(h, xs[len(xs)*i/16:len(xs)*(i+1)/16]) // want `fill calls methods of h in a loop, and the goroutines share it` // dearer "own: "
			}
		})
	}
	wg.Wait()
}

// By its address: a struct of atomics, one with a map, one behind an interface.

type hits struct{ even, odd atomic.Int64 }

func (h *hits) hit(x int) {
	if x%2 == 0 {
		h.even.Add(1)
	} else {
		h.odd.Add(1)
	}
}

type seen struct {
	mu sync.Mutex
	by map[int]int
}

func (s *seen) see(x int) {
	s.mu.Lock()
	s.by[x%3]++
	s.mu.Unlock()
}

type seer interface{ see(int) }

func hitAll(h *hits, xs []int) {
	for _, x := range xs {
		h.hit(x) // want `h.hit updates h.even atomically in each iteration, and the goroutines share it`
	}
}

func seeAll(s *seen, xs []int) {
	for _, x := range xs {
		s.see(x) // want `s.see locks s.mu in each iteration, and the goroutines share it` // dearer "local: "
	}
}

func seers(s seer, xs []int) {
	for _, x := range xs {
		s.see(x)
	}
}

func addressed(xs []int) (int64, int64, map[int]int, map[int]int) {
	var h hits
	s, t := seen{by: map[int]int{}}, seen{by: map[int]int{}}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			hitAll(&h, xs) // want `hitAll calls methods of h in a loop, and the goroutines share it`
		})
		wg.Go(func() {
			seeAll(&s, xs) // want `seeAll calls methods of s in a loop, and the goroutines share it` // dearer "own: "
		})
		wg.Go(func() {
			seers(&t, xs) // want `seers calls methods of t in a loop, and the goroutines share it` // dearer "local: "
		})
	}
	wg.Wait()
	return h.even.Load(), h.odd.Load(), s.by, t.by
}

func main() {
	var entries []entry
	for i := range 2000 {
		entries = append(entries, entry{fmt.Sprint("a", i%7), fmt.Sprint("b", i%5), i})
	}
	b := newBook()
	load(b, entries, 4)
	var names []string
	for n := range b.accounts {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		fmt.Println(n, *b.accounts[n])
	}
	fmt.Println(b.posted)

	var lines []string
	for i := range 2000 {
		lines = append(lines, strings.Repeat(fmt.Sprint("w", i%11, " x "), i%4))
	}
	s := count(lines, 4)
	fmt.Println(s.words.n, s.sizes.n, s.meter.lines.Load(), s.meter.bytes.Load())

	h := &histogram{bins: make([]int, 16)}
	var xs []int
	for i := range 5000 {
		xs = append(xs, i*i)
	}
	histograms(h, xs, 4)
	slices.Sort(h.all)
	fmt.Println(h.bins, h.sums[1][1].Load(), h.sums[0][2].Load(), h.all)
	p := new(progress)
	fmt.Println(progressed(p, []int{3, 4, 5}), progressed(nil, []int{1}), p.steps.Load(), p.odd.Load())

	t := new(sums)
	l := new(lengths)
	spreads(l, lines)
	fmt.Println(l.n, l.by)
	scanned(t, lines)
	fmt.Println(t.n, t.long)

	o := new(ordered)
	orders(o, xs)
	fmt.Println(o.n, o.in.n)

	a := new(adding)
	additions(a, xs)
	fmt.Println(a.n)
	fmt.Println(addressed(xs))
}
