//go:build !gc || !amd64

package help

import "time"

func ticks() int64 { return int64(time.Since(epoch)) }
