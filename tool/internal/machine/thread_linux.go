package machine

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// threadCPUTime returns the processor time of the calling thread up to this
// moment. It is tempting to ask getrusage for RUSAGE_THREAD; that answers as
// of the last scheduler tick, up to 10 ms ago.
func threadCPUTime() (time.Duration, bool) {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		return 0, false
	}
	return time.Duration(ts.Nano()), true
}

// currentCPU returns the processor that the calling thread runs on, -1 if unknown.
func currentCPU() int {
	var cpu uint32
	if _, _, e := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&cpu)), 0, 0); e != 0 {
		return -1
	}
	return int(cpu)
}
