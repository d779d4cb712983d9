package local

import (
	"io"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"
)

const roleEnv = "PAYOFF_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleEnv) {
	case "payoff": // starts a benchmark and waits to be killed
		runtime.LockOSThread()
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), roleEnv+"=benchmark")
		cmd.Stdout = os.Stdout
		if _, err := start(cmd); err != nil {
			panic(err)
		}
		cmd.Wait()
	case "benchmark": // has its standard output for as long as it lives
		os.Stdout.WriteString("b")
		time.Sleep(time.Minute)
	default:
		os.Exit(m.Run())
	}
}

// TestParent: a benchmark does not outlive payoff, however that ends.
func TestParent(t *testing.T) {
	switch runtime.GOOS {
	case "linux", "freebsd", "windows":
	default:
		t.Skip("this system does not end processes with their parent")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleEnv+"=payoff")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
		t.Fatalf("the benchmark did not begin: %v", err)
	}
	cmd.Process.Kill()
	began := time.Now()
	io.Copy(io.Discard, out) // until nobody has it
	if d := time.Since(began); d > 30*time.Second {
		t.Errorf("the benchmark ended %v after payoff was killed, by itself", d)
	}
	cmd.Wait()
}
