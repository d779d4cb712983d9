package owner

import "sync"

type number struct {
	n     int
	reply chan int
}

// The goroutine minds something else.
func minds(n int, stop chan bool) (sum int) {
	requests := make(chan number)
	go func() {
		defer func() { stop <- true }()
		for r := range requests {
			sum += r.n
			r.reply <- sum
		}
	}()
	reply := make(chan int)
	for i := range n {
		requests <- number{i, reply} // want "each item crosses requests" // refuse "lock: the goroutine does more than to answer" "direct: requests is filled by the function itself" "batch: the goroutine that sends on requests waits meanwhile: a batch would hold items back"
		<-reply
	}
	close(requests)
	return sum
}

// It goes on after the answer.
func goesOn(n int) (sum int) {
	requests := make(chan number)
	go func() {
		seen := 0
		for r := range requests {
			r.reply <- seen
			seen += r.n
		}
	}()
	reply := make(chan int)
	for i := range n {
		requests <- number{i, reply} // want "each item crosses requests" // refuse "lock: the answer is not the last that is done" "direct: requests is filled by the function itself" "batch: the goroutine that sends on requests waits meanwhile: a batch would hold items back"
		sum += <-reply
	}
	close(requests)
	return sum
}

// Some get none.
func silent(n int) (sum int) {
	requests := make(chan number)
	go func() {
		seen := 0
		for r := range requests {
			if r.n < 0 {
				continue
			}
			seen += r.n
			r.reply <- seen
		}
	}()
	reply := make(chan int)
	for i := range n {
		requests <- number{i, reply} // want "each item crosses requests" // refuse "lock: a request may stay without an answer" "direct: requests is filled by the function itself" "batch: the goroutine that sends on requests waits meanwhile: a batch would hold items back"
		sum += <-reply
	}
	close(requests)
	return sum
}

// Requests are kept.
func keeps(n int) (sum int) {
	requests := make(chan number)
	go func() {
		var all []number
		for r := range requests {
			all = append(all, r)
			r.reply <- len(all)
		}
	}()
	reply := make(chan int)
	for i := range n {
		requests <- number{i, reply} // want "each item crosses requests" // refuse "lock: the request is kept, or something else is sent" "direct: requests is filled by the function itself" "batch: the goroutine that sends on requests waits meanwhile: a batch would hold items back"
		sum += <-reply
	}
	close(requests)
	return sum
}

// The goroutine waits for others, too.
func waits(n int, more chan int) (sum int) {
	requests := make(chan number)
	go func() {
		for r := range requests {
			r.reply <- r.n + <-more
		}
	}()
	reply := make(chan int)
	for i := range n {
		requests <- number{i, reply} // want "each item crosses requests" // refuse "lock: who answers waits for something else" "direct: requests is filled by the function itself" "batch: the goroutine that sends on requests waits meanwhile: a batch would hold items back"
		sum += <-reply
	}
	close(requests)
	return sum
}

// Who asks works before it receives.
func meanwhile(n int, f func() int) (sum int) {
	requests := make(chan number)
	go func() {
		seen := 0
		for r := range requests {
			seen += r.n
			r.reply <- seen
		}
	}()
	reply := make(chan int)
	for i := range n {
		requests <- number{i, reply} // want "each item crosses requests" // refuse "lock: who asks does not receive the answer at once" "direct: requests is filled by the function itself" "buffer: who sends on requests may write again to what an item leads to" "batch: who sends on requests may write again to what an item leads to" "ring: who sends on requests may write again to what an item leads to"
		sum += f() + <-reply
	}
	close(requests)
	return sum
}

// The answer goes elsewhere.
func elsewhere(n int, to chan int) {
	requests := make(chan number)
	go func() {
		seen := 0
		for r := range requests {
			seen += r.n
			r.reply <- seen
		}
	}()
	for i := range n {
		requests <- number{i, to} // want "each item crosses requests" // refuse "lock: the answer comes over a channel that is not made in the function" "direct: requests is filled by the function itself" "batch: the goroutine that sends on requests waits meanwhile: a batch would hold items back"
		<-to
	}
	close(requests)
}

// The channel of the answers has another use.
func also(n int) (sum int) {
	requests := make(chan number)
	go func() {
		seen := 0
		for r := range requests {
			seen += r.n
			r.reply <- seen
		}
	}()
	reply := make(chan int, 1)
	reply <- 1
	<-reply
	for i := range n {
		requests <- number{i, reply} // want "each item crosses requests" // refuse "lock: reply is used for something else as well" "direct: requests is filled by the function itself" "batch: the goroutine that sends on requests waits meanwhile: a batch would hold items back"
		sum += <-reply
	}
	close(requests)
	return sum
}

// A name that means something else outside.
func shadows(n int) (sum int) {
	requests := make(chan number)
	go func() {
		sum := 0
		for r := range requests {
			sum += r.n
			r.reply <- sum
		}
	}()
	reply := make(chan int)
	for i := range n {
		requests <- number{i, reply} // want "each item crosses requests" // refuse "lock: the goroutine does more than to answer" "direct: requests is filled by the function itself" "batch: the goroutine that sends on requests waits meanwhile: a batch would hold items back"
		sum += <-reply
	}
	close(requests)
	return sum
}

// Two answer.
func both(n int) (sum int) {
	requests := make(chan number)
	var mu sync.Mutex
	total := 0
	for range 2 {
		go func() {
			for r := range requests {
				mu.Lock()
				total += r.n
				mu.Unlock()
				r.reply <- r.n
			}
		}()
	}
	reply := make(chan int)
	for i := range n {
		requests <- number{i, reply} // want "each item crosses requests" // refuse "lock: who answers is not one goroutine of a go statement" "direct: requests is filled by the function itself" "batch: the goroutine that sends on requests waits meanwhile: a batch would hold items back"
		sum += <-reply
	}
	close(requests)
	return sum
}

// Asked for before it answers.
func early(n int) (sum int) {
	requests := make(chan number)
	reply := make(chan int)
	go func() {
		for i := range n {
			requests <- number{i, reply} // want "each item crosses requests" // refuse "lock: a request is sent before the goroutine is started" "direct: the task waits for a channel" "batch: the goroutine that sends on requests waits meanwhile: a batch would hold items back"
			sum += <-reply
		}
		close(requests)
	}()
	go func() {
		for r := range requests {
			r.reply <- r.n
		}
	}()
	return 0
}

// How much room it has is asked.
func room(n int) (sum int) {
	requests := make(chan number)
	go func() {
		seen := 0
		for r := range requests {
			seen += r.n
			r.reply <- seen
		}
	}()
	reply := make(chan int, n&1)
	for i := range n {
		requests <- number{i, reply} // want "each item crosses requests" // refuse "lock: reply is used for something else as well" "direct: requests is filled by the function itself" "batch: the goroutine that sends on requests waits meanwhile"
		sum += <-reply
	}
	close(requests)
	return sum + cap(reply)
}
