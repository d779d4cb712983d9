package catalog

var Delay = enter(Cause{
	Slug:  "delay",
	Part:  "division",
	Title: "Delays that the program makes itself",
	What: prose(`
No processor is short, and yet each operation takes long, since it waits for the clock or
for one answer after the other. A loop sleeps until something is there, and finds it late.
A timer gathers a batch that nothing else will fill. Calls that do not need each other's
answers are made one after the other. More processors change nothing, and more clients
only hide it.`),
	Looks: prose(`
Next to no core is in use. The CPU profile is nearly empty. The trace has operations, or
those that wait for them, in timers or outside of the program for most of their time, many
times in a row, or until a timer ends what another goroutine was waiting for.`),
	Evidence: []string{
		"in the trace of a program that is idle for most of its time: goroutines that wait for a timer at a line again and again, and do nothing in between that others see",
		"or goroutines that wait for another one, while that one waits for a timer where work comes in as well",
		"or operations that wait outside of the program several times, one after the other",
	},
	Before: source(`
// Each answer is awaited before the next is asked for.
func totalOf(ids []int, price func(id int) int) (sum int) {
	for _, id := range ids {
		sum += price(id)
	}
	return sum
}
`),
	After: source(`
// All are asked for at once.
func totalAtOnce(ids []int, price func(id int) int) (sum int) {
	prices := make([]int, len(ids))
	var wg sync.WaitGroup
	for i, id := range ids {
		wg.Go(func() { prices[i] = price(id) })
	}
	wg.Wait()
	for _, p := range prices {
		sum += p
	}
	return sum
}
`),
	Do: "Let what is awaited wake those that wait, and make calls at once that can be",
	Wrong: prose(`
When the next call needs the answer of the one before, the waits belong in a row, and only
a call for all of them helps. When the other side allows so many calls a second, sleeping
between them is the purpose. When batches are what makes the other side fast, a timer for
them pays under more load than there was.`),
	Cures: []string{"sync.WaitGroup", "sync.Cond", "pool"},
	See: []string{
		"Little, A Proof for the Queuing Formula L = λW, Operations Research 1961",
	},
})
