package edit

import (
	"fmt"

	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// A Draft is a change of the source of some packages while it is made: texts for
// stretches of files, as go/analysis has them, files to add, and in words what that
// does and what it leaves. The zero Draft changes nothing. It must not be used by
// several goroutines at once.
//
// It becomes an overlay, under which the changed program is built and tried. Making
// one costs a copy of each changed file.
type Draft struct {
	Does   []Note // what it changes
	Leaves []Note // what it was to change and does not, each with the reason

	files map[string]*File
	added map[string][]byte
}

// A Note says of one thing what a draft does with it, or why it leaves it.
type Note struct {
	What   string       `json:"what"`            // elements of sums, field total
	At     source.Place `json:"at"`              // of its declaration, or of its use
	Says   string       `json:"says"`            // have room around them; its type has a literal without field names
	Reason source.Place `json:"reason,omitzero"` // where the program says so
}

// File returns the file of a name, to enter texts there. src is what it has
// now, the same at each call.
func (e *Draft) File(name string, src []byte) *File {
	if e.files == nil {
		e.files = map[string]*File{}
	}
	if e.files[name] == nil {
		e.files[name] = &File{src: src}
	}
	return e.files[name]
}

// Add adds a file, which must not exist.
func (e *Draft) Add(name string, src []byte) {
	if e.added == nil {
		e.added = map[string][]byte{}
	}
	e.added[name] = src
}

// Overlay returns the changed files and those added. Texts that overlap are an
// error.
func (e *Draft) Overlay() (overlay.Overlay, error) {
	o := overlay.Overlay{}
	for name, f := range e.files {
		if !f.Changed() {
			continue
		}
		src, err := f.apply()
		if err != nil {
			return nil, fmt.Errorf("edit %s: %w", name, err)
		}
		o[name] = src
	}
	for name, src := range e.added {
		o[name] = src
	}
	return o, nil
}
