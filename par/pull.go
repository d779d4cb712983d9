package par

import "runtime"

// pulled calls fork with a Task of the calling goroutine, which is one of iter.Pull.
// The goroutine of t waits for that one, but may go on in the middle of a fork, where
// the sequence yields: so the fork must not have a frame of t.
func (t *Task[A, R]) pulled(fork func(own *Task[A, R]) (R, R)) (ra, rb R) {
	own := t.fn.task()
	own.f, own.ctx, own.dropped = t.f, t.ctx, t.dropped
	returned := false
	defer func() {
		if !returned && own.carried != nil {
			t.carried = own.carried
		}
	}()
	ra, rb = fork(own)
	returned = true
	own.f, own.ctx, own.dropped = own.fn.f, nil, nil
	own.fn.put(own)
	return ra, rb
}

// inPull reports whether the calling goroutine is one of iter.Pull, which ends in a
// function of the runtime's that no other goroutine has. Where a later release has
// another, TestForkInPull fails.
func inPull() bool {
	pcs := make([]uintptr, 64)
	n := runtime.Callers(1, pcs)
	for n == len(pcs) {
		pcs = make([]uintptr, 2*n)
		n = runtime.Callers(1, pcs)
	}
	for frames := runtime.CallersFrames(pcs[max(0, n-2):n]); ; {
		f, more := frames.Next()
		if f.Function == "runtime.corostart" {
			return true
		}
		if !more {
			return false
		}
	}
}
