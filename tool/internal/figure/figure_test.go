package figure

import (
	"math"
	"testing"
)

func TestFigures(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{Ratio(0), "0"}, {Ratio(0.0142), "0.0142"}, {Ratio(0.998), "0.998"}, {Ratio(0.9996), "1.00"}, {Ratio(1.026), "1.03"}, {Ratio(9.999), "10.0"}, {Ratio(99.99), "100"}, {Ratio(340.4), "340"}, {Ratio(12345), "12345"},
		{Ratio(999.4), "999"}, {Ratio(999.5), "1000"}, {Ratio(1000), "1000"}, {Ratio(1000.4), "1000"}, {Ratio(123456), "123456"}, {Ratio(0.995), "0.995"}, {Ratio(0.9995), "1.00"}, {Ratio(99.95), "100"}, {Ratio(9.995), "9.99"}, {Ratio(9.9951), "10.0"}, {Ratio(1), "1.00"}, {Ratio(10), "10.0"}, {Ratio(100), "100"}, {Ratio(0.9949), "0.995"}, {Ratio(0.85), "0.85"}, {Ratio(99.94), "99.9"}, {Ratio(-2), "-2"},
		{Count(999.4), "999"}, {Count(999.6), "1e+03"}, {Count(1000.4), "1000"}, {Count(850.7), "851"}, {Count(999999), "1000000"}, {Count(999949), "999900"}, {Count(850000), "850000"}, {Count(1e6), "1.000M"},
		{Ratio(math.Inf(1)), "∞"}, {Ratio(math.Inf(-1)), "-Inf"}, {Ratio(math.NaN()), "NaN"},
		{Time(0), "0s"}, {Time(0.34), "0.3400ns"}, {Time(263900), "263.9µs"}, {Time(2e9), "2.000s"},
		{Count(0.25), "0.25"}, {Count(3), "3"}, {Count(1000), "1000"}, {Count(55948.3), "55950"}, {Count(1.2e6), "1.200M"},
		{About(3440.6), "3440"}, {About(5.86e6), "5860000"}, {About(0.512345), "0.512"}, {Size(4096), "4096"}, {Size(1 << 20), "1048576"}, {About(math.NaN()), "NaN"},
		{Plural(0, "pair"), "0 pairs"}, {Plural(1, "pair"), "1 pair"}, {Plural(2, "pair"), "2 pairs"},
		{Plurals(1, "wait"), "1 wait"}, {Plurals(0.971, "wait"), "0.971 waits"}, {Plurals(2e4, "wait"), "20000 waits"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
