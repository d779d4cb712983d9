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
		{Asked{Bench: "Sum|Max", Base: "Serial$", Vs: "Parallel", Procs: []int{1, 2}, Tags: "a,b", Budget: int64(30 * time.Second), Margin: 0.05, Precision: 0.015, Plain: true, Verdicts: true},
			"-budget 30s -procs 1,2 -tags a,b -margin 5 -precision 1.5 -plain -verdicts -bench Sum|Max -base Serial$ -vs Parallel"},
		{Asked{Margin: 0.07}, "-margin 7"},
		{Asked{Budget: int64(12 * time.Second)}, "-budget 12s"},
		{Asked{Budget: int64(90 * time.Minute)}, "-budget 1h30m"},
	} {
		if got := strings.Join(tt.asked.Flags(), " "); got != tt.want {
			t.Errorf("flags of %+v = %s, want %s", tt.asked, got, tt.want)
		}
	}
	a := Asked{Gallery: true, Packages: []string{"example.com/gallery/grain"}, Budget: int64(time.Minute)}
	if got, want := a.Command(), "payoff gallery run -budget 1m grain"; got != want {
		t.Errorf("command of cases = %s, want %s", got, want)
	}
	if got, want := a.Resume("x"), "payoff gallery run -resume x"; got != want {
		t.Errorf("going on with cases = %s, want %s", got, want)
	}
	for d, want := range map[time.Duration]string{
		time.Second: "1s", 10 * time.Second: "10s", 11 * time.Second: "20s", 60 * time.Second: "1m", 71 * time.Second: "1m20s",
		2 * time.Minute: "2m", 121 * time.Second: "3m", 243 * time.Second: "5m", 2 * time.Hour: "2h", 300 * time.Millisecond: "1s",
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%v) = %s, want %s", d, got, want)
		}
	}
}
