package catalog

var InterfaceSort = enter(Cause{
	Slug:  "interfacesort",
	Part:  "code",
	Title: "Sorting through an interface",
	What: prose(`
Package sort compares and swaps through an interface or a pair of functions it cannot
see into: each is an indirect call where an instruction or two would do on integers.
sort.Slice swaps through a function that reflection makes. Package slices is generic: the element type is known,
moving an element is a copy, and slices.Sort compares without a call. A
parallel sort on top of package sort only divides that price by the processors.`),
	Looks: prose(`
The factors may all be in order, since base and variant pay the same. The CPU profile
has the functions of package sort, with Less and Swap, or the functions that were
passed, below them. Nothing of it is in the trace.`),
	Evidence: []string{
		"processor time in package sort's interface functions beyond the base's, with the Less and Swap they call",
	},
	Before: source(`
type person struct {
	name string
	age  int
}

func sortByIndex(people []person) {
	sort.Slice(people, func(i, j int) bool { return people[i].age < people[j].age })
}
`),
	After: source(`
func sortByValue(people []person) {
	slices.SortFunc(people, func(a, b person) int { return cmp.Compare(a.age, b.age) })
}
`),
	Do: "Sort with package slices",
	Wrong: prose(`
When what is sorted is no slice, or several slices move together, an interface is
what it takes. When a comparison is expensive, like a collation of texts, the calls
around it do not matter: compute keys once instead. Neither sort.Slice nor
slices.SortFunc is stable, and they need not agree on the order of equal elements; use
slices.SortStableFunc where that shows.`),
	Cures: []string{"slices.Sort", "slices.SortFunc", "slices.SortStableFunc", "par.Sort"},
	See: []string{
		"https://pkg.go.dev/slices#SortFunc",
		"https://pkg.go.dev/sort#Slice",
	},
})
