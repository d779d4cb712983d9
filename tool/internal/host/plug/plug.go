// Package plug is the door to a machine behind another process: calls go in at
// its standard input, and answers come out of its standard output. Payoff has no
// network in it; what reaches other machines is a program of its own, that plugs
// in here, and so is what runs benchmarks for such a program over there.
//
// The two ends are of one release, for what goes through is encoded as Go's values are.
package plug

import (
	"cmp"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/gopayoff/payoff/tool/internal/host"
)

// A Far is a machine that takes binaries which were built elsewhere, as a
// [host.Host] without its toolchain. Its methods are called one at a time.
type Far interface {
	// Put takes a binary with its image, and returns it as the machine knows it.
	Put(ctx context.Context, b host.Binary) (host.Binary, error)
	Run(ctx context.Context, j host.Job) (host.Outcome, error)
	Probe(ctx context.Context, a host.Ask) (host.Probe, error)
}

// A Hello is what a plug says before anything else.
type Hello struct {
	Release  int    // of the protocol
	OS, Arch string // GOOS and GOARCH of the machine
	Machine  string // which it is, in words
	// Name and Kind are how a wish names the machine, and all that can stand in for it.
	Name, Kind string
	// Seed fixes the order of the samples of a run that may have to be repeated as it
	// was; 0: any.
	Seed   uint64
	Notice string // before the machine is there: why it is waited for
	Err    string // why there is no machine; "" if there is
}

// release is raised by what the other end would misread.
const release = 1

// ErrMoved says that the machine is gone and that another stands in for it. What
// was measured stays where it was measured: it has to be begun anew.
var ErrMoved = errors.New("the machine is gone")

// A request is one call, or the end of the context of the last.
type request struct {
	Put    *host.Binary
	Run    *host.Job
	Probe  *host.Ask
	Cancel bool
}

type reply struct {
	Binary  host.Binary
	Outcome host.Outcome
	Probe   host.Probe
	Fault   *host.Fault
	Err     string
	Moved   bool // Err is an [ErrMoved]
}

// A Socket is the end of a plug where the machine is.
type Socket struct {
	in  io.Reader
	out *gob.Encoder
}

// NewSocket returns the end that hears calls at in and answers at out.
func NewSocket(in io.Reader, out io.Writer) *Socket { return &Socket{in, gob.NewEncoder(out)} }

// Say says hello: any number of times with a notice, then once without.
func (s *Socket) Say(h Hello) error {
	h.Release = release
	return s.out.Encode(h)
}

// Serve answers calls for a machine until the input ends, which also ends the call that
// is being answered.
func (s *Socket) Serve(ctx context.Context, m Far) error {
	requests := gob.NewDecoder(s.in)
	stop := func() {}
	answered := make(chan error, 1)
	busy := false
	defer func() {
		stop()
		if busy {
			<-answered
		}
	}()
	for {
		var q request
		if err := requests.Decode(&q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if q.Cancel {
			stop()
			continue
		}
		if busy {
			if err := <-answered; err != nil {
				return err
			}
		}
		call, end := context.WithCancel(ctx)
		busy, stop = true, end
		go func() { answered <- s.out.Encode(answer(call, m, q)) }()
	}
}

func answer(ctx context.Context, m Far, q request) (r reply) {
	var err error
	switch {
	case q.Put != nil:
		r.Binary, err = m.Put(ctx, *q.Put)
	case q.Run != nil:
		r.Outcome, err = m.Run(ctx, *q.Run)
	case q.Probe != nil:
		r.Probe, err = m.Probe(ctx, *q.Probe)
	}
	if !errors.As(err, &r.Fault) && err != nil {
		r.Err, r.Moved = err.Error(), errors.Is(err, ErrMoved)
	}
	return r
}

// A Client is a machine behind a plug. It is a [Far].
type Client struct {
	Hello    Hello
	requests *gob.Encoder
	replies  *gob.Decoder
	close    func() error
	once     sync.Once
	gone     error // the other end cannot be heard any more
}

var _ Far = (*Client)(nil)

// Connect waits until the other end has a machine. notice is told why it waits;
// close ends the other end, and is called by [Client.Close] or by an error.
func Connect(in io.WriteCloser, out io.Reader, notice func(string), close func() error) (*Client, error) {
	c := &Client{requests: gob.NewEncoder(in), replies: gob.NewDecoder(out), close: close}
	for {
		var h Hello
		err := c.replies.Decode(&h)
		switch {
		case err != nil:
			err = fmt.Errorf("it ended before it had a machine: %w", err)
		case h.Release != release:
			err = errors.New("it is of another release: install both at one version")
		case h.Err != "":
			err = errors.New(h.Err)
		case h.Notice != "":
			notice(h.Notice)
			continue
		default:
			c.Hello = h
			return c, nil
		}
		return nil, errors.Join(err, c.Close())
	}
}

// Start runs a command that is a plug. It is killed where it does not end when
// its input does.
func Start(ctx context.Context, command []string, notice func(string)) (*Client, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	// Waiting for a machine may take as long as others measure.
	unwatch := context.AfterFunc(ctx, func() { in.Close() })
	c, err := Connect(in, out, notice, func() error { return end(cmd, in) })
	if !unwatch() && err == nil {
		err = errors.Join(context.Cause(ctx), c.Close())
	}
	return c, err
}

// patience is how long a plug may take to leave its machine in order.
const patience = 30 * time.Second

func end(cmd *exec.Cmd, in io.Closer) error {
	in.Close()
	kill := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer kill.Stop()
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w", cmd.Path, err)
	}
	return nil
}

// Close gives the machine back.
func (c *Client) Close() (err error) {
	c.once.Do(func() { err = c.close() })
	return err
}

func (c *Client) call(ctx context.Context, q request) (r reply, err error) {
	if ctx.Err() != nil {
		return r, context.Cause(ctx)
	}
	if c.gone != nil {
		return r, c.gone
	}
	if err := c.requests.Encode(q); err != nil {
		c.gone = fmt.Errorf("the way to %s is cut off: %w", cmp.Or(c.Hello.Machine, "the machine"), err)
		return r, c.gone
	}
	done := make(chan error, 1)
	go func() { done <- c.replies.Decode(&r) }()
	select {
	case err = <-done:
	case <-ctx.Done():
		if err = c.requests.Encode(request{Cancel: true}); err == nil {
			err = <-done
		}
	}
	switch {
	case err != nil:
		c.gone = fmt.Errorf("the way to %s is cut off: %w", cmp.Or(c.Hello.Machine, "the machine"), err)
		err = c.gone
	case ctx.Err() != nil:
	case r.Fault != nil:
		err = r.Fault
	case r.Moved:
		err = fmt.Errorf("%w: %s", ErrMoved, r.Err)
	case r.Err != "":
		err = errors.New(r.Err)
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return r, err
}

// Put implements [Far].
func (c *Client) Put(ctx context.Context, b host.Binary) (host.Binary, error) {
	r, err := c.call(ctx, request{Put: &b})
	return r.Binary, err
}

// Run implements [Far].
func (c *Client) Run(ctx context.Context, j host.Job) (host.Outcome, error) {
	r, err := c.call(ctx, request{Run: &j})
	return r.Outcome, err
}

// Probe implements [Far].
func (c *Client) Probe(ctx context.Context, a host.Ask) (host.Probe, error) {
	r, err := c.call(ctx, request{Probe: &a})
	return r.Probe, err
}
