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

// What is made of a range is not the sum of what is made of its parts.
func most(lo, hi int) int {
	total := 0
	for i := lo; i < hi; i++ {
		total = max(total, cost(i))
	}
	return total
}

func within(lo, hi int) int {
	total := 0
	for i := lo; i < hi; i++ {
		total += cost(i - lo)
	}
	return total
}

func offset(lo, hi int) int {
	total := 1
	for i := lo; i < hi; i++ {
		total += cost(i)
	}
	return total
}

func running(lo, hi int) int {
	total := 0
	for i := lo; i < hi; i++ {
		total += cost(i) % (total + 1)
	}
	return total
}

func until(lo, hi int) int {
	total := 0
	for i := lo; i < hi; i++ {
		if i > 50 {
			break
		}
		total += cost(i)
	}
	return total
}

func mean(lo, hi int) float64 {
	total := 0.0
	for i := lo; i < hi; i++ {
		total += float64(cost(i))
	}
	return total
}

var seen int

func noted(lo, hi int) int {
	total := 0
	for i := lo; i < hi; i++ {
		seen = i
		total += cost(i)
	}
	return total
}

func refused() int {
	var sums [2]int
	var means [2]float64
	halves(72, func(w, lo, hi int) {
		sums[w] = most(lo, hi) // want "the range is split" // refuse "dynamic: the loop changes total"
	})
	halves(72, func(w, lo, hi int) {
		sums[w] = within(lo, hi) // want "the range is split" // refuse "dynamic: the loop looks at where its part ends"
	})
	halves(72, func(w, lo, hi int) {
		sums[w] = offset(lo, hi) // want "the range is split" // refuse "dynamic: what it makes of a range may not be the sum of what it makes of its parts"
	})
	halves(72, func(w, lo, hi int) {
		sums[w] = running(lo, hi) // want "the range is split" // refuse "dynamic: the loop looks at total, which it changes"
	})
	halves(72, func(w, lo, hi int) {
		sums[w] = until(lo, hi) // want "the range is split" // refuse "dynamic: the loop ends early, by break"
	})
	halves(72, func(w, lo, hi int) {
		means[w] = mean(lo, hi) // want "the range is split" // refuse "dynamic: what it makes of a range may not be"
	})
	halves(72, func(w, lo, hi int) {
		sums[w] = noted(lo, hi) // want "the range is split" // refuse "dynamic: the loop changes seen"
	})
	return sums[0] + sums[1]
}

func apart() []int {
	sums := make([]int, workers)
	halves(72, func(w, lo, hi int) {
		sums[w] = costs(lo, hi) // want "the range is split" // refuse "dynamic: what a worker keeps in sums.w. depends on the elements it gets, and is looked at by itself"
	})
	return sums
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
