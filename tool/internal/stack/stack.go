// Package stack reads the stacks of Go programs, as profiles and traces hold
// them: which frames are the user's, what mechanism of the runtime or of the
// standard library is at work beneath those, and what a goroutine waits for.
//
// The mechanisms are tables of function names (rules.go), made for Go 1.22 to
// 1.27: a function that a later release adds to the runtime counts as the
// runtime's until it has a row. Frames come leaf first, inlined ones included.
//
// Cost: every function is matched once by a Reader, some microseconds; a frame
// that is known costs a look into a map.
package stack

// A Category is a mechanism that time is charged to.
type Category string

const (
	User      Category = "user"      // the user's own code, and library code that does its work: bytes, crypto, math, slices, strings, …
	Chan      Category = "chan"      // send, receive, close and make of a channel
	Select    Category = "select"    // select with any number of cases
	Spawn     Category = "spawn"     // start and end of goroutines
	Switch    Category = "switch"    // from one goroutine to the next: parking, preemption, iter.Pull
	Idle      Category = "idle"      // no work: stealing, spinning, putting threads to sleep and waking them
	Lock      Category = "lock"      // sync.Mutex, writers of a sync.RWMutex, and waits for those within sync.Map, sync.Pool and files
	Cond      Category = "cond"      // sync.Cond with the Lock that its Wait ends with
	RWMutex   Category = "rwmutex"   // readers of a sync.RWMutex with all that is beneath them
	WaitGroup Category = "waitgroup" // sync.WaitGroup, without the goroutines that its Go starts
	Once      Category = "once"      // sync.Once, sync.OnceFunc, …
	GC        Category = "gc"        // the collector, its assists and write barriers wherever they occur
	Sweep     Category = "sweep"     // freeing what was not marked; in records of before, a part of gc
	Alloc     Category = "alloc"     // allocation, with the clearing and copying it does
	AllocWait Category = "allocwait" // locks of the allocator, waiting included
	Pool      Category = "pool"      // sync.Pool
	PoolMiss  Category = "poolmiss"  // allocation in the New of a sync.Pool that had nothing to give
	Copy      Category = "copy"      // copying and clearing memory
	Map       Category = "map"       // maps, hashing of keys
	MapGrow   Category = "mapgrow"   // moving the entries of a map that grows into a larger table
	SyncMap   Category = "syncmap"   // sync.Map
	Syscall   Category = "syscall"   // system calls
	World     Category = "world"     // stopping the world for a call, as for runtime.ReadMemStats, with what is done meanwhile
	Cgo       Category = "cgo"       // going to C and back, not what C does there
	Net       Category = "net"       // package net and net/http with their system calls
	Dial      Category = "dial"      // setting up connections: dialing and the handshakes of TLS, with all that they do
	Stack     Category = "stack"     // growing and shrinking of stacks
	Reflect   Category = "reflect"   // reflect and what is built on it, fmt and encoding/json first of all
	Sort      Category = "sort"      // package sort's and container/heap's interfaces, with the methods they call
	Yield     Category = "yield"     // runtime.Gosched
	Timer     Category = "timers"    // timers, tickers, sleeping; contexts with a deadline, with all that they do
	TimerMade Category = "timermade" // allocation in making those
	Clock     Category = "timer"     // reading the clock; in records of before, timers as well
	Defer     Category = "defer"     // deferred calls and panics
	Runtime   Category = "runtime"   // the rest of the runtime; the harness of benchmarks
)
