//go:build go1.21

package refused

func old(in <-chan int) (total int) {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: before Go 1.22 no loop ranges over a number"
			out <- work(v)
		}
		close(out)
	}()
	for v := range out {
		total += v
	}
	return total
}
