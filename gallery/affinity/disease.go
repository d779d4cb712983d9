package affinity

import "runtime"

// PingPong plays one value after the other between two goroutines, over channels
// without buffer. A goroutine that has played waits for the other one.
func PingPong(values []uint64, rounds int) {
	pingPong(values, rounds, func() {})
}

// Pinned is PingPong with each goroutine locked to a thread of its own. Go comes no
// nearer to pinning a goroutine to a processor. A thread cannot run the other
// goroutine, so each hand-off puts one thread to sleep and wakes another.
func Pinned(values []uint64, rounds int) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	pingPong(values, rounds, runtime.LockOSThread)
}

func pingPong(values []uint64, rounds int, begin func()) {
	there, back := make(chan uint64), make(chan uint64)
	go func() {
		begin()
		for v := range there {
			back <- work(v)
		}
	}()
	for range rounds {
		for i, v := range values {
			there <- work(v)
			values[i] = <-back
		}
	}
	close(there)
}

// Yielding is PingPong for a scheduler without a run-next slot. What waits yields until
// its turn has come, and so goes to the end of the queue, behind all that are ready.
func Yielding(values []uint64, rounds int) {
	there, back := make(chan uint64, 1), make(chan uint64, 1)
	go func() {
		for {
			v, ok := receiveYielding(there)
			if !ok {
				return
			}
			back <- work(v)
		}
	}()
	for range rounds {
		for i, v := range values {
			there <- work(v)
			values[i], _ = receiveYielding(back)
		}
	}
	close(there)
}

func receiveYielding(c <-chan uint64) (v uint64, ok bool) {
	for {
		select {
		case v, ok = <-c:
			return v, ok
		default:
			runtime.Gosched()
		}
	}
}
