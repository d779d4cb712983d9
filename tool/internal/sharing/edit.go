package sharing

import (
	"bytes"
	"cmp"
	"slices"
)

// An edit replaces bytes [from, to) of a file by text; with from == to it
// inserts.
type edit struct {
	from, to int
	text     string
	closes   bool
	// other is the other end of the node that the edit opens or closes. It
	// nests the insertions at one offset.
	other int
}

// edits are those of one file.
type edits []edit

// around inserts before and after the node [from, to). Of nodes that are the
// same stretch, the outer comes first.
func (e *edits) around(from, to int, before, after string) {
	*e = append(*e, edit{from, from, before, false, to}, edit{to, to, after, true, from})
}

// after inserts text after the node [from, to), outside of what is put around
// what it ends with.
func (e *edits) after(from, to int, text string) {
	*e = append(*e, edit{to, to, text, true, from})
}

// sel inserts a selector, which binds closer than what is put around.
func (e *edits) sel(at int, text string) { *e = append(*e, edit{at, at, text, true, at}) }

func (e *edits) replace(from, to int, text string) {
	*e = append(*e, edit{from, to, text, false, 0})
}

// apply returns src with the edits made.
func (e edits) apply(src []byte) []byte {
	order := make([]int, len(e))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := e[i], e[j]
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
	var out bytes.Buffer
	last := 0
	for _, i := range order {
		out.Write(src[last:e[i].from])
		out.WriteString(e[i].text)
		last = e[i].to
	}
	out.Write(src[last:])
	return out.Bytes()
}
