package helped

import "sync"

const workers = 2

func cost(i int) int {
	x := uint64(i)*2 + 1
	for range i * i {
		x ^= x << 13
	}
	return int(x >> 33)
}

func each(n int, f func(w int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}

func halves(n int, f func(w, lo, hi int)) {
	each(workers, func(w int) { f(w, w*n/workers, (w+1)*n/workers) })
}

func costs(lo, hi int) int {
	total := 0
	for i := lo; i < hi; i++ {
		if i%5 == 0 {
			continue
		}
		total += cost(i)
	}
	return total
}

func twoHalves() int {
	var sums [2]int
	halves(72, func(w, lo, hi int) {
		sums[w] = costs(lo, hi) // want "the range is split into one part for each worker"
	})
	return sums[0] + sums[1]
}

// parts counts its workers, and has them add up.
func parts(workers, n int, f func(lo, hi, w int)) {
	var wg sync.WaitGroup
	for w := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f(n*w/workers, n*(w+1)/workers, w)
		}()
	}
	wg.Wait()
}

func odd(from []int, lo, hi int) (n int) {
	for i := lo; i < hi; i++ {
		if from[i]%2 == 1 {
			n++
		}
	}
	return n
}

func odds(xs []int, workers int) int {
	sums := make([]int, workers)
	parts(workers, len(xs), func(lo, hi, w int) { sums[w] += odd(xs, lo, hi) }) // want "the range is split into one part for each worker"
	total := 0
	for _, s := range sums {
		total += s
	}
	return total
}

// first stops before the last part, thirds leave a part out, and some do not call.
func first(n int, f func(w, lo, hi int)) {
	each(workers, func(w int) {
		if w == 0 {
			f(w, w*n/workers, (w+1)*n/workers)
		}
	})
}

func thirds(n int, f func(w, lo, hi int)) {
	each(workers, func(w int) { f(w, w*n/3, (w+1)*n/3) })
}

func some(n int, f func(w, lo, hi int)) {
	if n < 10 {
		return
	}
	each(workers, func(w int) { f(w, w*n/workers, (w+1)*n/workers) })
}

func quiet(n int) int {
	var a, b, c [2]int
	first(n, func(w, lo, hi int) { a[w] = costs(lo, hi) })
	thirds(n, func(w, lo, hi int) { b[w] = costs(lo, hi) })
	some(n, func(w, lo, hi int) { c[w] = costs(lo, hi) })
	return a[0] + a[1] + b[0] + b[1] + c[0] + c[1]
}
