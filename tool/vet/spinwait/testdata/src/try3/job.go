// Package batchq runs jobs in the background, urgent ones first.
package batchq

import "errors"

// Job is something to do.
type Job struct {
	Name   string
	Urgent bool
	Run    func() error
}

// ErrStopped is given for jobs that are handed in after the queue was stopped.
var ErrStopped = errors.New("batchq: queue is stopped")

// backlog holds the jobs that wait.
type backlog struct {
	urgent, normal []Job
}

func (b *backlog) push(j Job) {
	if j.Urgent {
		b.urgent = append(b.urgent, j)
	} else {
		b.normal = append(b.normal, j)
	}
}

func (b *backlog) pop() (Job, bool) {
	if j, ok := shift(&b.urgent); ok {
		return j, true
	}
	return shift(&b.normal)
}

func (b *backlog) len() int { return len(b.urgent) + len(b.normal) }

func shift(list *[]Job) (Job, bool) {
	l := *list
	if len(l) == 0 {
		return Job{}, false
	}
	j := l[0]
	l[0] = Job{}
	*list = l[1:]
	return j, true
}
