package a

import "context"

func square(i int) int { return i * i & 0xff }

// Offered until enough have been taken.
func offered(n int) (sum int) {
	done := make(chan struct{})
	values := make(chan int, 16)
	go func() {
		for i := 0; ; i++ {
			// One more.
			select {
			case values <- square(i): // want "each item crosses values" // refuse "direct: values is not received from by one loop until"
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

// All of them, if nobody minds.
func all(ctx context.Context, xs []int) (sum int) {
	values := make(chan int)
	go func() {
		defer close(values)
		for _, x := range xs {
			x += 2
			select {
			case <-ctx.Done():
				return
			case values <- x / 2: // want "each item crosses values" // refuse "direct: values is a case of a select"
			}
		}
	}()
	for v := range values {
		sum += v
	}
	return sum
}

// Two stages.
func twoStages(n int) (sum int) {
	done := make(chan struct{})
	defer close(done)
	numbers, squares := make(chan int), make(chan int)
	go func() {
		defer close(numbers)
		for i := range n {
			select {
			case numbers <- i: // want "each item crosses numbers and squares" // refuse "direct: numbers is a case of a select" "direct: squares is a case of a select"
			case <-done:
				return
			}
		}
	}()
	go func() {
		defer close(squares)
		for i := range numbers {
			select {
			case squares <- square(i):
			case <-done:
				return
			}
		}
	}()
	for v := range squares {
		sum += v
	}
	return sum
}

// within receives as a part of what it computes.
func within(n int) (sum int) {
	values := make(chan int, 16)
	go func() {
		for i := range n {
			values <- square(i) // want "each item crosses values" // refuse "direct: values is not received from by one loop until"
		}
	}()
	for range n {
		sum += square(-<-values)
	}
	return sum
}
