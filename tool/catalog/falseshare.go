package catalog

var FalseShare = enter(Cause{
	Slug:  "falseshare",
	Part:  "memory",
	Title: "False sharing of a cache line",
	What: prose(`
Memory moves between processors in cache lines, and only one core at a time may
write to a line. Workers that write different words of one line share nothing in
the program and the line in the machine: each write takes it away from the core
that wrote last, and from all that read: a flag that never changes is slow to load
beside a counter that does. Elements of a slice indexed by worker and fields of one struct
are neighbours in this way, and so are mutexes of different owners, which are words that
Lock and Unlock write. An atomic operation waits for the line each time; a
plain store may be hidden by the store buffer, so its price differs a lot between
processors.`),
	Looks: prose(`
All processors are in use and inflation is well above 1, growing with the
processors; the overhead tells nothing about it. The CPU profile is user code nearly
throughout, hot at the instruction after a write to memory. The trace shows
workers that run without a break: that nothing is visible there is part of the
picture.`),
	Evidence: []string{
		"inflation: user code, or locking without the waits, takes at least 15 % more processor time at several processors than at one, while several run at once",
		"the added time is behind instructions that reach memory",
		"goroutines write a cache line of which others write or read different bytes, as watching them shows; where they cannot be watched, plain writes speak for it",
		"moving the variables apart, where that can be tried, makes it faster",
	},
	Before: source(`
// Each worker has a sum of its own, and all sums are on one or two lines.
func sumNeighbours(xs []int64, workers int) int64 {
	sums := make([]atomic.Int64, workers)
	var wg sync.WaitGroup
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		wg.Go(func() {
			for _, x := range part {
				sums[w].Add(x)
			}
		})
	}
	wg.Wait()
	var sum int64
	for w := range sums {
		sum += sums[w].Load()
	}
	return sum
}
`),
	After: source(`
func sumApart(xs []int64, workers int) int64 {
	sums := make([]int64, workers)
	var wg sync.WaitGroup
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		wg.Go(func() {
			var sum int64
			for _, x := range part {
				sum += x
			}
			sums[w] = sum // the only write to a shared line
		})
	}
	wg.Wait()
	var sum int64
	for _, s := range sums {
		sum += s
	}
	return sum
}
`),
	Do: "Sum in a local variable and store once",
	Wrong: prose(`
Where others must see the words while they change, a local variable will not do:
pad each to lines of its own instead, twice the line where the processor fetches
lines in pairs. A few writes per worker are not worth either. Padding is no cure
for words that all workers write (trueshare), nor for the price of the write
itself (rmw); of two indexes of a ring it may even make things worse, since then
two lines travel instead of one. Measure it.`),
	Cures: []string{"par.Reduce", "counter.Local"},
	See: []string{
		"https://appliedgo.net/concurrencyslower/",
		"https://go.dev/issue/78763 (false sharing in database/sql)",
		"https://go.dev/issue/74039 (aligning global variables to cache lines)",
		"Bolosky and Scott, False Sharing and its Effect on Shared Memory Performance, SEDMS 1993",
	},
})
