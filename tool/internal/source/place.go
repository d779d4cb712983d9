// Package source names places in source code.
//
// Profiles, traces, experiments and the compiler each say where something is;
// all say it with a [Place], so that what they say of one line can be put
// together. It reads no source: go/token does. Comparing two places costs a
// comparison of strings.
package source

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
)

// A Place is a line of source and the function that it belongs to. The zero
// Place means unknown. Places that name no line of a file, such as assembly,
// have a function alone; those that come from source rather than from a running
// program have none.
//
// Embed it where a thing is at one place: recorded evidence has the three
// fields beside those of the thing.
type Place struct {
	File string `json:"file,omitempty"` // as the compiler names it: absolute, but for trimmed paths
	Line int    `json:"line,omitempty"`
	Func string `json:"func,omitempty"` // as the linker names it: example.com/m.(*T).Method
}

// IsZero reports whether the place is unknown.
func (p Place) IsZero() bool { return p == Place{} }

// String is file:line, or the function where no file is known; "" for the
// zero Place.
func (p Place) String() string {
	if p.File == "" {
		return p.Func
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Short is String with the last element of the file's path.
func (p Place) Short() string {
	if p.File != "" {
		p.File = filepath.Base(p.File)
	}
	return p.String()
}

// Near is the place with its file named from a directory, if it is not far
// away from there: a path that goes up three levels helps nobody.
func (p Place) Near(dir string) Place {
	if dir == "" || !filepath.IsAbs(p.File) {
		return p
	}
	if rel, err := filepath.Rel(dir, p.File); err == nil && !strings.HasPrefix(rel, filepath.Join("..", "..", "..")) {
		p.File = rel
	}
	return p
}

// Spot is the place without its function, if it is on a line: what two kinds of
// evidence say of one line has the same Spot.
func (p Place) Spot() Place {
	if p.File != "" {
		p.Func = ""
	}
	return p
}

// OnLine reports whether both are on the same line of one file.
func (p Place) OnLine(q Place) bool { return p.File == q.File && p.Line == q.Line }

// Compare orders places by file, line and function.
func (p Place) Compare(q Place) int {
	return cmp.Or(strings.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), strings.Compare(p.Func, q.Func))
}
