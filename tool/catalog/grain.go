package catalog

var Grain = enter(Cause{
	Slug:  "grain",
	Part:  "goroutines",
	Title: "Goroutines too small for their start and join",
	What: prose(`
A goroutine is cheap and not free: it gets a stack, a place in a run queue, a
processor that may have to be woken, and a goroutine that waits for it. A goroutine per
item or per recursive half makes their number follow the data instead of the
processors, and most of them do less than their start costs. There is parallelism
in plenty; it is cut too finely.`),
	Looks: prose(`
The overhead is far above 1 and the goroutines per operation run into the thousands.
The CPU profile has goroutine creation and exit, the scheduler's switching and the
wait group; user code is a small rest. In the trace the median goroutine runs for a
microsecond or less. The work and span of the trace promise far more parallelism
than the machine has.`),
	Evidence: []string{
		"goroutines start in each operation",
		"processor time in their start, their end, wait groups, stack growth and the channels over which each returns once, beyond the base's, with the switching, stealing and waking that belongs to them, as far as its price here goes",
		"all that is a tenth of the work that the goroutines carry, or more",
	},
	Before: source(`
func maxHalves(xs []int) int {
	if len(xs) < 2 {
		return slices.Max(xs)
	}
	var left, right int
	var wg sync.WaitGroup
	wg.Go(func() { left = maxHalves(xs[:len(xs)/2]) })
	wg.Go(func() { right = maxHalves(xs[len(xs)/2:]) })
	wg.Wait()
	return max(left, right)
}
`),
	After: source(`
// The threshold is to be measured: where a piece takes many times as long as
// a goroutine's start and join.
func maxPieces(xs []int) int {
	const threshold = 1 << 15
	if len(xs) <= threshold {
		return slices.Max(xs)
	}
	var left, right int
	var wg sync.WaitGroup
	wg.Go(func() { left = maxPieces(xs[:len(xs)/2]) })
	right = maxPieces(xs[len(xs)/2:]) // this goroutine works, too
	wg.Wait()
	return max(left, right)
}
`),
	Do: "Work serially below a threshold and start goroutines only above it",
	Wrong: prose(`
When goroutines wait for a disk or network, one per item is fine, as long as the
other side and the memory bear it. When pieces differ a lot in cost, a threshold on
their length says little about it: many small pieces for few workers balance better
than few large ones. A threshold is right for one machine and one input; take it
from a measurement and keep the measurement.`),
	Cures: []string{"par.New", "par.For", "par.Sort", "pool"},
	See: []string{
		"https://github.com/teivah/100-go-mistakes (mistake 56)",
		"https://go.dev/issue/44041",
		"He, Leiserson and Leiserson, The Cilkview Scalability Analyzer, SPAA 2010",
		"Blumofe and Leiserson, Scheduling Multithreaded Computations by Work Stealing, JACM 1999",
	},
})
