package lead_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/session"
)

// TestSameReport runs the same benchmarks on this machine, with the fleet between and
// without, in turns: no verdict on one side is the opposite of one on the other. What the
// fleet costs is logged, for whoever leaves the machine alone meanwhile:
//
//	PAYOFF_LONG=1 go test -run=SameReport -v ./tool/fleet/internal/lead
func TestSameReport(t *testing.T) {
	if os.Getenv("PAYOFF_LONG") == "" {
		t.Skip("measures for two minutes: PAYOFF_LONG=1 runs it")
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m_test.go": `package m

import (
	"sync"
	"testing"
)

var sink int

//go:noinline
func work(n int) (sum int) {
	for i := range n {
		sum += i * i
	}
	return sum
}

func BenchmarkWork(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			sink = work(400000)
		}
	})
	b.Run("variant=two", func(b *testing.B) {
		for b.Loop() {
			var wg sync.WaitGroup
			var halves [2][16]int
			for i := range halves {
				wg.Go(func() { halves[i][0] = work(200000) })
			}
			wg.Wait()
		}
	})
	b.Run("variant=twice", func(b *testing.B) {
		for b.Loop() {
			sink = work(800000)
		}
	})
}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w := serveWith(t, patient)
	w.t = t
	w.machine()
	measure := func(name string, hosts session.Hosts) (map[string]report.Comparison, int, time.Duration) {
		began := time.Now()
		var end session.End
		for e := range session.RunOn(t.Context(), session.Plan{Dir: dir, Budget: 15 * time.Second, Record: filepath.Join(dir, name), Seed: 7}, hosts) {
			if last, ok := e.(session.End); ok {
				end = last
			}
		}
		if end.Err != nil {
			t.Fatal(end.Err)
		}
		all, samples := map[string]report.Comparison{}, 0
		for _, c := range end.Doc.Comparisons {
			all[c.Name+" "+string(c.Kind)] = c
		}
		for _, p := range end.Doc.Packages {
			samples += p.Samples
		}
		return all, samples, time.Since(began)
	}
	opposite := map[judge.Word]judge.Word{judge.Pays: judge.Loses, judge.Loses: judge.Pays}
	for i := range 4 {
		here, n1, took1 := measure("here-"+string(rune('a'+i)), nil)
		r := w.begin("")
		there, n2, took2 := measure("there-"+string(rune('a'+i)), session.Far(r))
		if err := r.End(t.Context()); err != nil {
			t.Error(err)
		}
		for name, a := range here {
			b, ok := there[name]
			if !ok {
				t.Errorf("%s is not in the report of the fleet", name)
				continue
			}
			t.Logf("%s: here %s %.3f [%.3f, %.3f], through the fleet %s %.3f [%.3f, %.3f]", name, a.Verdict, report.Number(a.Ratio), report.Number(a.Low), report.Number(a.High),
				b.Verdict, report.Number(b.Ratio), report.Number(b.Low), report.Number(b.High))
			if opposite[a.Verdict] == b.Verdict && b.Verdict != "" {
				t.Errorf("%s %s here, and through the fleet it %s", name, a.Verdict, b.Verdict)
			}
		}
		t.Logf("here %d samples in %v, %.1f ms each; through the fleet %d in %v, %.1f ms each", n1, took1.Round(time.Millisecond), 1e3*took1.Seconds()/float64(n1),
			n2, took2.Round(time.Millisecond), 1e3*took2.Seconds()/float64(n2))
	}
}
