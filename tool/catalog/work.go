package catalog

var Work = enter(Cause{
	Slug:  "work",
	Part:  "code",
	Title: "The concurrent variant does more work",
	What: prose(`
The concurrent variant does not do the same work in several places; it does more of
it. It copies the input for each worker, hashes items to spread them, builds maps and
merges them, uses an algorithm that can be split and needs more steps. The extra work
is there on one processor already, and the processors first have to earn it back.`),
	Looks: prose(`
The overhead is above 1 and inflation is near 1: it scales, from a bad start. The CPU
profile at one processor is user code, or copying, maps and hashing that the profile
of the base does not have. Channels, locks and the scheduler explain little of it,
and the trace looks healthy.`),
	Evidence: []string{
		"overhead: at one processor, user code, copies, maps and clock readings take more processor time than those of the base",
		"updates of memory do not explain it (rmw), and no goroutine spins",
	},
	Before: source(`
// Every worker goes over all words and hashes each, to leave out most of them.
func lettersHashed(words []string, workers int) int {
	seed := maphash.MakeSeed()
	var n atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			own := 0
			for _, word := range words {
				if maphash.String(seed, word)%uint64(workers) == uint64(w) {
					own += utf8.RuneCountInString(word)
				}
			}
			n.Add(int64(own))
		})
	}
	wg.Wait()
	return int(n.Load())
}
`),
	After: source(`
func lettersSplit(words []string, workers int) int {
	var n atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		part := words[len(words)*w/workers : len(words)*(w+1)/workers]
		wg.Go(func() {
			own := 0
			for _, word := range part {
				own += utf8.RuneCountInString(word)
			}
			n.Add(int64(own))
		})
	}
	wg.Wait()
	return int(n.Load())
}
`),
	Do: "Do the work of the serial version, split, and nothing beside it",
	Wrong: prose(`
When the extra work is what makes the rest independent, as with equal keys that must
meet in one worker, it is the price of the method: it pays from some number of
processors on, and the factors tell from which. When the variant gives more than the
base, like an order or a statistic, the comparison is at fault, not the code.`),
	Cures: []string{"par.For", "par.Reduce", "par.Sort"},
	See: []string{
		"McSherry, Isard and Murray, Scalability! But at what COST?, HotOS 2015",
		"https://go.dev/issue/41905",
	},
})
