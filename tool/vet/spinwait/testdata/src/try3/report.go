package batchq

import "fmt"

// Failure is a job that did not go well.
type Failure struct {
	Job string
	Err error
}

type report struct {
	done     int
	failures []Failure
}

func (r *report) note(j Job, err error) {
	r.done++
	if err != nil {
		r.failures = append(r.failures, Failure{Job: j.Name, Err: err})
	}
}

// Done is the number of jobs that were run.
func (q *Queue) Done() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.report.done
}

// Failures lists the jobs that failed.
func (q *Queue) Failures() []Failure {
	q.mu.Lock()
	defer q.mu.Unlock()
	return append([]Failure(nil), q.report.failures...)
}

// safely runs a job and makes a panic an error.
func safely(j Job) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("batchq: %s: panic: %v", j.Name, p)
		}
	}()
	return j.Run()
}
