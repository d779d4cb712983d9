// Package predict says how fast a benchmark would be on more processors than it was
// measured on: a speedup with a band, and why.
//
// What is fixed of a program is its task graph ([exectrace.Graph]): what its goroutines
// computed, and what waited for what. What is not, the schedule, is made anew: the graph
// runs on the modelled machine of package world, with its run queues, thefts and wakes,
// at the prices of a machine.
//
// A trace does not hold all that decides. What it leaves open is moved over its range:
// whether a sender waits for its receiver, whether workers share their work evenly, what
// wakes and lines cost, how much slower each doubling of the processors makes
// computing. Each choice is one model of the program. Those that contradict what was
// measured at several processors are dropped; the band is what the others say. Where all
// are dropped, or the band is too wide, there is no prediction, and the reason stands in
// its place.
//
// It runs nothing of the user's and reads no clock: the same traces give the same
// figures. One prediction runs some hundred simulations, each of milliseconds. Do not
// use it for processors that can be had: payoff run measures those.
package predict
