package queue

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"testing"
)

// hogEnv makes a hog of the test binary.
const hogEnv = "PEERS_QUEUE_HOG"

func TestMain(m *testing.M) {
	if os.Getenv(hogEnv) != "" {
		beHog()
		return
	}
	os.Exit(m.Run())
}

// beHog takes one processor until standard input ends, which it does at the
// latest when the parent dies.
func beHog() {
	runtime.GOMAXPROCS(1)
	var end atomic.Bool
	go func() {
		io.Copy(io.Discard, os.Stdin)
		end.Store(true)
	}()
	fmt.Println("hog")
	for !end.Load() {
	}
}

// A hog is another process that takes one processor.
type hog struct {
	cmd   *exec.Cmd
	stdin io.Closer
}

// startHog starts one and returns once it runs. It ends with the test.
func startHog(tb testing.TB) hog {
	tb.Helper()
	exe, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), hogEnv+"=1", "GORACE=atexit_sleep_ms=0")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	if _, err := io.ReadFull(stdout, make([]byte, len("hog"))); err != nil {
		tb.Fatalf("the hog does not run: %v", err)
	}
	return hog{cmd, stdin}
}

// Beside a process that wants a processor for itself, a queue that spins may
// spin in front of nobody.
func BenchmarkHog(b *testing.B) {
	startHog(b)
	only := []string{"chan", "mutexring", "payoff-mpmc", "payoff-mpsc", "payoff-spsc"}
	for _, name := range []string{"SPSC", "MPSC", "MPMC"} {
		b.Run("shape="+name, func(b *testing.B) { bench(b, name, only...) })
	}
	b.Run("shape=PingPong", func(b *testing.B) { benchPingPong(b, only...) })
}

// A hog ends when its standard input does, as it does when the parent dies.
func TestHog(t *testing.T) {
	h := startHog(t)
	if err := h.stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if err := h.cmd.Wait(); err != nil {
		t.Errorf("the hog ends with %v, want none", err)
	}
}
