package machine

import (
	"os"
	"time"
)

// ReadLoad returns a snapshot of the machine's processor time.
// Only Linux tells it without privileges; elsewhere OK is false.
func ReadLoad() Load {
	b, err := os.ReadFile("/proc/stat")
	at := time.Now()
	if err != nil {
		return Load{At: at}
	}
	l, _ := parseStat(b)
	l.At = at
	return l
}
