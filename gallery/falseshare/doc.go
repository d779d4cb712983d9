// Package falseshare sums 0..limit-1 with workers that add into neighbouring
// words, and shows what that costs, what it is mistaken for, and what helps.
//
// # Symptom
//
// The shares are even, none waits for another, all processors are busy. Yet the
// concurrent loop takes several times as long as the serial one. Each processor more
// makes it worse.
//
// # Cause
//
// Caches own memory by the line (64 bytes on most machines), not by the word. The sums
// of [PackedAtomic] are different words of one line, so every addition takes the line
// away from the other worker. [Packed] does the same with plain stores. There two costs
// hide in one number. One is the line that moves. The other is the load and store of
// memory for every item where the serial loop has a register. [PaddedPlain] keeps the
// second cost and drops the first, which tells them apart.
//
// [Shared] looks alike from outside and is another disease: all workers want
// the same word. [SharedPadded] is the proof that padding does not help there.
//
// # Cures
//
//   - [Channel]: a local variable per worker, one send per worker. Prefer it:
//     it removes both costs.
//   - [Local]: the same by counter.Local, for where each worker builds a value
//     that may be larger than a register.
//   - [Reduce]: par.ReduceN, which also leaves the division to the library. With
//     no workers to start on one processor it is the shortest, and never slower
//     than the loop.
//   - [Padded], [PaddedPlain]: the words moved apart. For where the words must
//     stay visible while the work goes on. Even an atomic addition that no other
//     wants costs many times one in a register, so with few processors Padded
//     beats PackedAtomic and not Serial.
//
// # Source
//
// "Why is my concurrent code slower?" by Christoph Berger,
// https://appliedgo.net/concurrencyslower/. The article sums to 10,000,000,000
// on a laptop with two hyperthreaded cores, four logical ones (darwin/amd64,
// Go 1.12). It shows one run of each per table:
//
//	serial                                        6.09 s    6.02 s
//	one slice element per goroutine (plain +=)   15.74 s   15.83 s
//	local variable, sent over a channel             –      1.95 s
//
// So the goroutines made it 2.6 times slower, and the local variable 3.1 times
// faster than the loop. It puts all of the loss down to false sharing. Its chunks
// are limit/n long, which drops the end of a limit that n does not divide; those
// here cover any limit. The benchmark here sums to 1,000,000.
//
// # Measure
//
// Each variant is held to limit*(limit-1)/2. Every addition of the variants that lose
// is a store to memory, so none is left out. Serial, Channel, Local and Reduce call one
// loop that is not inlined. Nothing is set up but the sums. False sharing is the
// difference between Packed and PaddedPlain, and between PackedAtomic and Padded, at
// two processors. At one, moving the words apart gains nothing.
//
// # Today
//
// Seen with two processors of a virtual machine; docs/articles.md has the figures.
//
// Holds: packed loses to serial at two processors, the atomic one by more, and
// the local variable beats both. Moving the atomics apart makes them scale;
// moving the one shared atomic does nothing.
//
// Holds less clearly:
//
//   - How much of Packed's loss is false sharing depends on the processor. Some
//     cores forward a store to the next load at no cost. These run Packed on one
//     processor as fast as Serial, and all of the loss at two is the line. On
//     one that does not, most of the loss is there with one processor already
//     and padding gains little. Compare Packed with PaddedPlain before
//     believing either.
//   - Packed varies several-fold between processes, since a core may make many
//     plain additions before it has to give the line up. PackedAtomic does not
//     have that freedom and is the steadier specimen.
//   - Channel beats Serial only where the second processor is a real one. This
//     loop keeps a core busy every cycle, so two virtual processors on one
//     physical core gain nothing by it.
//
// Where the local variable only just keeps up with Serial, look at the instructions
// too. A loop this short runs at half speed if it straddles a fetch boundary. These
// variants therefore call the same loop.
package falseshare
