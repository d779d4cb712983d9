package catalog

var Waiting = enter(Cause{
	Slug:  "waiting",
	Part:  "division",
	Title: "Too few workers for work that waits",
	What: prose(`
The workers wait for a disk, a network, a timer or a rate limit, not for a processor.
While one waits its processor is free, so the throughput is the number of workers
over the time of one request, and the number of processors has nothing to do with
it. A pool of GOMAXPROCS workers, right for computing, leaves the machine idle
here.`),
	Looks: prose(`
Next to no core is in use, and more processors change nothing. Overhead and inflation
mean little, since there is hardly any CPU time. The CPU profile has few samples. The
trace has nothing running for most of the time, and the workers blocked in sleep,
network or system calls.`),
	Evidence: []string{
		"no goroutine runs in the trace and none is ready: all wait for a timer, the network, a system call",
		"processors idle for that time",
	},
	Before: source(`
// As many requests under way as there are processors, which do nothing.
func fetchPerProcessor(keys []string, fetch func(key string)) {
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for _, key := range keys {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			fetch(key)
		})
	}
	wg.Wait()
}
`),
	After: source(`
// As many requests under way as the other side serves well.
func fetchUpTo(limit int, keys []string, fetch func(key string)) {
	slots := make(chan struct{}, limit)
	var wg sync.WaitGroup
	for _, key := range keys {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			fetch(key)
		})
	}
	wg.Wait()
}
`),
	Do: "Start more workers than processors, up to what the other side can serve",
	Wrong: prose(`
When the other side is at its limit, more requests make longer queues there and
errors here, not more answers. When the wait is for another goroutine of the same
program, more workers do not shorten it: look for a lock, a serial part or a slow
stage. A benchmark that sleeps in place of a service shows the number of workers and
nothing about the service.`),
	Cures: []string{"pool", "pipe"},
	See: []string{
		"https://github.com/baixiaoustc/go_concurrency",
		"Little, A Proof for the Queuing Formula L = λW, Operations Research 1961",
	},
})
