// Package instr tells what kind of instruction the processor was waiting for
// at an address where a CPU profile has many samples.
//
// A sample falls on the instruction after the one that took the time, so the
// package decodes the function around the address and blames what precedes it.
// It decodes amd64 and arm64. It says what an instruction does to memory, not
// which variable that is. Debug information it reads only for [Binary.Frames].
//
// Cost: Read reads the tables of the file, not its code; At decodes one function.
package instr

// A Kind is what an instruction does that can be slow.
type Kind string

const (
	Locked  Kind = "locked"  // atomic read-modify-write: a LOCK prefix, XCHG with memory, LDADDAL, CAS, LDAXR and STLXR
	RMW     Kind = "rmw"     // plain read-modify-write of memory, in one instruction or as load, operation, store
	Store   Kind = "store"   // plain store
	Load    Kind = "load"    // plain load
	Stream  Kind = "stream"  // many bytes at once: REP MOVS, moves of vector registers
	Call    Kind = "call"    // call of a function
	Branch  Kind = "branch"  // jump or return
	Compute Kind = "compute" // touches registers alone
	Pause   Kind = "pause"   // PAUSE, YIELD: the wait within a spin lock
)

// A Hot is the verdict on one address.
type Hot struct {
	Kind  Kind   `json:"kind"`
	Text  string `json:"text"`  // the instruction blamed, in Go's syntax
	Next  string `json:"next"`  // the instruction at the address asked for
	Mem   string `json:"mem"`   // its memory operand, like 0x8(AX)(CX*8); "" without one
	Index bool   `json:"index"` // the operand has an index, or is addressed from SP
	Stack bool   `json:"stack"` // the operand is addressed from SP: private to its goroutine
	Func  string `json:"func"`  // the function that holds the address, as the linker names it
	Addr  uint64 `json:"addr"`  // of the instruction blamed
}
