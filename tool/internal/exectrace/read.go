package exectrace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/exp/trace"
)

// Options tune [Read]. The zero Options are ready.
type Options struct {
	// Procs is GOMAXPROCS while the trace was taken; 0: as the trace says.
	Procs int
	// Handoff and Spawn are the prices in nanoseconds of one wake-up and of
	// one goroutine creation on the burdened path.
	Handoff, Spawn float64
	// User reports whether a frame is the user's. Nil: [stack.IsUser].
	User func(fn, file string) bool

	// Place reports of the user's frames which ones to take for the site of an
	// event, if any is on its stack. Nil: the first.
	Place func(fn, file string) bool

	// From and Length, in ns, are the piece of the windows that Facts.Timeline shows.
	// Length 0: none.
	From, Length float64

	// Acts is how many acts a graph of [Graphs] has at most; 0: [MostActs].
	Acts int

	// Serve asks what operations the program carries out, for those who run it: then
	// Facts.Served and those that follow it are made, of the whole trace whatever marks
	// it has. Ops says what counts as one operation, Func the function for [Calls];
	// [Find] knows what there is.
	Serve bool
	Ops   Work
	Func  string

	// Progress gets the bytes read so far, from time to time, on another goroutine than
	// the one that reads the trace.
	Progress func(read int64)
}

// Read reads one trace. With an error it returns the Facts of what came before
// it, never nil; they are Damaged if the trace is broken or cut off. Traces of
// Go 1.22 to 1.25 carry no end mark, so that one cut off between two batches
// reads like one that was stopped there.
//
// Read takes r to a goroutine of its own, which has ended when Read returns. It may be
// called from several goroutines, each with a reader of its own.
func Read(r io.Reader, o Options) (*Facts, error) {
	in := &counter{r: r, tell: o.Progress}
	e := newEngine(o)
	d := newDecoder(e)
	events, err := d.run(in, e.step)
	f := e.facts()
	f.Events, f.Bytes = events, in.n
	if d.samples != nil && len(d.samples.profile.Sample) > 0 {
		f.Samples = d.samples.profile
	}
	var broken *damage
	f.Damaged = errors.As(err, &broken)
	return f, err
}

// A damage is an error of the trace, not of reading it.
type damage struct{ msg string }

func (d *damage) Error() string { return d.msg }

// A counter counts bytes and keeps the error of its reader.
type counter struct {
	r    io.Reader
	n    int64
	err  error
	tell func(int64) // nil: not wanted
	told int64
}

// tellEvery is how many bytes are read between two notices of it.
const tellEvery = 4 << 20

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	if c.tell != nil && c.n-c.told >= tellEvery {
		c.told = c.n
		c.tell(c.n)
	}
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

// decode hands the events of in to take and returns how many there were.
func decode(in *counter, take func(*trace.Event)) (events int64, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = damaged(events, p)
		}
	}()
	br := bufio.NewReaderSize(in, 64<<10)
	if err := checkHeader(br, in); err != nil {
		return 0, err
	}
	tr, err := trace.NewReader(br)
	if err != nil {
		return 0, &damage{fmt.Sprintf("trace has a header that is not understood: %s: record it with a Go this tool knows", firstLine(err.Error()))}
	}
	var ev trace.Event // one for all: take makes it escape
	for {
		ev, err = tr.ReadEvent()
		switch {
		case err == io.EOF && events <= 2: // the first and the last are no more than brackets
			return events, &damage{"trace has no events: it was not closed by trace.Stop, or is cut off after the header: record it again"}
		case err == io.EOF:
			return events, nil
		case in.err != nil:
			return events, fmt.Errorf("read trace after %d events: %w", events, in.err)
		case err != nil:
			return events, &damage{fmt.Sprintf("trace is damaged or cut off after %d events: %s: record it again, and let the program reach trace.Stop", events, firstLine(err.Error()))}
		}
		events++
		take(&ev)
	}
}

// checkHeader tells what is no trace from one that is broken.
func checkHeader(br *bufio.Reader, in *counter) error {
	h, _ := br.Peek(16)
	version, isTrace := strings.CutPrefix(string(h), "go 1.")
	switch {
	case in.err != nil:
		return fmt.Errorf("read trace: %w", in.err)
	case len(h) == 0:
		return &damage{"trace is empty: record it again, and let the program reach trace.Stop"}
	case h[0] == 0x1f && len(h) > 1 && h[1] == 0x8b:
		return &damage{"not an execution trace but gzip, such as a profile of pprof: give a file written by -trace or trace.Start"}
	case !isTrace:
		return &damage{"not an execution trace: give a file written by -trace or trace.Start"}
	case len(h) < 16:
		return &damage{"trace is cut off in its header: record it again, and let the program reach trace.Stop"}
	}
	version, _, _ = strings.Cut(version, " ")
	if n, err := strconv.Atoi(version); err == nil && n < 22 {
		return &damage{fmt.Sprintf("trace has the format of Go 1.%d: record it with Go 1.22 or newer", n)}
	}
	return nil
}

// firstLine cuts what the decoder adds for its own debugging.
func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	const most = 200
	if len(s) > most {
		s = s[:most] + "..."
	}
	return strings.TrimRight(s, ": ")
}
