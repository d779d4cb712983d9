package poolsize

import "context"

// Pool hands the items to a pool of package pool, all at once. It is told no
// number of workers, and ignores that of cores.
func Pool(w *work, n, _ int) uint64 {
	items := make([]int, n)
	for i := range items {
		items[i] = i
	}
	answers, err := w.pool.SubmitAll(context.Background(), items)
	if err != nil {
		panic(err) // no item fails, and nothing cancels them
	}
	var sum uint64
	for _, a := range answers {
		sum += a
	}
	return sum
}
