//go:build !unix && !windows

package machine

import "time"

// cpuTimeStep is the resolution of CPUTime.
const cpuTimeStep = 0

// CPUTime returns the processor time that this process has used so far, in
// user and system mode, of all its threads, those that ended included. It
// reports false where the platform does not tell, as here.
func CPUTime() (time.Duration, bool) { return 0, false }
