// Package poolreset finds objects that grow and are put into a sync.Pool with
// what is in them.
//
// Wrong:
//
//	buf := bufs.Get().(*bytes.Buffer)
//	buf.WriteString(s)
//	bufs.Put(buf)
//
// Right:
//
//	buf := bufs.Get().(*bytes.Buffer)
//	buf.WriteString(s)
//	buf.Reset()
//	bufs.Put(buf)
//
// # Cost
//
// Each use appends to what earlier ones left. The object grows without bound
// until a collection drops it, and with it the time to grow it. What it points
// to stays alive. Where that is read, results are wrong as well.
//
// # Evidence
//
// The causes alloc, gc and pool, and memory that is copied, in the function.
//
// # Edits
//
// None: what the next Get finds would change, and only the author can say that
// nothing counts on it. The refusal says what to put before the Put.
//
// # Refused
//
// A function that hands the object to one of its own package or of an unknown one
// has no finding: that may reset it.
package poolreset
