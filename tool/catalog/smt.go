package catalog

var SMT = enter(Cause{
	Slug:  "smt",
	Part:  "machine",
	Title: "Two hardware threads of one core",
	What: prose(`
Many processors come in pairs: two hardware threads that share one core's units, caches
and clock. The system counts both. Code that keeps a core busy, as dense arithmetic
does, gets little from the second thread, and each of the two runs
slower than it would alone. Code that waits for memory gains more.`),
	Looks: prose(`
All processors are in use, nothing blocks, overhead is 1, and inflation begins where
there are more goroutines than cores. The CPU profile is the user's own code, in the
same places as at one processor, just more of it, and not at loads and stores. The
machine shows the same with a loop of arithmetic.`),
	Evidence: []string{
		"more processors are in use than there are cores",
		"code other than that which waits for memory takes more time at once than alone, by no more than plain arithmetic does here with all processors busy",
	},
	Before: source(`
// A worker for each processor that the system counts.
func normsThreads(xs []float64) float64 {
	return norms(xs, runtime.GOMAXPROCS(0))
}

func norms(xs []float64, workers int) float64 {
	parts := make([]float64, workers)
	var wg sync.WaitGroup
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		wg.Go(func() {
			sum := 0.0
			for _, x := range part {
				sum += x * x
			}
			parts[w] = sum
		})
	}
	wg.Wait()
	total := 0.0
	for _, part := range parts {
		total += part
	}
	return total
}
`),
	After: source(`
// A worker for each core: payoff machine says how many there are. The other
// threads stay free for the collector and for what else runs.
func normsCores(xs []float64, cores int) float64 {
	return norms(xs, min(cores, runtime.GOMAXPROCS(0)))
}
`),
	Do: "Count cores and not hardware threads: use fewer workers, or expect no more from these",
	Wrong: prose(`
When work on the second threads still adds to the whole, and nothing else wants the
machine, use them: each is slower and all together are faster. On a virtual machine the
processors may be hardware threads though the system calls them cores.`),
	Cures: []string{"runtime.GOMAXPROCS"},
	See: []string{
		"https://docs.kernel.org/admin-guide/hw-vuln/core-scheduling.html",
		"Tullsen, Eggers and Levy, Simultaneous Multithreading: Maximizing On-Chip Parallelism, ISCA 1995",
	},
})
