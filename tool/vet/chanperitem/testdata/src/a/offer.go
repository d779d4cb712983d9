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
			case values <- square(i): // want "each item crosses values" // refuse "direct: values is received from without a loop over it" "ring: values is a case of a select"
			case <-done:
				return
			}
		}
	}()
	for range n {
		v := <-values
		sum += v
		<-values
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
			case values <- x / 2: // want "each item crosses values" // refuse "direct: values is a case of a select" "ring: values is a case of a select"
			}
		}
	}()
	for v := range values {
		sum += v
	}
	return sum
}
