package local_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"golang.org/x/exp/trace"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/measure"
)

// evidenceSubject spends more time outside of its timed regions than inside.
const evidenceSubject = `package m

import (
	"sync"
	"testing"
)

var (
	mu   sync.Mutex
	sink [4]int
)

//go:noinline
func setup(n int) {
	for i := 0; i < n; i++ {
		sink[0] += i
	}
	contend(&setupLock)
}

var setupLock sync.Mutex

//go:noinline
func work(n int) {
	for i := 0; i < n; i++ {
		sink[1] += i
	}
}

// contend makes one goroutine wait for the lock, whatever the timing.
func contend(mu *sync.Mutex) {
	mu.Lock()
	done := make(chan bool)
	go func() { mu.Lock(); mu.Unlock(); close(done) }()
	for i := 0; i < 1000; i++ {
		sink[2] += i
	}
	mu.Unlock()
	<-done
}

const million = 1000000

func BenchmarkReset(b *testing.B) {
	setup(200 * million)
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		work(million)
	}
	b.StopTimer()
	setup(50 * million)
}

func BenchmarkStopped(b *testing.B) {
	b.StopTimer()
	setup(200 * million)
	b.StartTimer()
	for i := 0; i < b.N; i++ {
		work(million)
	}
}

func BenchmarkOften(b *testing.B) {
	for i := 0; i < b.N; i++ {
		b.StopTimer()
		setup(3 * million)
		b.StartTimer()
		work(million)
	}
}
`

const loopSubject = `package m

import "testing"

func BenchmarkLoop(b *testing.B) {
	setup(200 * million)
	for b.Loop() {
		work(million)
	}
	setup(50 * million)
}
`

// TestCollect: evidence is of the timed region alone, whichever way a
// benchmark marks it.
func TestCollect(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles a test binary")
	}
	tc, target := module(t, "1.24", map[string]string{"m_test.go": evidenceSubject, "loop_test.go": loopSubject})
	l, err := measure.Build(t.Context(), newHost(t, tc), target, measure.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !l.CanCollect() {
		t.Fatal("CanCollect = false with the probe")
	}
	collect := func(t *testing.T, bench, kind string, n int64) map[string][]byte {
		s, files, err := l.Collect(t.Context(), measure.Cell{Bench: bench, Procs: 2}, n, kind, bench == "BenchmarkOften")
		if err != nil || s.N != n {
			t.Fatalf("Collect %s of %s = %+v, %v; want %d operations", kind, bench, s, err, n)
		}
		return files
	}
	for _, bench := range []string{"BenchmarkReset", "BenchmarkStopped", "BenchmarkOften", "BenchmarkLoop"} {
		t.Run(bench, func(t *testing.T) {
			in := map[string]int{}
			// How many samples come is the machine's: more operations until they say something.
			for n := int64(400); in["work"] < 10 && n <= 6400; n *= 2 {
				data := collect(t, bench, measure.CPUProfile, n)["cpu"]
				var p *profile.Profile
				if bench == "BenchmarkOften" {
					p, err = exectrace.Samples(bytes.NewReader(data))
				} else {
					p, err = profile.ParseData(data)
				}
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range p.Sample {
					for _, l := range s.Location {
						for _, line := range l.Line {
							if fn := line.Function.Name; strings.HasSuffix(fn, ".setup") || strings.HasSuffix(fn, ".work") {
								in[fn[strings.LastIndexByte(fn, '.')+1:]] += int(s.Value[0])
							}
						}
					}
				}
			}
			if in["work"] < 10 || in["setup"] > in["work"]/20 {
				t.Errorf("samples of set-up %d, of timed work %d; want none and many", in["setup"], in["work"])
			}

			marks, began := marked(t, collect(t, bench, measure.Trace, 20)["trace"])
			want := "start stop"
			if bench == "BenchmarkOften" {
				want = strings.TrimSpace(strings.Repeat("start stop ", len(strings.Fields(marks))/2))
				if n := strings.Count(marks, "start"); n < 20 {
					t.Errorf("%d windows in 20 operations", n)
				}
			} else if began > 2 {
				t.Errorf("%d events before the window opens", began)
			}
			if marks != want {
				t.Errorf("marks %q, want %q", marks, want)
			}

			if bench == "BenchmarkOften" {
				return
			}
			files := collect(t, bench, measure.LockProfiles, 20)
			n := contentions(t, files["locks.mutex"]) - contentions(t, files["locks.mutex.before"])
			if n != 0 {
				t.Errorf("%d contentions of set-up in the mutex profile", n)
			}
		})
	}
}

// marked returns the marks of a trace and the log messages before the first.
func marked(t *testing.T, data []byte) (marks string, before int) {
	t.Helper()
	r, err := trace.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for {
		e, err := r.ReadEvent()
		if err == io.EOF {
			return strings.Join(all, " "), before
		}
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case e.Kind() == trace.EventLog && e.Log().Category == "payoff":
			all = append(all, e.Log().Message)
		case e.Kind() == trace.EventStateTransition && len(all) == 0 && e.StateTransition().Reason == "sync":
			before++ // the set-up's lock
		}
	}
}

// contentions counts those of the set-up.
func contentions(t *testing.T, data []byte) (n int64) {
	t.Helper()
	p, err := profile.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Sample {
		for _, l := range s.Location {
			for _, line := range l.Line {
				if strings.HasSuffix(line.Function.Name, ".setup") {
					n += s.Value[0] // the runtime's own locks are in it, too
				}
			}
		}
	}
	return n
}
