package catalog

var Lock = enter(Cause{
	Slug:  "lock",
	Part:  "goroutines",
	Title: "Goroutines queue for one lock",
	What: prose(`
A mutex lets one goroutine through at a time. If the workers spend a good part of
their time inside it, they take turns and the processors beyond the first wait. A
goroutine that does not get the lock spins, then sleeps and has to be woken, which
costs more than a short critical section. It is woken without the lock: a goroutine that runs
meanwhile takes it again, and the woken one waits once more (a convoy). The data behind the lock moves to
another core's cache at each turn, too.`),
	Looks: prose(`
The inflation is above 1, and the cores in use are fewer than there are processors
where goroutines sleep rather than spin. The CPU profile has package sync, mostly
its slow path, and the scheduler's idling and waking. The trace has goroutines
blocked in Lock, many of them and longer than they run in between. The time spent
waiting for mutexes, which is in every sample, is a good part of the run and may
exceed it, since it adds up over the goroutines.`),
	Evidence: []string{
		"processor time in locks beyond the base's, or goroutines blocked on locks in the trace",
		"processors idle in the trace while one goroutine holds what others wait for, or while one that the lock woke has not run yet",
		"where goroutines were watched: it is one lock, or the waits for many are worth what is claimed",
		"where they queue, what running at once adds to the code behind the lock: its data move with it",
	},
	Before: source(`
func countLocked(words []string, workers int) map[string]int {
	var mu sync.Mutex
	counts := make(map[string]int)
	var wg sync.WaitGroup
	for w := range workers {
		part := words[len(words)*w/workers : len(words)*(w+1)/workers]
		wg.Go(func() {
			for _, word := range part {
				mu.Lock()
				counts[strings.ToLower(word)]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return counts
}
`),
	After: source(`
func countMerged(words []string, workers int) map[string]int {
	var mu sync.Mutex
	counts := make(map[string]int)
	var wg sync.WaitGroup
	for w := range workers {
		part := words[len(words)*w/workers : len(words)*(w+1)/workers]
		wg.Go(func() {
			own := make(map[string]int)
			for _, word := range part {
				own[strings.ToLower(word)]++
			}
			mu.Lock()
			defer mu.Unlock()
			for word, n := range own {
				counts[word] += n
			}
		})
	}
	wg.Wait()
	return counts
}
`),
	Do: "Let each worker collect on its own and take the lock once to merge",
	Wrong: prose(`
When every update has to be visible at once, collecting is not allowed: take work
out of the critical section, or split the data over several locks, which helps only
if the keys spread. When the results are nearly as many as the items, merging costs
what it saved. A free lock is cheap; one that is taken rarely is not the cause.
A lock-free structure is not faster by its name: it shares its words too.`),
	Cures: []string{"par.Reduce", "counter.Local", "snapmap", "sync.Map"},
	See: []string{
		"https://go.dev/doc/diagnostics",
		"https://go.dev/issue/57070 (contention on one channel takes all processors)",
		"Boyd-Wickizer, Kaashoek, Morris and Zeldovich, Non-scalable Locks are Dangerous, Linux Symposium 2012",
	},
})
