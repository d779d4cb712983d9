package catalog

var Alloc = enter(Cause{
	Slug:  "alloc",
	Part:  "code",
	Title: "Allocation and garbage collection",
	What: prose(`
Every allocation takes time at once, for finding and clearing the memory, and later,
for collecting it (GC). The collector runs on the same processors: it takes a share of them
while it marks and makes goroutines that allocate help. The live data
decides how large the heap may get before the next collection, so workers that
allocate in parallel just get there sooner.`),
	Looks: prose(`
Overhead is above 1 where the concurrent variant allocates more than the base: a
goroutine, closure, buffer or result per item. The base may allocate as much; then
nothing is lost by concurrency, but much could be won. The CPU profile has allocation,
the collector, and clearing and copying of memory. The samples count collections. The
trace has the collector running beside the workers.`),
	Evidence: []string{
		"processor time in allocation and collection beyond the base's, or processors idle while only the collector runs; where much of the heap lives, marking is a cause of its own",
		"allocations per operation beyond the base's, and what the compiler says of the lines that make them",
	},
	Before: source(`
func checksumsAllocating(names []string) uint32 {
	var sum uint32
	for _, name := range names {
		key := []byte("user:" + strings.ToUpper(name)) // new for each
		sum ^= crc32.ChecksumIEEE(key)
	}
	return sum
}
`),
	After: source(`
// Names are ASCII. Each worker that calls this has a buffer of its own.
func checksumsReusing(names []string) uint32 {
	var sum uint32
	var key []byte
	for _, name := range names {
		key = append(key[:0], "user:"...)
		for i := range len(name) {
			c := name[i]
			if 'a' <= c && c <= 'z' {
				c -= 'a' - 'A'
			}
			key = append(key, c)
		}
		sum ^= crc32.ChecksumIEEE(key)
	}
	return sum
}
`),
	Do: "Reuse buffers between items instead of making new ones",
	Wrong: prose(`
When the value outlives the item, reusing it corrupts what was handed out. When
allocation is a small part of the profile, pools and buffers only add code; a pool of
small values may cost more than allocating them. Where memory is plentiful,
a higher GOGC, with GOMEMLIMIT to hold it, buys fewer collections for no change of
code.`),
	Cures: []string{"recycle.Pool", "recycle.Slices", "sync.Pool", "strconv.AppendInt", "slices.Grow", "strings.Builder", "runtime/debug.SetGCPercent"},
	See: []string{
		"https://go.dev/doc/gc-guide",
		"https://bravenewgeek.com/so-you-wanna-go-fast/",
	},
})
