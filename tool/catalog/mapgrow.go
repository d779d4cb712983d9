package catalog

var MapGrow = enter(Cause{
	Slug:  "mapgrow",
	Part:  "code",
	Title: "Maps that grow while they are filled",
	What: prose(`
A map that starts small moves all its entries into a table twice as large whenever it
is full: each entry is hashed and stored several times on the way, and the old tables
are garbage. Workers that each fill a map of their own pay that once for each, and a
map for every group or request pays it every time.`),
	Looks: prose(`
Overhead is above 1 at one processor already, where the base has one map of the right
size, or uses it again. The CPU profile has the growing of tables and the hashing
beneath it, clearing of fresh memory, and the collector.`),
	Evidence: []string{
		"processor time in moving entries into larger tables beyond the base's",
	},
	Before: source(`
func lastSeen(keys []string) map[string]int {
	at := map[string]int{}
	for i, key := range keys {
		at[key] = i
	}
	return at
}
`),
	After: source(`
func lastSeenSized(keys []string) map[string]int {
	at := make(map[string]int, len(keys)) // room for all
	for i, key := range keys {
		at[key] = i
	}
	return at
}
`),
	Do: "Make maps with the size they will have, or clear and use them again",
	Wrong: prose(`
When most keys are the same, the size of the input is far more than the map needs, and
clearing and walking a large table costs each time: count or guess the different
ones. Where a map ends up small nothing is won.`),
	Cures: []string{"maps.Copy", "slices.Sort"},
	See: []string{
		"https://go.dev/blog/swisstable",
	},
})
