package gcpool

import "sync"

// A record is what a request needs while it is handled: 96 bytes, as many as the
// article's, with pointers among them.
type record struct {
	id     int
	name   string
	body   []byte
	counts [6]int
}

// text is what the bodies of all requests are part of.
const text = "a body"

var body = []byte(text)

// fill makes r, which is zero, the record of request i. What an earlier request
// had left there would show in the answer.
func (r *record) fill(i int) {
	r.id += i
	r.name = "name"
	r.body = body[:i%len(text)]
	r.counts[i%len(r.counts)] += i
}

// answer is a variable, like the handlers that programs register: the compiler
// does not know what becomes of the record, so that it has to be on the heap.
var answer = func(r *record) int {
	sum := r.id + len(r.name) + len(r.body)
	for _, c := range r.counts {
		sum += c
	}
	return sum
}

// handleNew handles request i with a new record.
func handleNew(i int) int {
	r := new(record)
	r.fill(i)
	return answer(r)
}

// Serial adds up the answers to n requests, one after the other, each with a new
// record. It ignores the number of workers.
func Serial(n, _ int) (sum int) {
	for i := range n {
		sum += handleNew(i)
	}
	return sum
}

// concurrently adds up the answers of n calls of handle, a share of them in each
// of the workers.
func concurrently(n, workers int, handle func(i int) int) int {
	sums := make([]int, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			sum := 0
			for i := w * n / workers; i < (w+1)*n/workers; i++ {
				sum += handle(i)
			}
			sums[w] = sum
		})
	}
	wg.Wait()

	sum := 0
	for _, s := range sums {
		sum += s
	}
	return sum
}
