package batchq

import (
	"sync"
	"time"
)

// Queue is a queue of jobs with its workers.
type Queue struct {
	mu      sync.Mutex
	waiting backlog
	running int
	stopped bool
	report  report
	workers sync.WaitGroup
}

// pause is how long somebody waits before looking again.
const pause = 500 * time.Microsecond

// Start returns a queue with n workers.
func Start(n int) *Queue {
	q := &Queue{}
	for range max(1, n) {
		q.workers.Go(q.work)
	}
	return q
}

// Submit hands a job in.
func (q *Queue) Submit(j Job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stopped {
		return ErrStopped
	}
	q.waiting.push(j)
	return nil
}

// Flush returns when no job is waiting or running.
func (q *Queue) Flush() {
	for !q.idle() {
		time.Sleep(pause)
	}
}

func (q *Queue) idle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.running == 0 && q.waiting.len() == 0
}

// Stop lets the workers finish what is waiting and ends them.
func (q *Queue) Stop() {
	q.mu.Lock()
	q.stopped = true
	q.mu.Unlock()
	q.workers.Wait()
}
