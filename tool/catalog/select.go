package catalog

var Select = enter(Cause{
	Slug:  "select",
	Part:  "goroutines",
	Title: "A select over many channels",
	What: prose(`
A select sorts its channels by their addresses and locks every one of them, looks at each,
and unlocks them again. Where none is ready the goroutine enters the queue of every
channel, and leaves all of them when one is. The price grows with the cases, for each value
that comes. reflect.Select, for a number of channels not known before, makes that list
anew each time and allocates it.`),
	Looks: prose(`
The overhead is far above 1 and inflation comes on top, since other goroutines want the
locks of the same channels. The CPU profile has select, with the locking, sorting and
queueing beneath it, before sending and receiving. The trace has one goroutine
blocked in select that many others wake.`),
	Evidence: []string{
		"processor time in selects beyond the base's, in the share that cases beyond two have in it",
		"the source of the hot selects has four cases or more, or calls reflect.Select",
	},
	Before: source(`
func mergeSelect(in [4]chan int) int {
	sum := 0
	for open := len(in); open > 0; {
		var x, from int
		var ok bool
		select {
		case x, ok = <-in[0]:
			from = 0
		case x, ok = <-in[1]:
			from = 1
		case x, ok = <-in[2]:
			from = 2
		case x, ok = <-in[3]:
			from = 3
		}
		if !ok {
			in[from] = nil
			open--
		}
		sum += x
	}
	return sum
}
`),
	After: source(`
// A forwarder for each source would only move the price. Here each source's
// values are added up where they arrive, and one number of each is merged.
func mergeEach(in [4]chan int) int {
	sums := make(chan int, len(in))
	for _, c := range in {
		go func() {
			sum := 0
			for x := range c {
				sum += x
			}
			sums <- sum
		}()
	}
	total := 0
	for range in {
		total += <-sums
	}
	return total
}
`),
	Do: "Let the senders share one channel, or give each source a receiver of its own",
	Wrong: prose(`
When values are rare, as signals to stop and ticks are, their select costs nothing that
counts. When the channels carry different types and the order between them matters, a
select is the clear way to say it. Two cases, a value and a signal to stop, are cheap;
the rest of their price is the hand-off's.`),
	Cures: []string{"queue.MPSC", "context.AfterFunc"},
	See: []string{
		"https://go.dev/issue/20351 (select on a shared channel is slow with many processors)",
		"https://go.dev/src/runtime/select.go",
	},
})
