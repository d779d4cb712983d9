package batchq

import "time"

func (q *Queue) work() {
	for {
		j, ok := q.next()
		if !ok {
			return
		}
		q.finish(j, safely(j))
	}
}

// next gives the job to do next, false when the queue is at its end.
func (q *Queue) next() (Job, bool) {
	for {
		j, ok, end := q.take()
		if ok || end {
			return j, ok
		}
		time.Sleep(pause)
	}
}

func (q *Queue) take() (j Job, ok, end bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if j, ok = q.waiting.pop(); ok {
		q.running++
		return j, true, false
	}
	return Job{}, false, q.stopped
}

func (q *Queue) finish(j Job, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running--
	q.report.note(j, err)
}
