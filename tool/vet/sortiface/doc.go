// Package sortiface finds sorting through package sort's interface and offers
// package slices, which knows the element type.
//
// Wrong, where it is hot:
//
//	sort.Slice(people, func(i, j int) bool { return people[i].age < people[j].age })
//
// Right:
//
//	slices.SortFunc(people, func(a, b person) int { return cmp.Compare(a.age, b.age) })
//
// # Cost
//
// sort.Slice calls the less function and a swap made by reflection for each
// step; sort.Sort calls three methods through an interface. In contrast,
// slices.Sort compares without a call and moves elements by copying. See the
// record of the gallery case interfacesort for what that is worth.
//
// # Evidence
//
// The cause interfacesort on the line of the call, or of its less function.
//
// # Edits
//
// typed: slices.Sort, SortFunc or SortStableFunc in its place. The less function
// becomes a comparison: a[i].x < a[j].x is cmp.Compare(a.x, b.x), one key
// after another where there are several. For integers and strings in descending
// order, the edit sorts them and calls slices.Reverse.
//
// Neither sort.Slice nor slices.SortFunc is stable, and they need not agree on the
// order of elements that compare as equal. Only the tests of a package can say
// whether that matters to it. That goes for slices with a NaN, too: with < they
// have no order, with cmp.Compare a NaN is the least.
//
// # Refused
//
// A less function that is more than a chain of strict comparisons, or holds a
// comment. One that uses the
// indexes for anything but the elements of what is sorted. A less function that reads
// variables from outside, or takes the address of an element. A stable sort by floats: for
// < a NaN is like every number and stays between its neighbours. A type whose Swap moves
// more than one slice, or whose Len or Less is not that of the slice.
//
// sort.Ints, Strings and Float64s are package slices already since Go 1.22, and
// are no finding.
package sortiface
