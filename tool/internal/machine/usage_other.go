//go:build !linux

package machine

// ReadUsage returns a snapshot of the processor time used on this machine.
// Only Linux tells it without privileges; elsewhere it holds nothing.
func ReadUsage() Usage { return Usage{} }
