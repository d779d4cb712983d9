package queue_test

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/queue"
)

// misuses are ways in which two goroutines use an end that is for one.
var misuses = map[string]func(){
	"SPSC.TrySend": func() {
		q := queue.NewSPSC[int](1 << 14)
		twice(func() { q.TrySend(1) })
	},
	"SPSC.TryRecv": func() {
		q := queue.NewSPSC[int](1 << 14)
		q.SendAll(make([]int, 1<<14))
		twice(func() { q.TryRecv() })
	},
	"MPSC.TryRecv": func() {
		q := queue.NewMPSC[int](1 << 14)
		q.SendAll(make([]int, 1<<14))
		twice(func() { q.TryRecv() })
	},
}

// twice calls f again and again in two goroutines at once.
func twice(f func()) {
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for range 5000 {
				f()
			}
		})
	}
	all.Wait()
}

const misuseEnv = "QUEUE_MISUSE"

// The race detector reports two goroutines at an end that is for one, unless the
// queue itself does before. Either would end this process, so another of the same
// binary provokes it.
func TestMisuseIsReported(t *testing.T) {
	if f := misuses[os.Getenv(misuseEnv)]; f != nil {
		f()
		return
	}
	if !stress.Race {
		t.Skip("needs go test -race")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name := range misuses {
		cmd := exec.Command(exe, "-test.run=^TestMisuseIsReported$", "-test.cpu=2", "-test.timeout=1m")
		cmd.Env = append(os.Environ(), misuseEnv+"="+name)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "WARNING: DATA RACE") && !strings.Contains(string(out), "panic: queue: two goroutines") {
			t.Errorf("two goroutines call %s: %v, want a report of a data race or a panic; output:\n%s", name, err, out)
		}
	}
}
