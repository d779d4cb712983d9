package catalog

var RMW = enter(Cause{
	Slug:  "rmw",
	Part:  "memory",
	Title: "A memory update or an atomic per item",
	What: prose(`
The serial loop keeps its running value in a register. The concurrent one keeps it
where the caller or other goroutines can reach it, and so loads, changes and stores
it for every item; each update has to wait until the one before it can be read
back. An atomic operation in the same place costs more still, even
without contention. No sharing is needed for this: one worker on one
processor pays it too.`),
	Looks: prose(`
The overhead is well above 1: the code is slower than its base with a single
processor already. Inflation may be near 1 and all processors in use, so it seems
to scale well, from a bad start. The CPU profile is user code, hot right after an
instruction that updates memory or an atomic one. Channels, locks and the
scheduler are hardly there.`),
	Evidence: []string{
		"overhead: at one processor, user code takes more processor time than that of the base",
		"at least three tenths of what it takes more is behind instructions that load, change and store memory, or atomic ones, and the base has none there",
	},
	Before: source(`
// A slot fills two cache lines: nothing is shared, and it is still slow.
type slot struct {
	sum atomic.Int64
	_   [120]byte
}

func sumSlots(xs []int64, workers int) int64 {
	slots := make([]slot, workers)
	var wg sync.WaitGroup
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		wg.Go(func() {
			for _, x := range part {
				slots[w].sum.Add(x)
			}
		})
	}
	wg.Wait()
	var sum int64
	for w := range slots {
		sum += slots[w].sum.Load()
	}
	return sum
}
`),
	After: source(`
func sumRegister(xs []int64, workers int) int64 {
	slots := make([]slot, workers)
	var wg sync.WaitGroup
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		wg.Go(func() {
			var sum int64 // stays in a register
			for _, x := range part {
				sum += x
			}
			slots[w].sum.Store(sum)
		})
	}
	wg.Wait()
	var sum int64
	for w := range slots {
		sum += slots[w].sum.Load()
	}
	return sum
}
`),
	Do: "Accumulate in a local variable and store it after the loop",
	Wrong: prose(`
When a panic or an early return in the loop must leave the partial value behind,
or others read it meanwhile. When an item is real work, the update vanishes beside
it. Some processors forward a store to the next load at no cost and hide a plain
update, though not an atomic one: there the local variable gains little.`),
	Cures: []string{"par.Reduce", "counter.Local"},
	See: []string{
		"https://appliedgo.net/concurrencyslower/",
		"Schweizer, Besta and Hoefler, Evaluating the Cost of Atomic Operations on Modern Architectures, PACT 2015",
	},
})
