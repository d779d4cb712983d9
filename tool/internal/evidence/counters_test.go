package evidence

import (
	"strings"
	"testing"
)

func TestReadCounters(t *testing.T) {
	c, err := ReadCounters([]byte("instructions\t1000\ncycles\t500\ncache-misses\t20\ntask-clock\t77\n"), 10)
	if err != nil || *c != (Counters{100, 50, 2}) {
		t.Errorf("ReadCounters = %+v, %v; want 100, 50 and 2 per operation", c, err)
	}
	if c, err = ReadCounters([]byte("instructions\t1000\ncycles\t500\ncache-misses\terror\tno such event\n"), 10); err != nil || c.CacheMisses != 0 {
		t.Errorf("without cache misses: %+v, %v", c, err)
	}
	for data, want := range map[string]string{
		"instructions\terror\tno such file or directory\ncycles\terror\tx\n": "instructions are not counted here (no such file",
		"instructions\t0\ncycles\t0\n":                                       "nothing was counted",
		"":                                                                   "nothing was counted",
		"instructions\tx\n":                                                  "invalid syntax",
		"instructions\n":                                                     "want a name and a count",
		"instructions\t1\t2\n":                                               "want a name and a count",
	} {
		if c, err := ReadCounters([]byte(data), 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ReadCounters(%q) = %+v, %v; want %q", data, c, err, want)
		}
	}
}
