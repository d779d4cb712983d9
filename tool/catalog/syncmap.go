package catalog

var SyncMap = enter(Cause{
	Slug:  "syncmap",
	Part:  "code",
	Title: "A sync.Map where a plain map would do",
	What: prose(`
A sync.Map lets goroutines read and write at once, and pays for it each time: keys and
values are interface values, which are allocated and hashed through their type, and a new
value is a new object. It pays where many goroutines read keys that hardly ever change.
With one goroutine for a key, or with workers that could count apart and merge,
a plain map does the same for a fraction.`),
	Looks: prose(`
Overhead is above 1 at one processor already. The CPU profile has sync.Map's methods, the
hash tree beneath them, and allocation for keys and values. There may be
inflation where several write the same keys.`),
	Evidence: []string{
		"processor time in sync.Map beyond that of the base's maps",
	},
	Before: source(`
func wordCountsShared(words []string, workers int) map[string]int {
	var counts sync.Map
	var wg sync.WaitGroup
	for w := range workers {
		part := words[len(words)*w/workers : len(words)*(w+1)/workers]
		wg.Go(func() {
			for _, word := range part {
				n, ok := counts.Load(word)
				if !ok {
					n, _ = counts.LoadOrStore(word, new(atomic.Int64))
				}
				n.(*atomic.Int64).Add(1)
			}
		})
	}
	wg.Wait()
	out := map[string]int{}
	counts.Range(func(word, n any) bool {
		out[word.(string)] = int(n.(*atomic.Int64).Load())
		return true
	})
	return out
}
`),
	After: source(`
func wordCountsOwn(words []string, workers int) map[string]int {
	parts := make([]map[string]int, workers)
	var wg sync.WaitGroup
	for w := range workers {
		part := words[len(words)*w/workers : len(words)*(w+1)/workers]
		wg.Go(func() {
			counts := map[string]int{}
			for _, word := range part {
				counts[word]++
			}
			parts[w] = counts
		})
	}
	wg.Wait()
	out := map[string]int{}
	for _, counts := range parts {
		for word, n := range counts {
			out[word] += n
		}
	}
	return out
}
`),
	Do: "Give each worker a plain map and merge, or put a plain map behind one lock",
	Wrong: prose(`
When many goroutines look up what is seldom written, sync.Map is what it was made for, and
a locked map would be slower. When the set of keys has to be seen by all at once, maps
apart cannot do it. Measure a map with a Mutex as well: for short sections with few
processors it is often the quickest.`),
	Cures: []string{"snapmap", "maps.Copy", "sync.Mutex"},
	See: []string{
		"https://pkg.go.dev/sync#Map",
	},
})
