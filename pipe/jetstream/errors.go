package jetstream

import "errors"

var (
	// ErrClosed says that the Remote was closed before the answer came.
	ErrClosed = errors.New("jetstream: closed")
	// ErrPoison says that an item was delivered as often as it may be, and that none of
	// the processes lived to answer it, or that it cannot be read. It is in the stream of
	// dead letters.
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
