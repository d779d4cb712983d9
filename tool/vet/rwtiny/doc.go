// Package rwtiny finds locks that are held for the read of a word or two. It finds
// methods that copy all under a lock, too, for calls that only read the copy.
//
// Bad:
//
//	type limits struct {
//		mu    sync.RWMutex
//		burst int
//	}
//
//	func (l *limits) get() int {
//		l.mu.RLock()
//		defer l.mu.RUnlock()
//		return l.burst
//	}
//
// Good:
//
//	type limits struct{ burst atomic.Int64 }
//
//	func (l *limits) get() int { return int(l.burst.Load()) }
//
// Each reader adds to the count of an RWMutex and subtracts from it again. Each
// time the word has to come from the core of the reader before. 8,192 reads took
// 113 µs on one processor and 217 on two (m09 of
// record/2026-11-23-epyc-2cpu/zoo-2). A Mutex has one such word as well, and less
// to do. An atomic load needs no turn at all, as its word stays in the caches of
// all cores until a goroutine writes.
//
// Evidence decides: time in the lock, or waiting for it, in the functions that
// take it. Without, nearly every getter of a program would be named.
//
// The edits, each tried on its own:
//
//   - drop takes the lock away where nothing is ever written under it. All that
//     it guards was set before others could read it, or needs no guard. A lock
//     that other packages can take, as one embedded in an exported type, stays
//     declared. They keep it for what is theirs, and what is read under it here
//     has to be out of their reach.
//
//   - cow has readers look at a copy that never changes, behind an atomic pointer. A write
//     takes it away, and the next reader makes another, under the lock. So the first read
//     after a write costs what copying does, and all is in memory twice. Sections that do
//     more than read keep the lock. It is for fields of a struct of the package: numbers,
//     strings, arrays and structs, and maps and slices of such or of pointers. Refused where
//     code writes one of them without the lock, or what it reads through a pointer.
//     Refused where the address of a part or all of a map or slice goes elsewhere. Refused
//     for one number alone, as an atomic would do, and where the struct is shown or copied.
//
//   - keep has calls that only read what a method copies under the lock share one copy, until
//     a section writes. It is for methods without parameters, called in their package or one that imports it, also
//     through an interface. Callers that change the copy or hand it on get one of their own,
//     as before. So the copy is made as often as before at most, and the last one stays in
//     memory. Nothing may write what it is made of without the lock, or have a pointer
//     to it. That lies under no other lock, and in no variable that changes.
//
// All uses of the lock have to be in sight: unexported, taken and given back in one list of
// statements. No call under it may be one whose effects the check does not know. A struct
// whose fields fmt may show keeps them.
// A Mutex is right where writes are as frequent as reads; an RWMutex where sections are long.
package rwtiny
