package machine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/machine"
)

// TestUsage: of two snapshots 100ms apart on two processors, what others took
// from a process, by each of the sources.
func TestUsage(t *testing.T) {
	stat := func(user, idle, steal int) string {
		return fmt.Sprintf("cpu  %d 0 0 %d 0 0 0 %d 0 0\ncpu0 1 2\ncpu1 1 2\n", user, idle, steal)
	}
	const ms = time.Millisecond
	for _, tt := range []struct {
		name              string
		stat, acct, stat2 string
		own, self         time.Duration
		procs             int
		others, steal     float64
		unknown           bool
	}{
		{"alone", stat(119, 100, 0), "1190000000", "", 180 * ms, 10 * ms, 2, 0, 0, false},
		{"others, exactly", stat(119, 100, 0), "1200000000", "", 160 * ms, 10 * ms, 2, 0.15, 0, false},
		{"others, in ticks", stat(120, 100, 0), "", "", 140 * ms, 0, 2, 0.2, 0, false},
		{"a tick on each processor", stat(120, 100, 0), "", "", 180 * ms, 0, 2, 0, 0, false},
		{"others, version 2", stat(121, 100, 0), "", "usage_usec 1210000\nuser_usec 1\n", 160 * ms, 0, 2, 0.15, 0, false},
		{"on the processor left free", stat(119, 100, 0), "1190000000", "", 100 * ms, 0, 1, 0, 0, false},
		{"on both, beside one thread", stat(119, 100, 0), "1190000000", "", 60 * ms, 0, 1, 0.3, 0, false},
		{"more threads than processors", stat(120, 100, 0), "", "", 140 * ms, 0, 8, 0.2, 0, false},
		{"stolen", stat(110, 100, 4), "1100000000", "", 100 * ms, 0, 2, 0, 2. / 7, false},
		{"stolen from one thread", stat(110, 100, 4), "1100000000", "", 60 * ms, 0, 1, 0, 0.4, false},
		{"stolen from two threads", stat(116, 100, 4), "1160000000", "", 160 * ms, 0, 2, 0, 0.2, false},
		{"a tick stolen", stat(110, 100, 1), "1100000000", "", 100 * ms, 0, 2, 0, 0, false},
		{"a sandbox", "cpu 0 0 0 0 0 0 0 0 0 0\n", "", "", 100 * ms, 0, 2, 0, 0, true},
	} {
		before := machine.ParseUsage([]byte(stat(100, 100, 0)), []byte(map[bool]string{true: "1000000000"}[tt.acct != ""]), []byte(map[bool]string{true: "usage_usec 1000000"}[tt.stat2 != ""]), 0, time.Unix(0, 0))
		after := machine.ParseUsage([]byte(tt.stat), []byte(tt.acct), []byte(tt.stat2), tt.self, time.Unix(0, 0).Add(100*ms))
		others, steal := after.Since(before, tt.own, tt.procs)
		if tt.unknown != math.IsNaN(others) || !tt.unknown && math.Abs(others-tt.others) > 1e-9 || math.Abs(steal-tt.steal) > 1e-9 {
			t.Errorf("%s: others %v, steal %v; want %v, %v", tt.name, others, steal, tt.others, tt.steal)
		}
	}
}

// TestUsageLarge: of 64 processors, what is stolen from those that a process
// uses counts, however many it could have used.
func TestUsageLarge(t *testing.T) {
	stat := func(user, steal int) []byte {
		return fmt.Appendf(nil, "cpu  %d 0 0 0 100000 0 0 %d 0 0\n%s", user, steal, strings.Repeat("cpu0 1 2\n", 64))
	}
	const ms = time.Millisecond
	for _, tt := range []struct {
		name  string
		own   time.Duration // in a second
		stole int           // ticks of 10ms
		procs int
		want  float64
	}{
		{"serial at 64", 800 * ms, 20, 64, 0.2},
		{"serial at 1", 800 * ms, 20, 1, 0.2},
		{"four workers at 64", 3600 * ms, 40, 64, 0.1},
		{"all 64", 63000 * ms, 100, 64, 1. / 64},
		{"it waits, and so little is stolen", 10 * ms, 4, 64, 0.04},
	} {
		before := machine.ParseUsage(stat(1000, 0), nil, nil, 0, time.Unix(0, 0))
		after := machine.ParseUsage(stat(1000+int(tt.own/(10*ms)), tt.stole), nil, nil, 0, time.Unix(1, 0))
		if _, steal := after.Since(before, tt.own, tt.procs); math.Abs(steal-tt.want) > 1e-9 {
			t.Errorf("%s: steal %v, want %v", tt.name, steal, tt.want)
		}
	}
}

// TestUsageAppears: a group that is seen in the second snapshot alone tells nothing.
func TestUsageAppears(t *testing.T) {
	stat := func(user int) []byte {
		return fmt.Appendf(nil, "cpu  %d 0 0 100 0 0 0 0 0 0\ncpu0 1 2\ncpu1 1 2\n", user)
	}
	before := machine.ParseUsage(stat(100), nil, nil, 0, time.Unix(0, 0))
	after := machine.ParseUsage(stat(110), []byte("5000000000"), nil, 0, time.Unix(0, 0).Add(100*time.Millisecond))
	if others, _ := after.Since(before, 100*time.Millisecond, 2); others != 0 {
		t.Errorf("others %v, want 0", others)
	}
}
