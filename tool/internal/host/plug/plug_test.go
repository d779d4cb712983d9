package plug_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/host/plug"
)

// A made is a machine that answers as its job asks.
type made struct{}

func (made) Put(_ context.Context, b host.Binary) (host.Binary, error) {
	return host.Binary{ID: fmt.Sprint(len(b.Image), len(b.Files))}, nil
}

func (made) Run(ctx context.Context, j host.Job) (o host.Outcome, err error) {
	switch j.Args[0] {
	case "fault":
		return o, &host.Fault{Reason: "why", Next: "what"}
	case "gone":
		return o, fmt.Errorf("another has it: %w", plug.ErrMoved)
	case "fails":
		return o, errors.New("no use any more")
	case "hangs":
		<-ctx.Done()
		return o, context.Cause(ctx)
	}
	return host.Outcome{Output: []byte(j.Args[0]), Files: map[string][]byte{"f": []byte("x")}}, nil
}

func (made) Probe(_ context.Context, a host.Ask) (host.Probe, error) {
	return host.Probe{Procs: 3 + len(a.Procs)}, nil
}

// connect joins the two ends by pipes.
func connect(t *testing.T, hellos ...plug.Hello) (c *plug.Client, notices []string, err error) {
	in, toIn := io.Pipe()
	fromOut, out := io.Pipe()
	go func() {
		s := plug.NewSocket(in, out)
		for _, h := range hellos {
			s.Say(h)
		}
		out.CloseWithError(s.Serve(t.Context(), made{}))
	}()
	c, err = plug.Connect(toIn, fromOut, func(n string) { notices = append(notices, n) }, func() error {
		toIn.Close()
		_, err := io.Copy(io.Discard, fromOut)
		return err
	})
	return c, notices, err
}

// Calls, answers and errors of each kind go through, one at a time; a context that ends
// ends the call at the other end, which goes on with the next.
func TestCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, notices, err := connect(t, plug.Hello{Notice: "one"}, plug.Hello{Notice: "two"}, plug.Hello{OS: "linux", Seed: 7})
		if err != nil || !slices.Equal(notices, []string{"one", "two"}) || c.Hello.Seed != 7 || c.Hello.OS != "linux" {
			t.Fatalf("%+v, %q, %v; want linux, seed 7, notices one and two", c, notices, err)
		}
		ctx := t.Context()
		if b, err := c.Put(ctx, host.Binary{Image: make([]byte, 5), Files: map[string][]byte{"a": nil}}); err != nil || b.ID != "5 1" {
			t.Errorf("Put: %+v, %v; want 5 1", b, err)
		}
		if p, err := c.Probe(ctx, host.Ask{}); err != nil || p.Procs != 3 {
			t.Errorf("Probe of nothing: %+v, %v; want 3", p.Procs, err)
		}
		run := func(ctx context.Context, word string) (string, error) {
			o, err := c.Run(ctx, host.Job{Args: []string{word}})
			return string(o.Output), err
		}
		var fault *host.Fault
		if _, err := run(ctx, "fault"); !errors.As(err, &fault) || fault.Next != "what" {
			t.Errorf("fault: %v, want why and what", err)
		}
		if _, err := run(ctx, "gone"); !errors.Is(err, plug.ErrMoved) || !strings.Contains(err.Error(), "another has it") {
			t.Errorf("gone: %v, want ErrMoved and who has it", err)
		}
		if _, err := run(ctx, "fails"); err == nil || err.Error() != "no use any more" {
			t.Errorf("fails: %v, want that", err)
		}
		short, stop := context.WithCancelCause(ctx)
		mine := errors.New("mine")
		go func() {
			synctest.Wait()
			stop(mine)
		}()
		if _, err := run(short, "hangs"); !errors.Is(err, mine) {
			t.Errorf("hangs: %v, want the cause of its context", err)
		}
		if out, err := run(ctx, "next"); err != nil || out != "next" {
			t.Errorf("after that: %q, %v; want next", out, err)
		}
		if err := errors.Join(c.Close(), c.Close()); err != nil {
			t.Errorf("Close: %v", err)
		}
		if _, err := run(ctx, "closed"); err == nil {
			t.Error("a call after Close has an answer")
		}
	})
}

// A plug that has no machine says why.
func TestNoMachine(t *testing.T) {
	for _, tt := range []struct {
		hellos []plug.Hello
		want   string
	}{
		{[]plug.Hello{{Notice: "wait"}, {Err: "there is none"}}, "there is none"},
	} {
		if _, _, err := connect(t, tt.hellos...); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %q", tt.hellos, err, tt.want)
		}
	}
	if _, err := plug.Start(t.Context(), []string{"/bin/true"}, func(string) {}); err == nil || !strings.Contains(err.Error(), "before it had a machine") {
		t.Errorf("a program that is no plug: %v, want that it ended", err)
	}
}
