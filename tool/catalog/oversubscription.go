package catalog

var Oversubscription = enter(Cause{
	Slug:  "oversubscription",
	Part:  "division",
	Title: "More busy goroutines than processors",
	What: prose(`
More goroutines or threads want to compute than there are processors to do it.
GOMAXPROCS above the processors available leaves the choice to the operating system,
which may stop a thread that holds a lock or is about to feed all others. Waiting in
a loop, on an atomic flag or with runtime.Gosched, is the same from within: the
waiter takes the processor from the goroutine it waits for. So it is with patience: code that
looks thousands of times before each yield spends most of the time on looks in vain.`),
	Looks: prose(`
All processors are in use and inflation is above 1, or the time varies widely between
samples. The CPU profile has the scheduler's yielding and switching, or a small loop
of user code around an atomic load. The trace has goroutines that stay runnable for
long, and preemptions rather than blocking. The samples carry involuntary context
switches where threads exceed processors.`),
	Evidence: []string{
		"goroutines yield in the trace, and yielding takes processor time",
		"or they use up their time slices in a tight loop while others are ready",
		"or in any loop, where the same code takes under a third of the processor time on more processors",
		"or most of their time is in loops that, by the source, only look until another goroutine has stored, and that end in yields or with the time slice while others are ready",
		"or GOMAXPROCS is above the processors there are, and code takes more processor time than at one",
	},
	Before: source(`
func sumSpinning(xs []int64, workers int) int64 {
	var sum, done atomic.Int64
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		go func() {
			var own int64
			for _, x := range part {
				own += x
			}
			sum.Add(own)
			done.Add(1)
		}()
	}
	for done.Load() < int64(workers) {
		runtime.Gosched() // a processor spent on waiting
	}
	return sum.Load()
}
`),
	After: source(`
func sumParked(xs []int64, workers int) int64 {
	workers = min(workers, runtime.GOMAXPROCS(0))
	var sum atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		wg.Go(func() {
			var own int64
			for _, x := range part {
				own += x
			}
			sum.Add(own)
		})
	}
	wg.Wait() // parks until the last is done
	return sum.Load()
}
`),
	Do: "Start as many busy goroutines as GOMAXPROCS and park those that wait",
	Wrong: prose(`
Goroutines that mostly wait may outnumber the processors by far (waiting). More
pieces than processors are good for balance, if workers take them one after the
other. Spinning for a moment before parking pays where the wait is shorter than a
wake-up and the other side runs on a processor of its own; at GOMAXPROCS 1 it never
does.`),
	Cures: []string{"sync.WaitGroup", "sync.Cond", "par.For", "pool"},
	See: []string{
		"https://go.dev/blog/container-aware-gomaxprocs",
		"https://github.com/baixiaoustc/go_concurrency",
	},
})
