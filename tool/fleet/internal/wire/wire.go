// Package wire is what coordinators and agents of a fleet say to each other, and
// where: subjects, streams, signatures, blobs, and what a machine says of itself.
// protocol.md has the steps of a run and what holds between them.
package wire

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"github.com/gopayoff/payoff/tool/internal/host"
)

// Streams and buckets. A work queue deletes what was acknowledged, so answers have a
// stream of their own.
const (
	jobs   = "PAYOFF_JOBS"
	outs   = "PAYOFF_OUTS"
	blobs  = "payoff-blobs"  // object store: binaries, testdata, profiles, traces
	agents = "payoff-agents" // key-value: what each machine says of itself
	claims = "payoff-claims" // key-value: whose each run is
)

// Kept is how long answers and blobs stay: as long as a coordinator that died may take
// to come back.
const Kept = 24 * time.Hour

// inline is up to what size an answer is one message.
const inline = 256 << 10

// A Job asks for a machine, for as long as the coordinator has steps for it.
type Job struct {
	ID      string `json:"id"` // of the run
	Kind    string `json:"kind"`
	Machine string `json:"machine,omitempty"` // "": any of the kind
	// Epoch grows with each coordinator of the run: an agent obeys the highest.
	Epoch uint64 `json:"epoch"`
}

// A Lease says which machine has taken a job.
type Lease struct {
	Job      string `json:"job"`
	Epoch    uint64 `json:"epoch"`
	Sequence uint64 `json:"sequence"` // of the job in its stream
	Delivery uint64 `json:"delivery"` // of it, from 1
	Agent    Agent  `json:"agent"`
}

// A Step is what the coordinator wants done on the machine: one call, or nothing but to
// be known alive.
type Step struct {
	Job     string `json:"job"`
	Epoch   uint64 `json:"epoch"`
	Machine string `json:"machine"`
	// Key names the answer: equal calls of a run are counted, and so have keys of
	// their own, the same in every life of the coordinator.
	Key    string    `json:"key,omitempty"`
	Binary *Binary   `json:"binary,omitempty"`
	Run    *host.Job `json:"run,omitempty"`
	Probe  *host.Ask `json:"probe,omitempty"`
	Stop   bool      `json:"stop,omitempty"` // the answer to Key is not wanted any more
	End    bool      `json:"end,omitempty"`  // of the job
}

// A Binary is a test binary with its files, by content.
type Binary struct {
	OS     string          `json:"os"`
	Probed bool            `json:"probed"`
	Image  Blob            `json:"image"`
	Files  map[string]Blob `json:"files,omitempty"`
}

// An Out is the answer to a step.
type Out struct {
	Job     string        `json:"job"`
	Machine string        `json:"machine"`
	Key     string        `json:"key"`
	Outcome *host.Outcome `json:"outcome,omitempty"`
	Probe   *host.Probe   `json:"probe,omitempty"`
	Fault   *host.Fault   `json:"fault,omitempty"`
	Err     string        `json:"err,omitempty"` // the machine cannot go on
	// Whole is where all of it is, where it is too large for a message.
	Whole *Blob `json:"whole,omitempty"`
}

// A Claim says whose a run is. It is written again with every beat.
type Claim struct {
	Key     string    `json:"key"`   // of the coordinator, public
	Owner   string    `json:"owner"` // the process
	Where   string    `json:"where"` // for people
	Made    time.Time `json:"made"`
	Kind    string    `json:"kind,omitempty"`
	Machine string    `json:"machine,omitempty"` // that has steps of the run
	Agent   string    `json:"agent,omitempty"`   // its key
}

// Timing is how long each end may be silent, by the time between two signs of life.
type Timing struct{ Beat time.Duration }

// DefaultTiming is that of machines in several places.
var DefaultTiming = Timing{Beat: time.Second}

// AckWait is after what time without a sign of life an agent counts as dead.
func (t Timing) AckWait() time.Duration { return 10 * t.Beat }

// ClaimTTL is after what time without a sign of life a coordinator does: another may
// take its run.
func (t Timing) ClaimTTL() time.Duration { return 10 * t.Beat }

// Patience is how long an agent waits for a coordinator that has spoken before; Contact,
// for its first word.
func (t Timing) Patience() time.Duration { return 30 * t.Beat }
func (t Timing) Contact() time.Duration  { return 10 * t.Beat }

// Stale is how long ago an agent may have spoken of itself to be counted among those
// that are there.
func (t Timing) Stale() time.Duration { return 15 * t.Beat }

var token = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// CheckName says whether a run can have a name: it is part of subjects.
func CheckName(name string) error {
	if !token.MatchString(name) {
		return fmt.Errorf("%q cannot be the name of a run: want up to 64 letters, digits, - or _", name)
	}
	return nil
}

const anyMachine = "any"

func jobSubject(kind, machine string) string {
	if machine == "" {
		machine = anyMachine
	}
	return "payoff.job." + kind + "." + machine
}

// StepSubject is where the steps of a run are heard.
func StepSubject(job string) string { return "payoff.step." + job }

// OutSubject is where the answer to a step of a run is, or with "*" all.
func OutSubject(job, machine, key string) string {
	return "payoff.out." + job + "." + machine + "." + key
}

// LeaseSubject is where the machines say that they have a job.
func LeaseSubject(job string) string { return "payoff.lease." + job }

// Key names the n-th of equal steps of a run.
func (s Step) NewKey(n int) (string, error) {
	text, err := json.Marshal(Step{Binary: s.Binary, Run: s.Run, Probe: s.Probe})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return fmt.Sprintf("%x-%d", sum[:12], n), nil
}

// A Fleet is a connection, with what lies on the server.
type Fleet struct {
	Conn   *nats.Conn
	Timing Timing
	js     jetstream.JetStream
	outs   jetstream.Stream
	blobs  jetstream.ObjectStore
	agents jetstream.KeyValue
	claims jetstream.KeyValue
	queues map[string]jetstream.Consumer // of jobs, by name; of one agent
	seen   struct {
		sync.Mutex
		at  time.Time // of the last listing
		all []Agent
	}
}

// Prepare makes the streams and buckets of a fleet, or leaves those that are there.
// size is what blobs may take, in bytes; -1: what the server has.
func Prepare(ctx context.Context, nc *nats.Conn, t Timing, size int64) error {
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	_, err1 := js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: jobs, Subjects: []string{"payoff.job.>"}, Retention: jetstream.WorkQueuePolicy, MaxAge: Kept, Duplicates: 2 * time.Minute,
		Description: "machines that are asked for",
	})
	_, err2 := js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: outs, Subjects: []string{"payoff.out.>"}, MaxAge: Kept, AllowDirect: true,
		// One answer for each step, the first one: what comes again is refused.
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgs: 10_000_000,
		Description: "answers of machines",
	})
	_, err3 := js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: blobs, TTL: Kept, MaxBytes: size, Description: "binaries and files by content"})
	_, err4 := js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: agents, TTL: t.Stale(), Description: "machines that are there"})
	_, err5 := js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: claims, TTL: Kept, Description: "whose each run is"})
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		return fmt.Errorf("prepare the streams: %w", err)
	}
	return nil
}

// Open finds what [Prepare] made.
func Open(ctx context.Context, nc *nats.Conn, t Timing) (*Fleet, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	f := &Fleet{Conn: nc, Timing: t, js: js, queues: map[string]jetstream.Consumer{}}
	err = f.patiently(ctx, func() error {
		var errs [4]error
		f.outs, errs[0] = js.Stream(ctx, outs)
		f.blobs, errs[1] = js.ObjectStore(ctx, blobs)
		f.agents, errs[2] = js.KeyValue(ctx, agents)
		f.claims, errs[3] = js.KeyValue(ctx, claims)
		return errors.Join(errs[:]...)
	})
	if err != nil {
		return nil, fmt.Errorf("the server at %s has no fleet: %w: payoff-fleet serve makes one, or payoff-fleet prepare where the server is another", nc.ConnectedUrlRedacted(), err)
	}
	return f, nil
}

// PutJob publishes a job, and returns its place in the stream. One of the same run and
// epoch is published once.
func (f *Fleet) PutJob(ctx context.Context, j Job, data []byte) (sequence uint64, err error) {
	err = f.patiently(ctx, func() error {
		if err := f.Offer(ctx, j); err != nil {
			return err
		}
		ack, err := f.js.Publish(ctx, jobSubject(j.Kind, j.Machine), data, jetstream.WithMsgID(fmt.Sprintf("%s/%d/%s", j.ID, j.Epoch, j.Machine)))
		if err == nil {
			sequence = ack.Sequence
		}
		return err
	})
	return sequence, err
}

// Offer makes the queue of a machine that a job names, if it is not there. A machine that
// has another job for longer than queues without use stay would not see this one
// otherwise: it is to be called again and again.
func (f *Fleet) Offer(ctx context.Context, j Job) error {
	if j.Machine == "" {
		return nil
	}
	_, err := f.make(ctx, j.Kind, j.Machine)
	return err
}

// PutCopy publishes a job once more, as a client that tries again does.
func (f *Fleet) PutCopy(ctx context.Context, j Job, data []byte) error {
	_, err := f.js.Publish(ctx, jobSubject(j.Kind, j.Machine), data)
	return err
}

// Take waits a while for a job that names this machine or any of its kind; nil if none
// came. One message is asked for at a time: what is fetched ahead waits for this machine
// while others are idle. One call at a time.
//
// Hardly any job names a machine, so the queue of one is made with such a job, and goes
// when it is not used: a server has no more than a thousand queues for one stream, by
// default.
func (f *Fleet) Take(ctx context.Context, kind, machine string, wait time.Duration) (jetstream.Msg, error) {
	for _, m := range []string{machine, anyMachine} {
		var batch jetstream.MessageBatch
		var c jetstream.Consumer
		var err error
		if m == machine {
			c, err = f.js.Consumer(ctx, jobs, queueName(kind, m))
			if errors.Is(err, jetstream.ErrConsumerNotFound) {
				continue
			}
			if err == nil {
				// To fetch is to use it. One that was taken may be left by a life of this
				// machine that was killed.
				if i := c.CachedInfo(); i.NumPending == 0 && i.NumAckPending == 0 {
					continue
				}
				batch, err = c.FetchNoWait(1)
			}
		} else {
			if c, err = f.queue(ctx, kind, m); err != nil {
				return nil, err
			}
			batch, err = c.Fetch(1, jetstream.FetchMaxWait(wait))
		}
		if err == nil {
			for msg := range batch.Messages() {
				return msg, nil
			}
			err = batch.Error()
		}
		if err != nil && !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, jetstream.ErrNoMessages) {
			clear(f.queues) // the server may have come back without them
			return nil, err
		}
	}
	return nil, nil
}

// mostDeliveries is how often a job goes to a machine: so many in a row die of it, or
// find nobody who wants it.
const mostDeliveries = 8

// mostWaiting is how many machines of a kind can ask for a job at once, or have one.
const mostWaiting = 100_000

func queueName(kind, machine string) string { return machine + "-" + kind }

func (f *Fleet) queue(ctx context.Context, kind, machine string) (jetstream.Consumer, error) {
	name := queueName(kind, machine)
	if c, ok := f.queues[name]; ok {
		return c, nil
	}
	c, err := f.make(ctx, kind, machine)
	if err == nil {
		f.queues[name] = c
	}
	return c, err
}

// unused is how long the queue of a machine stays from which nothing is fetched.
const unused = 10 * time.Minute

func (f *Fleet) make(ctx context.Context, kind, machine string) (jetstream.Consumer, error) {
	stays := unused
	if machine == anyMachine {
		stays = Kept
	}
	return f.js.CreateOrUpdateConsumer(ctx, jobs, jetstream.ConsumerConfig{
		Durable: queueName(kind, machine), FilterSubject: jobSubject(kind, machine), AckPolicy: jetstream.AckExplicitPolicy, AckWait: f.Timing.AckWait(),
		MaxDeliver: mostDeliveries, MaxAckPending: mostWaiting, MaxWaiting: mostWaiting, InactiveThreshold: stays,
	})
}

// PutOut signs an answer and publishes it until the server has it. That it is there
// already is no error: the first one counts.
func (f *Fleet) PutOut(ctx context.Context, key nkeys.KeyPair, o Out) error {
	all, err := json.Marshal(o)
	if err != nil { // NaN among others
		o = Out{Job: o.Job, Machine: o.Machine, Key: o.Key, Err: "what came of it cannot be sent: " + err.Error()}
	}
	if len(all) > inline {
		b, _, err := f.PutBlob(ctx, all)
		if o = (Out{Job: o.Job, Machine: o.Machine, Key: o.Key, Whole: &b}); err != nil {
			o.Whole, o.Err = nil, err.Error()
		}
	}
	data, err := seal(key, ofOut, o)
	if err != nil {
		return err
	}
	for {
		once, stop := context.WithTimeout(ctx, f.Timing.AckWait())
		_, err := f.js.Publish(once, OutSubject(o.Job, o.Machine, o.Key), data, jetstream.WithExpectLastSequencePerSubject(0))
		stop()
		if err == nil || isAPI(err, jetstream.JSErrCodeStreamWrongLastSequence) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", context.Cause(ctx), err)
		case <-time.After(f.Timing.Beat):
		}
	}
}

// ReadOut returns what a message says that the key signed as the answer to a step.
func (f *Fleet) ReadOut(ctx context.Context, data []byte, key string) (o Out, err error) {
	if _, err = open(data, ofOut, Is(key), &o); err != nil || o.Whole == nil {
		return o, err
	}
	all, err := f.GetBlob(ctx, *o.Whole)
	if err == nil {
		var whole Out
		if err = json.Unmarshal(all, &whole); err == nil && (whole.Job != o.Job || whole.Machine != o.Machine || whole.Key != o.Key) {
			err = fmt.Errorf("%w: the answer is that to another step", ErrSignature)
		}
		o = whole
	}
	return o, err
}

// patiently does what needs the server, again while that is away.
func (f *Fleet) patiently(ctx context.Context, do func() error) error {
	for until := time.Now().Add(f.Timing.Patience()); ; {
		err := do()
		away := errors.Is(err, nats.ErrTimeout) || errors.Is(err, nats.ErrNoResponders) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, jetstream.ErrNoStreamResponse) ||
			errors.Is(err, nats.ErrDisconnected) || err != nil && !f.Conn.IsConnected()
		if !away || ctx.Err() != nil || time.Now().After(until) {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(f.Timing.Beat):
		}
	}
}

func isAPI(err error, code jetstream.ErrorCode) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.ErrorCode == code
}

// GetOut returns the answer to a step; nil if there is none.
func (f *Fleet) GetOut(ctx context.Context, job, machine, key string) ([]byte, error) {
	m, err := f.outs.GetLastMsgForSubject(ctx, OutSubject(job, machine, key))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return m.Data, nil
}

// Drop forgets the answers of a run.
func (f *Fleet) Drop(ctx context.Context, job string) error {
	return f.patiently(ctx, func() error { return f.outs.Purge(ctx, jetstream.WithPurgeSubject(OutSubject(job, "*", "*"))) })
}

// Wanted reports whether a job is still in the stream: no machine has ended it.
func (f *Fleet) Wanted(ctx context.Context, sequence uint64) (bool, error) {
	s, err := f.js.Stream(ctx, jobs)
	if err != nil {
		return false, err
	}
	_, err = s.GetMsg(ctx, sequence)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return false, nil
	}
	return err == nil, err
}

// WithdrawJob takes a job back that no machine has finished.
func (f *Fleet) WithdrawJob(ctx context.Context, sequence uint64) error {
	s, err := f.js.Stream(ctx, jobs)
	if err != nil {
		return err
	}
	err = s.DeleteMsg(ctx, sequence)
	if wanted, e := f.Wanted(ctx, sequence); e == nil && !wanted {
		return nil
	}
	return err
}
