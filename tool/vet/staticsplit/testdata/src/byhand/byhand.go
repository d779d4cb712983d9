package byhand

import "sync"

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

func costs(lo, hi int) int {
	total := 0
	for i := lo; i < hi; i++ {
		total += cost(i)
	}
	return total
}

func odd(from []int, lo, hi int) (n int) {
	for i := lo; i < hi; i++ {
		if from[i]%2 == 1 {
			n++
		}
	}
	return n
}

// One of two workers gets nine tenths.
func uneven() int {
	var sums [2]int
	each(2, func(w int) {
		if w == 0 { // want "the range is split by hand"
			sums[0] = costs(0, 45)
		} else {
			sums[1] = costs(45, 50)
		}
	})
	return sums[0] + sums[1]
}

// The parts stand in any order, and begin somewhere.
func three() int {
	sums := []int{7, 8, 9}
	total := 0
	each(3, func(w int) {
		if w == 2 { // want "the range is split by hand"
			sums[w] = costs(10, 20)
		} else if w == 0 {
			sums[w] = costs(20, 60)
		} else {
			sums[w] += costs(5, 10)
		}
	})
	for _, s := range sums {
		total += s
	}
	return total
}

// Goroutine by goroutine, with a variable each.
func listed() int {
	var left, right int
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { // want "the range is split by hand"
		defer wg.Done()
		left = costs(0, 10)
	}()
	go func() {
		right = costs(10, 70)
		wg.Done()
	}()
	wg.Wait()
	return left + right
}

// Half of it goes away, and half is done here.
func half(xs []int) int {
	mid := len(xs) / 2
	left := 0
	done := make(chan bool)
	go func() { // want "the range is split by hand"
		left = odd(xs, 0, mid)
		done <- true
	}()
	right := odd(xs, mid, len(xs))
	<-done
	return 3 * (left + right)
}

type table []int

func (t table) odd(lo, hi int) int {
	n := 0
	for i := lo; i < hi; i++ {
		n += t[i] & 1
	}
	return n
}

func both(n int, f func(w int, t table)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w, make(table, 9+w)) })
	}
	wg.Wait()
}

func methods(t table) int {
	var sums [2]int
	var a, b int
	both(2, func(w int, t table) {
		if w == 0 { // want "the range is split by hand" // refuse "dynamic: it is given more than the range"
			sums[0] = t.odd(0, 3)
		} else {
			sums[1] = t.odd(3, 10)
		}
	})
	done := make(chan bool)
	go func() { // want "the range is split by hand"
		defer close(done)
		a = t.odd(0, len(t)/2)
	}()
	b = t.odd(len(t)/2, len(t))
	<-done
	return sums[0] + sums[1] + (a + b)
}

func refused(xs []int, n int) int {
	var sums [2]int
	var a, b int
	var wg sync.WaitGroup
	each(2, func(w int) {
		if w == 0 { // want "the range is split by hand" // refuse "dynamic: what a worker keeps in sums.0. depends on the elements it gets, and is looked at by itself"
			sums[0] = costs(0, 45)
		} else {
			sums[1] = costs(45, 50)
		}
	})
	wg.Go(func() { a = odd(xs, 0, len(xs)/2) }) // want "the range is split by hand" // refuse "dynamic: what a worker keeps in a depends"
	wg.Go(func() { b = odd(xs, len(xs)/2, len(xs)) })
	wg.Wait()
	return sums[0] - sums[1] + a*b
}

// Not one range, or not in order whatever n is.
func quiet(xs []int, n int) int {
	var sums [2]int
	each(2, func(w int) {
		if w == 0 {
			sums[0] = costs(0, 45)
		} else {
			sums[1] = costs(46, 50)
		}
	})
	each(2, func(w int) { // there is no range from 0 to 40
		if w == 0 {
			sums[0] += costs(0, 45)
		} else {
			sums[1] += costs(45, 40)
		}
	})
	each(3, func(w int) { // the last part is done twice
		if w == 0 {
			sums[0] += costs(0, 45)
		} else {
			sums[1] += costs(45, 50)
		}
	})
	each(2, func(w int) {
		if w == 0 {
			sums[0] += costs(0, 45)
		} else {
			sums[1] += costs(45, n)
		}
	})
	each(2, func(w int) {
		if w == 0 {
			sums[0] += odd(xs, 0, 4)
		} else {
			sums[1] += odd(xs[1:], 4, 8)
		}
	})
	mid := n / 2
	var wg sync.WaitGroup
	a, b := 0, 0
	wg.Go(func() { a = costs(0, mid) })
	xs[0]++
	wg.Go(func() { b = costs(mid, n) })
	wg.Wait()
	c, d := 0, 0
	mid++
	wg.Go(func() { c = costs(0, mid) })
	wg.Go(func() { d = costs(mid, n) })
	wg.Wait()
	e, f := 0, 0
	wg.Add(2)
	go func() { // what it panics with is lost with its part
		defer wg.Done()
		defer func() { recover() }()
		e = costs(0, 20)
	}()
	go func() {
		defer wg.Done()
		f = costs(20, 30)
	}()
	wg.Wait()
	return sums[0] + sums[1] + (a + b) + (c + d) + (e + f)
}
