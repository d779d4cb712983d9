// Package owner has goroutines that answer requests.
package owner

import "sync"

type request struct {
	account, amount int
	reply           chan int
}

// One goroutine owns the accounts, and answers who asks.
func owner(n int) int {
	requests := make(chan request)
	go func() {
		// What each has.
		accounts := make([]int, 64)
		for r := range requests {
			// And what comes in.
			accounts[r.account] += r.amount
			r.reply <- accounts[r.account]
		}
	}()
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			reply := make(chan int)
			for i := range n {
				requests <- request{i & 63, i * w, reply} // want "each item crosses requests" // refuse "direct: several goroutines use one end of requests" "buffer: who sends on requests may write again to what an item leads to" "batch: who sends on requests may write again to what an item leads to" "ring: who sends on requests may write again to what an item leads to"
				<-reply
			}
		})
	}
	wg.Wait()
	reply := make(chan int)
	requests <- request{account: 7, reply: reply}
	defer close(requests)
	return <-reply
}

// A channel among others, names that are taken, and an answer of an interface.
func named(n int, mu *sync.Mutex) (err error) {
	type question struct {
		about string
		to    chan<- error
	}
	questions, other := make(chan question), make(chan error, 1)
	go func() {
		var asked, last = 0, ""
		for q := range questions {
			asked++
			last = q.about
			q.to <- problem(last, asked)
		}
	}()
	serve, answer := make(chan error, 1), 0
	for range n {
		questions <- question{"a", serve} // want "each item crosses questions" // refuse "direct: questions is filled by the function itself" "batch: the goroutine that sends on questions waits meanwhile: a batch would hold items back"
		err = <-serve
		answer++
	}
	mu.Lock()
	other <- err
	mu.Unlock()
	close(questions)
	return <-other
}

type wrong string

func (w wrong) Error() string { return string(w) }

func problem(s string, n int) wrong { return wrong(s[:min(n, len(s))]) }
