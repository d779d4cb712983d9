// Package poolreset finds buffers that grow and are put into a sync.Pool with
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
// Each use appends to what earlier ones left. The buffer grows without bound
// until a collection drops it, and with it the time to grow it. Where what is in
// it is read, results are wrong as well.
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
// A function that hands the buffer on, other than as an io.Writer, has no finding:
// that may reset it. Objects other than a bytes.Buffer are not looked at.
package poolreset
