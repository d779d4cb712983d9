package catalog

var PageFault = enter(Cause{
	Slug:  "pagefault",
	Part:  "code",
	Title: "Memory touched for the first time",
	What: prose(`
Memory that a program gets from the system is a promise. The first touch of each page
traps into the kernel, which finds a page, clears it and enters it: a microsecond or so
for a few kilobytes, more on a virtual machine, and the threads of a process queue for
the kernel's locks there. Memory that is mapped, used once and given back pays that every
time. So does a program whose heap is handed back to the system between
jobs, by hand or by a limit that is too tight.`),
	Looks: prose(`
The samples count page faults, in proportion to the memory used, and much of the CPU time
is the kernel's though the profile shows few system calls: it shows the faults as plain
loads and stores, as clearing, or as allocation. Overhead is above 1, and
inflation comes on top where several threads fault at once.`),
	Evidence: []string{
		"page faults beyond the base's, at the price of one on this machine",
		"no more than the kernel's processor time beyond the base's, system calls left out",
	},
	Before: source(`
// marksFreed tells the system after each job that it may have the memory back.
func marksFreed(jobs [][]uint32) (marked int) {
	for _, job := range jobs {
		table := make([]bool, 1<<20)
		for _, x := range job {
			table[x%(1<<20)] = true
		}
		for _, there := range table {
			if there {
				marked++
			}
		}
		table = nil
		debug.FreeOSMemory()
	}
	return marked
}
`),
	After: source(`
func marksKept(jobs [][]uint32) (marked int) {
	table := make([]bool, 1<<20)
	for _, job := range jobs {
		clear(table)
		for _, x := range job {
			table[x%(1<<20)] = true
		}
		for _, there := range table {
			if there {
				marked++
			}
		}
	}
	return marked
}
`),
	Do: "Keep memory and use it again: one buffer for each worker, mapped and touched once",
	Wrong: prose(`
When the memory is needed once, one thread has to touch it first; several threads may
share that work. When others need the memory between two jobs, giving it back is right.
A benchmark of few operations shows the growth of the heap that a long run would not.`),
	Cures: []string{"recycle.Slices", "runtime/debug.SetMemoryLimit"},
	See: []string{
		"https://go.dev/doc/gc-guide",
		"https://docs.kernel.org/admin-guide/mm/transhuge.html",
	},
})
