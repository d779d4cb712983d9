package catalog

var Imbalance = enter(Cause{
	Slug:  "imbalance",
	Part:  "division",
	Title: "One worker or stage has most of the work",
	What: prose(`
The work is cut into as many pieces as there are workers, and the pieces do not cost
the same: the join waits for the slowest, with all others done. In a pipeline the
slowest stage sets the pace, and the others wait for it. Equal length is not equal
cost: triangular loops, sorted inputs and a few large items break it.`),
	Looks: prose(`
Fewer cores are in use than there are processors, often hardly more than one;
overhead and inflation are near 1, since no work is added. The CPU profile is user
code. In the trace a worker runs alone for much of the time, while the caller and
the other workers wait for it in a wait group or on a channel.`),
	Evidence: []string{
		"processors idle in the trace beside a goroutine that runs on, and it is a worker: another goroutine waits for it, and its siblings have ended or have nothing to do",
		"or the caller itself, in the functions in which those it started have ended",
		"it is busy with the work, not with overhead",
	},
	Before: source(`
// The first rows have the longest inner loops, and the first worker has them all.
func countPairsRows(xs []int, most, workers int) int {
	var n atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			own := 0
			for i := len(xs) * w / workers; i < len(xs)*(w+1)/workers; i++ {
				for _, x := range xs[i+1:] {
					if x+xs[i] <= most {
						own++
					}
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
func countPairsDrawn(xs []int, most, workers int) int {
	var n, next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			own := 0
			for {
				i := int(next.Add(1)) - 1 // a worker that is free takes the next row
				if i >= len(xs) {
					break
				}
				for _, x := range xs[i+1:] {
					if x+xs[i] <= most {
						own++
					}
				}
			}
			n.Add(int64(own))
		})
	}
	wg.Wait()
	return int(n.Load())
}
`),
	Do: "Cut the work into more pieces than workers and let idle workers take the next",
	Wrong: prose(`
When one item is most of the work, no cutting between items helps: it has to be split
itself. When items are tiny, drawing them one by one makes a shared word of the
cursor (trueshare): draw runs of them. A slow stage of a pipeline wants more workers
or less work, not a larger buffer.`),
	Cures: []string{"par.For", "par.New", "pipe", "pool"},
	See: []string{
		"https://go.dev/doc/diagnostics",
		"Blumofe and Leiserson, Scheduling Multithreaded Computations by Work Stealing, JACM 1999",
	},
})
