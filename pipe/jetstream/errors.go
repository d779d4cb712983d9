package jetstream

import "errors"

var (
	// ErrClosed says that the Remote was closed before the answer came.
	ErrClosed = errors.New("jetstream: closed")
	// ErrPoison says that none of the processes that had an item, as many as may have it,
	// lived to answer it. It is in the stream of dead letters.
	ErrPoison = errors.New("jetstream: no process has lived to answer it")
)

// An Error is that a stage's function returned an error, in another process.
type Error struct {
	Stage string // its name
	Text  string // of the error
}

func (e *Error) Error() string { return "jetstream: stage " + e.Stage + ": " + e.Text }

// A Panic is what a pipe panics with where a stage's function has panicked in another
// process: it is the value of the [par.Panic].
type Panic struct {
	Stage string // its name
	Text  string // of the value, and the stack there
}

func (p *Panic) Error() string { return "jetstream: stage " + p.Stage + " panicked: " + p.Text }
