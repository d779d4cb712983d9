package strangers

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"math/bits"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// withCures makes each benchmark run its cure as well, as variant=cure: what an
// edit reaches is measured beside what an expert writes by hand.
var withCures = os.Getenv("PAYOFF_CURES") == "1"

// cures are the ways to do the jobs without their disease, and nothing else
// changed, as far as an edit of the function that has it can take it away: it
// keeps the result, the algorithm and who talks to whom. The jobs here are the
// serial way and the cure; BenchmarkHits has its own. incurable.json says of each
// other disease why it has none.
var cures = map[string]func() job{
	"Extents": func() job {
		return onNumbers(numbers(200_000, 1000), Extents, "cure", extentsLocal)
	},
	"Bloom":     func() job { return onNumbers(numbers(40_000, 3000), Bloom, "cure", bloomPlain) },
	"Transcode": func() job { return of(3000, Transcode, "cure", transcodeBuffered) },
	"Relay":     func() job { return of(3000, Relay, "cure", relayBuffered) },
	"Fringe": func() job {
		tree := NewBranch(13, 1)
		return job{tree.Fringe, "cure", func() int { return fringeBatches(tree) }}
	},
	"Median": func() job {
		vs, buf := numbers(4096, 1<<20), make([]int, 2*4096)
		return job{func() int { return Median(vs, buf, mergeSort) }, "cure", func() int { return Median(vs, buf, mergeSortThreshold) }}
	},
	"Quote": func() job { return onNumbers(numbers(3000, 10_000), Quote, "cure", quoteParts) },
	"TopK":  func() job { return onNumbers(rising(), Best, "cure", bestMerged) },
	"Collatz": func() job {
		return job{collatz().serial, "cure", func() int { return longestSharded(8000) }}
	},
	"Registry": func() job {
		p := newPortsCopied(words("service-", 50))
		return job{registry().serial, "cure", func() int { return p.resolveAtOnce(40_000) }}
	},
	"Triples": func() job { return onNumbers(numbers(220, 1000), Triples, "cure", triplesInterleaved) },
	"Tenants": func() job {
		es := newEvents(72)
		return job{func() int { return Tenants(es) }, "cure", func() int { return tenantsTogether(es) }}
	},
	"Lingering": func() job {
		return onNumbers(numbers(3050, 1_000_000), WriteAll, "cure", writeClosed)
	},
	"Filters": func() job { return of(150, Filter, "cure", filterChannels) },
	"Tours": func() job {
		m := newRoadMap(8)
		return job{m.Tour, "cure", func() int { return tourInPlace(m) }}
	},
	"Scores": func() job {
		vs, buf := numbers(20_000, 32), make([]int, 40_000)
		return job{func() int { return Scores(vs, buf) }, "cure", func() int { return scoresTyped(vs, buf) }}
	},
}

// cure runs the cure of a benchmark, if it has one and cures are asked for.
func cure(b *testing.B) {
	b.Helper()
	c, ok := cures[strings.TrimPrefix(b.Name(), "Benchmark")]
	if !ok || !withCures {
		return
	}
	other := c().other
	b.Run("variant=cure", func(b *testing.B) {
		for b.Loop() {
			sink = other()
		}
	})
}

// The cures give the answers of the serial ways.
func TestCures(t *testing.T) {
	for name, c := range cures {
		t.Run(name, func(t *testing.T) {
			j := c()
			want := j.serial()
			for range 3 {
				if got := j.other(); got != want {
					t.Errorf("got %d, want %d as serial", got, want)
				}
			}
		})
	}
	t.Run("Hits", func(t *testing.T) {
		var one, two Hits
		if got, want := serveOnce(&two, 1, 500), one.Serve(0, 500); got != want || two.Total() != one.Total() {
			t.Errorf("%d hits of %d, want %d of %d", got, two.Total(), want, one.Total())
		}
	})
}

// Each disease has a cure, or there is a word on why it has none.
func TestIncurable(t *testing.T) {
	var wants []struct{ Benchmark, First string }
	read(t, "want.json", &wants)
	incurable := map[string]string{}
	read(t, "incurable.json", &incurable)
	ill := map[string]bool{}
	for _, w := range wants {
		if !strings.HasPrefix(w.First, "none") {
			ill[w.Benchmark] = true
		}
	}
	for bench := range ill {
		name := strings.TrimPrefix(bench, "Benchmark")
		if _, ok := cures[name]; (ok || name == "Hits") == (incurable[bench] != "") {
			t.Errorf("%s: a cure: %t, why it has none: %q; want one of them", name, ok, incurable[bench])
		}
	}
	for name := range cures {
		if !ill["Benchmark"+name] {
			t.Errorf("%s has a cure and no disease", name)
		}
	}
	for bench := range incurable {
		if !ill[bench] {
			t.Errorf("%s is said to be incurable and has no disease", bench)
		}
	}
}

func read(t *testing.T, file string, to any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// serveOnce is Serve that adds what it has counted once.
func serveOnce(h *Hits, shard, n int) int {
	hits, x := 0, uint32(2463534242)
	for range n {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		if x&7 != 0 {
			hits++
		}
	}
	h.shards[shard].Add(int64(hits))
	return hits
}

func extentsLocal(vs []int) int {
	es := make([]extent, 2)
	inParts(len(vs), 2, func(p, lo, hi int) {
		own := es[p]
		for _, v := range vs[lo:hi] {
			own.min, own.max = min(own.min, v), max(own.max, v)
			own.sum += v
			own.n++
		}
		es[p] = own
	})
	return combine(es)
}

func bloomPlain(keys []int) (n int) {
	var fs [2]*bloom
	inParts(len(keys), 2, func(p, lo, hi int) {
		f := new(bloom)
		for _, k := range keys[lo:hi] {
			f.add(k)
		}
		fs[p] = f
	})
	for i := range fs[0] {
		n += bits.OnesCount64(fs[0][i] | fs[1][i])
	}
	return n
}

func transcodeBuffered(n int) int {
	r, w := io.Pipe()
	go func() {
		buf := bufio.NewWriter(w)
		w.CloseWithError(errors.Join(writeRecords(buf, n), buf.Flush()))
	}()
	return readRecords(bufio.NewReader(r))
}

func relayBuffered(n int) int {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	defer r.Close()
	go func() {
		defer w.Close()
		buf := bufio.NewWriter(w)
		if err := errors.Join(writeRecords(buf, n), buf.Flush()); err != nil {
			panic(err)
		}
	}()
	return readRecords(bufio.NewReader(r))
}

func fringeBatches(b *Branch) int {
	const some = 256
	leaves := make(chan []int)
	go func() {
		defer close(leaves)
		batch := make([]int, 0, some)
		b.walk(func(v int) {
			if batch = append(batch, v); len(batch) == some {
				leaves <- batch
				batch = make([]int, 0, some)
			}
		})
		leaves <- batch
	}()
	h := 17
	for batch := range leaves {
		for _, v := range batch {
			h = (h*31 + v) & (1<<32 - 1)
		}
	}
	return h
}

func mergeSortThreshold(xs, tmp []int) {
	if len(xs) <= 512 {
		mergeSort(xs, tmp)
		return
	}
	m := len(xs) / 2
	done := make(chan struct{})
	go func() {
		mergeSortThreshold(xs[:m], tmp[:m])
		close(done)
	}()
	mergeSortThreshold(xs[m:], tmp[m:])
	<-done
	merge(tmp, xs[:m], xs[m:])
	copy(xs, tmp)
}

func quoteParts(vs []int) (sum int) {
	prices := make([]int, len(vs))
	var errs [2]error
	inParts(len(vs), 2, func(p, lo, hi int) {
		for i, v := range vs[lo:hi] {
			var err error
			if prices[lo+i], err = price(v); err != nil && errs[p] == nil {
				errs[p] = err
			}
		}
	})
	if errs[0] != nil || errs[1] != nil {
		return 0
	}
	for _, p := range prices {
		sum += p
	}
	return sum
}

// topOwn is a TopK of one goroutine.
type topOwn []int

func (h topOwn) offer(v int) {
	if v <= h[0] {
		return
	}
	i := 0
	for {
		c := 2*i + 1
		if c >= len(h) {
			break
		}
		if c+1 < len(h) && h[c+1] < h[c] {
			c++
		}
		if v <= h[c] {
			break
		}
		h[i] = h[c]
		i = c
	}
	h[i] = v
}

func bestMerged(vs []int) int {
	t := &TopK{heap: make([]int, 100)}
	inParts(4, 4, func(p, _, _ int) {
		own := make(topOwn, 100)
		for i := p; i < len(vs); i += 4 {
			own.offer(vs[i])
		}
		for _, v := range own {
			t.Offer(v)
		}
	})
	return t.sum()
}

// shards are the parts of a memo that are locked on their own.
type shards [16]struct {
	Memo
	_ [64]byte
}

func (s *shards) length(n int) int {
	if n == 1 {
		return 0
	}
	m := &s[n%len(s)]
	if s, ok := m.known(n); ok {
		return s
	}
	next := n / 2
	if n%2 == 1 {
		next = 3*n + 1
	}
	l := s.length(next) + 1
	m.learn(n, l)
	return l
}

var memoShards = func() *shards {
	s := new(shards)
	for i := range s {
		s[i].steps = make(map[int]int, 2000)
	}
	return s
}()

func longestSharded(n int) int {
	for i := range memoShards {
		clear(memoShards[i].steps)
	}
	var sum atomic.Int64
	inParts(n, 6, func(_, lo, hi int) {
		mine := 0
		for i := lo + 1; i <= hi; i++ {
			mine += memoShards.length(i)
		}
		sum.Add(int64(mine))
	})
	return int(sum.Load())
}

// portsCopied has a map that is replaced as a whole when it changes.
type portsCopied struct {
	entries atomic.Pointer[map[string]int]
	names   []string
}

func newPortsCopied(names []string) *portsCopied {
	p := &portsCopied{names: names}
	p.entries.Store(&NewPorts(names).entries)
	return p
}

func (p *portsCopied) resolveAtOnce(n int) int {
	var sums [2]int
	inParts(n, 2, func(part, lo, hi int) {
		sum := 0
		for i := range hi - lo {
			if port, ok := (*p.entries.Load())[p.names[i%len(p.names)]]; ok {
				sum += port & 1
			}
		}
		sums[part] = sum
	})
	return sums[0] + sums[1]
}

func triplesInterleaved(vs []int) int {
	var n [2]int
	inParts(2, 2, func(p, _, _ int) {
		for i := p; i < len(vs); i += 2 {
			n[p] += choose(vs, i, i+1, 3, 0)
		}
	})
	return n[0] + n[1]
}

func tenantsTogether(es []event) (sum int) {
	queue := make(chan event, len(es))
	results := make(chan int, 2)
	for range 2 {
		go func() {
			sum := 0
			for e := range queue {
				sum += e.handle()
			}
			results <- sum
		}()
	}
	for _, e := range es {
		queue <- e
	}
	close(queue)
	return <-results + <-results
}

// writeClosed tells the batch writer that nothing more comes.
func writeClosed(rows []int) int {
	in, stored := make(chan []int, 16), make(chan int, 64)
	var out []byte
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(stored)
		var batch []int
		for rows := range in {
			batch = append(batch, rows...)
			for len(batch) >= 100 {
				out = store(out, batch[:100])
				batch = batch[100:]
				stored <- 100
			}
		}
		out = store(out, batch)
		stored <- len(batch)
	})
	wg.Go(func() {
		for i := 0; i < len(rows); i += 250 {
			in <- rows[i:min(i+250, len(rows))]
		}
		close(in)
	})
	for n := 0; n < len(rows); {
		n += <-stored
	}
	wg.Wait()
	return len(out)
}

func filterChannels(n int) (sum int) {
	var links [filters + 1]chan int
	for i := range links {
		links[i] = make(chan int, n)
	}
	var wg sync.WaitGroup
	for f := range filters {
		wg.Go(func() {
			for range n {
				links[f+1] <- filter(f, <-links[f])
			}
		})
	}
	wg.Go(func() {
		for v := range n {
			links[0] <- v
		}
	})
	for range n {
		sum += <-links[filters]
	}
	wg.Wait()
	return sum
}

func tourInPlace(m roadMap) int {
	stops := m.stops()
	firsts := make(chan int, len(stops))
	for i := range stops {
		firsts <- i
	}
	close(firsts)
	results := make(chan int, 2)
	for range 2 {
		go func() {
			shortest := 1 << 40
			order := slices.Clone(stops)
			for i := range firsts {
				order[0], order[i] = order[i], order[0]
				shortest = min(shortest, m.best(order, 1))
				order[0], order[i] = order[i], order[0]
			}
			results <- shortest
		}()
	}
	return min(<-results, <-results)
}

func scoresTyped(vs, buf []int) int {
	xs, out := buf[:len(vs)], buf[len(vs):]
	copy(xs, vs)
	m := len(xs) / 2
	inParts(len(xs), 2, func(_, lo, hi int) { slices.Sort(xs[lo:hi]) })
	merge(out, xs[:m], xs[m:])
	return digest(out)
}
