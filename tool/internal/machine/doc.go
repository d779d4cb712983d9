// Package machine tells what this machine is and what it can really give a Go
// program now: processors, noise, and the price of the operations that
// concurrent code is made of.
//
// A figure of a probe holds for the moment it was taken. Take it again beside
// every measurement; do not keep it as a property of the hardware, and do not
// compare two machines by it: [ProbePrices] spends milliseconds, a benchmark
// spends seconds.
//
// [Describe], [ReadLoad] and [CPUTime] cost less than a millisecond. A probe
// takes the time its caller gives it, keeps as many processors busy as it
// probes, changes GOMAXPROCS for that time and puts it back. Nothing else
// should run in the process meanwhile: its work would be taken for noise.
// Probes and Describe may be called at once from several goroutines; they run
// one after the other.
package machine
