package cmdline

import (
	"fmt"
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

// TestAskedEach: each thing that was asked for is asked for again, and by itself.
func TestAskedEach(t *testing.T) {
	for _, tt := range []struct {
		asked Asked
		want  string
	}{
		{Asked{Packages: []string{"./a", "./b"}}, "payoff run ./a ./b"},
		{Asked{Bench: "Sum"}, "payoff run -bench Sum"}, {Asked{Bench: "."}, "payoff run"}, {Asked{Base: "S"}, "payoff run -base S"}, {Asked{Vs: "P"}, "payoff run -vs P"},
		{Asked{Procs: []int{1, 2, 8}}, "payoff run -procs 1,2,8"}, {Asked{Tags: "a b"}, "payoff run -tags 'a b'"}, {Asked{Budget: int64(150 * time.Second)}, "payoff run -budget 2m30s"},
		{Asked{Sample: int64(20 * time.Millisecond)}, "payoff run -sample 20ms"}, {Asked{Timeout: int64(time.Minute)}, "payoff run -timeout 1m0s"}, {Asked{Layouts: 3}, "payoff run -layouts 3"},
		{Asked{Margin: 0.001}, "payoff run -margin 0.1"}, {Asked{Precision: 0.02}, "payoff run -precision 2"}, {Asked{Plain: true}, "payoff run -plain"}, {Asked{Verdicts: true}, "payoff run -verdicts"},
		{Asked{Gallery: true, Packages: []string{"x/gallery/a", "b"}}, "payoff gallery run a b"},
	} {
		if got := tt.asked.Command(); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.asked, got, tt.want)
		}
	}
	a := Asked{Packages: []string{"x/a"}, Gallery: true}
	if a.Command(); a.Packages[0] != "x/a" {
		t.Errorf("the packages became %q", a.Packages)
	}
	if got, want := (Asked{Verdicts: true, Bench: "X"}).Resume("dir", "-budget", "5m"), "payoff run -resume dir -budget 5m -verdicts"; got != want {
		t.Errorf("going on: %s, want %s", got, want)
	}
	if got, want := (Asked{Args: []string{"-size", "a b"}}).Resume("dir"), "payoff run -resume dir -args -size 'a b'"; got != want {
		t.Errorf("going on with arguments: %s, want %s", got, want)
	}
	for d, want := range map[time.Duration]time.Duration{
		0: 0, 1: time.Second, 10 * time.Second: 10 * time.Second, 10*time.Second + 1: 20 * time.Second, 2 * time.Minute: 2 * time.Minute, 2*time.Minute + 1: 3 * time.Minute, 9*time.Second + 1: 10 * time.Second,
	} {
		if got := Round(d); got != want {
			t.Errorf("Round(%v) = %v, want %v", d, got, want)
		}
	}
}

// TestProcsBounds: 1, the powers of two below what there is, and that; of a list
// what can be a number of processors.
func TestProcsBounds(t *testing.T) {
	for _, tt := range []struct {
		list   string
		usable int
		want   string
	}{
		{"", 3, "[1 2 3]"}, {"", 4, "[1 2 4]"}, {"", 5, "[1 2 4 5]"}, {"", 64, "[1 2 4 8 16 32 64]"}, {"", 63, "[1 2 4 8 16 32 63]"},
		{"65536", 2, "[1 65536]"}, {"65537", 2, "[]"}, {"1", 8, "[1]"}, {"-1", 8, "[]"}, {"16,4,16", 2, "[1 4 16]"},
	} {
		got, err := Procs(tt.list, tt.usable)
		if fmt.Sprint(got) != tt.want || (err != nil) != (tt.want == "[]") || err != nil && !strings.Contains(err.Error(), fmt.Sprintf("-procs %q", tt.list)) {
			t.Errorf("Procs(%q, %d) = %v, %v, want %s", tt.list, tt.usable, got, err, tt.want)
		}
	}
}

func TestProcs(t *testing.T) {
	for _, tt := range []struct {
		list   string
		usable int
		want   string
	}{
		{"", 1, "[1]"}, {"", 2, "[1 2]"}, {"", 6, "[1 2 4 6]"}, {"", 8, "[1 2 4 8]"},
		{"8, 2,2", 4, "[1 2 8]"}, {"0", 4, "[]"}, {"two", 4, "[]"}, {"1,,2", 4, "[]"},
	} {
		got, err := Procs(tt.list, tt.usable)
		if fmt.Sprint(got) != tt.want || (err != nil) != (tt.want == "[]") {
			t.Errorf("Procs(%q, %d) = %v, %v, want %s", tt.list, tt.usable, got, err, tt.want)
		}
	}
}
