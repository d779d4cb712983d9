package pipeio

import (
	"math/rand/v2"
	"time"
)

// Sequential adds up the answers of items 0..n-1 in one loop. It ignores the
// number of cores.
func Sequential(n, _ int) uint64 {
	var sum uint64
	for i := range n {
		sum += fetch(i)
	}
	return sum
}

// pauses are how long the items wait, over and over: a random number of whole
// milliseconds from 0 to 3, the same ones in all processes. Parts of a
// millisecond would be rounded up by the system.
var pauses = func() (ds [100]time.Duration) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range ds {
		ds[i] = time.Duration(r.IntN(4)) * time.Millisecond
	}
	return ds
}()

// fetch is the work on one item: a wait, as for a server, and then an answer,
// which is another for each item.
func fetch(item int) uint64 {
	time.Sleep(pauses[item%len(pauses)])
	return uint64(item+1) * 0x9e3779b97f4a7c15
}
