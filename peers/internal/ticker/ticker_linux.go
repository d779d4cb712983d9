package ticker

import (
	"os"
	"syscall"
	"time"
	"unsafe"
)

// A Ticker is a timer of the kernel, read through the network poller: the
// goroutine parks, as one does that waits for a packet. The runtime's own timers
// would not do, since an idle process waits for them in whole milliseconds.
type Ticker struct {
	f   *os.File
	buf [8]byte // how often it has fired since the last read
}

// New returns a ticker that fires once in each period.
func New(period time.Duration) (*Ticker, error) {
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
	return &Ticker{f: f}, nil
}

// Wait waits until the ticker fires, or returns at once if it did meanwhile.
func (t *Ticker) Wait() error {
	_, err := t.f.Read(t.buf[:])
	return err
}

// Stop ends the ticker. Nobody may wait for it any more.
func (t *Ticker) Stop() { t.f.Close() }
