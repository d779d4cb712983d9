package stress

import (
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
)

const hogEnv = "PAYOFF_STRESS_HOG"

// Hog starts a process that keeps one processor busy until t ends. It is this
// test's binary, which spins before its main function where it finds itself to
// be the hog.
func Hog(t testing.TB) {
	t.Helper()
	cmd, alive := startHog(t)
	t.Cleanup(func() {
		alive.Close()
		cmd.Process.Kill()
		cmd.Wait()
	})
}

// startHog returns a process that spins and will end when alive is closed.
func startHog(t testing.TB) (cmd *exec.Cmd, alive io.Closer) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(exe)
	cmd.Env = append(os.Environ(), hogEnv+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
		t.Fatalf("the hog does not say that it spins: %v (%v)", err, cmd.Wait())
	}
	return cmd, in
}

func init() {
	if os.Getenv(hogEnv) != "" {
		hog()
	}
}

// hog spins until standard input ends: the system closes that pipe however the
// parent dies, so no hog outlives it.
func hog() {
	var orphan atomic.Bool
	go func() {
		io.Copy(io.Discard, os.Stdin)
		orphan.Store(true)
	}()
	os.Stdout.Write([]byte{'!'})
	for !orphan.Load() {
	}
	os.Exit(0)
}
