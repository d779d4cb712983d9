package fuzz

// forms are what the checks look for, by check. Each has a function f@ that is
// called with n numbers; what it declares beside that has @ in its name, too.
var forms = map[string][]string{
	"sharedacc": {`
func f@(xs []int, n int) any {
	var sum atomic.Int64
	var wg sync.WaitGroup
	for w := range 3 {
		wg.Go(func() {
			for i := w; i < len(xs); i += 3 {
				x := xs[i]
				$own(i;x;continue)
				sum.Add(int64(<<x||$e(x,i)>>))
				$own(i;x;continue,break,return)
			}
		})
	}
	wg.Wait()
	return sum.Load()
}`, `
func f@(xs []int, n int) any {
	$any(n;;)
	var mu sync.Mutex
	total, most := $e(n), 0
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, x := range xs[w*len(xs)/2 : (w+1)*len(xs)/2] {
				$own(w;x;continue,return)
				mu.Lock()
				total += <<x||$e(x,w)>>
				<<most = max(most, x)||||if x > most {
					most = x
				}>>
				mu.Unlock()
				$own(w;x;)
			}
		}()
	}
	wg.Wait()
	return []int{total, most}
}`, `
type tally@ struct {
	mu sync.Mutex
	by map[int]int
	n  int
}

func (t *tally@) add(k, v int) {
	t.mu.Lock()
	<<defer t.mu.Unlock()
	t.by[k] += v
	t.n++||t.by[k] += v
	t.n++
	t.mu.Unlock()>>
}

func f@(xs []int, n int) any {
	t := &tally@{by: map[int]int{}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i, x := range xs {
				$own(i;x;continue,break)
				t.add(<<x&7||$e(x)>>, <<1||i>>)
			}
		})
	}
	wg.Wait()
	return fmt.Sprint(t.by, t.n)
}`, `
func f@(xs []int, n int) any {
	var next atomic.Int64
	out := make([]int, len(xs))
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(xs) {
					<<return||break>>
				}
				x := xs[i]
				$own(i;x;continue)
				out[i] = $e(x,i)
			}
		})
	}
	wg.Wait()
	return <<out||[]any{out, next.Load() > 0}>>
}`, `
func f@(xs []int, n int) any {
	var mu sync.Mutex
	var all []int
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			for i := w; i < len(xs); i += 2 {
				x := xs[i]
				$own(i;x;continue)
				mu.Lock()
				all = append(all, x)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	slices.Sort(all)
	<<||all = slices.Compact(all)>>
	return all
}`, `
func f@(xs []int, n int) any {
	results := make(chan []int, 2)
	for w := range 2 {
		go func() {
			var mine []int
			for i := w; i < len(xs); i += 2 {
				x := xs[i]
				$own(i;x;continue)
				mine = append(mine, x)
			}
			results <- mine
		}()
	}
	m := map[int]int{}
	for range 2 {
		for _, x := range <-results {
			m[x] += x
		}
	}
	return m
}`},
	"privatize": {`
type cell@ struct{ hits, sum int }

type tally@ struct {
	mu sync.Mutex
	by map[int]*cell@
	m  sync.Map
	n  atomic.Int64
}

func (t *tally@) cell(k int) *cell@ {
	<<c := t.by[k]
	if c == nil {
		c = <<new(cell@)||&cell@{}||&cell@{sum: 1}>>
		t.by[k] = c
	}
	return c||c, ok := t.by[k]
	if !ok {
		c = new(cell@)
		<<||t.n.Add(1)>>
		t.by[k] = c
	}
	return c||return t.by[k&1]>>
}

func (t *tally@) add(x, k int) {
	<<||if x > k {
		return
	}||$own(;x,k;)>>
	t.mu.Lock()
	<<c := t.cell(x & 3)||c := t.cell(k & 3)||c := t.by[<<x & 1||k & 1>>]
	if c == nil {
		c = <<new(cell@)||&cell@{}>>
		t.by[<<x & 1||k & 1>>] = c
	}>>
	c.hits++
	c.sum += <<x||k||$e(x,k)||c.hits>>
	t.mu.Unlock()
	<<||t.n.Add(int64(x))>>
}

func (t *tally@) mark(x int) {
	v, <<_||_||ok>> := t.m.LoadOrStore(<<x & 3||odd(x)||fmt.Sprint(x & 1)>>, new(atomic.Int64))
	v.(*atomic.Int64).Add(int64(x))
	<<_ = 1||if false {
		t.mark(x)
	}>>
}

func f@(xs []int, n int) any {
	t := &tally@{by: map[int]*cell@{0: {}, 1: {hits: 3}}}
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			for i, x := range xs[w*len(xs)/2 : (w+1)*len(xs)/2] {
				$own(i;x;continue)
				<<t.add(x, i)||t.add(i, $e(x,i))||t.mark(x)
				t.add(x, 3)>>
				<<t.mark(i)||t.mark(x)||>>
				$own(i;x;continue,break)
			}
		})
	}
	wg.Wait()
	var marks []string
	t.m.Range(func(k, v any) bool {
		marks = append(marks, fmt.Sprint(k, v.(*atomic.Int64).Load()))
		return true
	})
	slices.Sort(marks)
	var cells []cell@
	for k := range 4 {
		if c := t.by[k]; c != nil {
			cells = append(cells, *c)
		}
	}
	return fmt.Sprint(cells, marks, t.n.Load())
}`, `
type part@ struct {
	mu sync.Mutex
	n  map[int]int
}

func (p *part@) add(k, x int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	<<if p.n == nil {
		p.n = make(map[int]int)
	}||if p.n == nil {
		p.n = make(map[int]int)
	}||>>
	p.n[k] <<+= x||+= 1||-= x||^= x>>
}

type whole@ struct {
	a, b part@
	mu   sync.Mutex
	seen atomic.Int64
	sum  int
	most int
	base int
}

func (w *whole@) note(x int) {
	$own(;x;)
	w.a.add(x&3, x)
	<<w.b.add(x & 1, w.base)||w.b.add(1, x)||>>
	w.seen.Add(<<1||int64(x)>>)
	w.mu.Lock()
	<<w.sum += x||w.sum += x||w.most = max(w.most, x)||w.sum |= x>>
	w.mu.Unlock()
}

type taker@ interface{ note(int) }

func feed@(t taker@, xs []int) {
	for i, x := range xs {
		$own(i;x;continue,break)
		t.note(<<x||i||x - i>>)
	}
}

func each@(xs []int, do func(int)) {
	for _, x := range xs {
		do(x)
	}
}

func some@(xs []int, w *whole@) {
	<<each@(xs, w.note)||each@(xs, func(x int) {
		$own(;x;)
		w.note(x)
	})||feed@(w, xs)
	feed@(w, xs)||for _, x := range xs {
		defer w.note(x)
	}||do := w.note
	each@(xs, do)>>
}

func f@(xs []int, n int) any {
	w := &whole@{base: 2, a: part@{n: map[int]int{}}, b: part@{n: map[int]int{}}}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			<<feed@(w, xs[i*len(xs)/2:(i+1)*len(xs)/2])||some@(xs[i*len(xs)/2:(i+1)*len(xs)/2], w)||for k := range 3 {
				feed@(w, xs[:k*len(xs)/3])
			}>>
		})
	}
	wg.Wait()
	return fmt.Sprint(w.a.n, w.b.n, w.seen.Load(), w.sum, w.most, w.base)
}`, `
type meter@ struct {
	seen, odd atomic.Int64
	mu        sync.Mutex
	sum, most int
	bins      [8]int
	by        map[int]int
}

func (m *meter@) visit(x, i int) {
	<<||m.seen.Add(1)||m.seen.Add(int64(i))>>
	$own(i;x;)
	<<if x%2 == 0 {
		return
	}||if x > i {
		m.seen.Add(2)
		return
	}||>>
	m.parity(<<x||i||x - i>>)
	$own(i;x;)
}

func (m *meter@) parse(x int) int {
	m.seen.Add(<<1||int64(x)>>)
	$own(;x;)
	<<||y := x + 1
	x = y * 2>>
	return <<x + 1||-x||twice(x)||int(m.seen.Load()) & 0 + x>>
}

func (m *meter@) parity(k int) { <<m.odd.Add(1)||m.odd.Add(int64(k))||m.odd.Store(int64(k) & 0)>> }

func f@(xs []int, n int) any {
	<<var m meter@||m := &meter@{}>>
	var wg sync.WaitGroup
	for w := range 3 {
		wg.Go(func() {
			for i := w; i < len(xs); i += 3 {
				x := xs[i]
				$own(i;x;continue)
				m.visit(<<x, i||i, x||xs[i], w||$e(x,i), 7>>)
				<<||m.parity(x)||m.visit(i, i)||x -= m.parse(i)||y := m.parse(x)
				x = y||if m.parse(x) > 3 {
					m.parity(i)
				}>>
				$own(i;x;continue,break,return)
			}
		})
	}
	wg.Wait()
	return []int64{m.seen.Load(), m.odd.Load()}
}`, `
type book@ struct {
	mu        sync.Mutex
	sum, most int
	bins      [8]int
	rows      []int
	by        map[int]int
}

func (b *book@) enter(x, k int) {
	<<if x == 0 {
		return
	}||d := x - k
	k += d & 3||>>
	b.mu.Lock()
	<<defer b.mu.Unlock()
	b.sum += x||b.sum += k * x
	b.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()||defer b.mu.Unlock()
	if k > 3 {
		b.most = max(b.most, x)
		return
	}>>
	<<b.bins[x&7] += k||b.rows[k&3]++||b.by[k] += x||$own(;x,k;)
	b.sum -= x>>
	<<||b.sum += $e(x,k)>>
}

func f@(xs []int, n int) any {
	b := &book@{by: map[int]int{}, rows: make([]int, 4), most: $k()}
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i, x := range xs[w*len(xs)/2 : (w+1)*len(xs)/2] {
				$own(i;x;continue)
				b.enter(<<x, i||x + i, 5||twice(x), w||i, $e(x,i)||x, x>>)
				<<||b.enter(i, x)||d := i; _ = d>>
				$own(i;x;continue,break)
			}
		}()
	}
	wg.Wait()
	return fmt.Sprint(b.sum, b.most, b.bins, b.rows, b.by)
}`, `
func f@(xs []int, n int) any {
	var mu sync.Mutex
	total, scale := $e(n), $k()
	add := func(x int) {
		<<if x < 0 {
			return
		}||>>
		mu.Lock()
		<<defer mu.Unlock()
		total += x * scale||total += x
		mu.Unlock()||total += scale
		total += x
		mu.Unlock()>>
	}
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			<<||scale := w
			_ = scale>>
			for i, x := range xs {
				$own(i,w;x;continue)
				add(<<x||i||x * scale||x * 2>>)
				$own(i;x;)
			}
		})
	}
	wg.Wait()
	<<||add(1)>>
	return []int{total, scale & 0}
}`, `
func each@<<[T any](xs []T, f func(T))||(xs []int, f func(int))>> {
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			for <<_, x := range xs[w*len(xs)/2 : (w+1)*len(xs)/2]||i, x := range xs||_, x := range xs[:len(xs)-len(xs)/2*w]>> {
				<<f(x)||if <<w > 0||len(xs) > 2>> {
					f(x)
				}>>
				_ = x
			}
		})
	}
	wg.Wait()
}

func f@(xs []int, n int) any {
	var sum atomic.Int64
	<<||w := n
	defer func() { calls += w }()>>
	each@(<<xs||xs[:len(xs)/2]>>, func(<<x||y>> int) {
		<<||if n > 3 {
			return
		}>>
		sum.Add(<<1||int64(n)>>)
		<<||_ = n>>
	})
	<<||_ = sum.Load()>>
	return sum.Load()
}`, `
type slot@ struct{ n, most int }

func (s *slot@) add(x int) {
	<<if x > s.most {
		s.most = x
	}||if x < 0 {
		return
	}||s.most = max(s.most, x)>>
	$own(;x;)
	s.n += x
}

func (s *slot@) all(xs []int) {
	for i, x := range xs {
		$own(i;x;continue)
		s.add(<<x||i||x - i||$e(x,i)>>)
		<<||if s.n > $k() {
			break
		}>>
	}
}

func f@(xs []int, n int) any {
	slots := make([]slot@, 2)
	var wg sync.WaitGroup
	for w := range slots {
		wg.Go(func() { slots[w].all(xs[w*len(xs)/2 : (w+1)*len(xs)/2]) })
	}
	wg.Wait()
	return fmt.Sprint(slots)
}`},
	"hotslot": {`
func f@(xs []int, n int) any {
	sums := make([]int, 4)
	var wg sync.WaitGroup
	for w := range <<4||sums>> {
		wg.Go(func() {
			<<||sums[w] = $e(w)>>
			for i := w; i < len(xs); i += 4 {
				x := xs[i]
				$own(i;x;continue,break,return)
				sums[w] <<+=||^=||-=>> <<x||$e(x,i)>>
				$own(i;x;continue)
			}
		})
	}
	wg.Wait()
	total := 0
	for _, s := range sums {
		total += s
	}
	return fmt.Sprint(total, sums)
}`, `
type part@ struct {
	n, sum int
	xs     []int
}

func (p *part@) add(x int) { p.sum += x; p.n++ }

func f@(xs []int, n int) any {
	parts := make([]part@, 3)
	<<||defer func() { calls += parts[0].sum }()>>
	var wg sync.WaitGroup
	for w := range parts {
		wg.Add(1)
		go func(p *part@) {
			defer wg.Done()
			for i, x := range xs {
				$own(i,w;x;continue,break)
				<<p.sum += x||p.add(x)||p.n++||p.xs = append(p.xs, x)>>
				<<||if p.n > $k() {
					break
				}>>
			}
		}(&parts[w])
	}
	wg.Wait()
	return fmt.Sprint(parts)
}`, `
func f@(xs []int, n int) any {
	counts := make([]atomic.Int64, 2)
	var wg sync.WaitGroup
	for w := range counts {
		wg.Go(func() {
			for i, x := range xs {
				$own(i;x;continue,return)
				counts[w].Add(<<1||int64(x)>>)
			}
		})
	}
	wg.Wait()
	return counts[0].Load() + 3*counts[1].Load()
}`},
	"goperelem": {`
func f@(xs []int, n int) any {
	out := make([]int, len(xs))
	$any(n;;)
	var wg sync.WaitGroup
	for i<<||, x>> := range xs {
		<<||i := i>>
		wg.<<Go(func() {
			y := xs[i]
			$own(i;y;return)
			out[i] = $e(y,i)
		})||Go(func() { out[i] = $e(i) })>>
	}
	wg.Wait()
	return out
}`, `
func f@(xs []int, n int) any {
	var sum atomic.Int64
	var wg sync.WaitGroup
	for i := 0; i < n; i++ {
		wg.Add(1)
		x := xs[i]
		$any(i;x;)
		go func(y int) {
			defer wg.Done()
			$own(i;y;return)
			sum.Add(int64(y))
		}(x)
	}
	wg.Wait()
	return sum.Load()
}`, `
func f@(xs []int, n int) any {
	ch := make(chan int<<||, 4||, len(xs)>>)
	for i, x := range xs {
		go func() {
			$own(i;x;)
			ch <- $e(x,i)
		}()
	}
	total := 0
	for range xs {
		total += <-ch
	}
	return total
}`, `
func f@(xs []int, n int) any {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			defer func() {
				if e := recover(); e != nil {
					errs[i] = fmt.Errorf("%v", e)
				}
			}()
			y := must(xs[i] + 12)
			$own(i;y;return)
			_ = y
		})
	}
	wg.Wait()
	return fmt.Sprint(errs)
}`},
	"recgo": {`
func g@(xs []int, d int) int {
	if len(xs) <= 1 {
		if len(xs) == 1 {
			return $e(d) + xs[0]
		}
		return 0
	}
	$own(d;d;return d)
	m := len(xs) / 2
	var a, b int
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		a = g@(xs[:m], d+1)
	}()
	b = g@(xs[m:], d+1)
	wg.Wait()
	return a <<+||-||^>> b
}

func f@(xs []int, n int) any { return g@(xs, 0) }`, `
type node@ struct {
	l, r *node@
	v    int
}

func tree@(n int) *node@ {
	if n == 0 {
		return nil
	}
	return &node@{tree@(n / 2), tree@(n / 3), n}
}

func (t *node@) sum() int {
	if t == nil {
		return 0
	}
	ch := make(chan int<<||, 1||, 2>>)
	go func() { ch <- t.l.sum() }()
	<<go func() { ch <- t.r.sum() }()
	v := t.v
	$own(;v;)
	return v + <-ch + <-ch||r := t.r.sum()
	$own(;r;)
	return r + t.v + <-ch>>
}

func f@(xs []int, n int) any { return tree@(n).sum() }`, `
func sort@(xs []int) {
	if len(xs) < 2 {
		return
	}
	p, i := xs[0], 0
	for j := 1; j < len(xs); j++ {
		if xs[j] < p {
			i++
			xs[i], xs[j] = xs[j], xs[i]
		}
	}
	xs[0], xs[i] = xs[i], xs[0]
	var wg sync.WaitGroup
	wg.Go(func() { sort@(xs[:i]) })
	<<wg.Go(func() { sort@(xs[i+1:]) })||sort@(xs[i+1:])>>
	wg.Wait()
}

func f@(xs []int, n int) any {
	ys := slices.Clone(xs)
	sort@(ys)
	return ys
}`},
	"chanperitem": {`
func f@(xs []int, n int) any {
	ch := make(chan int<<||, 1||, 16>>)
	go func() {
		defer close(ch)
		for i, x := range xs {
			$own(i;x;continue,break,return)
			ch <- <<x||$e(x,i)>>
			$own(i;x;)
		}
	}()
	total := 0
	for v := range ch {
		$any(v;total;continue)
		total += v
	}
	return total
}`, `
func nums@(xs []int) <-chan int {
	out := make(chan int)
	go func() {
		for _, x := range xs {
			$own(;x;continue)
			out <- x
		}
		close(out)
	}()
	return out
}

func map@(in <-chan int, f func(int) int) <-chan int {
	out := make(chan int<<||, 2>>)
	go func() {
		defer close(out)
		for v := range in {
			$own(;v;continue)
			out <- <<f(v)||v + 1||must(v&7)>>
		}
	}()
	return out
}

func f@(xs []int, n int) any {
	a := &acc{n: n}
	var got []int
	for v := range map@(<<map@(nums@(xs), $f(n))||nums@(xs)>>, <<a.do||twice||$f(n)>>) {
		$any(;v;continue)
		got = append(got, v)
	}
	return fmt.Sprint(got, a.n)
}`, `
func f@(xs []int, n int) any {
	jobs, results := make(chan int<<||, 8>>), make(chan int<<||, 8>>)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for x := range jobs {
				$own(;x;continue)
				results <- $e(x)
			}
		})
	}
	go func() {
		for _, x := range xs {
			jobs <- x
		}
		close(jobs)
		wg.Wait()
		close(results)
	}()
	total := 0
	for r := range results { // in any order
		$own(;r;)
		total += r
	}
	return <<total||total * n>>
}`, `
type box@ struct {
	ask chan func(map[int]int)
}

func f@(xs []int, n int) any {
	b := box@{make(chan func(map[int]int))}
	done := make(chan bool)
	go func() {
		m := map[int]int{}
		for f := range b.ask {
			f(m)
		}
		close(done)
	}()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i, x := range xs {
				$own(i;x;continue)
				b.ask <- func(m map[int]int) { m[x&3] += i }
			}
		})
	}
	wg.Wait()
	got := make(chan string, 1)
	b.ask <- func(m map[int]int) { got <- fmt.Sprint(m) }
	close(b.ask)
	<-done
	return <-got
}`},
	"onestage": {`
func work@(x int) int {
	for range 2000 {
		x ^= x * 8 & 1023
	}
	return x
}

func f@(xs []int, n int) any {
	a, b := make(chan int, <<4||0||n>>), make(chan int, 4)
	c := &acc{seen: []int{1, 2, 3}}
	<<||seen := 0
	_ = seen>>
	go func() {
		defer close(a)
		for _, x := range xs {
			a <- x
		}
	}()
	go func() {
		defer close(b)
		for v := range a {
			$own(;v;continue)
			<<||v += c.do(v)||v += len(slices.Collect(c.all))||v += slices.IndexFunc(xs, c.is)||v += len(strings.Map(c.letter, "abc"))||v += apply(c.do, v)||v += twice(v)||v += len(fmt.Sprint(slices.Sorted(c.all)))>>
			b <- work@(v)
		}
	}()
	total, most := 0, 0
	for v := range b {
		$any(v;total;continue)
		total += v
		most = max(most, v)
	}
	return fmt.Sprint(total, most, c.n)
}`, `
func heavy@(x int, t *acc) int {
	for range 2000 {
		x ^= x * 8 & 1023
		<<||t.n++||x += t.n>>
	}
	return x
}

func f@(xs []int, n int) any {
	in, out := make(chan int<<||, 8>>), make(chan int<<||, 8>>)
	t := &acc{n: $k()}
	go func() {
		for i := range n {
			in <- i
		}
		close(in)
	}()
	go func() {
		<<||k := 0
		_ = k>>
		for v := range in {
			w := heavy@(v, t)
			$own(v;w;continue)
			out <- w
		}
		close(out)
	}()
	m := map[int]int{}
	for w := range out {
		$any(;w;continue)
		m[w]++
	}
	return fmt.Sprint(m, t.n)
}`},
	"inplace": {`
func f@(xs []int, n int) any {
	out := make([]int, len(xs))
	m := len(xs) / 2
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		for i := 0; i < m; i++ {
			x := xs[i]
			$own(i;x;continue,break,return)
			out[i] = $e(x,i)
		}
	}()
	go func() {
		defer wg.Done()
		for i := m; i < len(xs); i++ {
			out[i] = $e(i) + xs[i]
		}
	}()
	wg.Wait()
	return out
}`, `
func half@(xs []int, out *int) {
	for i, x := range xs {
		$own(i;x;continue,return)
		*out += x
	}
}

func f@(xs []int, n int) any {
	var a, b int
	done := make(chan bool)
	for k := range 3 {
		go func() {
			half@(xs[:n/2], &a)
			done <- true
		}()
		half@(xs[n/2:], &b)
		<-done
		$any(k;a,b;continue,break)
	}
	return []int{a, b}
}`},
	"rwtiny": {`
type conf@ struct {
	mu  sync.RWMutex
	val map[int]int
	max int
}

func (c *conf@) get(k int) int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	<<return c.val[k]||v, ok := c.val[k]
	if !ok {
		return -1
	}
	return v||return c.max>>
}

func (c *conf@) set(k, v int) {
	c.mu.Lock()
	c.val[k] = v
	<<||c.max = max(c.max, v)||if v > c.max {
		c.max = v
	}>>
	c.mu.Unlock()
}

func (c *conf@) all() (sum int) {
	c.mu.RLock()
	<<for _, v := range c.val {
		sum += v
	}||sum = len(c.val)||m := c.val
	sum = len(m)>>
	c.mu.RUnlock()
	return sum
}

func f@(xs []int, n int) any {
	c := &conf@{val: map[int]int{1: 1}}
	var sum atomic.Int64
	for i, x := range xs {
		$any(i;x;continue)
		c.set(x&7, x)
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() { sum.Add(int64(c.get(i&7))) })
		}
		wg.Wait()
	}
	return fmt.Sprint(sum.Load(), c.all(), c.max)
}`, `
type flag@ struct {
	mu sync.RWMutex
	on bool
	n  int
}

func (f *flag@) is() bool { f.mu.RLock(); defer f.mu.RUnlock(); return f.on }

func (f *flag@) set(on bool) { f.mu.Lock(); f.on = on; f.n++; f.mu.Unlock() }

func (f *flag@) flip() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.on = !f.on
	return f.on
}

func f@(xs []int, n int) any {
	f, sum := new(flag@), 0
	for i, x := range xs {
		<<f.set($b(x,i))||f.flip()>>
		if f.is() {
			sum += i
		}
		$any(i,x;sum;continue)
	}
	return sum
}`},
	"syncmap": {`
func f@(xs []int, n int) any {
	var m sync.Map
	for i, x := range xs {
		$any(i;x;continue)
		<<m.Store(x, i)||if v, ok := m.LoadOrStore(x, i); ok {
			m.Store(x, v.(int)+i)
		}||m.Swap(x, i)>>
	}
	sum := 0
	for k := range 20 {
		if v, ok := m.Load(k); ok {
			sum += v.(int) * k
		}
		<<||m.Delete(k)||if _, ok := m.LoadAndDelete(k + 1); ok {
			sum++
		}>>
	}
	m.Range(func(k, v any) bool {
		sum += k.(int) ^ v.(int)
		return true
	})
	return sum
}`},
	"sortiface": {`
type pair@ struct {
	k, v int
	s    string
}

func f@(xs []int, n int) any {
	ps := make([]pair@, len(xs))
	for i, x := range xs {
		$any(i;x;continue)
		ps[i] = pair@{x & 7, i, strconv.Itoa(x)}
	}
	a := &acc{}
	qs := ps<<||[:len(ps)/2]>>
	_, _ = qs, a
	<<sort.SliceStable||sort.SliceStable||sort.Slice>>(<<ps||qs>>, func(i, j int) bool {
		<<return ps[i].k < ps[j].k||return qs[i].k < qs[j].k||if ps[i].k != ps[j].k {
			return ps[i].k > ps[j].k
		}
		return ps[i].v < ps[j].v||return ps[i].s < ps[j].s||return strings.Compare(ps[i].s, ps[j].s) < 0||return a.cmp(ps[i].k, ps[j].k) < 0||p, q := &ps[i], &ps[j]
		return p.v%3 < q.v%3||return ps[j].v < ps[i].v>>
	})
	<<return fmt.Sprint(ps)||keys := []int{}
	for _, p := range ps {
		keys = append(keys, p.k)
	}
	return fmt.Sprint(keys, a.n > 0)>>
}`, `
type by@ []int

func (b by@) Len() int           { return len(b) }
func (b by@) Less(i, j int) bool { return <<b[i] < b[j]||b[i] > b[j]>> }
func (b by@) Swap(i, j int)      { <<||calls++; >>b[i], b[j] = b[j], b[i] }

func f@(xs []int, n int) any {
	ys := slices.Clone(xs)
	$any(n;;)
	sort.<<Sort||Stable>>(<<by@(ys)||sort.Reverse(by@(ys))>>)
	return ys
}`},
	"hotalloc": {`
func f@(xs []int, n int) any {
	sum := 0
	for i, x := range xs {
		buf := make([]int, <<8||n||0, 8>>)
		<<buf = append(buf, x, i)||buf[0] = x
		buf = append(buf, 1)||copy(buf, xs)>>
		$any(i;x;continue,break)
		<<||keep(buf)||last = buf||sum += len(buf)>>
		for _, b := range buf {
			sum += b
		}
	}
	return sum
}`, `
func f@(xs []int, n int) any {
	s := <<""||strconv.Itoa(n)>>
	for i, x := range xs {
		$any(i;x;continue,break)
		s += <<strconv.Itoa(x)||"ab"||string(rune('a'+x&7))||fmt.Sprint(x, i)>>
		<<||if len(s) > 20 {
			out.Say(s)
		}||s = s[:len(s)&31]>>
	}
	return s
}`, `
func f@(xs []int, n int) any {
	var ys []int
	m := map[int]bool{}
	for i, x := range xs {
		$any(i;x;continue,break)
		ys = append(ys, <<x||$e(x,i)>>)
		m[x] = odd(i)
	}
	<<return ys||zs := append(ys, 1)
	ws := append(ys, 2)
	return fmt.Sprint(zs, ws, ys == nil, len(m))||return fmt.Sprint(ys == nil, cap(ys) >= len(ys), m)>>
}`, `
func g@(text string) (n int) {
	for _, f := range strings.<<Split(text, ",")||Fields(text)>> {
		$any(;n;continue)
		n += len(f)
	}
	return n
}

func f@(xs []int, n int) any {
	sum := 0
	for _, x := range xs {
		parts := strings.Split(strings.Repeat("a, b", x&3), ",")
		sum += len(parts) + g@(parts[0]+" x,y")
		<<||parts[0] = "z"
		out.Say(parts)>>
	}
	return sum
}`, `
type pt@ struct{ x, y int }

func (p *pt@) move(d int) { p.x += d }

func f@(xs []int, n int) any {
	sum := 0
	var all []*pt@
	for i, x := range xs {
		p := &pt@{x, i}
		$any(i;x;continue)
		<<p.move(x)||q := p
		q.y++||all = append(all, p)>>
		sum += p.x * p.y
	}
	<<for _, p := range all {
		p.move(1)
		sum += p.x
	}||sum += len(all)>>
	return sum
}`, `
func f@(xs []int, n int) any {
	var vals []any
	for i, x := range xs {
		$any(i;x;continue)
		vals = append(vals, x)
	}
	sum := 0
	for len(vals) > 0 {
		v := vals[len(vals)-1]
		vals = vals[:len(vals)-1]
		sum = sum*3 + v.(int)
	}
	return sum
}`, `
var pool@ = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func f@(xs []int, n int) any {
	var parts []string
	for _, x := range xs {
		b := pool@.Get().(*bytes.Buffer)
		b.Reset()
		fmt.Fprint(b, x)
		$any(;x;continue)
		parts = append(parts, b.String())
		pool@.Put(b)
	}
	return parts
}`},
	"reflecthot": {`
type who@ struct {
	id   int
	name string
	ok   bool
}

func f@(xs []int, n int) any {
	var b strings.Builder
	for i, x := range xs {
		w := who@{x, strconv.Itoa(i), odd(x)}
		$any(i;x;continue)
		<<b.WriteString(fmt.Sprintf("%d:%s", w.id, w.name))||fmt.Fprintf(&b, "%d-%v", x, w.ok)||b.WriteString(fmt.Sprint(x, i))||b.WriteString(fmt.Sprintf("%v %+v", w, w))||fmt.Fprintf(&b, "%x %5d %q", x, i, w.name)>>
		<<||if reflect.DeepEqual(w, who@{i, "3", false}) {
			b.WriteString("=")
		}||if reflect.DeepEqual(xs[:i], last) {
			b.WriteString("=")
		}>>
	}
	return b.String()
}`},
	"timerloop": {`
func f@(xs []int, n int) any {
	in := make(chan int, len(xs))
	for _, x := range xs {
		in <- x
	}
	close(in)
	sum := 0
	for {
		select {
		case x, ok := <-in:
			if !ok {
				return sum
			}
			$any(;x;continue)
			sum += x
		case <-time.After(<<time.Minute||time.Hour>>):
			return -1
		}
	}
}`},
	"spinwait": {`
func f@(xs []int, n int) any {
	var ready atomic.Bool
	sum := 0
	go func() {
		for i, x := range xs {
			$own(i;x;continue)
			sum += x
		}
		ready.Store(true)
	}()
	for !ready.Load() {
		<<runtime.Gosched()||time.Sleep(time.Microsecond)>>
	}
	return sum
}`, `
func f@(xs []int, n int) any {
	var done atomic.Int64
	out := make([]int, n)
	for i := range n {
		go func() {
			y := xs[i]
			$own(i;y;)
			out[i] = y
			done.Add(1)
		}()
	}
	for done.Load() < int64(n) {
		runtime.Gosched()
	}
	return out
}`, `
type lock@ struct{ held atomic.Bool }

func (l *lock@) lock() {
	for !l.held.CompareAndSwap(false, true) {
		runtime.Gosched()
	}
}

func (l *lock@) unlock() { l.held.Store(false) }

func f@(xs []int, n int) any {
	var l lock@
	sum := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i, x := range xs {
				$own(i;x;continue)
				l.lock()
				sum += x
				l.unlock()
			}
		})
	}
	wg.Wait()
	return sum
}`},
	"staticsplit": {`
func f@(xs []int, n int) any {
	const workers = 3
	out := make([]int, len(xs))
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w * len(xs) / workers; i < (w+1)*len(xs)/workers; i++ {
				x := xs[i]
				$own(i;x;continue,break)
				<<out[i] = $e(x,i)||sums[w] += x||sums[w] = max(sums[w], x)>>
			}
		})
	}
	wg.Wait()
	<<return fmt.Sprint(out, sums[0]+sums[1]+sums[2])||return fmt.Sprint(out, max(sums[0], sums[1], sums[2]))||return fmt.Sprint(out, sums)>>
}`, `
func part@(xs []int, lo, hi int) (n int) {
	for i := lo; i < hi; i++ {
		x := xs[i]
		$own(i;x;continue)
		n += x
	}
	return n
}

func split@(n int, f func(w, lo, hi int)) {
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() { f(w, w*n/2, (w+1)*n/2) })
	}
	wg.Wait()
}

func f@(xs []int, n int) any {
	var sums [2]int
	split@(len(xs), func(w, lo, hi int) { sums[w] = part@(xs, lo, hi) })
	return sums[0] + sums[1]
}`},
	"unbounded": {`
func f@(xs []int, n int) any {
	out := make([]int, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		$any(i;;)
		go func() {
			defer wg.Done()
			x := xs[i]
			for range 10 {
				$own(i;x;)
			}
			<<||time.Sleep(time.Microsecond)>>
			out[i] = x
		}()
	}
	wg.Wait()
	return out
}`},
	"unbuffered": {`
func f@(xs []int, n int) any {
	f, err := os.CreateTemp("", "fuzz")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	for i, x := range xs {
		$any(i;x;continue,break)
		if _, err := <<fmt.Fprintf(f, "%d\n", x)||f.WriteString("ab")||f.Write([]byte{byte(i), byte(x)})>>; err != nil {
			return err
		}
	}
	<<data, err := os.ReadFile(f.Name())
	return fmt.Sprint(data, err)||if _, err := f.Seek(0, 0); err != nil {
		return err
	}
	sum, one := 0, make([]byte, 1)
	for {
		if _, err := io.ReadFull(f, one); err != nil {
			return sum
		}
		sum += int(one[0])
	}>>
}`, `
func f@(xs []int, n int) any {
	r, w := io.Pipe()
	go func() {
		for i, x := range xs {
			$own(i;x;continue)
			if _, err := fmt.Fprintf(w, "%d ", x); err != nil {
				return
			}
		}
		w.Close()
	}()
	data, err := io.ReadAll(r)
	return fmt.Sprint(string(data), err)
}`},
	"serialform": {`
func item@(x, n int) int {
	return <<x||$e(x,n)>>
}

func items@(xs []int, n int) []int {
	out := make([]int, 0, len(xs))
	for _, x := range xs {
		out = append(out, item@(x, n))
	}
	return out
}

func at_once_items@(xs []int, n, workers int) []int {
	out := make([]int, len(xs))
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(xs); i += workers {
				out[i] = item@(xs[i], n)
			}
		})
	}
	wg.Wait()
	return out
}

func f@(xs []int, n int) any { return at_once_items@(xs, n, <<3||2>>) }`},
	"deferloop": {`
func f@(xs []int, n int) any {
	locks := make([]sync.Mutex, len(xs))
	sum := 0
	func() {
		for i := range locks {
			locks[i].Lock()
			defer locks[i].Unlock()
			$any(i;sum;return)
			sum += xs[i]
		}
	}()
	free := 0
	for i := range locks {
		if locks[i].TryLock() {
			free++
		}
	}
	return []int{sum, free}
}`},
	"forcegc": {`
func f@(xs []int, n int) any {
	sum := 0
	for i, x := range xs {
		$any(i;x;continue)
		sum += x
		if i%16 == 0 {
			runtime.GC()
		}
	}
	return sum
}`},
	"yieldloop": {`
func f@(xs []int, n int) any {
	sums := make([]int, 2)
	var wg sync.WaitGroup
	for w := range sums {
		wg.Go(func() {
			for i, x := range xs {
				$own(i;x;continue,break)
				sums[w] += x
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
	return sums
}`},
	"adjatomic": {`
type stat@ struct{ a, b atomic.Int64 }

func (s *stat@) left(x int)  { s.a.Add(int64(x)) }
func (s *stat@) right(x int) { s.b.Add(int64(x)) }

func f@(xs []int, n int) any {
	var s stat@
	var wg sync.WaitGroup
	wg.Go(func() {
		for i, x := range xs {
			$own(i;x;continue)
			s.left(x)
		}
	})
	wg.Go(func() {
		for _, x := range xs {
			s.right(x)
		}
	})
	wg.Wait()
	return fmt.Sprint(s.a.Load(), s.b.Load())
}`},
	"shardpad": {`
type shard@ struct {
	mu sync.Mutex
	n  int
}

func f@(xs []int, n int) any {
	<<var shards [8]shard@||shards := make([]shard@, 8)>>
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i, x := range xs {
				$own(i;x;continue)
				s := &shards[x&7]
				s.mu.Lock()
				s.n += x
				s.mu.Unlock()
			}
		})
	}
	wg.Wait()
	sum := 0
	for i := range shards {
		sum += i * shards[i].n
	}
	return sum
}`},
	"fewworkers": {`
func f@(xs []int, n int) any {
	in := make(chan int, 8)
	var sum atomic.Int64
	var wg sync.WaitGroup
	for range runtime.<<NumCPU()||GOMAXPROCS(0)>> {
		wg.Go(func() {
			for x := range in {
				$own(;x;continue)
				<<||time.Sleep(time.Microsecond)>>
				sum.Add(int64(x))
			}
		})
	}
	for _, x := range xs {
		in <- x
	}
	close(in)
	wg.Wait()
	return sum.Load()
}`},
}
