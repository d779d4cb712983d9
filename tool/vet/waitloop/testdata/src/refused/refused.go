package refused

import (
	"errors"
	"sync"
	"time"
)

func fetch(k int) int {
	time.Sleep(time.Millisecond)
	return k * k
}

func each(n int, f func(w int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}

func computed(n int, out []int) {
	each(n, func(w int) {
		for i := range n { // want "each iteration waits" // refuse "together: it depends on k, which an iteration computes"
			k := out[i] + 1
			out[w] = fetch(k)
		}
	})
}

func stopped(n int, out []int) {
	each(n, func(w int) {
		for i := range n { // want "each iteration waits" // refuse "together: the loop ends early, by break"
			if out[w] = fetch(i); out[w] > 10 {
				break
			}
		}
	})
}

func ask(k int) (int, error) {
	time.Sleep(time.Millisecond)
	if k < 0 {
		return 0, errors.New("negative")
	}
	return k, nil
}

func answered(n int, out []int) {
	each(n, func(w int) {
		for i := range n { // want "each iteration waits" // refuse "together: it cannot be written here: it returns several values"
			v, _ := ask(i)
			out[w] += v
		}
	})
}

func sometimes(n int, out []int) {
	sums := make([]int, n)
	each(n, func(w int) {
		for i := range n { // want "each iteration waits" // refuse "together: not every iteration makes the call"
			if i%2 == 0 {
				sums[w] += fetch(i)
			}
		}
	})
	copy(out, sums)
}

func shortcut(n int) {
	hits := make([]bool, n)
	each(n, func(w int) {
		for i := range n { // want "each iteration waits" // refuse "together: not every iteration makes the call"
			hits[w] = hits[w] || fetch(i) > 3
		}
	})
}

func twice(n int) {
	sums := make([]int, n)
	each(n, func(w int) {
		for i := range n { // want "each iteration waits" // refuse "together: an iteration waits in several places"
			sums[w] += fetch(i) * fetch(i+1)
		}
	})
}

var total int

func sofar(k int) int {
	time.Sleep(time.Millisecond)
	return total + k
}

// The call looks at what the loop adds to.
func fed(n int) {
	done := make(chan bool)
	go func() {
		for i := range n { // want "each iteration waits" // refuse "together: the call looks at total, which the loop changes"
			total += sofar(i)
		}
		close(done)
	}()
	<-done
}

func told(n int, out chan<- int) {
	each(n, func(w int) {
		for i := range n { // want "each iteration waits" // refuse "together: the loop waits for other goroutines beside the call"
			out <- fetch(i)
		}
	})
}

func caught(n int) {
	sums := make([]int, n)
	each(n, func(w int) {
		defer func() { recover() }()
		for i := range n { // want "each iteration waits" // refuse "together: the goroutine stops panics"
			sums[w] += fetch(i)
		}
	})
}

func bounded(n int) {
	sums := make([]int, n)
	each(n, func(w int) {
		for i := 0; i < fetch(n); i++ { // want "each iteration waits" // refuse "together: the range is the result of a call"
			sums[w] += fetch(i)
		}
	})
}

func growing(n int) {
	sums := make([]int, n)
	each(n, func(w int) {
		m := n
		for i := 0; i < m; i++ { // want "each iteration waits" // refuse "together: it depends on m, which an iteration computes"
			sums[w] += fetch(i)
			m--
		}
	})
}

func received(n int, starts <-chan int) {
	sums := make([]int, n)
	each(n, func(w int) {
		for i := <-starts; i < n; i++ { // want "each iteration waits" // refuse "together: the range is the result of a call, or received"
			sums[w] += fetch(i)
		}
	})
}

// Within the loop lo is another.
func counted(n, lo int, out []int) {
	each(n, func(w int) {
		for i := lo; i < n; i++ { // want "each iteration waits" // refuse "together: the loop declares what it counts from anew"
			lo := 2 * i
			out[w] += lo + fetch(i)
		}
	})
}

var state struct{ n int }

func peek() int { return state.n }

// So does another one, by a field.
func fedByField(n int) {
	done := make(chan bool)
	go func() {
		for i := range n { // want "each iteration waits" // refuse "together: the call looks at state, which the loop changes"
			state.n += fetch(i + peek())
		}
		close(done)
	}()
	<-done
}
