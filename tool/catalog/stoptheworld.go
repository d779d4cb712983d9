package catalog

var StopTheWorld = enter(Cause{
	Slug:  "stoptheworld",
	Part:  "goroutines",
	Title: "Calls that stop the world",
	What: prose(`
Some calls of package runtime stop all goroutines of the program until they are done:
ReadMemStats, GOMAXPROCS, a dump of all stacks. Each processor has to be reached and
stopped, and is started again afterwards. One call does that at a time, so others queue
for it. Once a minute it is not noticed; at each request it is the most expensive line of
the program, and its price grows with the processors.`),
	Looks: prose(`
Cores in use fall while goroutines are ready. The CPU profile has runtime.ReadMemStats or
its like, with the allocator's caches that it empties. The trace has the world stopped
again and again, and goroutines that wait to stop it.`),
	Evidence: []string{
		"processor time beyond the base's in calls that stop the world",
		"in the trace, processors idle beside ready goroutines while the world is stopped by such a call, or while others wait to stop it",
	},
	Before: source(`
func heapBefore(request func()) uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m) // stops all others, for each request
	request()
	return m.HeapAlloc
}
`),
	After: source(`
// Metrics of runtime/metrics are read while all goroutines go on.
func heapBeforeRead(request func()) uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	request()
	return s[0].Value.Uint64()
}
`),
	Do: "Read runtime/metrics, which stops nothing, or measure once in a while instead of each time",
	Wrong: prose(`
When the call is made seldom, once in some seconds for a dashboard, it costs nothing that
counts. When all statistics have to be of one instant, only ReadMemStats has them.`),
	Cures: []string{"runtime/metrics.Read"},
	See: []string{
		"https://pkg.go.dev/runtime#ReadMemStats",
		"https://pkg.go.dev/runtime/metrics",
	},
})
