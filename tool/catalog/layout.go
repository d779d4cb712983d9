package catalog

var Layout = enter(Cause{
	Slug:  "layout",
	Part:  "machine",
	Title: "Where the linker puts the code",
	What: prose(`
A loop runs faster or slower depending on where its instructions lie: whether it
straddles the lines in which the processor fetches and keeps decoded instructions, and
which other branches share a slot of the predictors with it. Every change of a program,
also in code that is never run, moves all functions after it. The difference is real in
this binary and gone, or turned around, in the next.`),
	Looks: prose(`
The ratio differs from one layout of the functions to the next by more than from run to
run in one layout. Averaged over layouts little is left of the difference. The profile
shows the very same instructions on both sides, some of them slower.`),
	Evidence: []string{
		"the pairs were measured in many orders of the functions, each several times",
		"the ratio scatters between layouts more than chance allows",
		"from layout to layout the difference changes its sign, or by half and more",
	},
	Before: source(`
// A short loop, some instructions for each byte: its place in memory moves its
// time by a tenth.
func countSpaces(text []byte) int {
	n := 0
	for _, c := range text {
		if c == ' ' {
			n++
		}
	}
	return n
}
`),
	After: source(`
// A long block of work for each turn of the loop hardly cares where it lies.
func countSpacesAtOnce(text []byte) int {
	return bytes.Count(text, []byte{' '})
}
`),
	Do: "Do not choose by this difference: it belongs to the binary, not to the code",
	Wrong: prose(`
When the binary that was measured is the one that will run, unchanged, its layout counts
as much as its code. A profile-guided build aligns hot loops on some processors; measure
what is built that way.`),
	Cures: []string{"bytes.Count"},
	See: []string{
		"https://people.cs.umass.edu/~emery/pubs/stabilizer-asplos13.pdf",
		"https://go.dev/issue/72130",
	},
})
