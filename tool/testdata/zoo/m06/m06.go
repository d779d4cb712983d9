// Package m06 sends number by number through a channel.
package m06

func evens(xs []int) (total int) {
	for _, x := range xs {
		if x%2 == 0 {
			total += x
		}
	}
	return total
}

func evensPiped(xs []int) (total int) {
	numbers := make(chan int)
	go func() {
		defer close(numbers)
		for _, x := range xs {
			if x%2 == 0 {
				numbers <- x // mistake: chanperitem
			}
		}
	}()
	for x := range numbers {
		total += x
	}
	return total
}
