package evidence

import (
	"fmt"
	"strconv"
	"strings"
)

// Counters are what the processor itself counted in the user's part of the
// timed region, per operation. They tell more instructions from slower ones.
type Counters struct {
	Instructions float64 `json:"instructions"`
	Cycles       float64 `json:"cycles"`
	CacheMisses  float64 `json:"cacheMisses"` // 0 if not counted
}

// ReadCounters reads what a run of n operations left. A processor that does
// not count is an error that says why.
func ReadCounters(data []byte, n int64) (*Counters, error) {
	got := map[string]float64{}
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) == 3 && f[1] == "error" {
			if f[0] != "cache-misses" {
				return nil, fmt.Errorf("%s are not counted here (%s): the processor has no counters, or a hypervisor hides them", f[0], f[2])
			}
			continue
		}
		if len(f) != 2 {
			return nil, fmt.Errorf("counter line %q: want a name and a count", line)
		}
		v, err := strconv.ParseUint(f[1], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("counter line %q: %w", line, err)
		}
		got[f[0]] = float64(v) / float64(n)
	}
	c := &Counters{got["instructions"], got["cycles"], got["cache-misses"]}
	if c.Instructions <= 0 || c.Cycles <= 0 {
		return nil, fmt.Errorf("nothing was counted: the counters are in use, or hidden by the hypervisor")
	}
	return c, nil
}
