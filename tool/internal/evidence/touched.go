package evidence

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ReadTouched reads from smaps_rollup how many bytes a run has reached since
// Linux was told to forget.
func ReadTouched(data []byte) (float64, error) {
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) != 3 || f[0] != "Referenced:" {
			continue
		}
		kB, err := strconv.ParseUint(f[1], 10, 48)
		if err != nil || f[2] != "kB" {
			return 0, fmt.Errorf("line %q: want kilobytes", strings.TrimSpace(line))
		}
		return float64(kB) * 1024, nil
	}
	return 0, errors.New("the system does not tell which pages were reached")
}
