package exectrace

import (
	"bytes"
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/record"
)

// recorded returns a trace of testdata.
func recorded(t testing.TB, name string) []byte {
	t.Helper()
	b, err := record.Profile(filepath.Join("testdata", name+".trace.gz"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// allRecorded are the names of all of them.
func allRecorded(t testing.TB) (names []string) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.trace.gz")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".trace.gz"))
	}
	return names
}

func mustRead(t testing.TB, name string) *Facts {
	t.Helper()
	f, err := Read(bytes.NewReader(recorded(t, name)), Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return f
}

// TestRecordedParallelism holds traces of real runs to the theory of
// testdata/record/main.go.
func TestRecordedParallelism(t *testing.T) {
	for _, p := range []struct {
		name       string
		want       float64
		goroutines int
	}{
		{"forkjoin", 16, 30},
		{"callerhalf", 1996. / 287, 15},
		{"results", 16, 30},
		{"pipeline", 4 * 100 / 103., 5},
		{"amdahl30", 102. / 39, 8},
		{"amdahl60", 100. / 65, 8},
		{"imbalance", 1 / 0.9, 2},
	} {
		for _, procs := range []int{1, 2} {
			name := p.name + map[int]string{1: ".p1", 2: ".p2"}[procs]
			t.Run(name, func(t *testing.T) {
				f := mustRead(t, name)
				if got := f.Parallelism(); math.Abs(got-p.want) > 0.15*p.want {
					t.Errorf("Parallelism = %.2f, want %.2f ± 15%% (work %.0f, span %.0f)", got, p.want, f.Work, f.Span)
				}
				if f.Goroutines != p.goroutines {
					t.Errorf("Goroutines = %d, want %d", f.Goroutines, p.goroutines)
				}
				if f.Procs != procs {
					t.Errorf("Procs = %d, want %d", f.Procs, procs)
				}
				checkSums(t, f)
				if _, err := json.Marshal(f); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestRecordedIdle: on two processors the trace shows who ran alone.
func TestRecordedIdle(t *testing.T) {
	for _, p := range []struct {
		name string
		part func(i Idle) float64
	}{
		{"amdahl60.p2", func(i Idle) float64 { return i.Serial }},
		{"imbalance.p2", func(i Idle) float64 { return i.Imbalance }},
	} {
		f := mustRead(t, p.name)
		if got := p.part(f.Idle) / f.Idle.Total; got < 0.8 {
			t.Errorf("%s: share of idle time = %.2f, want >= 0.8 (%+v)", p.name, got, f.Idle)
		}
	}
}

func TestVersions(t *testing.T) {
	for _, version := range []string{"1.22.12", "1.25.4", "1.27.3"} {
		t.Run(version, func(t *testing.T) {
			f := mustRead(t, "mix.go"+version)
			checkSums(t, f)
			if f.Procs != 2 || f.Damaged || !f.Marked {
				t.Errorf("Procs, Damaged, Marked = %d, %v, %v, want 2, false, true", f.Procs, f.Damaged, f.Marked)
			}
			if f.Goroutines != 8 {
				t.Errorf("Goroutines = %d, want 8", f.Goroutines)
			}
			if f.Life.N != 8 {
				t.Errorf("Life.N = %d, want 8", f.Life.N)
			}
			if f.Yields != 3 {
				t.Errorf("Yields = %d, want 3", f.Yields)
			}
			if f.GC <= 0 || f.GC >= 1 {
				t.Errorf("GC = %v, want a share", f.GC)
			}
			seen := map[Kind]bool{}
			for _, b := range f.Blocks {
				seen[b.Kind] = true
				if b.N == 0 || b.Total <= 0 {
					t.Errorf("empty block %+v", b)
				}
				if b.Kind != GC && (!strings.HasPrefix(b.Site.Func, "main.") || filepath.Base(b.Site.File) != "main.go" || b.Site.Line == 0) {
					t.Errorf("block at %+v, want a line of main.go", b)
				}
			}
			for _, k := range []Kind{Mutex, RWMutex, Once, WaitGroup, Cond, ChanReceive, ChanSend, Select, Sleep, Yield} {
				if !seen[k] {
					t.Errorf("no block of kind %q in %+v", k, f.Blocks)
				}
			}
			for _, s := range f.SpawnSites {
				if s.Site.Func != "main.mix" {
					t.Errorf("spawned at %+v, want main.mix", s)
				}
			}
		})
	}
}
