package catalog

var Machine = enter(Cause{
	Slug:  "machine",
	Part:  "machine",
	Title: "The machine did not give the processors",
	What: prose(`
The code was ready to use the processors and did not get them. Other processes ran, a
quota of the container throttled it, the host of a virtual machine gave the time to
another one, the system put two threads on one core, or the two processors are one
core with two hardware threads. Then nothing can be said about the code; a verdict
would be one about the machine.`),
	Looks: prose(`
Fewer cores are in use than there are processors, while the probe of the machine got
fewer, too. Samples were dropped because threads stood ready without a processor, or
the control, the same code against itself, is wide. In the trace the workers are
running all the time, which the CPU time does not confirm.`),
	Evidence: []string{
		"busy threads, before the run, got less than three quarters of the processors, and no benchmark used more",
		"one side, at least, wanted half of what they got",
		"the verdict cannot be given for that",
	},
	Before: source(`
// NumCPU counts the processors that this process may be put on, not how much
// of them it is given.
func partsOfMachine(xs []int) [][]int {
	workers := runtime.NumCPU()
	parts := make([][]int, workers)
	for w := range parts {
		parts[w] = xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
	}
	return parts
}
`),
	After: source(`
// GOMAXPROCS is what may run at once; since Go 1.25 it follows the quota of a
// container as well.
func partsAllowed(xs []int) [][]int {
	workers := runtime.GOMAXPROCS(0)
	parts := make([][]int, workers)
	for w := range parts {
		parts[w] = xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
	}
	return parts
}
`),
	Do: "Measure again on an idle machine without a limit, and size pools by GOMAXPROCS",
	Wrong: prose(`
When the program will run on such a machine, among such neighbours and under such a
quota, this is the measurement that counts: give it the processors it will get there,
and judge that. A quota is not the cause where the code does not reach it.`),
	Cures: []string{"runtime.GOMAXPROCS"},
	See: []string{
		"https://go.dev/blog/container-aware-gomaxprocs",
		"https://docs.kernel.org/accounting/psi.html",
	},
})
