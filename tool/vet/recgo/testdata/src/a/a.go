package a

import "sync"

// It stays when all groups are gone.
var once sync.Once

type number interface{ ~int | ~float64 }

func MergeSort(s []int) {
	if len(s) < 2 {
		return
	}
	mid := len(s) / 2
	var wg sync.WaitGroup
	wg.Go(func() { MergeSort(s[:mid]) }) // want "MergeSort starts a goroutine for its own call at every level"
	wg.Go(func() { MergeSort(s[mid:]) })
	wg.Wait()
	merge(s, mid)
}

func merge(s []int, mid int) {
	for i := range s[:mid] {
		s[i] = min(s[i], s[mid])
	}
}

// largest has results, and adds to its group by hand.
func largest(xs []int) int {
	if len(xs) == 1 {
		return xs[0]
	}
	var left, right int
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { // want "largest starts a goroutine"
		defer wg.Done()
		left = largest(xs[:len(xs)/2]) // the first half
	}()
	go func() {
		defer wg.Done()
		right = largest(xs[len(xs)/2:])
	}()
	wg.Wait()
	return max(left, right)
}

// one half stays here
func left(xs []int) int {
	if len(xs) == 1 {
		return xs[0] & 0xffff
	}
	mid := len(xs) / 2
	sum := 0
	var wg sync.WaitGroup
	wg.Go(func() { sum = left(xs[:mid]) }) // want "left starts"
	right := left(xs[mid:])
	wg.Wait()
	return sum + right
}

// span shares what lies between two indexes, and closes a channel.
func span(xs []float64, lo, hi int) {
	if lo >= hi {
		return
	}
	p := split(xs, lo, hi)
	done := make(chan struct{})
	go func() { // want "span starts"
		defer close(done)
		span(xs, lo, p-1)
	}()
	span(xs, p+1, hi)
	<-done
}

func split(xs []float64, lo, hi int) int {
	p := lo
	for i := lo; i < hi; i++ {
		if xs[i] < xs[hi] {
			xs[i], xs[p] = xs[p], xs[i]
			p++
		}
	}
	xs[p], xs[hi] = xs[hi], xs[p]
	return p
}

// sumRange takes two numbers.
func sumRange(lo, hi int) int {
	if hi-lo < 2 {
		return lo
	}
	mid := lo + (hi-lo)/2
	var a int
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { // want "sumRange starts"
		a = sumRange(lo, mid)
		wg.Done()
	}()
	b := sumRange(mid, hi)
	wg.Wait()
	return a + b
}

type tree struct {
	left, right *tree
	value       int
}

// A tree tells nothing of its size.
func (t *tree) sum() int {
	if t == nil {
		return 0
	}
	var l, r int
	var wg sync.WaitGroup
	wg.Go(func() { l = t.left.sum() }) // want "sum starts" // refuse "threshold: nothing that the calls are given"
	wg.Go(func() { r = t.right.sum() })
	wg.Wait()
	return t.value + l + r
}

func sumOf[T number](xs []T) T {
	if len(xs) < 2 {
		var none T
		for _, x := range xs {
			none += x
		}
		return none
	}
	var l, r T
	var wg sync.WaitGroup
	wg.Go(func() { l = sumOf(xs[:len(xs)/2]) }) // want "sumOf starts"
	wg.Go(func() { r = sumOf(xs[len(xs)/2:]) })
	wg.Wait()
	return l + r
}

// The task returns early, and shadows.
func early(xs []int, out *int) {
	if len(xs) <= 1 {
		return
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go func(xs []int) { // want "early starts"
		defer wg.Done()
		if xs[0] < 0 {
			return
		}
		out := new(int)
		early(xs, out)
	}(xs[:len(xs)/2])
	early(xs[len(xs)/2:], out)
	wg.Wait()
}

type node struct {
	size     int
	children []*node
}

// usage starts one for each child.
func (n *node) usage(each func(int)) {
	var wg sync.WaitGroup
	for _, c := range n.children {
		wg.Add(1)
		go func() { // want "usage starts" // refuse "threshold: nothing"
			defer wg.Done()
			each(c.size)
			c.usage(each)
		}()
	}
	wg.Wait()
}

// Nothing is returned, and something is handed on.
func (t *tree) fill(by int) {
	if t == nil {
		return
	}
	t.value += by
	done := make(chan struct{})
	go func() { // want "fill starts" // refuse "threshold: nothing that the calls are given"
		t.left.fill(by)
		close(done)
	}()
	t.right.fill(by)
	<-done
}

// sorted hands its result to the channel that it is given, which gets room.
func sorted(xs []int, done chan<- []int) {
	if len(xs) < 2 {
		done <- xs
		return
	}
	left, right := make(chan []int), make(chan []int)
	go sorted(xs[:len(xs)/2], left) // want "sorted starts"
	go sorted(xs[len(xs)/2:], right)
	done <- append(<-left, <-right...)
}

type folder struct {
	size int64
	subs []*folder
}

// A walker has the group that its goroutines are counted in.
type walker struct {
	wg    sync.WaitGroup
	mu    sync.Mutex
	bytes int64
}

func (w *walker) walk(d *folder, large chan<- *folder) {
	defer w.wg.Done()
	w.mu.Lock()
	w.bytes += d.size
	w.mu.Unlock()
	if d.size > 1000 {
		large <- d
	}
	for _, s := range d.subs {
		w.wg.Add(1)
		go w.walk(s, large) // want "walk starts" // refuse "threshold: nothing that the calls"
	}
}
