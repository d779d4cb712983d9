// Package ticker wakes a goroutine periodically, as a packet from outside would,
// for benchmarks of what comes seldom.
package ticker
