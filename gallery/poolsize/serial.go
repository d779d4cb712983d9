package poolsize

// Serial adds up the answers of items 0..n-1 in one loop. It ignores the number
// of cores.
func Serial(w *work, n, _ int) uint64 {
	var sum uint64
	for i := range n {
		sum += w.do(i)
	}
	return sum
}
