package catalog

var Affinity = enter(Cause{
	Slug:  "affinity",
	Part:  "machine",
	Title: "Goroutines lose their caches by moving",
	What: prose(`
A goroutine works best where it ran before, with its data in that core's cache. Each
time it blocks and another processor picks it up, or an item goes from a worker to
the next, the data has to follow. Since Go 1.1 each processor has a run queue of its
own, and since Go 1.5 a goroutine woken by a channel runs next where it was woken;
stealing by idle processors and returning from system calls still move goroutines.`),
	Looks: prose(`
Inflation is above 1 in user code, not only in the runtime: the same lines take longer
at several processors. In the trace goroutines resume on another thread than they left,
often, or blocks of data pass from goroutine to goroutine. It accompanies hand-offs and
too small goroutines more often than it stands alone.`),
	Evidence: []string{
		"inflation: code takes at least 15 % more processor time at several processors than at one",
		"the added time is in copies, or behind instructions that reach memory, on no line that several goroutines write",
		"goroutines hand over between long runs, or the inflation is more than sharing the bandwidth can explain",
	},
	Before: source(`
// One stage fills the caches of its processor with a block; the next stage
// reads the block on another.
func sumInverted(blocks [][]byte) int {
	inverted := make(chan []byte, 1)
	go func() {
		defer close(inverted)
		for _, block := range blocks {
			for i := range block {
				block[i] = ^block[i]
			}
			inverted <- block
		}
	}()
	sum := 0
	for block := range inverted {
		for _, b := range block {
			sum += int(b)
		}
	}
	return sum
}
`),
	After: source(`
func sumInvertedInPlace(blocks [][]byte, workers int) int {
	var sum atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		part := blocks[len(blocks)*w/workers : len(blocks)*(w+1)/workers]
		wg.Go(func() {
			own := 0
			for _, block := range part { // both steps where the block is
				for i := range block {
					block[i] = ^block[i]
				}
				for _, b := range block {
					own += int(b)
				}
			}
			sum.Add(int64(own))
		})
	}
	wg.Wait()
	return int(sum.Load())
}
`),
	Do: "Let one worker carry an item through all steps",
	Wrong: prose(`
When an item is small, the hand-off is the price and not the cache (handoff). When
steps keep large tables of their own, a stage that stays on its core keeps those warm,
and moving the item is the lesser evil. runtime.LockOSThread ties a goroutine to a
thread, not to a core, makes every switch dearer, and is no cure. On a machine with one
shared cache there is little to lose.`),
	Cures: []string{"par.For", "pipe"},
	See: []string{
		"https://medium.com/a-journey-with-go/go-concurrency-scheduler-affinity-3b678f490488",
		"https://go.dev/s/go11sched (the design of the scheduler since Go 1.1)",
	},
})
