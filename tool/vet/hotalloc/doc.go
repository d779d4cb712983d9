// Package hotalloc finds allocations that a loop or a call repeats, and offers
// what makes them once or not at all.
//
// Wrong, where it is hot:
//
//	for _, name := range names {
//		key := make([]byte, 0, 64)
//		key = append(key, name...)
//		sum += crc32.ChecksumIEEE(key)
//	}
//
// Right:
//
//	key := make([]byte, 0, 64)
//	for _, name := range names {
//		key = key[:0]
//		key = append(key, name...)
//		sum += crc32.ChecksumIEEE(key)
//	}
//
// # Cost
//
// An allocation takes time for finding and clearing the memory, and later for
// collecting it. What the compiler keeps on the stack costs nothing, and its
// escape analysis knows better than this check. Without evidence there is no
// finding. See https://go.dev/doc/gc-guide.
//
// # Evidence
//
// The causes alloc and gc in the loop, mapgrow for maps, and work for what is made anew
// and is the same. What the compiler said about the lines is told with it.
//
// # Edits
//
// presize: a slice or map that a loop of known length fills is made with room for
// it, or grown once by slices.Grow. So is a map made with less room.
//
// hoist: a slice, map or bytes.Buffer that does not outlive the iteration is made
// before the loop and emptied in it. One that has a length is cleared.
//
// pool: the same for what a call needs, kept in a sync.Pool of pointers between calls.
//
// share: what is the same each time is made once, in a variable of the package. It is a
// regexp, a strings.Replacer or a table of a checksum, made of constants. The check follows
// the value through the function, what it calls and what calls it. None may change it.
//
// A regexp or a time.Location may be made of a text that is no constant, like the field of
// a rule. So may a template, if its functions and options stay the same. Then a function
// makes it once for each text, and keeps up to 1000 in a sync.Map. It fails where it failed
// before. So does it for regexp.Match and regexp.MatchString. What a field or a variable of
// the package keeps is left alone.
//
// once: a struct keeps what the code makes of its fields, in an atomic.Pointer. Nothing
// writes the fields after that, and the code has no more than pointers to the struct. What
// fails or panics does so each time, and the zero value is as good as before. It stands
// in place of share.
//
// builder: a string that grows by += becomes a strings.Builder.
//
// # Refused
//
// What may be kept: stored, returned, sent, captured by a function literal,
// passed to a function that may not let go of it or that a variable holds. What is
// appended to while another variable has its array, or in two ways: the room decides
// whether they share it. Loops
// whose length is not known or that end early. A slice that is nil and would not
// be any more, where others could tell.
//
// To share what other code may change or get, like a regexp with a call of Longest, and
// what would fail to be made. A value of a function that sets a variable of the package by
// way of an interface: the call may come too early.
//
// To keep in a struct what is made of fields that may change, or that other packages can
// set. So is a struct that may be copied, printed or written without field names. The edit
// counts on other packages not copying what they have a pointer to.
//
// It counts on what io.Writer and io.Reader demand, that neither keeps the slice
// that it gets. Where a length is negative, making it panics with another text
// than before.
package hotalloc
