package machine

import (
	"time"

	"golang.org/x/sys/windows"
)

// cpuTimeStep is the resolution of CPUTime: the clock interrupt of Windows.
const cpuTimeStep = time.Second / 64

// CPUTime returns the processor time that this process has used so far, in
// user and system mode, of all its threads, those that ended included. It
// reports false where the platform does not tell. A thread that is running may
// be counted up to its last scheduler tick only, some milliseconds ago.
func CPUTime() (time.Duration, bool) {
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &user); err != nil {
		return 0, false
	}
	// Both are lengths of time in units of 100 ns; Filetime.Nanoseconds would
	// take them for dates.
	units := func(f windows.Filetime) int64 { return int64(f.HighDateTime)<<32 | int64(f.LowDateTime) }
	return time.Duration(100 * (units(kernel) + units(user))), true
}
