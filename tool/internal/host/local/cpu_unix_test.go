//go:build unix

package local

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/host"
)

const burnEnv = "PAYOFF_TEST_BURN"

// TestBurn is what TestKernelTime runs: it spends time in the kernel and prints
// what it spent in all.
func TestBurn(t *testing.T) {
	if os.Getenv(burnEnv) == "" {
		t.Skip("TestKernelTime runs it")
	}
	for {
		for range 1000 {
			os.Stat(".")
		}
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Fatal(err)
		}
		if system := time.Duration(u.Stime.Nano()); system > 20*time.Millisecond && system > time.Duration(u.Utime.Nano())/20 {
			fmt.Printf("\nburnt %d\n", u.Utime.Nano()+u.Stime.Nano())
			return
		}
	}
}

// What a process spends in the kernel is its own, and no other's.
func TestKernelTime(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	h := New(dir, nil)
	o, err := h.Run(t.Context(), host.Job{Binary: h.know(binary{file: self, dir: dir}), Procs: 1, Timeout: time.Minute,
		Args: []string{"-test.run=^TestBurn$"}, Env: []string{burnEnv + "=1"}})
	if err != nil || o.Exit != 0 {
		t.Fatalf("Run = %+v, %v", o, err)
	}
	var burnt time.Duration
	_, line, _ := strings.Cut(string(o.Output), "\nburnt ")
	if _, err := fmt.Sscan(line, &burnt); err != nil {
		t.Fatalf("it printed %q: %v", o.Output, err)
	}
	if o.CPU < burnt {
		t.Errorf("CPU = %v, want the %v that it says, and what it took to end", o.CPU, burnt)
	}
}
