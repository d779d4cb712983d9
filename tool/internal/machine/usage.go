package machine

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"
)

// A Usage is a snapshot of the processor time that was used so far on this
// machine. Two of them around a process tell what others used meanwhile.
type Usage struct {
	load Load
	cpus int           // of the machine, usable or not
	self time.Duration // of this process
	// group is the processor time of the topmost control group that can be
	// seen, exact where /proc/stat counts ticks; 0 where there is none. In a
	// container it may be the container's own.
	group time.Duration
	slack time.Duration // by which group may be off
}

// parseUsage makes a Usage of the files of the kernel; nil for one that is not
// there. acct is cpuacct.usage of version 1, stat2 is cpu.stat of version 2.
func parseUsage(stat, acct, stat2 []byte) Usage {
	u := Usage{cpus: max(1, bytes.Count(stat, []byte("\ncpu")))}
	u.load, _ = parseStat(stat)
	if n, err := strconv.ParseInt(strings.TrimSpace(string(acct)), 10, 64); err == nil && n > 0 {
		u.group = time.Duration(n)
		return u
	}
	for line := range strings.Lines(string(stat2)) {
		if v, ok := strings.CutPrefix(line, "usage_usec "); ok {
			if n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64); err == nil && n > 0 && n < math.MaxInt64/1000 {
				u.group, u.slack = time.Duration(n)*time.Microsecond, time.Duration(u.cpus)*tick // the root's is made of ticks
			}
		}
	}
	return u
}

// Since returns what was taken from a process of procs threads between two
// snapshots. others is what other processes took, beyond the processors that it
// leaves free, as a share of what it could have used; NaN where the platform
// does not tell. steal is what the hypervisor took, as a share of what the
// process would have used: own, its processor time, with what was stolen, and at
// least one processor. It is tempting to share it over procs: a serial benchmark
// on a large machine, slowed by half, then looks undisturbed. A share that the
// system's unit of time, 10ms, could have made is 0.
func (after Usage) Since(before Usage, own time.Duration, procs int) (others, steal float64) {
	wall := after.load.At.Sub(before.load.At)
	if !after.load.OK || !before.load.OK || wall <= 0 {
		return math.NaN(), 0
	}
	whole := time.Duration(min(procs, after.cpus)) * wall
	if s := after.load.Steal - before.load.Steal; s > tick {
		steal = min(1, float64(s)/float64(min(whole, max(wall, own+s))))
	}
	own += after.self - before.self
	own += max(0, time.Duration(after.cpus-procs)) * wall // was free
	// Each processor's tick can fall on either side of a snapshot.
	taken := after.load.Busy - before.load.Busy - own - time.Duration(after.cpus)*tick
	if before.group > 0 && after.group > before.group {
		taken = max(taken, after.group-before.group-own-after.slack)
	}
	return min(1, max(0, float64(taken)/float64(whole))), steal
}
