package discover

import (
	"strings"
	"testing"
	"time"
)

func TestAskedFlags(t *testing.T) {
	for _, tt := range []struct {
		asked Asked
		want  string
	}{
		{Asked{}, ""},
		{Asked{Bench: ".", Packages: []string{"./..."}}, ""},
		{Asked{Bench: "Sum|Max", Base: "Serial$", Vs: "Parallel", Procs: []int{1, 2}, Tags: "a,b", Budget: int64(30 * time.Second), Margin: 0.05, Precision: 0.015, Plain: true},
			"-budget 30s -procs 1,2 -tags a,b -margin 5 -precision 1.5 -plain -bench Sum|Max -base Serial$ -vs Parallel"},
		{Asked{Margin: 0.07}, "-margin 7"},
	} {
		if got := strings.Join(tt.asked.Flags(), " "); got != tt.want {
			t.Errorf("flags of %+v = %s, want %s", tt.asked, got, tt.want)
		}
	}
	for d, want := range map[time.Duration]string{
		time.Second: "1s", 10 * time.Second: "10s", 11 * time.Second: "20s", 60 * time.Second: "1m", 71 * time.Second: "1m20s",
		2 * time.Minute: "2m", 121 * time.Second: "3m", 243 * time.Second: "5m", 2 * time.Hour: "120m",
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%v) = %s, want %s", d, got, want)
		}
	}
}
