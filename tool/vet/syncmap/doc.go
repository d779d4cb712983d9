// Package syncmap finds sync.Maps that a plain map could stand for.
//
// Slow, where it is written often, or only one goroutine has it:
//
//	var seen sync.Map
//	for i, name := range names {
//		if _, again := seen.LoadOrStore(name, i); again {
//			twice++
//		}
//	}
//
// Better: a map whose keys have one type, where only one goroutine has it.
//
//	type seenMap[K comparable, V any] struct{ m map[K]V }
//
//	func (x *seenMap[K, V]) LoadOrStore(key K, value V) (actual V, loaded bool) …
//
//	var seen seenMap[string, int]
//
// # Cost
//
// A sync.Map holds interface values: most keys and values are allocated, hashed
// and compared through their types, in a tree of small tables. It pays where many
// goroutines look up what hardly changes.
//
// # Evidence
//
// The cause syncmap around the calls of its methods.
//
// # Edits
//
// plain: a type for the map, with those methods of sync.Map that the package calls. What
// calls them stays as it is. The zero value is an empty map, as before. The values stay
// interface values, unless they have one type and no code looks at one. Only one goroutine
// has the map, or nothing writes to it once another may have it. So it is with a variable
// that init fills, and with a field that the maker of its struct fills. So it is with a
// local one that has all before a function literal gets it.
//
// # Refused
//
// Maps that one goroutine may write while another has them: a lock beside the map can
// be slower. Maps that are used otherwise than by calls of their methods, and pointers to
// maps. Maps that other packages can reach, by a name or an embedded field. Maps
// that fmt or reflection may show in a value of their struct. Maps whose struct
// is copied or generic. Keys of several types, those that are interface values,
// or hold such or floating point numbers: these may equal nothing, not even
// themselves.
package syncmap
