// Package unbuffered finds reads and writes of files in loops, without a buffer.
//
// Wrong, where w is a file, a connection or a pipe:
//
//	for _, r := range records {
//		if _, err := w.Write(r); err != nil {
//			return err
//		}
//	}
//
// Right:
//
//	bw := bufio.NewWriter(w)
//	defer bw.Flush() // what is left if the loop panics
//	for _, r := range records {
//		if _, err := bw.Write(r); err != nil {
//			return err
//		}
//	}
//	if err := bw.Flush(); err != nil {
//		return err
//	}
//
// A call of the system costs some hundred nanoseconds (see the catalogue's
// syscalls). A write to an io.Pipe costs a hand-off to its reader and one back. A
// buffer copies the bytes for a few.
//
// # Evidence
//
// A benchmark that loses to system calls, hand-offs or the network, in the loop or
// in a function that it hands the file to.
//
// # What is not found
//
// What is in memory or has a buffer. Its type tells, or, for a parameter of a
// function that is not exported, what the package hands over. Types of other
// packages than os, net, crypto/tls and io: it is not known what a write is
// there.
//
// # Edits
//
//   - buffer: read or write through package bufio. Those of the two ends of a
//     pipe are tried together.
//
// The flush comes after the loop. The code treats its error as it does that of a
// write. A caller may learn later than before that a write fails: the loop goes on
// until the buffer is full.
//
// A write is refused a buffer where a reader may wait for it. There the loop
// receives, locks, reads, or calls what may do more than compute. So are loops
// with other ends, that go on after an error, or that look at how much each call
// has written. So are what may be a datagram, and files that others may use
// meanwhile. Those are variables of the package or of a function around, fields
// that a goroutine of the package uses, and what several goroutines share. What
// goes out is the same for what reads a stream. What looks at the file itself,
// after a crash that ends the process at once, finds up to 4096 bytes less.
//
// A read is refused one where others may go on reading. There the loop ends
// otherwise than by a read that fails. It does no harm if the function opens the
// file and otherwise only closes it. A Read may return less from a buffer, and is
// refused. So is a ReadAt: it can come from a block that is read once.
package unbuffered

const doc = "find reads and writes of files in loops, without a buffer\n\nEach is a call of the system; a buffer makes one of many."
