// Package agent is a machine of a fleet: it says what it is, takes one job at a time,
// and does its steps in a process of its own that is confined to a folder.
package agent

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/gopayoff/payoff/tool/fleet/internal/confine"
	"github.com/gopayoff/payoff/tool/fleet/internal/wire"
	"github.com/gopayoff/payoff/tool/internal/machine"
)

// Options of an agent. Dir, Fleet, Key and Trust have no default.
type Options struct {
	Dir   string // its own; jobs run beneath it
	Fleet *wire.Fleet
	Key   nkeys.KeyPair
	Trust []string // public keys of coordinators whose binaries run here
	User  *confine.User
	Limit Limits
	Log   func(format string, args ...any)
	// Quiet leaves out what takes time: prices and noise are not known then.
	Quiet bool
	// Start starts what does the steps of a job in its folder; default: a process of its
	// own, confined.
	Start func(dir string) (Worker, error)
}

// Limits of a job. The zero value of each has the default named at it.
type Limits struct {
	Time      time.Duration // of a process; default 10 minutes
	Memory    int64         // bytes that each process may write to; default three quarters of the machine's
	Processes int           // and threads; default 8192
	File      int64         // bytes of a file; default 1 GB
	Output    int64         // bytes of the files that a process hands over; default 256 MB
}

func (l Limits) or(e machine.Env) Limits {
	if l.Time == 0 {
		l.Time = 10 * time.Minute
	}
	if l.Memory == 0 {
		l.Memory = int64(e.Memory / 4 * 3)
	}
	if l.Processes == 0 {
		l.Processes = 8192
	}
	if l.File == 0 {
		l.File = 1 << 30
	}
	if l.Output == 0 {
		l.Output = 256 << 20
	}
	return l
}

// An agent is one that runs.
type agent struct {
	Options
	lock *flock.Flock

	mu sync.Mutex // guards what follows
	me wire.Agent
	// noise are the last measures of it, the oldest first.
	noise []noise
}

type noise struct {
	at    time.Time
	share float64
}

// Run is an agent until ctx ends. A job that it has then is given back.
func Run(ctx context.Context, o Options) error {
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	a := &agent{Options: o}
	if err := a.settle(); err != nil {
		return err
	}
	defer a.lock.Close()
	defer func() {
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer stop()
		a.Fleet.Gone(ctx, a.me.Machine)
	}()
	a.probe(ctx)
	a.here(ctx)
	o.Log("machine %s of kind %s: %v", a.me.Machine, a.me.Kind, a.me)
	for _, l := range a.me.Lacks {
		o.Log("%s", l)
	}
	var beats sync.WaitGroup
	beats.Go(func() { a.beat(ctx) })
	defer beats.Wait()
	for ctx.Err() == nil {
		msg, err := a.Fleet.Take(ctx, a.me.Kind, a.me.Machine, 2*a.Fleet.Timing.Beat)
		switch {
		case ctx.Err() != nil:
			if msg != nil {
				msg.Nak()
			}
			return nil
		case err != nil:
			a.Log("no job can be taken: %v", err)
			pause(ctx, a.Fleet.Timing.Beat)
		case msg != nil:
			a.job(ctx, msg)
			a.said(func(me *wire.Agent) { me.Job = "" })
			a.here(ctx)
		default:
			a.listen(ctx)
		}
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

const (
	lockName = "lock"
	nameFile = "machine"
	jobsName = "jobs"
	selfName = "payoff-fleet"
)

// settle makes the agent's folder its own, and takes away what a killed one left there.
func (a *agent) settle() error {
	jobs := filepath.Join(a.Dir, jobsName)
	// Others may go through, and see nothing: the user of the jobs has its own beneath.
	if err := errors.Join(os.MkdirAll(a.Dir, 0o711), os.MkdirAll(jobs, 0o711)); err != nil {
		return err
	}
	a.lock = flock.New(filepath.Join(a.Dir, lockName))
	if ok, err := a.lock.TryLock(); err != nil || !ok {
		return fmt.Errorf("%s is another agent's: give each a folder of its own with -own (%v)", a.Dir, err)
	}
	confine.Evict(jobs)
	left, err := os.ReadDir(jobs)
	if err != nil {
		return err
	}
	for _, e := range left {
		if err := remove(filepath.Join(jobs, e.Name())); err != nil {
			a.Log("what a job left: %v", err)
		}
	}
	if a.Start == nil {
		self, err := a.program()
		if err != nil {
			return err
		}
		a.Start = func(dir string) (Worker, error) { return startWorker(self, dir, a.Limit, a.User) }
	}
	a.me.Env = machine.Describe()
	a.me.Kind = a.me.Env.Kind()
	a.me.Noise = -1
	a.me.Kernel = kernel()
	a.me.Lacks = confine.Lacks(a.User)
	a.Limit = a.Limit.or(a.me.Env)
	if a.me.Key, err = a.Key.PublicKey(); err != nil {
		return err
	}
	a.me.Machine, err = name(filepath.Join(a.Dir, nameFile))
	return err
}

// name is what the machine called itself when its folder was made. Its host's name may
// change, and may be that of many.
func name(file string) (string, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		text = []byte(strings.ToLower(rand.Text()[:12]))
		err = os.WriteFile(file, text, 0o600)
	}
	if err == nil {
		err = wire.CheckName(string(text))
	}
	return string(text), err
}

// program is a copy of this one that the user of the jobs can run, wherever this one is.
func (a *agent) program() (string, error) {
	self, err := os.Executable()
	if err != nil || a.User == nil {
		return self, err
	}
	from, err := os.Open(self)
	if err != nil {
		return "", err
	}
	defer from.Close()
	file := filepath.Join(a.Dir, selfName)
	os.Remove(file) // it may be running
	to, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(to, from)
	return file, errors.Join(err, to.Chmod(0o755), to.Close())
}

// probe finds out what things cost here.
func (a *agent) probe(ctx context.Context) {
	if a.Quiet {
		return
	}
	prices := machine.ProbePrices(ctx, 10*time.Millisecond, a.me.Env)
	a.said(func(me *wire.Agent) { me.Prices = prices })
	a.listen(ctx)
}

const (
	listenEvery = 5 * time.Minute
	listenKeep  = time.Hour
	batches     = 40
)

// listen measures the noise of the machine now and then while it is idle.
func (a *agent) listen(ctx context.Context) {
	if a.Quiet {
		return
	}
	now := time.Now()
	if n := len(a.noise); n > 0 && now.Sub(a.noise[n-1].at) < listenEvery {
		return
	}
	all := machine.ProbeFloor(ctx, batches, 5*time.Millisecond)
	if len(all) < batches {
		return
	}
	slices.Sort(all)
	a.noise = append(slices.DeleteFunc(a.noise, func(x noise) bool { return now.Sub(x.at) > listenKeep }),
		noise{now, (all[batches*3/4] - all[batches/4]) / all[batches/2]})
	shares := make([]float64, len(a.noise))
	for i, x := range a.noise {
		shares[i] = x.share
	}
	slices.Sort(shares)
	a.said(func(me *wire.Agent) { me.Noise = shares[len(shares)/2] })
}

// said changes what the agent says of itself.
func (a *agent) said(change func(*wire.Agent)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change(&a.me)
}

func (a *agent) who() wire.Agent {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.me
}

func (a *agent) here(ctx context.Context) {
	me := a.who()
	me.Time = time.Now().Round(0)
	ctx, stop := context.WithTimeout(ctx, 5*a.Fleet.Timing.Beat)
	defer stop()
	if err := a.Fleet.Here(ctx, me); err != nil && ctx.Err() == nil && !errors.Is(err, nats.ErrConnectionClosed) {
		a.Log("the fleet does not hear of this machine: %v", err)
	}
}

// beat says again and again that the machine is there.
func (a *agent) beat(ctx context.Context) {
	for ctx.Err() == nil {
		pause(ctx, 5*a.Fleet.Timing.Beat)
		a.here(ctx)
	}
}

// remove takes a folder away that a job may have made hard to take away.
func remove(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

func kernel() string {
	text, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
