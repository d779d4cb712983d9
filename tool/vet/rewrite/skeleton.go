package rewrite

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"sync"
)

// A skeleton is a file and where the bodies of its functions are. To apply an edit, all
// bodies that it does not touch are left out: many edits are made of one file, which may
// have ten thousand lines.
type skeleton struct {
	src       []byte
	formatted bool // as gofmt does it
	bodies    []body
}

// A body is what stands between the braces of a function, by offsets.
type body struct {
	from, to        int // of the function, with its comment
	inside, outside int // of the body
	names           map[string]bool
}

// last is the skeleton that was asked for last: edits come file by file.
var last struct {
	sync.Mutex
	*skeleton
}

// skeletonOf returns the skeleton of a file; of one that does not parse, it has no bodies.
func skeletonOf(src []byte) *skeleton {
	last.Lock()
	defer last.Unlock()
	if last.skeleton != nil && bytes.Equal(last.src, src) {
		return last.skeleton
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	s := &skeleton{src: bytes.Clone(src)}
	if err != nil {
		return s
	}
	plain := lf(src)
	was, err := format.Source(plain)
	s.formatted = err == nil && bytes.Equal(was, plain)
	tf := fset.File(f.FileStart)
	if bytes.Contains(src, []byte("payoffBody")) {
		f.Decls = nil // a hole would be mistaken
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		b := body{from: tf.Offset(fn.Pos()), to: tf.Offset(fn.End()), inside: tf.Offset(fn.Body.Lbrace) + 1, outside: tf.Offset(fn.Body.Rbrace), names: map[string]bool{}}
		// What stands on one line may be aligned with what stands above.
		if text := lf(src[b.inside:b.outside]); len(text) < 2 || text[0] != '\n' || text[len(text)-1] != '\n' {
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := sel.X.(*ast.Ident); ok {
					b.names[id.Name] = true
				}
			}
			return true
		})
		s.bodies = append(s.bodies, b)
	}
	last.skeleton = s
	return s
}

// apply returns the file with edits, which are in order.
func (s *skeleton) apply(edits []span) ([]byte, error) {
	src, moved, used := s.without(edits)
	out, err := tidy(src, apply(src, moved), used)
	if err != nil {
		return nil, err
	}
	out = lf(out)
	if s.formatted {
		if out, err = format.Source(out); err != nil {
			return nil, fmt.Errorf("the edited file does not parse: %w", err)
		}
	}
	out = s.fill(out)
	if bytes.Contains(s.src, []byte("\r\n")) {
		out = bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n"))
	}
	return out, nil
}

// hole stands in the place of a body.
func hole(i int) []byte { return fmt.Appendf(nil, "\n\tpayoffBody%d()\n", i) }

// without returns the source with holes, where edits of it come to lie then, and which
// packages the bodies use that are not there.
func (s *skeleton) without(edits []span) (src []byte, moved []span, used map[string]bool) {
	used, moved = map[string]bool{}, edits
	at, k, shift := 0, 0, 0
	for i, b := range s.bodies {
		for k < len(moved) && moved[k].to < b.from {
			moved[k].from, moved[k].to = moved[k].from+shift, moved[k].to+shift
			k++
		}
		if k < len(moved) && moved[k].from <= b.to {
			continue
		}
		h := hole(i)
		src = append(append(src, s.src[at:b.inside]...), h...)
		at = b.outside
		shift += len(h) - (b.outside - b.inside)
		for name := range b.names {
			used[name] = true
		}
	}
	for ; k < len(moved); k++ {
		moved[k].from, moved[k].to = moved[k].from+shift, moved[k].to+shift
	}
	return append(src, s.src[at:]...), moved, used
}

// fill puts the bodies back.
func (s *skeleton) fill(out []byte) []byte {
	var all []byte
	for i, b := range s.bodies {
		if before, after, ok := bytes.Cut(out, hole(i)); ok {
			all = append(append(all, before...), lf(s.src[b.inside:b.outside])...)
			out = after
		}
	}
	return append(all, out...)
}
