// Package patch writes changes into the user's files, all of them or none, and
// takes them back, also after a crash: protocol.md has the states and steps.
//
// A file that is not what the change was made from is left alone, and with it
// all others. Each is written beside its place and moved there, so that whoever
// reads it meanwhile sees one or the other. Where it may write, and what, is
// [Tree]'s to say: changes may come from a record that somebody else made. It is
// not for trying changes: an overlay does that without touching a file. To apply
// one costs two copies of each file.
package patch

import (
	"fmt"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// A Change is what a file is and what it shall be.
type Change struct {
	File   string `json:"file"`             // absolute
	Before string `json:"before,omitempty"` // its content
	After  string `json:"after,omitempty"`
	New    bool   `json:"new,omitempty"`  // there is no such file before
	Gone   bool   `json:"gone,omitempty"` // there is none after
}

// Reverse returns what takes the changes back.
func Reverse(changes []Change) (back []Change) {
	for _, c := range slices.Backward(changes) {
		back = append(back, Change{c.File, c.After, c.Before, c.Gone, c.New})
	}
	return back
}

// Rewrites reports whether a line of the file, from 1 on, goes or becomes another.
func (c Change) Rewrites(line int) bool {
	at := 0 // the next line of the file that a hunk shows
	for text := range strings.Lines(Diff("", []Change{c})) {
		switch {
		case strings.HasPrefix(text, "@@ -"):
			fmt.Sscanf(text, "@@ -%d", &at)
		case at == 0: // the head
		case strings.HasPrefix(text, "-") && at == line:
			return true
		case strings.HasPrefix(text, "-"), strings.HasPrefix(text, " "):
			at++
		}
	}
	return false
}

// Edited is the change of a file of Go. It is gone where nothing is left but of which
// package it was.
func Edited(file string, before, after []byte) Change {
	c := Change{File: file, Before: string(before), After: string(after)}
	f, err := parser.ParseFile(token.NewFileSet(), "", after, parser.ParseComments|parser.SkipObjectResolution)
	if err == nil && len(f.Decls) == 0 && len(f.Comments) == 0 {
		c.After, c.Gone = "", true
	}
	return c
}
