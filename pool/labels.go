package pool

import (
	"context"
	"runtime/pprof"
)

// label gives the calling goroutine the profiler labels of the crew's workers.
func (c *crew[T]) label() {
	if c.labels != nil {
		pprof.SetGoroutineLabels(c.labels)
	}
}

// doLabelled is doJob for a task whose context has profiler labels.
func (p *Pool[In, Out]) doLabelled(t task[In, Out]) int {
	pprof.SetGoroutineLabels(t.job.own.Parent())
	defer p.crew.label()
	return p.doJob(t)
}

// labelled reports whether ctx has profiler labels.
func labelled(ctx context.Context) (has bool) {
	pprof.ForLabels(ctx, func(string, string) bool {
		has = true
		return false
	})
	return has
}
