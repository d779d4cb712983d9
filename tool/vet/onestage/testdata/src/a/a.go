package a

func work(seed int) int {
	x := uint64(seed)*2 + 1
	for range 1000 {
		x ^= x << 13
	}
	return int(x >> 33)
}

// Three stages, of which the middle one has the work.
func stages(n int) int {
	a, b := make(chan int, 4), make(chan int, 4)
	go func() {
		for i := range n {
			a <- i
		}
		close(a)
	}()
	go func() {
		// Each item costs the same.
		for v := range a { // want "one goroutine does what this stage does"
			b <- work(v) // and is worth it
		}
		close(b)
	}()
	total := 0
	for v := range b {
		total += v
	}
	return total
}

type item struct {
	key  string
	cost int
}

// A filter that defers the close, and adds up in two ways.
func filter(in <-chan item) int {
	out := make(chan item)
	go func() {
		defer close(out)
		for it := range in { // want "one goroutine does what this stage does"
			c := work(it.cost)
			if c%2 == 0 {
				continue
			}
			it.cost = c
			out <- it
		}
	}()
	sum, most := 0, 0
	for it := range out {
		if it.cost < 0 {
			continue
		}
		sum += it.cost
		most |= it.cost
	}
	return sum + most
}

// A channel is handed to a function.
func double(in <-chan int) int {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine does what this stage does"
			out <- work(v * v)
		}
		close(out)
	}()
	return add(out)
}

func add(in <-chan int) (total int) {
	for v := range in {
		total += v
	}
	return total
}

// A stage that calls what fills the memory that it makes.
func filled(n int) int {
	a, b := make(chan int), make(chan int)
	go func() {
		for i := range n {
			a <- i
		}
		close(a)
	}()
	go func() {
		defer close(b)
		for v := range a { // want "one goroutine does what this stage does"
			b <- len(row(v))
		}
	}()
	total := 0
	for v := range b {
		total += v
	}
	return total
}

func row(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = work(i)
	}
	return out
}
