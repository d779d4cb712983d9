package local

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/host"
)

// What a process leaves in its group is ended; what left the group and holds the
// output is told apart.
func TestStray(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err == nil {
		_, err = exec.LookPath("setsid")
	}
	if err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct {
		how   string
		stray bool
	}{{"", false}, {"setsid", true}} {
		dir := t.TempDir()
		h := New(dir, nil)
		id := h.know(binary{file: sh, dir: dir})
		o, err := h.Run(t.Context(), host.Job{Binary: id, Procs: 1, Timeout: time.Minute, Args: []string{"-c",
			tt.how + " sh -c 'echo $$; : >began; exec sleep 60' & while [ ! -e began ]; do :; done"}})
		if err != nil {
			t.Fatal(err)
		}
		if pid, err := strconv.Atoi(strings.TrimSpace(string(o.Output))); err != nil {
			t.Error(err)
		} else if p, err := os.FindProcess(pid); err == nil {
			p.Kill()
		}
		if !o.Left || o.Stray != tt.stray {
			t.Errorf("%q: Left, Stray = %v, %v, want true, %v", tt.how, o.Left, o.Stray, tt.stray)
		}
	}
}
