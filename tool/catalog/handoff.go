package catalog

var Handoff = enter(Cause{
	Slug:  "handoff",
	Part:  "goroutines",
	Title: "Channel hand-offs dearer than the work",
	What: prose(`
Sending a value over a channel takes the channel's lock and copies the value. If the
other side is not ready, a goroutine goes to sleep and another is woken, perhaps on
another processor that was asleep itself. Work of a few nanoseconds per item drowns
in that, and with several workers on one channel they queue for its lock. A buffer
saves the sleeping and waking; the locking stays.`),
	Looks: prose(`
The overhead is large, often the largest factor by far, and inflation comes on top.
The CPU profile has channel operations, the scheduler's switching, and processors
that look for work, idle and get woken; user code is a small rest. The trace has
goroutines blocked in send and receive, as often as there are items where nothing is
buffered, and they run for microseconds or less in between.`),
	Evidence: []string{
		"processor time in channel code beyond the base's, with the switching, stealing and waking that blocking on channels makes, or processors idle in the trace while control goes to and fro",
		"goroutines block on channels, and more often than once or twice in the life of each: a channel that only awaits goroutines counts as their price",
		"channel code that hardly ever blocks is polling, which is work",
	},
	Before: source(`
func sumSquaresEach(xs []int) int {
	squares := make(chan int)
	go func() {
		defer close(squares)
		for _, x := range xs {
			squares <- x * x
		}
	}()
	sum := 0
	for s := range squares {
		sum += s
	}
	return sum
}
`),
	After: source(`
// Work as light as this is better done without a channel at all. Where the
// stages have to stay apart, a batch makes one hand-off serve many items.
func sumSquaresBatched(xs []int) int {
	const size = 1024
	batches := make(chan []int, 4)
	go func() {
		defer close(batches)
		for part := range slices.Chunk(xs, size) {
			batch := make([]int, len(part))
			for i, x := range part {
				batch[i] = x * x
			}
			batches <- batch
		}
	}()
	sum := 0
	for batch := range batches {
		for _, s := range batch {
			sum += s
		}
	}
	return sum
}
`),
	Do: "Send batches instead of single items, or call the next stage directly",
	Wrong: prose(`
When items arrive one by one and each has to leave soon, a batch adds the time it
takes to fill; flush it by a timer or when the input pauses. When an item is many
microseconds of work or waits for a disk or network, the channel is not the cause.
A lock-free ring makes a hand-off cheaper by some tens of nanoseconds and leaves
the rest as it is: batching, fewer stages and cutting the slice come first.`),
	Cures: []string{"pipe", "queue.SPSC", "queue.MPMC", "par.For"},
	See: []string{
		"https://github.com/baixiaoustc/go_concurrency",
		"https://bravenewgeek.com/so-you-wanna-go-fast/",
		"https://go.dev/issue/20351 (select on a shared channel is slow with many processors)",
		"https://go.dev/issue/57070 (contention on one channel takes all processors)",
	},
})
