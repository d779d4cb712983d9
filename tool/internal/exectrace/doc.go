// Package exectrace reads a Go execution trace (Go 1.22 or newer) and says
// what the processors did in the timed part of it: what goroutines waited for,
// where idle processor time went, and how parallel the program could be.
//
// The timed part are the windows between marks: a trace.Log of category
// "payoff" with message "start" opens a window, "stop" closes it, and "reset",
// or "start" again, throws away what the open window has seen. Windows add up.
// A trace without marks counts whole.
//
// Do not read times of a traced run as those of the program: tracing slows a
// program that blocks often. Shares, counts and paths are what a trace is good
// for. For one goroutine's story use "go tool trace".
//
// Reading takes constant time for each event, amortised; BenchmarkRead tells
// how much, and how much of it is the decoder's. It takes memory for one
// generation of the trace (about a second of tracing, which the decoder holds
// whole), for the goroutines alive at a time and for distinct sites, never for
// the length of the trace. A second processor, where there is one, decodes ahead.
package exectrace
