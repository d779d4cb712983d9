package mcp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// A desk has room for one job: what a client asks for takes the machine, and two at
// once would measure each other. A call that comes while a job works is refused at
// once, so that the client can decide; one that comes while a job that was given up ends
// its processes waits for that.
type desk struct {
	mu  sync.Mutex
	job *job // nil: none
}

// A job is a call that works.
type job struct {
	what  string
	began time.Time
	ctx   context.Context
	done  chan struct{} // closed when nothing of it is left
}

// errTime is why a job ends that took too long.
var errTime = errors.New("the time of the call is up")

// take makes what the caller does the job that works. It ends with ctx or with end; the
// caller calls leave when nothing of it is left.
func (d *desk) take(ctx, end context.Context, what string) (of context.Context, leave func(), err error) {
	for {
		d.mu.Lock()
		other := d.job
		if other == nil {
			of, cancel := context.WithCancelCause(ctx)
			unhook := context.AfterFunc(end, func() { cancel(context.Cause(end)) })
			j := &job{what, time.Now(), of, make(chan struct{})}
			d.job = j
			d.mu.Unlock()
			return of, func() {
				unhook()
				cancel(nil)
				d.mu.Lock()
				d.job = nil
				d.mu.Unlock()
				close(j.done)
			}, nil
		}
		d.mu.Unlock()
		if other.ctx.Err() == nil {
			return nil, nil, fmt.Errorf("%s works since %v, and two at once would measure each other: wait for its answer, or cancel it, and call again", other.what, time.Since(other.began).Round(time.Second))
		}
		select {
		case <-other.done:
		case <-ctx.Done():
			return nil, nil, context.Cause(ctx)
		}
	}
}
