package lead_test

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/fleet/internal/agent"
	"github.com/gopayoff/payoff/tool/fleet/internal/confine"
	"github.com/gopayoff/payoff/tool/internal/host"
)

// nobody lets jobs run as another user, where this one can.
func nobody(t *testing.T) func(*agent.Options) {
	t.Helper()
	if os.Geteuid() != 0 {
		return func(*agent.Options) {}
	}
	u, err := user.Lookup("nobody")
	if err != nil {
		t.Skipf("this is root, and there is no other user: %v", err)
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	return func(o *agent.Options) { o.User = &confine.User{UID: uint32(uid), GID: uint32(gid)} }
}

// What a job does to the machine that it must not is kept from it, ends with it, and
// leaves the machine to the next step.
func TestConfined(t *testing.T) {
	if stress.Race {
		t.Skip("a job is started by this binary, and the race detector reserves more memory than a job may have")
	}
	w := serve(t)
	outside := folder(t)
	if err := os.Chmod(outside, 0o777); err != nil {
		t.Fatal(err)
	}
	w.machine(nobody(t), func(o *agent.Options) {
		o.Limit.Memory, o.Limit.File, o.Limit.Output, o.Limit.Processes = 256<<20, 8<<20, 4<<20, 256
	})
	r := w.begin("")
	lacks := strings.Join(r.Machine().Lacks, "; ")
	for _, tt := range []struct {
		name, script string
		timeout      time.Duration
		check        func(o host.Outcome, err error) string
	}{
		{"forks and goes on", `for i in 1 2 3 4 5 6 7 8; do (setsid sleep 4321 >/dev/null 2>&1 &) ; done; echo done`, 0, func(o host.Outcome, err error) string {
			if pid := running("sleep\x004321"); pid != 0 {
				return fmt.Sprintf("process %d outlived its step", pid)
			}
			return is(err == nil && o.Left && !o.Stray && string(o.Output) == "done\n", "an outcome that says what it left")
		}},
		{"forks as fast as it can", `f() { f | f & }; f; sleep 0.2`, 0, func(o host.Outcome, err error) string {
			return is(err == nil && !o.Stray, "an outcome, and no process left")
		}},
		{"fills memory", `head -c 1000000000 /dev/zero | tail >/dev/null; echo "tail $?"`, 0, func(o host.Outcome, err error) string {
			return is(err == nil && strings.Contains(string(o.Output), "memory"), "an outcome in which memory is exhausted")
		}},
		{"ignores signals", `trap "" TERM INT QUIT HUP; while :; do sleep 0.1; done`, 300 * time.Millisecond, func(o host.Outcome, err error) string {
			return is(err == nil && o.Late, "an outcome that is late")
		}},
		{"writes outside of its folder", `echo x >` + outside + `/x; echo x >/tmp/fleet-test-outside; echo x >"$HOME/inside" && cat "$HOME/inside"`, 0, func(o host.Outcome, err error) string {
			if strings.Contains(lacks, "outside of its folder") {
				return "" // which the machine says
			}
			for _, f := range []string{filepath.Join(outside, "x"), "/tmp/fleet-test-outside"} {
				if _, err := os.Stat(f); err == nil {
					os.Remove(f)
					return f + " was written"
				}
			}
			return is(err == nil && strings.HasSuffix(string(o.Output), "\nx\n"), "that it writes inside, and says that it cannot outside")
		}},
		{"writes a large file", `head -c 20000000 /dev/zero >"$AT/large"; ls -s "$AT/large"`, 0, func(o host.Outcome, err error) string {
			var fault *host.Fault
			return is(errors.As(err, &fault) && strings.Contains(fault.Reason, "files"), "a fault: it hands over too much")
		}},
		{"prints without end", `yes abcdefghij | head -c 12000000; echo end`, 0, func(o host.Outcome, err error) string {
			return is(err == nil && len(o.Output) <= 8<<20 && strings.HasSuffix(string(o.Output), "end\n"), "the end of what it printed")
		}},
		{"ends what runs it", `kill -9 $PPID; sleep 5`, 0, func(o host.Outcome, err error) string {
			var fault *host.Fault
			return is(errors.As(err, &fault), "a fault")
		}},
		{"leaves what cannot be entered", `mkdir -p "$HOME/a/b"; touch "$HOME/a/b/c"; chmod 0 "$HOME/a/b" "$HOME/a"; echo done`, 0, func(o host.Outcome, err error) string {
			return is(err == nil && string(o.Output) == "done\n", "done")
		}},
	} {
		began := time.Now()
		b, err := r.Put(t.Context(), script(tt.script))
		if err != nil {
			t.Fatal(err)
		}
		j := job(b)
		j.Env = []string{"AT=" + host.Folder}
		if tt.timeout > 0 {
			j.Timeout = tt.timeout
		}
		o, err := r.Run(t.Context(), j)
		t.Logf("a job that %s: %v", tt.name, time.Since(began).Round(time.Millisecond))
		if wrong := tt.check(o, err); wrong != "" {
			t.Errorf("a job that %s: %s; it came to %v, late %v, left %v, stray %v, %q, error %v", tt.name, wrong, o.State, o.Late, o.Left, o.Stray, tail(o.Output), err)
		}
		if o, err := runs(t, r, "echo after"); err != nil || string(o.Output) != "after\n" {
			t.Fatalf("the step after a job that %s: %q, %v", tt.name, o.Output, err)
		}
	}
}

func is(ok bool, want string) string {
	if ok {
		return ""
	}
	return "want " + want
}

func tail(b []byte) []byte { return b[max(0, len(b)-300):] }
