// Package cacheline says how far apart two words must lie so that processors
// that write them do not disturb each other.
package cacheline

// Size is the distance in bytes. It is two lines of 64 on most processors,
// since some fetch lines in pairs (Intel's spatial prefetcher) or have lines of
// 128 (Apple's, POWER's); s390x has 256.
//
// A field of [Size - sizeof(x)]byte after x keeps what follows off x's line
// wherever the struct lies in memory: Go aligns allocations to less than a line.
const Size = size

// A Pad between two fields keeps them off each other's lines.
type Pad [Size]byte
