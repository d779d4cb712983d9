package agent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gopayoff/payoff/tool/fleet/internal/confine"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/host/local"
	"github.com/gopayoff/payoff/tool/internal/host/plug"
)

// A Worker does the steps of a job, one call at a time.
type Worker interface {
	plug.Far
	// Gone reports whether it can do no more, after a call that failed.
	Gone() bool
	// End ends it, and all that it left.
	End() error
}

// A worker is the process that runs the processes of a job. The agent speaks with it
// through a plug, as payoff does with a machine.
type worker struct {
	*plug.Client
	cmd   *exec.Cmd
	dir   string
	ended atomic.Bool
	wait  chan struct{} // closed when it has ended
}

// Work is what the process of a job does: the main function calls it before anything
// else. It reports whether this process is one, which then has to end.
func Work() (is bool, err error) {
	dir, is, err := confine.Enter()
	if !is || err != nil {
		return is, err
	}
	s := plug.NewSocket(os.Stdin, os.Stdout)
	if err := s.Say(plug.Hello{OS: runtime.GOOS, Arch: runtime.GOARCH, Machine: "this machine"}); err != nil {
		return true, err
	}
	return true, s.Serve(context.Background(), confined{local.New(dir, nil)})
}

// confined runs processes, and leaves none of theirs.
type confined struct{ *local.Host }

func (c confined) Run(ctx context.Context, j host.Job) (host.Outcome, error) {
	o, err := c.Host.Run(ctx, j)
	ended, left := confine.Sweep()
	o.Left = o.Left || ended > 0
	o.Stray = left
	return o, err
}

// startWorker starts the process of a job in its folder.
func startWorker(self, dir string, l Limits, user *confine.User) (*worker, error) {
	cmd, err := confine.Command(self, dir, confine.Limits{Memory: l.Memory, Processes: l.Processes, File: l.File}, user)
	if err != nil {
		return nil, err
	}
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout = w
	k := &worker{cmd: cmd, dir: dir, wait: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // the process ends with the thread that started it
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			cmd.Wait()
			k.ended.Store(true)
			close(k.wait)
		}
	}()
	err = <-started
	w.Close()
	if err != nil {
		out.Close()
		return nil, err
	}
	k.Client, err = plug.Connect(in, out, func(string) {}, func() error {
		in.Close()
		defer out.Close()
		select {
		case <-k.wait:
		case <-time.After(10 * time.Second):
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			<-k.wait
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %v", err, cmd.ProcessState)
	}
	return k, nil
}

// Gone reports whether the process has ended, or soon will have: its output is closed.
func (w *worker) Gone() bool {
	select {
	case <-w.wait:
		return true
	case <-time.After(time.Second):
		return w.ended.Load()
	}
}

// End ends the process, and all that it left.
func (w *worker) End() error {
	err := w.Close()
	syscall.Kill(-w.cmd.Process.Pid, syscall.SIGKILL)
	confine.Evict(w.dir)
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
