package gcpool

// Allocate is Serial in several workers.
func Allocate(n, workers int) int { return concurrently(n, workers, handleNew) }
