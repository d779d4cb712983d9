package catalog

var GC = enter(Cause{
	Slug:  "gc",
	Part:  "code",
	Title: "The collector marks a large heap again and again",
	What: prose(`
A collection follows all pointers to all that lives. How much that is does not depend
on how much is allocated: a cache or an index of millions of pointers is walked
anew each time that garbage has made the heap twice as large. Marking takes a quarter of
the processors while it goes on, goroutines that allocate must help, and every
store of a pointer goes through a barrier meanwhile.`),
	Looks: prose(`
The overhead is above 1 for little allocation, and at one processor the collector takes
turns with the code. The CPU profile has marking and scanning, far more of it than
allocation. The samples count collections and tell how much lives in the heap. The
trace has the collector's workers beside the program's, goroutines that must
assist, and processors on which only the collector runs.`),
	Evidence: []string{
		"processor time in marking, assists and write barriers beyond the base's, or processors idle while only the collector runs",
		"the heap that lives is larger than the smallest goal of the collector, so that it and not the allocating decides what a collection costs",
	},
	Before: source(`
// The index has two pointers for each entry, and each collection follows them.
type entryLinked struct {
	name *string
	next *entryLinked
}

func indexLinked(names []string) map[string]*entryLinked {
	index := make(map[string]*entryLinked, len(names))
	var last *entryLinked
	for _, name := range names {
		last = &entryLinked{name: &name, next: last}
		index[name] = last
	}
	return index
}

func lenLinked(index map[string]*entryLinked, name string) int {
	if e := index[name]; e != nil {
		return len(*e.name)
	}
	return -1
}
`),
	After: source(`
// All names are one string, and entries hold numbers: the collector looks at
// two slices and does not go into them. The table is sorted by name.
type indexFlat struct {
	text string
	ends []uint32
}

func newIndexFlat(names []string) indexFlat {
	sorted := slices.Compact(slices.Sorted(slices.Values(names)))
	x := indexFlat{text: strings.Join(sorted, "")}
	end := 0
	for _, name := range sorted {
		end += len(name)
		x.ends = append(x.ends, uint32(end))
	}
	return x
}

func (x indexFlat) name(i int) string {
	from := uint32(0)
	if i > 0 {
		from = x.ends[i-1]
	}
	return x.text[from:x.ends[i]]
}

func (x indexFlat) len(name string) int {
	i := sort.Search(len(x.ends), func(i int) bool { return x.name(i) >= name })
	if i < len(x.ends) && x.name(i) == name {
		return len(name)
	}
	return -1
}
`),
	Do: "Hold large data without pointers, and let the heap grow further between collections",
	Wrong: prose(`
When the live heap is small, collections are many because much is allocated: see
alloc. When memory is short, a larger heap between collections is not to be had, and
fewer pointers are all there is. Data without pointers are harder to change; where
they are rebuilt often, that costs more than it saves.`),
	Cures: []string{"runtime/debug.SetGCPercent", "runtime/debug.SetMemoryLimit", "slices.Sort"},
	See: []string{
		"https://go.dev/doc/gc-guide",
		"https://go.dev/issue/9477 (maps without pointers are not scanned)",
	},
})
