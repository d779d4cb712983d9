package catalog

var Syscalls = enter(Cause{
	Slug:  "syscalls",
	Part:  "code",
	Title: "Small system calls",
	What: prose(`
A read or write on a file or connection is a call into the kernel, and its fixed price
is the same for one byte as for thousands. The Go scheduler has a part in it: a
processor whose thread stays in the kernel is handed to another thread and has to be
taken back. Goroutines that write to one file also queue for that file's lock, so they
are no faster together.`),
	Looks: prose(`
The CPU profile has system calls, and with several processors the lock of the file and
the scheduler's idling and waking. Cores in use are fewer than processors, or inflation
is above 1. The trace has a system call per item.`),
	Evidence: []string{
		"processor time in system calls beyond the base's, with the processors that goroutines leave for them",
		"system calls per operation, counted in the trace",
	},
	Before: source(`
func writeEach(f *os.File, lines []string) error {
	for _, line := range lines {
		if _, err := fmt.Fprintln(f, line); err != nil {
			return err
		}
	}
	return nil
}
`),
	After: source(`
func writeBuffered(f *os.File, lines []string) error {
	w := bufio.NewWriter(f)
	for _, line := range lines {
		w.WriteString(line)
		w.WriteByte('\n')
	}
	return w.Flush() // the first error of them all
}
`),
	Do: "Put a buffer before small reads and writes",
	Wrong: prose(`
When each write has to be out before the next step, as a log has before a crash or an
answer in a protocol, a buffer breaks that; flush at those points. Buffered data is lost
without a Flush. A bufio.Writer is for one goroutine: give each its own, or one
goroutine that writes for all. When the device is the limit, fewer calls do not make it
faster.`),
	Cures: []string{"bufio.Writer", "bufio.Reader", "bytes.Buffer", "net.Buffers"},
	See: []string{
		"https://pkg.go.dev/bufio",
		"https://medium.com/a-journey-with-go/go-concurrency-scheduler-affinity-3b678f490488",
	},
})
