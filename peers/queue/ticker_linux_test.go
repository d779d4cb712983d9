package queue

import (
	"os"
	"syscall"
	"time"
	"unsafe"
)

// A ticker is a timer of the kernel, read through the network poller: the
// goroutine parks, as one does that waits for a packet. The runtime's own timers
// would not do, since an idle process waits for them in whole milliseconds.
type ticker struct {
	f   *os.File
	buf [8]byte // how often it has fired since the last read
}

func newTicker(period time.Duration) (*ticker, error) {
	const clockMonotonic = 1
	fd, _, errno := syscall.Syscall(syscall.SYS_TIMERFD_CREATE, clockMonotonic, syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if errno != 0 {
		return nil, os.NewSyscallError("timerfd_create", errno)
	}
	f := os.NewFile(fd, "timer")
	ts := syscall.NsecToTimespec(int64(period))
	spec := struct{ interval, value syscall.Timespec }{ts, ts}
	if _, _, errno := syscall.Syscall6(syscall.SYS_TIMERFD_SETTIME, fd, 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0); errno != 0 {
		f.Close()
		return nil, os.NewSyscallError("timerfd_settime", errno)
	}
	return &ticker{f: f}, nil
}

func (t *ticker) wait() error {
	_, err := t.f.Read(t.buf[:])
	return err
}

func (t *ticker) stop() { t.f.Close() }
