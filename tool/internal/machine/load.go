package machine

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A Load is a snapshot of the processor time of the whole machine, summed over
// its processors since it started. The difference of two tells what ran in
// between, this process included. OK is false where the platform does not
// tell; then only At means anything.
type Load struct {
	Busy  time.Duration `json:"busy"`  // spent in programs and in the kernel, of all processes
	Steal time.Duration `json:"steal"` // wanted, but given to others by the hypervisor
	Total time.Duration `json:"total"` // Busy, Steal and idle
	At    time.Time     `json:"at"`
	OK    bool          `json:"ok"`
}

// Since returns how many processors, on average, were busy and how many were
// stolen by the hypervisor between the two snapshots. Both are 0 if either
// snapshot is not OK or no time has passed. The system counts in steps of
// 10 ms per processor: over less than a second the figures are coarse.
func (after Load) Since(before Load) (busyCores, stealCores float64) {
	wall := after.At.Sub(before.At)
	if !after.OK || !before.OK || wall <= 0 {
		return 0, 0
	}
	// A processor that is taken out or comes back can set its counters back.
	busyCores = max(0, float64(after.Busy-before.Busy)/float64(wall))
	stealCores = max(0, float64(after.Steal-before.Steal)/float64(wall))
	return busyCores, stealCores
}

// tick is the unit of /proc/stat, USER_HZ, on every Linux port of Go.
const tick = 10 * time.Millisecond

// parseStat reads the first line of /proc/stat.
func parseStat(stat []byte) (Load, bool) {
	line, _, _ := strings.Cut(string(stat), "\n")
	f := strings.Fields(line)
	if len(f) < 5 || f[0] != "cpu" {
		return Load{}, false
	}
	// user nice system idle iowait irq softirq steal; guest and guest_nice
	// follow and are contained in user and nice. Old kernels tell fewer.
	var t [8]time.Duration
	for i := range t {
		if i+1 == len(f) {
			break
		}
		n, err := strconv.ParseUint(f[i+1], 10, 64)
		if err != nil || n > uint64(math.MaxInt64/tick)/uint64(len(t)) {
			return Load{}, false
		}
		t[i] = time.Duration(n) * tick
	}
	var l Load
	l.Busy = t[0] + t[1] + t[2] + t[5] + t[6]
	l.Steal = t[7]
	l.Total = l.Busy + l.Steal + t[3] + t[4]
	l.OK = l.Total > 0 // a sandbox shows a line of zeros
	return l, l.OK
}

// parseLoadavg returns the three averages of /proc/loadavg as they are.
func parseLoadavg(b []byte) (string, bool) {
	f := strings.Fields(string(b))
	if len(f) < 3 {
		return "", false
	}
	for _, s := range f[:3] {
		if v, err := strconv.ParseFloat(s, 64); err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			return "", false
		}
	}
	return strings.Join(f[:3], " "), true
}

// loadavgStruct reads the struct loadavg of BSD systems: three 32-bit fixed
// point numbers and, as a 64-bit number aligned to its size, their scale.
func loadavgStruct(b []byte, order binary.ByteOrder) string {
	if len(b) < 24 {
		return ""
	}
	scale := float64(order.Uint64(b[16:]))
	if scale == 0 {
		return ""
	}
	avg := func(i int) float64 { return float64(order.Uint32(b[4*i:])) / scale }
	return fmt.Sprintf("%.2f %.2f %.2f", avg(0), avg(1), avg(2))
}
