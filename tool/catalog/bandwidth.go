package catalog

var Bandwidth = enter(Cause{
	Slug:  "bandwidth",
	Part:  "machine",
	Title: "All processors wait for memory",
	What: prose(`
Code that streams over more data than the caches hold, with little to compute per
byte, runs at the speed of the memory. The processors of a socket share that memory,
and on many machines a few of them already take all it gives; hardware threads
of one core share even the caches. Each further processor then makes the others wait.
Copying and clearing of large slices is this in its pure form.`),
	Looks: prose(`
All processors are in use, since waiting for memory counts as CPU time; the overhead is
near 1 and inflation grows with the processors. The CPU profile is user code in loops
over large slices, or the runtime's copying and clearing. The trace shows workers that
run without a break. With the same code over data that fits the cache the inflation
goes away.`),
	Evidence: []string{
		"inflation: code takes at least 15 % more processor time at several processors than at one, while several run at once",
		"the added time is in copies, or behind instructions that reach memory",
		"an operation moves more than the last cache holds, by its cache misses or by the pages it reaches, and at a third or more of the rate that this machine's memory gave to all its processors",
		"no word and no line is written by several goroutines, and they do not hand over",
		"it takes no longer than sharing the bandwidth can explain: not more than as many times as there are processors",
	},
	Before: source(`
func scaleThenSum(xs []float64, by float64, workers int) float64 {
	sums := make([]float64, workers)
	var scaled, summed sync.WaitGroup
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		scaled.Go(func() {
			for i := range part {
				part[i] *= by
			}
		})
	}
	scaled.Wait()
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		summed.Go(func() {
			sum := 0.0
			for _, x := range part { // by now it has left the cache
				sum += x
			}
			sums[w] = sum
		})
	}
	summed.Wait()
	total := 0.0
	for _, sum := range sums {
		total += sum
	}
	return total
}
`),
	After: source(`
func scaleAndSum(xs []float64, by float64, workers int) float64 {
	sums := make([]float64, workers)
	var wg sync.WaitGroup
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		wg.Go(func() {
			sum := 0.0
			for i := range part { // both while it is at hand
				part[i] *= by
				sum += part[i]
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	total := 0.0
	for _, sum := range sums {
		total += sum
	}
	return total
}
`),
	Do: "Do all steps in one pass over blocks that fit the cache, on smaller data",
	Wrong: prose(`
When the data fits the cache, passes are cheap and separate loops may run faster. When
the steps depend on the whole, as a mean does before the deviations, they cannot be
joined. Fewer workers do the same job in the same time here and leave processors to
others: that is a gain as well. A machine with more memory channels moves the limit
and does not remove it.`),
	Cures: []string{"slices.Chunk", "par.For", "par.Reduce"},
	See: []string{
		"https://www.cs.virginia.edu/stream/",
		"Williams, Waterman and Patterson, Roofline: An Insightful Visual Performance Model for Multicore Architectures, CACM 2009",
	},
})
