package machine

import (
	"math/bits"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// The clock of package time moves in steps of half a millisecond and more on
// Windows, too coarse for a batch of a few microseconds.
var (
	kernel32 = windows.NewLazySystemDLL("kernel32.dll")
	counter  = kernel32.NewProc("QueryPerformanceCounter")
	ticksPer = func() uint64 {
		var f int64
		syscall.SyscallN(kernel32.NewProc("QueryPerformanceFrequency").Addr(), uintptr(unsafe.Pointer(&f)))
		return uint64(max(f, 1))
	}()
)

// now returns the nanoseconds since some moment; it never goes back.
func now() int64 {
	var c int64
	syscall.SyscallN(counter.Addr(), uintptr(unsafe.Pointer(&c)))
	hi, lo := bits.Mul64(uint64(c), uint64(time.Second))
	ns, _ := bits.Div64(hi%ticksPer, lo, ticksPer)
	return int64(ns)
}
