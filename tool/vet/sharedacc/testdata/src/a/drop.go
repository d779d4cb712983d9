package a

import "sync/atomic"

type stats struct {
	Requests atomic.Int64
	live     atomic.Int64 // want `live is updated atomically, and never read`
}

func serve(s *stats, n int) {
	for range n {
		go func() {
			for range 100 {
				s.live.Add(1)     // want `s.live is updated atomically` // refuse `local: others may look at several of them meanwhile, which would come apart`
				s.Requests.Add(1) // no finding of its own
			}
		}()
	}
	s.live.Store(0)
}

var most atomic.Int64 // want `most is updated atomically, and never read` // refuse `drop: nothing would be left in its block`

func serveMost(n int64) {
	if n > 3 {
		most.Add(n)
	}
}
