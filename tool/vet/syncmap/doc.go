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
// Better: a map of one type of keys and values, behind a lock if several
// goroutines may use it while one writes.
//
//	type seenMap struct{ m map[string]int }
//
//	func (x *seenMap) LoadOrStore(key string, value int) (actual int, loaded bool) …
//
//	var seen seenMap
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
// All make a type for the map, with those methods of sync.Map that the package
// uses. They write it wherever the map is declared, made or passed on. The zero
// value is an empty map, as before. What is asserted to be of the type of all
// values needs no assertion, and where there may be no value, it panics as
// before. Values of several types, and those that are passed on where there may
// be none, stay interface values.
//
// plain: no lock, where what writes the map is alone with it. The map is a
// local variable of the function that makes it, before a goroutine, a caller or
// another variable can have it. It replaces the others.
//
// locked, rwlocked: a sync.Mutex, or a sync.RWMutex, beside the map. Range takes
// the keys first, and looks for each under the lock, as the function that it
// calls may use the map.
//
// plain is also offered with room for 64 and for 512 elements. A map that
// grows, or in which keys come and go, moves its elements less often then.
//
// copied: an atomic pointer to a map that does not change. What writes copies it
// first: for maps that are written outside loops.
//
// # Refused
//
// Maps that other packages can reach, by a name, an embedded field, or a
// parameter of an exported function or method. Maps that fmt or reflection may
// show in a value of their struct. Maps whose struct is copied or generic, or
// whose methods serve as values. Keys of several types, those that are
// interface values, or hold such or floating point numbers: these may equal
// nothing, not even themselves.
package syncmap
