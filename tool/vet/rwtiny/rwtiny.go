package rwtiny

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer is the check.
var Analyzer = shape.Analyzer("rwtiny", "find locks around reads of a word or two\n\nTo take a lock costs more than the read that it guards: an atomic would do.", find, section.Analyzer)

// tiny is how many statements a read may have for this check.
const tiny = 2

// A check looks at one lock.
type check struct {
	*guard.Lock
	in     *section.Index
	copies copies // of the last edit
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	in := pass.ResultOf[section.Analyzer].(*section.Index)
	for _, l := range in.Locks {
		if l.Var.Pkg() != pass.Pkg {
			continue
		}
		c := &check{Lock: guard.Of(pass, in, l), in: in}
		for i, read := range c.reads() {
			f := c.finding(read)
			for _, try := range tries {
				if i > 0 && try.whole {
					continue // offered at the first
				}
				c.copies = copies{}
				edits, why, at := try.edits(c, read)
				if why == "" && rewrite.Overlap(edits, nil) {
					why, at = "its uses are within each other", read.Enter.Node().Pos()
				}
				switch {
				case why == guard.NotMeant:
				case why != "":
					f.Refused = append(f.Refused, shape.Refusal{Name: try.name, Why: why, Pos: at})
				default:
					f.Fixes = append(f.Fixes, shape.Fix{Name: try.name, Says: try.says, Edits: edits, Dearer: c.copies.String(), Slower: c.copies.by})
				}
			}
			all = append(all, f)
		}
	}
	return all, nil
}

// tries are the kinds of edits. An edit returns why it is refused, and where.
var tries = []struct {
	name, says string
	whole      bool // it is of the lock as a whole, whatever is read
	edits      func(c *check, read *section.Section) ([]analysis.TextEdit, string, token.Pos)
}{
	{"drop", "read without the lock: nothing is written under it", true, (*check).drop},
	{"atomic", "keep the value in an atomic", false, (*check).atomic},
	{"cow", "replace the value as a whole when it changes, and read it without the lock", false, (*check).cow},
	{"mutex", "use a sync.Mutex", true, (*check).mutex},
}

// value is the one field or variable that a section reads of what the lock
// guards.
func (c *check) value(read *section.Section) (v *types.Var, why string, at token.Pos) {
	for x := range c.Does[read].Reads {
		if c.Guarded[x] {
			if v != nil {
				return nil, "it reads several values together", read.Enter.Node().Pos()
			}
			v = x
		}
	}
	if v == nil {
		return nil, guard.NotMeant, 0
	}
	return v, "", 0
}

// atomic keeps the value in an atomic.
func (c *check) atomic(read *section.Section) ([]analysis.TextEdit, string, token.Pos) {
	v, why, at := c.value(read)
	if why != "" {
		return nil, why, at
	}
	return c.Atomic(v)
}

func (c *check) finding(read *section.Section) shape.Finding {
	what := "locked"
	if read.Read {
		what = "read-locked"
	}
	f := shape.Finding{
		Pos: read.Enter.Node().Pos(), End: read.Enter.Node().End(),
		Message: fmt.Sprintf("%s is %s for a word or two: to take it costs more than to read them", types.ExprString(read.X), what),
		Func:    uses.Decl(read.Enter),
		Causes:  []string{"rwmutex", "lock"},
	}
	for _, s := range c.Sections {
		if r := shape.Of(uses.Around(s.Enter)); !slices.Contains(f.Hot, r) {
			f.Hot = append(f.Hot, r)
		}
	}
	return f
}

// reads returns the sections that only read, a little: the first of those that
// read the same of what the lock guards.
func (c *check) reads() (all []*section.Section) {
	var seen []map[*types.Var]bool
	for _, s := range c.Sections {
		e := c.Does[s]
		if s.Read != c.RW || len(e.Indirect) > 0 || !c.isTiny(s) || !some(e.Reads, s.Shares) || some(e.Writes, s.Shares) {
			continue
		}
		values := map[*types.Var]bool{}
		for v := range e.Reads {
			if c.Guarded[v] {
				values[v] = true
			}
		}
		if !slices.ContainsFunc(seen, func(x map[*types.Var]bool) bool { return maps.Equal(x, values) }) {
			seen = append(seen, values)
			all = append(all, s)
		}
	}
	return all
}

func some(vars map[*types.Var]bool, is func(*types.Var) bool) bool {
	for v := range vars {
		if is(v) {
			return true
		}
	}
	return false
}

// isTiny reports whether a section has a statement or two, without calls,
// loops and channels.
func (c *check) isTiny(s *section.Section) bool {
	n := 0
	for _, stmt := range s.Stmts {
		for x := range stmt.Preorder() {
			switch e := x.Node().(type) {
			case *ast.AssignStmt, *ast.IncDecStmt, *ast.ReturnStmt, *ast.IfStmt, *ast.DeclStmt, *ast.ExprStmt:
				if e, ok := e.(*ast.ExprStmt); ok && c.unlocks(s, e) {
					continue
				}
				if k := x.ParentEdgeKind(); k != edge.IfStmt_Init {
					n++
				}
			case *ast.CallExpr:
				if tv := c.Uses.Info.Types[e.Fun]; !tv.IsType() && !tv.IsBuiltin() && x.ParentEdgeKind() != edge.ExprStmt_X {
					return false
				}
				if st, ok := x.Parent().Node().(*ast.ExprStmt); ok && !c.unlocks(s, st) {
					return false
				}
			case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.FuncLit, *ast.LabeledStmt, *ast.BranchStmt:
				return false
			case *ast.UnaryExpr:
				if e.Op == token.ARROW || e.Op == token.AND {
					return false
				}
			}
		}
	}
	return 0 < n && n <= tiny
}

// unlocks reports whether a statement is an early unlock of the section.
func (c *check) unlocks(s *section.Section, e *ast.ExprStmt) bool {
	return slices.ContainsFunc(s.Early, func(x inspector.Cursor) bool { return x.Node() == ast.Node(e) })
}
