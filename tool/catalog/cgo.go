package catalog

var Cgo = enter(Cause{
	Slug:  "cgo",
	Part:  "code",
	Title: "A call of C for each item",
	What: prose(`
A call of C leaves Go: the goroutine tells the scheduler as before a system call,
changes to the thread's own stack, and on the way back asks for its processor again, which
another goroutine may have taken meanwhile. That is dozens of times the price of a Go function.
Strings and slices that are copied for C, and freed, come on top. What C does with the
time in between is not the trouble.`),
	Looks: prose(`
Overhead is far above 1 at one processor already. The CPU profile has the runtime's entry
and exit of system calls beneath cgo's call, and little time in C itself. The
compiler inlines nothing across the call.`),
	Evidence: []string{
		"processor time between Go and C, on both ways, beyond the base's; C's own time is work",
	},
	Before: source(`
// call stands for a C function, like C.weigh.
func weighEach(xs []int32, call func(x int32) int32) int32 {
	total := int32(0)
	for _, x := range xs {
		total += call(x)
	}
	return total
}
`),
	After: source(`
// call stands for a C function that loops over what it gets, like
// C.weigh_all((*C.int)(unsafe.Pointer(&xs[0])), C.int(len(xs))).
func weighAll(xs []int32, call func(xs []int32) int32) int32 {
	return call(xs)
}
`),
	Do: "Hand C a whole slice in one call, or write the small function in Go",
	Wrong: prose(`
When each call does microseconds of work in C, the way there is nothing beside it. Calls
that block in C hold a thread each, which is another matter. Memory handed over must
not hold Go pointers that C keeps.`),
	Cures: []string{"unsafe.SliceData", "runtime.Pinner"},
	See: []string{
		"https://go.dev/wiki/cgo",
		"https://pkg.go.dev/cmd/cgo",
	},
})
