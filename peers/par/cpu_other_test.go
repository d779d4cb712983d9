//go:build !unix

package par

import "time"

func cpuTime() time.Duration { return -1 }
