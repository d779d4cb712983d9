package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/gopayoff/payoff/tool/fleet/internal/wire"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/turn"
)

// A job is one that this machine has.
type job struct {
	*agent
	wire.Job
	dir   string
	work  Worker // nil until the first step, and after one that it did not survive
	ids   map[string]string
	done  map[string]bool // steps that were answered
	doing string          // the step that is being done
	stop  context.CancelFunc
	cut   bool // it is not wanted any more, and has no answer
}

// job does the steps of a job until its coordinator ends it or is silent for too long.
func (a *agent) job(ctx context.Context, msg jetstream.Msg) {
	about, err := msg.Metadata()
	if err != nil {
		msg.Term()
		return
	}
	j := &job{agent: a, ids: map[string]string{}, done: map[string]bool{}}
	trusted := func(key string) bool {
		for _, k := range a.Trust {
			if k == key {
				return true
			}
		}
		return false
	}
	var key string
	if j.Job, key, err = wire.OpenJob(msg.Data(), trusted); err == nil && (j.Kind != a.me.Kind || j.Machine != "" && j.Machine != a.me.Machine || wire.CheckName(j.ID) != nil) {
		err = errors.New("it is for another machine")
	}
	if err != nil {
		a.Log("a job is refused: %v", err)
		msg.TermWithReason(err.Error())
		return
	}
	a.said(func(me *wire.Agent) { me.Job = j.ID })
	a.here(ctx)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var lost atomic.Bool
	go func() { // what gives no sign of life goes to another, and is not this machine's any more
		for last := time.Now(); ctx.Err() == nil; pause(ctx, a.Fleet.Timing.AckWait()/4) {
			if time.Since(last) > a.Fleet.Timing.AckWait() {
				lost.Store(true)
			}
			if a.Fleet.Conn.IsConnected() && msg.InProgress() == nil {
				last = time.Now()
			}
		}
	}()
	release, err := turn.Take(ctx, turn.Me([]string{"fleet", "agent"}, a.Dir), func(h turn.Holder) { a.Log("job %s waits: %v measures here", j.ID, h) })
	defer release()
	if ctx.Err() != nil {
		msg.Nak()
		return
	}
	if err != nil {
		a.Log("whether others measure here meanwhile is not known: %v", err)
	}
	if j.dir, err = os.MkdirTemp(filepath.Join(a.Dir, jobsName), j.ID+"-"); err != nil {
		a.Log("job %s: %v", j.ID, err)
		msg.NakWithDelay(a.Fleet.Timing.AckWait())
		return
	}
	if a.User != nil {
		err = os.Chown(j.dir, int(a.User.UID), int(a.User.GID))
	}
	defer func() {
		if err := errors.Join(j.close(), remove(j.dir)); err != nil {
			a.Log("job %s: %v", j.ID, err)
		}
	}()
	steps := make(chan *nats.Msg, 256)
	sub, err2 := a.Fleet.Conn.ChanSubscribe(wire.StepSubject(j.ID), steps)
	if err = errors.Join(err, err2); err != nil {
		a.Log("job %s: %v", j.ID, err)
		msg.NakWithDelay(a.Fleet.Timing.AckWait())
		return
	}
	defer sub.Unsubscribe()
	lease, err := wire.SealLease(a.Key, wire.Lease{Job: j.ID, Epoch: j.Epoch, Sequence: about.Sequence.Stream, Delivery: about.NumDelivered, Agent: a.who()})
	if err != nil {
		a.Log("job %s: %v", j.ID, err)
		msg.Nak()
		return
	}
	a.Log("job %s, delivery %d", j.ID, about.NumDelivered)
	switch why := j.serve(ctx, key, lease, steps); {
	case lost.Load():
		a.Log("job %s: this machine stood still or was cut off, and the job went to another", j.ID)
	case errors.Is(why, context.Canceled): // this agent ends, and another can go on
		msg.Nak()
	default:
		if why != nil {
			a.Log("job %s is dropped: %v", j.ID, why)
		}
		ack, stop := context.WithTimeout(ctx, a.Fleet.Timing.AckWait())
		defer stop()
		if err := msg.DoubleAck(ack); err != nil {
			a.Log("job %s: %v", j.ID, err)
		}
	}
}

// errSilent says that a coordinator has gone.
var errSilent = errors.New("its coordinator is silent")

// serve does steps. With every beat it says that it has the job.
func (j *job) serve(ctx context.Context, key string, lease []byte, steps <-chan *nats.Msg) error {
	beat := time.NewTicker(j.Fleet.Timing.Beat)
	defer beat.Stop()
	heard := time.Now()
	patience := j.Fleet.Timing.Contact()
	answered := make(chan error, 1)
	defer func() {
		if j.doing != "" {
			j.stop()
			<-answered
		}
	}()
	var next *wire.Step
	begin := func(s wire.Step) {
		var ctx2 context.Context
		ctx2, j.stop = context.WithCancel(ctx)
		j.doing = s.Key
		go func() { answered <- j.answer(ctx2, s) }()
	}
	j.say(lease)
	for {
		select {
		case <-ctx.Done():
			return context.Canceled
		case <-beat.C:
			j.say(lease)
			if time.Since(heard) > patience {
				return errSilent
			}
		case err := <-answered:
			j.done[j.doing] = !j.cut
			j.doing, j.cut = "", false
			j.stop()
			if err != nil {
				return err
			}
			if next != nil {
				s := *next
				next = nil
				begin(s)
			}
		case m := <-steps:
			s, err := wire.OpenStep(m.Data, wire.Is(key))
			switch {
			case err != nil:
				j.Log("job %s: a step is refused: %v", j.ID, err)
				continue
			case s.Job != j.ID || s.Machine != j.me.Machine || s.Epoch < j.Epoch:
				continue // of another machine, or of a coordinator that was replaced
			case s.Epoch > j.Epoch:
				return errors.New("another coordinator took the run over, and asks for its machine anew")
			}
			heard, patience = time.Now(), j.Fleet.Timing.Patience()
			switch {
			case s.End:
				return nil
			case s.Stop:
				if s.Key == j.doing && j.doing != "" {
					j.cut = true
					j.stop()
				}
			case s.Key == "" || s.Key == j.doing:
			case j.done[s.Key]:
				// The answer is in the stream.
			case j.doing != "":
				next = &s
			default:
				begin(s)
			}
		}
	}
}

func (j *job) say(lease []byte) {
	if err := j.Fleet.Conn.Publish(wire.LeaseSubject(j.ID), lease); err != nil {
		j.Log("job %s: %v", j.ID, err)
	}
}

// answer does a step and publishes what came of it. What was stopped has no answer.
func (j *job) answer(ctx context.Context, s wire.Step) error {
	o := wire.Out{Job: j.ID, Machine: j.me.Machine, Key: s.Key}
	err := j.step(ctx, s, &o)
	if ctx.Err() != nil {
		return nil
	}
	var fault *host.Fault
	switch {
	case errors.As(err, &fault):
		o.Fault = fault
	case err != nil:
		o.Err = err.Error()
	}
	return j.Fleet.PutOut(ctx, j.agent.Key, o)
}

func (j *job) step(ctx context.Context, s wire.Step, o *wire.Out) error {
	if j.work == nil {
		w, err := j.Start(j.dir)
		if err != nil {
			return fmt.Errorf("the process for benchmarks cannot be started: %w", err)
		}
		j.work, j.ids = w, map[string]string{}
	}
	switch {
	case s.Probe != nil:
		p, err := j.work.Probe(ctx, *s.Probe)
		o.Probe = &p
		return j.alive(err)
	case s.Run == nil || s.Binary == nil:
		return errors.New("a step of nothing")
	}
	id, err := j.binary(ctx, *s.Binary)
	if err != nil {
		return err
	}
	run := *s.Run
	run.Binary = id
	if run.Limit <= 0 || run.Limit > j.Limit.Time {
		run.Limit = j.Limit.Time
	}
	if run.Timeout > j.Limit.Time {
		run.Timeout = j.Limit.Time
	}
	out, err := j.work.Run(ctx, run)
	if err = j.alive(err); err != nil {
		return err
	}
	total := int64(0)
	for _, data := range out.Files {
		total += int64(len(data))
	}
	if total > j.Limit.Output {
		return &host.Fault{Reason: fmt.Sprintf("it left %d MB of files, and the machine hands over %d MB", total>>20, j.Limit.Output>>20), Next: "see -output of payoff-fleet agent"}
	}
	o.Outcome = &out
	return nil
}

// alive makes an end of the worker an outcome of the step: what ran there ended it, or
// used up its memory.
func (j *job) alive(err error) error {
	var fault *host.Fault
	if err == nil || errors.As(err, &fault) || errors.Is(err, context.Canceled) {
		return err
	}
	if !j.work.Gone() {
		return err
	}
	j.close()
	return &host.Fault{Reason: "it ended the process that runs benchmarks, or needed more than the machine gives it", Next: "see -memory and -processes of payoff-fleet agent"}
}

// binary is the ID of a binary at the worker, which gets it if it does not have it.
func (j *job) binary(ctx context.Context, b wire.Binary) (string, error) {
	name := b.Image.Sum
	for _, f := range sorted(b.Files) {
		name += " " + f + ":" + b.Files[f].Sum
	}
	if id, ok := j.ids[name]; ok {
		return id, nil
	}
	there := host.Binary{OS: b.OS, Probed: b.Probed, Files: map[string][]byte{}}
	var err error
	if there.Image, err = j.Fleet.GetBlob(ctx, b.Image); err != nil {
		return "", err
	}
	for f, blob := range b.Files {
		if there.Files[f], err = j.Fleet.GetBlob(ctx, blob); err != nil {
			return "", err
		}
	}
	there, err = j.work.Put(ctx, there)
	if err = j.alive(err); err != nil {
		return "", err
	}
	j.ids[name] = there.ID
	return there.ID, nil
}

// close ends all that runs for the job.
func (j *job) close() error {
	if j.work == nil {
		return nil
	}
	err := j.work.End()
	j.work = nil
	return err
}
