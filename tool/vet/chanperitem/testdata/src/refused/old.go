//go:build go1.22

package refused

// Go 1.22 has no iterators.
func old(xs []int) int {
	c := make(chan int)
	go func() {
		defer close(c)
		for _, x := range xs {
			c <- x // want "each item crosses c" // refuse "batch: the loop over c may end early"
		}
	}()
	for x := range c {
		return x
	}
	return 0
}
