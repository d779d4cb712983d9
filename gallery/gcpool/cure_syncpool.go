package gcpool

import "sync"

var pool = sync.Pool{New: func() any { return new(record) }}

// SyncPool takes the records from a sync.Pool and puts them back.
func SyncPool(n, workers int) int {
	return concurrently(n, workers, func(i int) int {
		r := pool.Get().(*record)
		r.fill(i)
		a := answer(r)
		*r = record{} // or the pool would keep alive what r points to
		pool.Put(r)
		return a
	})
}
