package catalog

var TrueShare = enter(Cause{
	Slug:  "trueshare",
	Part:  "memory",
	Title: "True sharing of one word",
	What: prose(`
Every worker writes the same word: one counter, one cursor, one total. Or one
writes what all others read: a flag, a version, a pointer to the current table. An
atomic operation makes that correct and not cheap, because the line with the word has to
travel to each core in turn and the operation waits for it. The writes of all
workers form one queue, so more processors make it longer.`),
	Looks: prose(`
All processors are in use and the inflation is far above 1; more processors often
take longer than one. The overhead is above 1 as well where the base has a plain
variable. The CPU profile is user code, hot at the instruction after an atomic
one. The trace shows workers that run without a break.`),
	Evidence: []string{
		"inflation: user code takes at least 15 % more processor time at several processors than at one, while several run at once",
		"the added time is behind instructions that reach memory",
		"goroutines write bytes that others write or read, as watching them shows; where they cannot be watched, atomic instructions speak for it",
		"they do not queue for a lock over it, nor is it one lock's word: then the lock is the cause. Many locks that each goroutine takes in turns, and hardly any waits for, are words like others",
	},
	Before: source(`
func countShared(xs []int, want func(int) bool, workers int) int {
	var n atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		wg.Go(func() {
			for _, x := range part {
				if want(x) {
					n.Add(1) // all workers queue here
				}
			}
		})
	}
	wg.Wait()
	return int(n.Load())
}
`),
	After: source(`
func countOwn(xs []int, want func(int) bool, workers int) int {
	var n atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		wg.Go(func() {
			var own int64
			for _, x := range part {
				if want(x) {
					own++
				}
			}
			n.Add(own) // once per worker
		})
	}
	wg.Wait()
	return int(n.Load())
}
`),
	Do: "Count in a local variable and add once per worker",
	Wrong: prose(`
When the value decides what happens next (a limit, a sequence number, the next
piece of work), it has to be one word; then draw from it in larger steps. When
others watch it while it grows, add in batches or stripe it. Next to work of
many microseconds per write one atomic operation does not show.`),
	Cures: []string{"counter.Int", "par.Reduce", "par.For"},
	See: []string{
		"https://go.dev/ref/mem",
		"Schweizer, Besta and Hoefler, Evaluating the Cost of Atomic Operations on Modern Architectures, PACT 2015",
		"Boyd-Wickizer and others, An Analysis of Linux Scalability to Many Cores, OSDI 2010",
	},
})
