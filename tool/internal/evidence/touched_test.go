package evidence

import "testing"

func TestReadTouched(t *testing.T) {
	for in, want := range map[string]float64{
		"559d1a1e2000-7ffd525c5000 ---p 00000000 00:00 0    [rollup]\nRss:   1760 kB\nReferenced:    120 kB\nAnonymous:  112 kB\n": 120 << 10,
		"Referenced: 0 kB\n": 0,
		"Rss: 1760 kB\n":     -1,
		"Referenced: x kB\n": -1,
		"Referenced: 1 MB\n": -1,
		"":                   -1,
	} {
		if got, err := ReadTouched([]byte(in)); (err != nil) != (want < 0) || err == nil && got != want {
			t.Errorf("ReadTouched(%q) = %g, %v; want %g", in, got, err, want)
		}
	}
}
