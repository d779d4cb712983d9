package par

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gopayoff/payoff/par"
	"github.com/gopayoff/payoff/peers/internal/burn"
)

// A test binary with this in its environment is a child of BenchmarkFirst: it
// makes one call and says how long it took.
const firstEnv = "PAYOFF_PEERS_PAR_FIRST" // variant, space, rounds

func TestMain(m *testing.M) {
	if v := os.Getenv(firstEnv); v != "" {
		if err := firstChild(v); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		return
	}
	os.Exit(m.Run())
}

// firsts run two functions in a process that has not run anything yet.
var firsts = []struct {
	name string
	do   func(f, g func())
}{
	{"serial", func(f, g func()) { f(); g() }},
	{"payoff", func(f, g func()) { par.Do(f, g) }},
	{"goroutines", func(f, g func()) {
		var wg sync.WaitGroup
		wg.Go(f)
		g()
		wg.Wait()
	}},
}

func firstChild(env string) error {
	var name string
	var rounds int
	if _, err := fmt.Sscan(env, &name, &rounds); err != nil {
		return err
	}
	i := slices.IndexFunc(firsts, func(v struct {
		name string
		do   func(f, g func())
	}) bool {
		return v.name == name
	})
	if i < 0 {
		return fmt.Errorf("no variant %q", name)
	}
	var a, b uint64
	from := time.Now()
	firsts[i].do(func() { a = burn.Rounds(1, rounds) }, func() { b = burn.Rounds(2, rounds) })
	took := time.Since(from)
	fmt.Println(took.Nanoseconds(), a+b)
	return nil
}

// first starts a child and returns how long its call took, and what it computed.
func first(name string, rounds int) (took time.Duration, sum uint64, err error) {
	exe, err := os.Executable()
	if err != nil {
		return 0, 0, err
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(),
		firstEnv+"="+name+" "+strconv.Itoa(rounds),
		"GOMAXPROCS="+strconv.Itoa(runtime.GOMAXPROCS(0)),
		"GORACE=atexit_sleep_ms=0") // a second, where the detector is there
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, 0, err
	}
	var ns int64
	if _, err := fmt.Sscan(strings.TrimSpace(string(out)), &ns, &sum); err != nil {
		return 0, 0, fmt.Errorf("child printed %q: %w", out, err)
	}
	return time.Duration(ns), sum, nil
}

// The first call of all has nothing learned to go by. One op is one process; ns/op
// is the median of what its two functions of work nanoseconds took, not of what
// the process did.
func BenchmarkFirst(b *testing.B) {
	for _, work := range []struct{ ns, rounds int }{{100_000, 45_500}, {1_000_000, 455_000}, {10_000_000, 4_550_000}} {
		for _, v := range firsts {
			b.Run(fmt.Sprintf("variant=%s/work=%d", v.name, work.ns), func(b *testing.B) {
				var all []time.Duration
				for b.Loop() {
					took, _, err := first(v.name, work.rounds)
					if err != nil {
						b.Fatal(err)
					}
					all = append(all, took)
				}
				slices.Sort(all)
				b.ReportMetric(float64(all[len(all)/2]), "ns/op")
			})
		}
	}
}

func TestFirst(t *testing.T) {
	const rounds = 1000
	want := burn.Rounds(1, rounds) + burn.Rounds(2, rounds)
	for _, v := range firsts {
		took, got, err := first(v.name, rounds)
		if err != nil {
			t.Fatalf("variant=%s: %v", v.name, err)
		}
		if got != want || took < 0 {
			t.Errorf("variant=%s computed %d in %v, want %d", v.name, got, took, want)
		}
	}
	if err := firstChild("nobody 1"); err == nil {
		t.Error("a variant that is not there was run")
	}
}
