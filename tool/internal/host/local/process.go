package local

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/probe"
)

const (
	// drain is how long the output may stay open after the process ended: only
	// what left its group can hold it that long.
	drain = time.Second
	// grace is how long a process that is asked to quit may print goroutines.
	grace = 2 * time.Second
	// eventsName is the file in the folder of a process that the probe writes.
	eventsName = "events"
)

// Run implements [host.Host].
func (h *Host) Run(ctx context.Context, j host.Job) (o host.Outcome, err error) {
	i, err := strconv.Atoi(j.Binary)
	if err != nil || i < 0 || i >= len(h.binaries) {
		return o, fmt.Errorf("local: no binary %q", j.Binary)
	}
	b := h.binaries[i]
	folder, err := os.MkdirTemp(h.dir, "process-")
	if err != nil {
		return o, noSpace(err)
	}
	defer os.RemoveAll(folder)

	cmd := exec.Command(b.file, j.Args...)
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), "PWD="+b.dir, "GOMAXPROCS="+strconv.Itoa(j.Procs))
	for _, e := range j.Env {
		cmd.Env = append(cmd.Env, strings.ReplaceAll(e, host.Folder, folder))
	}
	out := &output{max: 4 << 20} // the results stand in it
	events := ""
	if b.probed {
		out.max = 64 << 10
		events = filepath.Join(folder, eventsName)
		if err := os.WriteFile(events, nil, 0o600); err != nil {
			return o, noSpace(err)
		}
		cmd.Env = append(cmd.Env, probe.Env+"="+events)
	}
	// A pipe of our own: cmd.Wait then returns when the process ends, not when
	// the last child that holds its output does.
	r, w, err := os.Pipe()
	if err != nil {
		return o, &host.Fault{Reason: "no pipe for its output: " + err.Error(), Next: "close other programs, or raise ulimit -n"}
	}
	defer r.Close()
	cmd.Stdout, cmd.Stderr = w, w

	runtime.LockOSThread() // the process ends with the thread that started it
	defer runtime.UnlockOSThread()
	before := machine.ReadUsage()
	g, err := start(cmd)
	w.Close()
	if err != nil {
		return o, &host.Fault{Reason: "its test binary cannot be started: " + err.Error(), Next: "unset GOOS and GOARCH, and set TMPDIR to a folder that may hold programs"}
	}
	copied := make(chan struct{})
	go func() {
		io.Copy(out, r)
		close(copied)
	}()
	stop := watch(ctx, g, events, j.Timeout, j.Limit)
	cmd.Wait() // the state says more than the error
	after := machine.ReadUsage()
	o.Late = stop()
	o.Left = g.end()
	select {
	case <-copied:
	case <-time.After(drain):
		o.Left, o.Stray = true, true // the copying ends with r, or with whoever holds the other end
	}
	if ctx.Err() != nil {
		return o, context.Cause(ctx)
	}
	o.Output, o.Death = out.bytes(), out.death()
	o.Exit, o.State = cmd.ProcessState.ExitCode(), cmd.ProcessState.String()
	o.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	o.Others, o.Steal = after.Since(before, o.CPU, j.Procs)
	if o.Files, err = files(folder); err != nil {
		return o, unread(err, b.pkg)
	}
	if !b.probed {
		o.Events = plainEvents(o.Output, j.Procs)
		return o, nil
	}
	if o.Events, err = probe.Parse(o.Files[eventsName]); err != nil {
		return o, unread(err, b.pkg)
	}
	delete(o.Files, eventsName)
	return o, nil
}

func noSpace(err error) error {
	return &host.Fault{Reason: err.Error(), Next: "free some space there, or set TMPDIR to another folder"}
}

func unread(err error, pkg string) error {
	return &host.Fault{Reason: "cannot read what it measured: " + err.Error(), Next: plain.Shell("payoff", "run", "-plain", pkg)}
}

// files reads what a process left in its folder.
func files(folder string) (map[string][]byte, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		if all[e.Name()], err = os.ReadFile(filepath.Join(folder, e.Name())); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// watch ends a group when ctx ends, when it had no news for the timeout, or when
// the limit, if there is one, has passed. News is that another benchmark has
// begun or ended: the file of events is written. The returned function stops the
// watch and reports whether one of the two struck.
func watch(ctx context.Context, g *group, events string, timeout, limit time.Duration) func() bool {
	done := make(chan struct{})
	late := make(chan bool, 1)
	began := time.Now()
	left := func() time.Duration {
		news := began
		if st, err := os.Stat(events); err == nil && st.ModTime().After(began) {
			news = st.ModTime()
		}
		d := timeout - time.Since(news)
		if limit > 0 {
			d = min(d, limit-time.Since(began))
		}
		return d
	}
	go func() {
		timer := time.NewTimer(left())
		defer timer.Stop()
		for {
			select {
			case <-done:
				late <- false
				return
			case <-ctx.Done():
				g.kill()
				late <- false
				return
			case <-timer.C:
			}
			if d := left(); d > 0 {
				timer.Reset(d)
				continue
			}
			g.quit()
			select {
			case <-done:
			case <-ctx.Done():
				g.kill()
			case <-time.After(grace):
				g.kill()
			}
			late <- true
			return
		}
	}()
	var once sync.Once
	return func() bool {
		once.Do(func() { close(done) })
		return <-late
	}
}
