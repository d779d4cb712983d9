package foreign

import "sync"

// gradeStages passes items through two stages over channels with a buffer.
func gradeStages(n, buffer int) int {
	in, out := make(chan int, buffer), make(chan int, buffer)
	go func() {
		defer close(in)
		for i := range n {
			in <- i
		}
	}()
	go func() {
		defer close(out)
		for i := range in {
			out <- grade(i)
		}
	}()
	total := 0
	for v := range out {
		total += v
	}
	return total
}

// gradeJobs fills a buffer with all jobs, then lets workers empty it.
func gradeJobs(n int) int {
	jobs := make(chan int, n)
	for i := range n {
		jobs <- i
	}
	close(jobs)
	var mu sync.Mutex
	var wg sync.WaitGroup
	total := 0
	for range 2 {
		wg.Go(func() {
			sum := 0
			for i := range jobs {
				sum += grade(i)
			}
			mu.Lock()
			total += sum
			mu.Unlock()
		})
	}
	wg.Wait()
	return total
}

// gradeCollect lets eight goroutines report over one channel.
func gradeCollect(n int) int {
	results := make(chan int, 16)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := w; i < n; i += 8 {
				results <- grade(i)
			}
		})
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	total := 0
	for v := range results {
		total += v
	}
	return total
}

// gradeFutures starts a goroutine for each item and asks it for its answer.
func gradeFutures(n int) int {
	total := 0
	for from := 0; from < n; from += 50 {
		var answers []chan int
		for i := from; i < min(from+50, n); i++ {
			answer := make(chan int, 1)
			go func() { answer <- grade(i) }()
			answers = append(answers, answer)
		}
		for _, a := range answers {
			total += <-a
		}
	}
	return total
}

// gradeLimited starts a goroutine for each item, four at a time.
func gradeLimited(n int) int {
	slots := make(chan struct{}, 4)
	results := make([]int, n)
	var wg sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		wg.Add(1)
		go func() {
			defer func() { <-slots; wg.Done() }()
			results[i] = grade(i)
		}()
	}
	wg.Wait()
	total := 0
	for _, r := range results {
		total += r
	}
	return total
}

// A queue is bounded and blocks with condition variables.
type queue struct {
	mu                sync.Mutex
	notEmpty, notFull *sync.Cond
	items             []int
	closed            bool
}

func newQueue() *queue {
	q := &queue{}
	q.notEmpty, q.notFull = sync.NewCond(&q.mu), sync.NewCond(&q.mu)
	return q
}

func (q *queue) put(v int) {
	q.mu.Lock()
	for len(q.items) == 8 {
		q.notFull.Wait()
	}
	q.items = append(q.items, v)
	q.mu.Unlock()
	q.notEmpty.Signal()
}

func (q *queue) take() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		if q.closed {
			return 0, false
		}
		q.notEmpty.Wait()
	}
	v := q.items[0]
	q.items = q.items[:copy(q.items, q.items[1:])]
	q.notFull.Signal()
	return v, true
}

func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.notEmpty.Broadcast()
}

func gradeQueue(n int) int {
	q := newQueue()
	go func() {
		for i := range n {
			q.put(i)
		}
		q.close()
	}()
	total := 0
	for {
		i, ok := q.take()
		if !ok {
			return total
		}
		total += grade(i)
	}
}
