package measure

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/host/sim"
)

func TestStuckAt(t *testing.T) {
	const dump = `SIGQUIT: quit
goroutine 1 [chan receive]:
testing.(*B).runN(0xc0, 0x1)
	/go/src/testing/benchmark.go:219 +0x190
example.com/m.TestMain(0x1)
	/src/m/m_test.go:9 +0x10
main.main()
	_testmain.go:49 +0x9b

goroutine 8 [chan receive]:
testing.(*B).Run(0xc0)
	/go/src/testing/benchmark.go:800 +0x190
example.com/m.BenchmarkA(0xc0)
	/src/m/m_test.go:20 +0x10
testing.(*B).runN(0xc0, 0x1)
	/go/src/testing/benchmark.go:219 +0x190

goroutine 9 [semacquire]:
sync.(*WaitGroup).Wait(0xc0)
	/go/src/sync/waitgroup.go:118 +0x48
%stesting.(*B).runN(0xc0, 0x1)
	/go/src/testing/benchmark.go:219 +0x190
created by testing.(*B).run1 in goroutine 8
	/go/src/testing/benchmark.go:245 +0x4d
`
	l := &Subject{Target: discover.Target{Dir: "/src/m", Funcs: []discover.Func{{Name: "BenchmarkA", Pos: "/src/m/m_test.go:18"}}}}
	for frames, want := range map[string]string{
		"example.com/m.wait()\n\t/src/m/m.go:5 +0x10\nexample.com/m.BenchmarkA.func1()\n\t/src/m/m_test.go:21 +0x10\n": " (last seen at /src/m/m.go:5)",
		"example.com/dep.Wait()\n\t/src/a dep/dep.go:5 +0x10\nm.BenchmarkA.func1()\n\tm/m_test.go:21 +0x10\n":          " (last seen at m/m_test.go:21)",
		"": " (it begins at /src/m/m_test.go:18)",
	} {
		if got := l.stuckAt(fmt.Appendf(nil, dump, frames), "BenchmarkA/x"); got != want {
			t.Errorf("stuckAt with frames %q =%s, want%s", frames, got, want)
		}
	}
	if got := l.stuckAt(nil, "BenchmarkB"); got != "" {
		t.Errorf("stuckAt of nothing = %q", got)
	}
}

func TestMessage(t *testing.T) {
	for _, tt := range []struct{ output, want string }{
		{"--- FAIL: BenchmarkA\n    a_test.go:3: below\n", " (a_test.go:3: below)"},
		{"--- FAIL: BenchmarkA-2\n    a_test.go:3: below\n", " (a_test.go:3: below)"},
		{"BenchmarkA\n    a_test.go:1: old\n    a_test.go:3: first\n        second\n--- FAIL: BenchmarkA\nBenchmarkB\n", " (a_test.go:3: first)"},
		{"hello--- FAIL: BenchmarkA\n    a_test.go:3: torn\n", " (a_test.go:3: torn)"},
		{"--- FAIL: BenchmarkA\nBenchmarkB\n", ""},
		{"--- FAIL: BenchmarkAB\n    a_test.go:3: another's\n", ""},
		{"", ""},
	} {
		if got := message([]byte(tt.output), "FAIL", "BenchmarkA", 2); got != tt.want {
			t.Errorf("message in %q = %q, want %q", tt.output, got, tt.want)
		}
	}
}

func TestShort(t *testing.T) {
	for d, want := range map[time.Duration]string{1500: "1.5µs", 1e6: "1ms", 123456789: "123ms", 2003e6: "2s", 12.34e9: "12.3s"} {
		if got := short(d).String(); got != want {
			t.Errorf("short(%d) = %s, want %s", d, got, want)
		}
	}
}

func TestTimeoutDefault(t *testing.T) {
	if got := (&Subject{}).quiet(); got != time.Minute {
		t.Errorf("timeout = %v, want a minute", got)
	}
}

// A sample of another number of operations than was asked for is none.
func TestOtherN(t *testing.T) {
	h := &sim.Host{Process: func(_ context.Context, p sim.Process) (sim.Figures, error) {
		return sim.Figures{Wall: 100, CPU: 100, Values: map[string]int64{"n": 5}}, nil
	}}
	s, err := Build(t.Context(), h, discover.Target{Package: "p"}, BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c := Cell{Bench: "BenchmarkA", Procs: 1}
	if _, err := s.Run(t.Context(), c, 5); err != nil {
		t.Error(err)
	}
	var broken *Broken
	if _, err := s.Run(t.Context(), c, 1000); !errors.As(err, &broken) || !strings.Contains(broken.Problem.Reason, "runs 5 operations where 1000 were asked for") {
		t.Errorf("1000 operations asked for: %v", err)
	}
}
