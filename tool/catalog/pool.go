package catalog

var Pool = enter(Cause{
	Slug:  "pool",
	Part:  "code",
	Title: "A sync.Pool that costs more than it saves",
	What: prose(`
A Get and a Put pin the goroutine to its processor, store and load atomically, and pass
the object as an interface value. That is some times the price of a small allocation,
and far more than a local variable. A pool whose objects do not come back, because an
early return forgets the Put or because they are kept, calls New each time: allocation,
plus the pool. Each collection drops what lay unused since the one before.`),
	Looks: prose(`
Overhead is above 1 where the base has a variable or a buffer of its own. The CPU
profile has sync.Pool's Get and Put, its queues, and, where objects do not come back,
allocation under New with the collector's work. There may be hardly any allocations:
then the pool works, and is not worth its price.`),
	Evidence: []string{
		"processor time in sync.Pool, and in allocation under its New, beyond the base's, less what the variant saves of the base's allocation",
		"with misses: the collector's work in the share that New has of the allocation",
	},
	Before: source(`
var scannersPool = sync.Pool{New: func() any { return new(scanner) }}

type scanner struct{ at, words int }

func (s *scanner) count(line string) int {
	*s = scanner{}
	for s.at < len(line) {
		if line[s.at] == ' ' {
			s.words++
		}
		s.at++
	}
	return s.words
}

func wordsPooled(lines []string) int {
	total := 0
	for _, line := range lines {
		s := scannersPool.Get().(*scanner)
		total += s.count(line)
		scannersPool.Put(s)
	}
	return total
}
`),
	After: source(`
// Two words need no pool: the variable lives as long as the worker's loop.
func wordsOwn(lines []string) int {
	total := 0
	var s scanner
	for _, line := range lines {
		total += s.count(line)
	}
	return total
}
`),
	Do: "Keep one object for each worker; pool only what is large, and put back all of it",
	Wrong: prose(`
When objects are large, of thousands of bytes and more, and there is no worker that could
own one, as in a server's handlers, a pool saves their clearing and collecting. When its
profile is small there is nothing to gain. A pool that is seldom used keeps
nothing over collections and then never helps.`),
	Cures: []string{"recycle.Pool", "recycle.FreeList"},
	See: []string{
		"https://pkg.go.dev/sync#Pool",
		"https://go.dev/issue/23199 (a sync.Pool of buffers that grow keeps the largest ones)",
		"https://go.dev/issue/22950 (a sync.Pool is emptied at collections)",
	},
})
