// Package reflecthot finds calls that learn at run time what the compiler knew:
// fmt, encoding/json and reflect.
//
// Wrong, where it is hot:
//
//	key := fmt.Sprintf("%s:%d", host, port)
//	data, err := json.Marshal(event)
//
// Right:
//
//	key := host + ":" + strconv.Itoa(port)
//	data, err := json.Marshal(&event)
//
// # Cost
//
// fmt parses its format and puts each argument into an interface, which
// allocates for most; encoding/json copies what it gets by value. package
// reflect calls through tables. See the record of the gallery case reflection.
//
// # Evidence
//
// The causes reflection and alloc on the lines of the call.
//
// # Edits
//
// typed: package strconv in place of a format whose verbs are plain. Its arguments
// are basic types without methods, or, by %v and %+v, structs of such fields. In
// writes to a bytes.Buffer or a bufio.Writer the digits go where they belong without
// a string between. In fmt.Appendf and in writes to a strings.Builder the parts
// become one string first where others could tell several steps from one. That is so
// where others may know the array that append gets, for its spare capacity would hold
// a part. It is so, too, where an argument may panic after a part was written.
//
// typed, too: a function of the package that compares the fields in place of
// reflect.DeepEqual. Both values have to be of one type: basic types, structs,
// pointers to them, slices and maps. A nil slice is still none that is empty.
//
// append: fmt.Appendf in place of appending what fmt.Sprintf made. direct:
// fmt.Fprintf in place of writing it.
//
// # Refused
//
// DeepEqual of types that hold themselves, interfaces, functions, fields that
// cannot be named, more than a hundred parts, or floats in a slice or map. Of
// these, each equals itself, whatever NaN is in it.
//
// Verbs with flags or widths, arguments and fields with methods (String, Error,
// Format), interfaces and type parameters. Pointers to structs, but for &x and
// &T{…}: they may be nil. What a call in a later argument may change: fmt reads it after
// that. A struct whose fields are more than variables. The edit direct in a deferred call and in a go
// statement: they make the text where they stand, not where they run. Typed codecs
// for encoding/json: they have to be written or generated, no edit makes them.
package reflecthot
