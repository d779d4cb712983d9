package edit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A File is a source file with the texts to put into it. Offsets are those of
// the source as it is; the order of calls does not matter, but for texts at the
// same place that have the same extent.
type File struct {
	src     []byte
	changes []change
}

// A change replaces bytes [from, to) of a file; with from == to it is inserted.
type change struct {
	from, to int
	text     string
	closes   bool
	// other is the other end of the node that the change opens or closes. It
	// nests the insertions at one offset.
	other int
}

// Changed reports whether the file has any.
func (f *File) Changed() bool { return len(f.changes) > 0 }

// Around inserts before and after the node [from, to). Of nodes that are the
// same stretch, the outer comes first.
func (f *File) Around(from, to int, before, after string) {
	f.changes = append(f.changes, change{from, from, before, false, to}, change{to, to, after, true, from})
}

// After inserts text after the node [from, to), outside of what is put around
// what it ends with.
func (f *File) After(from, to int, text string) {
	f.changes = append(f.changes, change{to, to, text, true, from})
}

// Insert inserts text at an offset, inside of what is put around what ends
// there: a selector binds closer than that.
func (f *File) Insert(at int, text string) {
	f.changes = append(f.changes, change{at, at, text, true, at})
}

// Replace puts text in the place of [from, to).
func (f *File) Replace(from, to int, text string) {
	f.changes = append(f.changes, change{from, to, text, false, 0})
}

// apply returns the source with all texts in it, its line ends as they are.
func (f *File) apply() ([]byte, error) {
	order := make([]int, len(f.changes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := f.changes[i], f.changes[j]
		switch {
		case a.from != b.from:
			return cmp.Compare(a.from, b.from)
		case a.closes != b.closes: // one node ends before the next begins
			if a.closes {
				return -1
			}
			return 1
		case a.other != b.other: // the longer node opens first and closes last
			return cmp.Compare(b.other, a.other)
		case a.closes:
			return cmp.Compare(j, i)
		}
		return cmp.Compare(i, j)
	})
	crlf := bytes.Contains(f.src, []byte("\r\n"))
	var out bytes.Buffer
	last := 0
	for _, i := range order {
		c := f.changes[i]
		if c.from < last || c.to > len(f.src) {
			return nil, fmt.Errorf("two texts for the bytes at %d, or one beyond the end", c.from)
		}
		out.Write(f.src[last:c.from])
		if crlf {
			c.text = strings.ReplaceAll(strings.ReplaceAll(c.text, "\r\n", "\n"), "\n", "\r\n")
		}
		out.WriteString(c.text)
		last = c.to
	}
	out.Write(f.src[last:])
	return out.Bytes(), nil
}
