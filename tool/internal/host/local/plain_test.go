package local

import (
	"reflect"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/probe"
)

// TestPlainEvents: what the output of an unprobed binary tells, as the probe would:
// totals, and names without the processors that they ran at.
func TestPlainEvents(t *testing.T) {
	result := func(name string, n, procs, ns int64, more map[string]int64, extra map[string]float64) probe.Event {
		e := probe.Event{Kind: probe.Result, Name: name, Value: map[string]int64{"n": n, "procs": procs, "ns": ns}, Extra: extra}
		for k, v := range more {
			e.Value[k] = v
		}
		return e
	}
	begin := func(name string) probe.Event { return probe.Event{Kind: probe.Begin, Name: name} }
	for _, tt := range []struct {
		output string
		procs  int
		want   []probe.Event
	}{
		{"", 2, nil},
		{"goos: linux\nBenchmarkX\nBenchmarkX-2 \t 100\t 1234.5 ns/op\nPASS\n", 2, []probe.Event{begin("BenchmarkX"), result("BenchmarkX", 100, 2, 123450, nil, nil), {Kind: probe.End}}},
		{"BenchmarkX \t 100\t 0.25 ns/op\r\n", 1, []probe.Event{result("BenchmarkX", 100, 1, 25, nil, nil)}},
		{"BenchmarkX-1 \t 3\t 2 ns/op\n", 1, []probe.Event{result("BenchmarkX-1", 3, 1, 6, nil, nil)}}, // its own name
		{"BenchmarkX-2-2 \t 3\t 2 ns/op\n", 2, []probe.Event{result("BenchmarkX-2", 3, 2, 6, nil, nil)}},
		{"BenchmarkX/n=12-12 \t 3\t 2 ns/op\n", 12, []probe.Event{result("BenchmarkX/n=12", 3, 12, 6, nil, nil)}},
		{"BenchmarkX/n=12-12 \t 3\t 2 ns/op\n", 2, []probe.Event{result("BenchmarkX/n=12-12", 3, 2, 6, nil, nil)}},
		{"printed BenchmarkX-2 \t 10\t 5 ns/op\t 20.00 MB/s\t 7.00 things\t 16 B/op\t 2 allocs/op\n", 2, []probe.Event{
			result("BenchmarkX", 10, 2, 50, map[string]int64{"bytes": 160, "allocs": 20}, map[string]float64{"things": 7})}},
		{"--- FAIL: BenchmarkX-2\n    --- SKIP: BenchmarkY/a-2\n--- BENCH: BenchmarkZ-2\nFAIL\n", 2, []probe.Event{{Kind: probe.Fail, Name: "BenchmarkX"}, {Kind: probe.Skip, Name: "BenchmarkY/a"}}},
		{"noise PASS\nBenchmark prints this\nPASS more\n", 2, []probe.Event{{Kind: probe.End}}},
	} {
		if got := plainEvents([]byte(tt.output), tt.procs); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%q at %d:\n%+v\nwant\n%+v", tt.output, tt.procs, got, tt.want)
		}
	}
}
