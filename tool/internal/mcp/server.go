// Package mcp serves payoff to programs that write code: the Model Context Protocol
// over two streams, one message a line.
//
// Its tools are few, and each is a command of payoff as well: what they measure and say
// comes from a [Source]. An answer is short data, and beside it the text that a person
// would read. Recorded runs are resources.
//
// One call works at a time, since two would measure each other. It ends with its
// request, with the connection, or when its time is up, and its processes with it. What
// a client sends is checked before anything is done: only packages below one folder are
// measured, for a time that is bounded. That is no sandbox: a benchmark is a program,
// which runs with the rights of whoever started the server.
package mcp

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// mostMessage is how many bytes a message of a client may have. A longer one ends the
// connection: where it ends is not known.
const mostMessage = 16 << 20

// grace is what a call may take beyond the time to measure: to build, to list, to wait
// for others.
const grace = 5 * time.Minute

// Options say how a server answers.
type Options struct {
	Version string        // of payoff
	Root    string        // folder, absolute: places below it are named from here
	Budget  time.Duration // the most that a call may ask for
	Log     io.Writer     // a line for each call
}

const instructions = `payoff says whether concurrency pays in Go code, why not, and whether a change is faster.

1. list_benchmarks finds what can be measured.
2. measure gives a verdict for each benchmark. Believe intervals, not single figures; "cannot say" is no verdict.
3. why shows where the time of a recorded run was lost, by cause and line. explain tells a cause, its cures, and when they are wrong.
4. Think of one change. try_patch judges it as a patch, before it is made: tests, race detector, same results, interleaved pairs. Make it where the outcome is faster and no sign says that the gain is hollow.
5. compare measures what was made against the commit before, in pairs. Keep what is faster with its tests passing; take back the rest.

One call works at a time: wait for its answer before the next. Do not build, test or run anything else while measure, try_patch or compare work: it would be measured, too.`

// A server answers the calls of one client.
type server struct {
	Options
	source Source
	desk   desk
	ends   context.Context // when the server does
}

// Serve answers the client that writes to in and reads from out, until in ends or ctx
// does. Nothing but the protocol goes to out.
func Serve(ctx context.Context, source Source, o Options, in io.ReadCloser, out io.Writer) error {
	o.Log = &shared{to: o.Log}
	s := &server{Options: o, source: source, ends: ctx}
	x := sdk.NewServer(&sdk.Implementation{Name: "payoff", Version: o.Version}, &sdk.ServerOptions{
		Instructions: instructions,
		Logger:       slog.New(slog.NewTextHandler(o.Log, &slog.HandlerOptions{Level: slog.LevelError})),
		// Lists change with each run, and no client is told: it asks when it wants one.
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{}},
	})
	s.addTools(x)
	s.addRuns(x)
	session, err := x.Connect(ctx, &sdk.IOTransport{Reader: in, Writer: kept{out}, MaxLineLength: mostMessage}, nil)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("the client sent what is no message, or one of more than %d MiB: %w: start the server again", mostMessage>>20, err)
		}
	case <-ctx.Done():
		session.Close() // waits for the call that works, which ends with ctx
		<-ended
	}
	return nil
}

// A shared is written to by calls that end at the same time.
type shared struct {
	mu sync.Mutex
	to io.Writer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.to.Write(p)
}

// A kept stays open when the connection is closed.
type kept struct{ io.Writer }

func (kept) Close() error { return nil }
