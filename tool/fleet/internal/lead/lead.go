// Package lead is a coordinator: it asks the fleet for a machine and does one run on
// it. To payoff that is a machine like any other ([plug.Far]).
//
// What the machine answered stays in a stream. A coordinator that comes back under the
// name of one that died asks for the same, gets the same answers up to where that one
// was, and goes on from there, on the same machine. protocol.md beside package wire says why
// nothing is lost, doubled or mixed.
package lead

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/gopayoff/payoff/tool/fleet/internal/wire"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/host/plug"
)

// Options of a run. Fleet and Key have no default.
type Options struct {
	Fleet  *wire.Fleet
	Key    nkeys.KeyPair
	Wish   wire.Wish
	Notice func(string) // hears why it takes long
}

// A Run is a machine for one run. It is a [plug.Far]: one call at a time.
type Run struct {
	Options
	name string
	hold *wire.Hold
	sub  *nats.Subscription
	outs *nats.Subscription
	mail chan *nats.Msg
	at   lease // the machine
	// before says that answers of an earlier life of the coordinator may be there.
	before bool
	counts map[string]int // of equal steps
	known  map[string]wire.Binary
	stop   context.CancelFunc
	beats  sync.WaitGroup
	ended  sync.Once
	failed chan error // why the run is not this coordinator's any more
	err    error
}

type lease struct {
	wire.Lease
	sequence uint64 // of the job in its stream
	epoch    uint64
}

var _ plug.Far = (*Run)(nil)

// Begin claims the run and waits for a machine that fits.
func Begin(ctx context.Context, o Options) (*Run, error) {
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	r := &Run{Options: o, name: o.Wish.RunName, mail: make(chan *nats.Msg, 1024), counts: map[string]int{}, known: map[string]wire.Binary{}, failed: make(chan error, 1)}
	if r.name == "" {
		r.name = strings.ToLower(rand.Text()[:16])
	}
	claim := wire.Claim{Owner: rand.Text(), Where: where(), Made: time.Now().Round(0)}
	var err error
	if claim.Key, err = o.Key.PublicKey(); err != nil {
		return nil, err
	}
	hold, before, err := o.Fleet.Claim(ctx, r.name, claim)
	if err != nil {
		return nil, err
	}
	r.hold = hold
	if err := r.begin(ctx, before); err != nil {
		r.leave()
		return nil, err
	}
	var own context.Context
	own, r.stop = context.WithCancel(context.WithoutCancel(ctx))
	r.beats.Go(func() { r.beat(own) })
	return r, nil
}

// begin finds a machine. before is what a coordinator before this one had.
func (r *Run) begin(ctx context.Context, before *wire.Claim) (err error) {
	if r.sub, err = r.Fleet.Conn.ChanSubscribe(wire.LeaseSubject(r.name), r.mail); err != nil {
		return err
	}
	if r.outs, err = r.Fleet.Conn.ChanSubscribe(wire.OutSubject(r.name, "*", "*"), r.mail); err != nil {
		return err
	}
	kind, machine, err := r.choose(ctx, before)
	if err != nil {
		return err
	}
	r.before = machine != ""
	if !r.before { // answers under this name are of a run that has nothing to do with it
		if err = r.Fleet.Drop(ctx, r.name); err != nil {
			return err
		}
	}
	return r.ask(ctx, kind, machine)
}

func where() string {
	name, err := os.Hostname()
	if err != nil {
		name = "a machine without a name"
	}
	return fmt.Sprintf("process %d on %s", os.Getpid(), name)
}

// choose returns the kind to ask for, and the machine where only one will do: the one
// that has steps of this run already.
func (r *Run) choose(ctx context.Context, before *wire.Claim) (kind, machine string, err error) {
	for told, fresh := false, false; ; {
		all, err := r.Fleet.Agents(ctx)
		if err != nil {
			return "", "", err
		}
		fits := slices.ContainsFunc(all, func(a wire.Agent) bool {
			if before != nil && before.Machine != "" {
				return a.Machine == before.Machine && a.Kind == before.Kind
			}
			return r.Wish.Fits(a) && a.Unfit() == ""
		})
		if !fits && !fresh { // one may have come within the beat
			fresh = true
			r.Fleet.Forget()
			continue
		}
		if before != nil && before.Machine != "" {
			if slices.ContainsFunc(all, func(a wire.Agent) bool { return a.Machine == before.Machine && a.Kind == before.Kind }) {
				r.Notice(fmt.Sprintf("run %s goes on where it was on machine %s", r.name, before.Machine))
				return before.Kind, before.Machine, nil
			}
			r.Notice(fmt.Sprintf("run %s was on machine %s, which is gone: it is begun anew", r.name, before.Machine))
			before = nil
		}
		idle := map[string]int{}
		var unfit []string
		for _, a := range all {
			switch {
			case !r.Wish.Fits(a):
			case a.Unfit() != "":
				unfit = append(unfit, fmt.Sprintf("%s is left out: %s", a.Machine, a.Unfit()))
			default:
				n := idle[a.Kind]
				if a.Job == "" {
					n++
				}
				idle[a.Kind] = n
			}
		}
		switch {
		case len(idle) > 0:
			for _, u := range unfit {
				r.Notice(u)
			}
			kinds := sortedKeys(idle)
			best := slices.MaxFunc(kinds, func(a, b string) int { return idle[a] - idle[b] })
			if idle[best] == 0 {
				r.Notice("every machine that fits measures something: waiting for one")
			}
			return best, "", nil
		case len(unfit) > 0 && len(all) > 0:
			return "", "", fmt.Errorf("no machine can be used: %s", strings.Join(unfit, "; "))
		case len(all) > 0:
			return "", "", fmt.Errorf("no machine is so: there are %s: payoff-fleet ls shows them", kindsOf(all))
		case !told:
			told = true
			r.Notice("no machine is there yet: waiting for one; payoff-fleet agent makes a machine one")
		}
		select {
		case <-ctx.Done():
			return "", "", context.Cause(ctx)
		case <-time.After(r.Fleet.Timing.Beat):
		}
	}
}

func kindsOf(all []wire.Agent) string {
	n := map[string]int{}
	for _, a := range all {
		n[a.String()]++
	}
	var said []string
	for _, k := range sortedKeys(n) {
		said = append(said, fmt.Sprintf("%d × %s", n[k], k))
	}
	return strings.Join(said, ", ")
}

// ask publishes the job and waits until a machine has it.
func (r *Run) ask(ctx context.Context, kind, machine string) error {
	r.at.epoch = r.hold.Epoch()
	j := wire.Job{ID: r.name, Kind: kind, Machine: machine, Epoch: r.at.epoch}
	data, err := wire.SealJob(r.Key, j)
	if err != nil {
		return err
	}
	if r.at.sequence, err = r.Fleet.PutJob(ctx, j, data); err != nil {
		return err
	}
	beat := time.NewTicker(r.Fleet.Timing.Beat)
	defer beat.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-beat.C:
			if err := r.hold.Renew(ctx, r.at.Agent); errors.Is(err, wire.ErrTaken) {
				return err
			}
			if machine == "" {
				continue
			}
			// It may wait for the coordinator before this one.
			if err := r.send(wire.Step{Job: r.name, Epoch: r.at.epoch, Machine: machine}); err != nil {
				return err
			}
			if n%15 != 0 {
				continue
			}
			r.Fleet.Offer(ctx, j) // if it cannot be done now, it is at the next time
			all, err := r.Fleet.Agents(ctx)
			if err == nil && !slices.ContainsFunc(all, func(a wire.Agent) bool { return a.Machine == machine }) {
				return fmt.Errorf("machine %s, which has a part of run %s, is gone: begin again to measure all on another", machine, r.name)
			}
		case m := <-r.mail:
			if l, ok := r.lease(m); ok {
				r.at.Lease = l
				if err := r.hold.Renew(ctx, l.Agent); errors.Is(err, wire.ErrTaken) { // beats renew it again
					return err
				}
				return r.tell(wire.Step{}) // that it is wanted
			}
		}
	}
}

// lease reads a message as the lease of this run's job that counts: the last delivery of
// it. One of another message of the same name, which somebody else published, counts not.
func (r *Run) lease(m *nats.Msg) (wire.Lease, bool) {
	if m.Subject != wire.LeaseSubject(r.name) {
		return wire.Lease{}, false
	}
	l, key, err := wire.OpenLease(m.Data, func(string) bool { return true })
	ok := err == nil && l.Job == r.name && l.Epoch == r.at.epoch && l.Sequence == r.at.sequence && l.Delivery > r.at.Delivery && l.Agent.Key == key &&
		l.Agent.Kind == l.Agent.Env.Kind() && r.Wish.Fits(l.Agent)
	return l, ok
}

// alive reports whether a message says that the machine has the job.
func (r *Run) alive(m *nats.Msg) bool {
	if m.Subject != wire.LeaseSubject(r.name) {
		return false
	}
	l, _, err := wire.OpenLease(m.Data, wire.Is(r.at.Agent.Key))
	return err == nil && l.Job == r.name && l.Sequence == r.at.sequence && l.Delivery == r.at.Delivery
}

// beat says that the coordinator is alive, to the machine and to others that would have
// its run.
func (r *Run) beat(ctx context.Context) {
	tick := time.NewTicker(r.Fleet.Timing.Beat)
	defer tick.Stop()
	at := r.at
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := r.hold.Renew(ctx, at.Agent); errors.Is(err, wire.ErrTaken) {
			select {
			case r.failed <- err:
			default:
			}
			return
		}
		r.send(wire.Step{Job: r.name, Epoch: at.epoch, Machine: at.Agent.Machine})
	}
}

// Machine is the machine of the run.
func (r *Run) Machine() wire.Agent { return r.at.Agent }

// Epoch is that of this coordinator of the run.
func (r *Run) Epoch() uint64 { return r.at.epoch }

// Name is the name of the run.
func (r *Run) Name() string { return r.name }

// Seed fixes the order of the samples of a run with a name, so that one which comes back
// asks for the same; 0 for another.
func (r *Run) Seed() uint64 {
	if r.Wish.RunName == "" {
		return 0
	}
	h := fnv.New64a()
	h.Write([]byte(r.name))
	return h.Sum64() | 1
}

func (r *Run) tell(s wire.Step) error {
	s.Job, s.Epoch, s.Machine = r.name, r.at.epoch, r.at.Agent.Machine
	return r.send(s)
}

func (r *Run) send(s wire.Step) error {
	data, err := wire.SealStep(r.Key, s)
	if err != nil {
		return err
	}
	if limit := r.Fleet.Conn.MaxPayload(); int64(len(data)) > limit {
		return fmt.Errorf("a step of %d KB, and the server takes %d KB", len(data)>>10, limit>>10)
	}
	return r.Fleet.Conn.Publish(wire.StepSubject(r.name), data)
}

// do has a step done, and returns its answer.
func (r *Run) do(ctx context.Context, s wire.Step) (o wire.Out, err error) {
	if r.err != nil {
		return o, r.err
	}
	defer func() {
		if err != nil && ctx.Err() == nil {
			r.err = err // all that follows would be of another run
		}
	}()
	equal, err := s.NewKey(0)
	if err != nil {
		return o, err
	}
	r.counts[equal]++
	if s.Key, err = s.NewKey(r.counts[equal]); err != nil {
		return o, err
	}
	if r.before {
		if o, ok, err := r.look(ctx, s.Key); ok || err != nil {
			return o, err
		}
	}
	if err := r.tell(s); err != nil {
		return o, err
	}
	again := time.NewTicker(r.Fleet.Timing.Beat)
	defer again.Stop()
	heard := time.Now() // that the machine has the job
	for {
		select {
		case <-ctx.Done():
			s.Stop, s.Run, s.Probe, s.Binary = true, nil, nil, nil
			return o, errors.Join(context.Cause(ctx), r.tell(s))
		case err := <-r.failed:
			return o, err
		case <-again.C:
			// What was said, or the answer, may have been lost on the way.
			if o, ok, err := r.look(ctx, s.Key); ok || err != nil {
				return o, err
			}
			if time.Since(heard) > r.Fleet.Timing.Patience() {
				if wanted, err := r.Fleet.Wanted(ctx, r.at.sequence); err == nil && !wanted {
					return o, fmt.Errorf("%w: %s gave the job up", plug.ErrMoved, r.at.Agent.Machine)
				}
			}
			if err := r.tell(s); err != nil {
				return o, err
			}
		case m := <-r.mail:
			if r.alive(m) {
				heard = time.Now()
			}
			if l, ok := r.lease(m); ok {
				was := r.at.Agent
				if r.at.Lease = l; l.Agent.Machine != was.Machine || l.Agent.Key != was.Key {
					return o, fmt.Errorf("%w: %s stopped answering, and %s took its job", plug.ErrMoved, was.Machine, l.Agent.Machine)
				}
				r.Notice(fmt.Sprintf("machine %s is back, and goes on", was.Machine))
				if err := r.tell(s); err != nil {
					return o, err
				}
				continue
			}
			if m.Subject == wire.OutSubject(r.name, r.at.Agent.Machine, s.Key) {
				if o, err := r.answer(ctx, m.Data, s.Key); err == nil {
					return o, nil
				}
			}
		}
	}
}

// look looks for an answer in the stream. That the server is away for a while is no
// error: it is looked again.
func (r *Run) look(ctx context.Context, key string) (o wire.Out, ok bool, err error) {
	short, stop := context.WithTimeout(ctx, r.Fleet.Timing.AckWait())
	defer stop()
	data, err := r.Fleet.GetOut(short, r.name, r.at.Agent.Machine, key)
	if err != nil || data == nil {
		return o, false, nil
	}
	if o, err = r.answer(ctx, data, key); err != nil {
		return o, false, fmt.Errorf("the answer of machine %s to step %s: %w", r.at.Agent.Machine, key, err)
	}
	return o, true, nil
}

// answer reads one, if it is what the machine signed for this step of this run.
func (r *Run) answer(ctx context.Context, data []byte, key string) (wire.Out, error) {
	o, err := r.Fleet.ReadOut(ctx, data, r.at.Agent.Key)
	if err == nil && (o.Job != r.name || o.Machine != r.at.Agent.Machine || o.Key != key) {
		err = fmt.Errorf("%w: it is that to another step", wire.ErrSignature)
	}
	return o, err
}

// result is what a step came to, as an error of [host.Host].
func result(o wire.Out, err error) error {
	switch {
	case err != nil:
		return err
	case o.Fault != nil:
		return o.Fault
	case o.Err != "":
		return fmt.Errorf("machine %s: %s", o.Machine, o.Err)
	}
	return nil
}

// Put implements [plug.Far]: it sends what the fleet's store does not have.
func (r *Run) Put(ctx context.Context, b host.Binary) (host.Binary, error) {
	w := wire.Binary{OS: b.OS, Probed: b.Probed, Files: map[string]wire.Blob{}}
	var err error
	if w.Image, _, err = r.Fleet.PutBlob(ctx, b.Image); err != nil {
		return b, err
	}
	b.ID = w.Image.Sum
	for _, name := range sortedKeys(b.Files) {
		if w.Files[name], _, err = r.Fleet.PutBlob(ctx, b.Files[name]); err != nil {
			return b, err
		}
		b.ID += " " + name + ":" + w.Files[name].Sum
	}
	r.known[b.ID] = w
	b.Image, b.Files = nil, nil
	return b, nil
}

// Run implements [plug.Far].
func (r *Run) Run(ctx context.Context, j host.Job) (out host.Outcome, err error) {
	b, ok := r.known[j.Binary]
	if !ok {
		return out, fmt.Errorf("no binary %q", j.Binary)
	}
	j.Binary = ""
	o, err := r.do(ctx, wire.Step{Binary: &b, Run: &j})
	if err = result(o, err); err != nil {
		return out, err
	}
	if o.Outcome == nil {
		return out, fmt.Errorf("machine %s: an answer of nothing", o.Machine)
	}
	return *o.Outcome, nil
}

// Probe implements [plug.Far].
func (r *Run) Probe(ctx context.Context, a host.Ask) (host.Probe, error) {
	o, err := r.do(ctx, wire.Step{Probe: &a})
	if err = result(o, err); err != nil {
		return host.Probe{}, err
	}
	if o.Probe == nil {
		return host.Probe{}, fmt.Errorf("machine %s: an answer of nothing", o.Machine)
	}
	return *o.Probe, nil
}

// End gives the machine back, and forgets what it answered.
func (r *Run) End(ctx context.Context) (err error) {
	r.ended.Do(func() { err = r.end(ctx) })
	return err
}

func (r *Run) end(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	err := r.tell(wire.Step{End: true})
	r.quit()
	return errors.Join(err, r.Fleet.Conn.FlushWithContext(ctx), r.Fleet.Drop(ctx, r.name), r.Fleet.WithdrawJob(ctx, r.at.sequence), r.hold.Release(ctx))
}

// quit stops all that goes on beside calls. What is on the server stays.
func (r *Run) quit() {
	if r.stop != nil {
		r.stop()
	}
	r.beats.Wait()
	for _, s := range []*nats.Subscription{r.sub, r.outs} {
		if s != nil {
			s.Unsubscribe()
		}
	}
}

// leave takes back what was asked for before there was a machine.
func (r *Run) leave() {
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
	defer stop()
	r.quit()
	if r.at.sequence != 0 {
		r.Fleet.WithdrawJob(ctx, r.at.sequence)
	}
	r.hold.Release(ctx)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
