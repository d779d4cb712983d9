package catalog

var Serial = enter(Cause{
	Slug:  "serial",
	Part:  "division",
	Title: "A serial section",
	What: prose(`
A part of the operation runs in one goroutine while the others have nothing to do:
preparing the input, merging the results, writing them out. The parallel part gets
shorter with each processor and the serial part does not, so it bounds the speedup
at the whole time over the serial time, whatever the machine. This is Amdahl's
law.`),
	Looks: prose(`
Fewer cores are in use than there are processors; overhead and inflation are near 1.
The CPU profile is user code and shows the serial part with a larger share than it
seems to deserve. In the trace one goroutine runs alone for a good part of the time,
and it is the caller or the one that collects. Work over span is small: that bound
holds on every machine.`),
	Evidence: []string{
		"processors idle in the trace beside a goroutine that runs alone and is no worker of another",
		"it is busy with the work, not with overhead",
		"or no goroutine is started in the timed region at all",
	},
	Before: source(`
// The roots are found by all workers and written out by one goroutine, which
// is the larger part of the job.
func writeAlone(xs []float64, workers int) []byte {
	roots := make([]float64, len(xs))
	var wg sync.WaitGroup
	for w := range workers {
		from, to := len(xs)*w/workers, len(xs)*(w+1)/workers
		wg.Go(func() {
			for i := from; i < to; i++ {
				roots[i] = math.Sqrt(xs[i])
			}
		})
	}
	wg.Wait()
	var out []byte
	for _, r := range roots {
		out = strconv.AppendFloat(out, r, 'g', -1, 64)
		out = append(out, '\n')
	}
	return out
}
`),
	After: source(`
func writeParts(xs []float64, workers int) []byte {
	parts := make([][]byte, workers)
	var wg sync.WaitGroup
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		wg.Go(func() {
			var out []byte
			for _, x := range part {
				out = strconv.AppendFloat(out, math.Sqrt(x), 'g', -1, 64)
				out = append(out, '\n')
			}
			parts[w] = out
		})
	}
	wg.Wait()
	return slices.Concat(parts...)
}
`),
	Do: "Move what one goroutine does alone into the workers, or let it run beside them",
	Wrong: prose(`
When the serial part is small beside the rest at the processors you have, more work
on it buys nothing there. When its order matters (a checksum over the whole, a file
written front to back), overlap it with the parallel part instead of splitting it.
Some problems are serial by nature: then another algorithm is needed, or none.`),
	Cures: []string{"par.Map", "par.Reduce", "par.Sort", "pipe"},
	See: []string{
		"Amdahl, Validity of the Single Processor Approach to Achieving Large Scale Computing Capabilities, AFIPS 1967",
		"He, Leiserson and Leiserson, The Cilkview Scalability Analyzer, SPAA 2010",
	},
})
