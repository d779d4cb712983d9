package b

import (
	"runtime"
	"sync/atomic"
)

var spins = func(done *int32) {
	for n := 0; atomic.LoadInt32(done) == 0; n++ {
		runtime.Gosched()
	}
}

func set() { done := int32(1); spins(&done) }
