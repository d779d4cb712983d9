package refused

import "context"

var seen int

func sees(i int) int {
	seen++
	return i
}

func forever(i int) int {
	for i != 1 {
		i = i/2 + i%2*i
	}
	return i
}

// What it computes is seen.
func tells(n, k int, xs []int) (sum int) {
	done := make(chan struct{})
	values := make(chan int, 64)
	go func() {
		for i := 0; ; i++ {
			select {
			case values <- sees(i): // want "each item crosses values" // refuse "batch: items would be computed in vain" "direct: values is not received from by one loop until"
			case <-done:
				return
			}
		}
	}()
	for range n {
		v := <-values
		sum += v
	}
	close(done)
	return sum
}

// There may be no more.
func fails(n, k int, xs []int) (sum int) {
	done := make(chan struct{})
	values := make(chan int, 64)
	go func() {
		for i := 0; ; i++ {
			select {
			case values <- xs[i]: // want "each item crosses values" // refuse "batch: items would be computed in vain" "direct: values is not received from by one loop until"
			case <-done:
				return
			}
		}
	}()
	for range n {
		v := <-values
		sum += v
	}
	close(done)
	return sum
}

// It may fail.
func divides(n, k int, xs []int) (sum int) {
	done := make(chan struct{})
	values := make(chan int, 64)
	go func() {
		for i := 0; ; i++ {
			select {
			case values <- n / (k - i): // want "each item crosses values" // refuse "batch: items would be computed in vain" "direct: values is not received from by one loop until"
			case <-done:
				return
			}
		}
	}()
	for range n {
		v := <-values
		sum += v
	}
	close(done)
	return sum
}

// It may not end.
func endless(n, k int, xs []int) (sum int) {
	done := make(chan struct{})
	values := make(chan int, 64)
	go func() {
		for i := 0; ; i++ {
			select {
			case values <- forever(i): // want "each item crosses values" // refuse "batch: items would be computed in vain" "direct: values is not received from by one loop until"
			case <-done:
				return
			}
		}
	}()
	for range n {
		v := <-values
		sum += v
	}
	close(done)
	return sum
}

// What it computes with changes.
func changes(n, k int, xs []int) (sum int) {
	k++
	done := make(chan struct{})
	values := make(chan int, 64)
	go func() {
		for i := 0; ; i++ {
			select {
			case values <- i * k: // want "each item crosses values" // refuse "batch: items would be computed in vain" "direct: values is not received from by one loop until"
			case <-done:
				return
			}
		}
	}()
	for range n {
		v := <-values
		sum += v
	}
	close(done)
	return sum
}

// Nobody knows what it calls.
func calls(n, k int, xs []int) (sum int) {
	done := make(chan struct{})
	values := make(chan int, 64)
	go func() {
		for i := 0; ; i++ {
			sum2 := func() int { return i }()
			_ = sum2
			select {
			case values <- i: // want "each item crosses values" // refuse "batch: items would be computed in vain" "direct: values is not received from by one loop until"
			case <-done:
				return
			}
		}
	}()
	for range n {
		v := <-values
		sum += v
	}
	close(done)
	return sum
}

// Not in each turn.
func sometimes(n, k int, xs []int) (sum int) {
	done := make(chan struct{})
	values := make(chan int, 64)
	go func() {
		for i := 0; ; i++ {
			if i%2 == 0 {
				continue
			}
			select {
			case values <- i: // want "each item crosses values" // refuse "batch: an item is not offered in each turn" "direct: values is not received from by one loop until"
			case <-done:
				return
			}
		}
	}()
	for range n {
		v := <-values
		sum += v
	}
	close(done)
	return sum
}

// It counts what was taken.
func counts(n, k int, xs []int) (sum int) {
	done := make(chan struct{})
	values := make(chan int, 64)
	go func() {
		for i := 0; ; i++ {
			select {
			case values <- i: // want "each item crosses values" // refuse "batch: values is a case of a select that does more" "direct: values is not received from by one loop until"
				k++
			case <-done:
				return
			}
		}
	}()
	for range n {
		v := <-values
		sum += v
	}
	close(done)
	return sum
}

// Received after what may fail.
func within(n, k int, xs []int) (sum int) {
	done := make(chan struct{})
	values := make(chan int, 64)
	go func() {
		for i := 0; ; i++ {
			select {
			case values <- i: // want "each item crosses values" // refuse "batch: values is not received from by a statement of a loop" "direct: values is not received from by one loop until"
			case <-done:
				return
			}
		}
	}()
	for range n {
		sum += xs[k] * <-values
	}
	close(done)
	return sum
}

// It knows whether there is one.
func knows(n, k int, xs []int) (sum int) {
	done := make(chan struct{})
	values := make(chan int, 64)
	go func() {
		for i := 0; ; i++ {
			select {
			case values <- i: // want "each item crosses values" // refuse "batch: values is not received from by a statement of a loop" "direct: values is not received from by one loop until"
			case <-done:
				return
			}
		}
	}()
	for range n {
		v, ok := <-values
		if ok {
			sum += v
		}
	}
	close(done)
	return sum
}

// The consumer waits for another as well.
func pairs(n int, more chan int) (sum int) {
	done := make(chan struct{})
	values := make(chan int, 64)
	go func() {
		for i := 0; ; i++ {
			select {
			case values <- i: // want "each item crosses values" // refuse "batch: what receives from values waits for something else as well" "direct: values is not received from by one loop until"
			case <-done:
				return
			}
		}
	}()
	for range n {
		v := <-values
		sum += v * <-more
	}
	close(done)
	return sum
}

// Several receive.
func several(ctx context.Context, n int, use func(int)) {
	values := make(chan int, 64)
	for range 2 {
		go func() {
			for range n {
				v := <-values
				use(v)
			}
		}()
	}
	for i := range 2 * n {
		values <- i // want "each item crosses values" // refuse "batch: values is received from in several places" "direct: values is not received from by one loop until"
	}
}

// More would be seen than were asked for.
func produced(n int) (sum int) {
	c := make(chan int)
	go func() {
		for i := range 2 * n {
			c <- sees(i) // want "each item crosses c" // refuse "batch: items would be computed in vain" "direct: c is not received from by one loop until it"
		}
	}()
	for range n {
		v := <-c
		sum += v
	}
	return sum
}

// Its variable is set by a loop.
func set(n, k int, xs []int) (sum int) {
	for k = range xs {
		sum++
	}
	c := make(chan int)
	go func() {
		for i := range n {
			c <- i * k // want "each item crosses c" // refuse "batch: items would be computed in vain" "direct: c is not received from by one loop until it"
		}
	}()
	for range n {
		v := <-c
		sum += v
	}
	return sum
}

// before calls something before it receives.
func before(n int, now func() int) (sum int) {
	values := make(chan int, 16)
	go func() {
		for i := range n {
			values <- i // want "each item crosses values" // refuse "batch: values is not received from by a statement of a loop" "direct: values is not received from by one loop until"
		}
	}()
	for range n {
		sum += now() + <-values
	}
	return sum
}

// either does not receive where it knows already.
func either(n int) (any bool) {
	values := make(chan bool, 16)
	go func() {
		for i := range n {
			values <- i > 4 // want "each item crosses values" // refuse "batch: values is not received from by a statement of a loop" "direct: values is not received from by one loop until"
		}
	}()
	for range n {
		any = any || <-values
	}
	return any
}
