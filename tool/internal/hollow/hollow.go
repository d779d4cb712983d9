// Package hollow looks in a change of source for what may make a gain hollow: one that
// the benchmark shows, and that the program will not have.
//
// It reads text alone, before and after, and proves nothing: each [Sign] is a fact of
// the change, which may have a good reason. What it does not see: a cache in a field
// that was there before, work that moved from one timed function into another of the
// same benchmark, and whatever is done by assembly, cgo or a dependency. To look at a
// change costs two parses of each file.
package hollow

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// A Kind is what a sign is of.
type Kind string

const (
	Judged   Kind = "judged by" // a benchmark or a test is edited, removed, weakened or skipped
	Settings Kind = "settings"  // of the runtime: GOGC, GOMAXPROCS, the memory limit, //go:debug
	Built    Kind = "build"     // other code under other build constraints
	Asks     Kind = "asks"      // the code asks whether it is under test, or what calls it
	Swallows Kind = "swallows"  // a panic
	Moved    Kind = "moved"     // work is done before the timed region, or once
	Keeps    Kind = "keeps"     // a package variable keeps what one call found for the next
)

// A Sign is a fact of a change that may make its gain hollow.
type Sign struct {
	Kind         Kind   `json:"name"`
	Says         string `json:"why"` // a clause
	source.Place        // after the change; of what is gone, before it
}

func (s Sign) String() string { return fmt.Sprintf("%d: %s: %s", s.Line, s.Kind, s.Says) }

// Signs returns the signs in changes, by place. Files that do not parse have none: they
// do not build.
func Signs(changes []patch.Change) []Sign {
	x := &search{}
	var all []*pair
	for _, c := range changes {
		switch filepath.Base(c.File) {
		case "go.mod", "go.work":
			x.module(c)
		}
		if filepath.Ext(c.File) == ".go" {
			if p := parse(c); p != nil {
				all = append(all, p)
			}
		}
	}
	for _, p := range all {
		x.constraints(p)
		if strings.HasSuffix(p.File, "_test.go") {
			x.judges(p, all)
			x.calls(p, Settings)
			continue
		}
		x.calls(p, Settings, Asks, Moved)
		x.recovers(p)
		x.once(p)
		x.variables(p, all)
	}
	slices.SortStableFunc(x.signs, func(a, b Sign) int { return cmp.Or(a.Place.Compare(b.Place), strings.Compare(a.Says, b.Says)) })
	return slices.CompactFunc(x.signs, func(a, b Sign) bool { return a == b })
}

// A pair is a Go file before and after a change; a side that is not there is empty.
type pair struct {
	patch.Change
	before, after side
}

// A side is one state of a file.
type side struct {
	fset *token.FileSet
	file *ast.File
	text string
}

// parse reads both sides; nil if either does not parse.
func parse(c patch.Change) *pair {
	p := &pair{Change: c}
	for _, s := range []struct {
		*side
		text string
		gone bool
	}{{&p.before, c.Before, c.New}, {&p.after, c.After, c.Gone}} {
		s.fset, s.side.text = token.NewFileSet(), s.text
		if s.gone {
			s.file = &ast.File{Name: ast.NewIdent("_")}
			continue
		}
		var err error
		if s.file, err = parser.ParseFile(s.fset, c.File, s.text, parser.ParseComments|parser.SkipObjectResolution); err != nil {
			return nil
		}
	}
	return p
}

func (s *side) line(pos token.Pos) int { return s.fset.Position(pos).Line }

// source is the text of a node.
func (s *side) source(n ast.Node) string {
	from, to := s.fset.Position(n.Pos()).Offset, s.fset.Position(n.End()).Offset
	if from < 0 || to > len(s.text) || from > to { // a //line comment moves no offset
		return ""
	}
	return s.text[from:to]
}

// A search collects signs.
type search struct{ signs []Sign }

func (x *search) add(kind Kind, file string, line int, says string) {
	x.signs = append(x.signs, Sign{kind, says, source.Place{File: file, Line: line}})
}

// module looks at what go.mod or go.work says of the language and the runtime.
func (x *search) module(c patch.Change) {
	had := map[string]bool{}
	for line := range strings.Lines(c.Before) {
		had[strings.TrimSpace(line)] = true
	}
	n, block := 0, ""
	for line := range strings.Lines(c.After) {
		n++
		line = strings.TrimSpace(line)
		f := strings.Fields(line)
		switch {
		case len(f) == 2 && f[1] == "(":
			block = f[0]
		case line == ")":
			block = ""
		case len(f) == 0 || had[line]:
		default:
			switch word := cmp.Or(block, f[0]); word {
			case "go", "toolchain", "godebug":
				x.add(Settings, c.File, n, "the module's "+word+" line is another: "+line)
			}
		}
	}
}

// constraints looks at what decides whether a file is built.
func (x *search) constraints(p *pair) {
	was, is := constrained(&p.before), constrained(&p.after)
	switch {
	case p.Gone || was == is && !p.New:
	case is != "":
		x.add(Built, p.File, 1, "it is built only where "+is)
	case was != "":
		x.add(Built, p.File, 1, "it is no longer built only where "+was)
	}
	if p.New {
		base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(p.File), ".go"), "_test")
		if _, suffix, ok := cutLast(base, "_"); ok && platforms[suffix] {
			x.add(Built, p.File, 1, "by its name it is built for "+suffix+" alone")
		}
	}
	debug := func(s *side) map[string]int {
		lines := map[string]int{}
		for _, g := range s.file.Comments {
			for _, c := range g.List {
				if strings.HasPrefix(c.Text, "//go:debug ") {
					lines[c.Text] = s.line(c.Pos())
				}
			}
		}
		return lines
	}
	had := debug(&p.before)
	for text, line := range debug(&p.after) {
		if had[text] == 0 {
			x.add(Settings, p.File, line, "it sets "+strings.TrimPrefix(text, "//go:debug ")+" for the whole program")
		}
	}
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// constrained is the build constraint of a file, "" without one.
func constrained(s *side) string {
	for _, g := range s.file.Comments {
		if g.Pos() > s.file.Package && s.file.Package.IsValid() {
			break
		}
		for _, c := range g.List {
			if constraint.IsGoBuild(c.Text) {
				if e, err := constraint.Parse(c.Text); err == nil {
					return e.String()
				}
			}
		}
	}
	return ""
}

// platforms are the names of systems and processors that may end the name of a file.
var platforms = map[string]bool{}

func init() {
	for name := range strings.FieldsSeq("aix android darwin dragonfly freebsd illumos ios js linux netbsd openbsd plan9 solaris wasip1 windows " +
		"386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm") {
		platforms[name] = true
	}
}
