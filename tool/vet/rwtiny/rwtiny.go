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
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer is the check.
var Analyzer = shape.Analyzer("rwtiny", "find locks around reads of a word or two\n\nTo take a lock costs more than the read that it guards: an atomic would do.", find, section.Analyzer)

// tiny is how many statements a read may have for this check: what is there, or else what
// is meant where it is not.
const tiny = 4

// A check looks at one lock.
type check struct {
	*guard.Lock
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	in := pass.ResultOf[section.Analyzer].(*section.Index)
	for _, l := range in.Locks {
		c := &check{guard.Of(pass, in, l)}
		all = append(all, c.copies()...)
		if l.Var.Pkg() != pass.Pkg {
			continue
		}
		for i, read := range c.reads() {
			f := c.finding(read)
			for _, try := range tries {
				if i > 0 {
					break // they are of the lock as a whole, whatever is read
				}
				if fix, why, at := try(c); why != guard.NotMeant && !rewrite.Overlap(fix.Edits, nil) {
					f.Offer(fix, why, at)
				}
			}
			all = append(all, f)
		}
	}
	return all, nil
}

// tries are the kinds of edits. One returns why it is refused, and where.
var tries = []func(*check) (shape.Fix, string, token.Pos){(*check).drop, (*check).cow}

// values are what a section reads of what the lock guards.
func (c *check) values(s *section.Section) map[*types.Var]bool {
	values := maps.Clone(c.Does[s].Reads)
	maps.DeleteFunc(values, func(v *types.Var, _ bool) bool { return !c.Guarded[v] })
	return values
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
	for _, s := range c.Sections {
		e := c.Does[s]
		if s.Read != c.RW || len(e.Indirect) > 0 || !c.isTiny(s) || !some(e.Reads, s.Shares) || some(e.Writes, s.Shares) {
			continue
		}
		values := c.values(s)
		if !slices.ContainsFunc(all, func(x *section.Section) bool { return maps.Equal(c.values(x), values) }) {
			all = append(all, s)
		}
	}
	return all
}

func some(vars map[*types.Var]bool, is func(*types.Var) bool) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(vars)), is)
}

// isTiny reports whether a section has a statement or two, without calls,
// loops and channels.
func (c *check) isTiny(s *section.Section) bool {
	n := 0
	for _, stmt := range s.Stmts {
		stmt.Inspect(nil, func(x inspector.Cursor) bool {
			if slices.Contains(s.Early, x) {
				return false
			}
			switch e := x.Node().(type) {
			case *ast.AssignStmt, *ast.IncDecStmt, *ast.ReturnStmt, *ast.IfStmt, *ast.DeclStmt, *ast.ExprStmt:
				if x.ParentEdgeKind() != edge.IfStmt_Init {
					n++
				}
			case *ast.CallExpr:
				if tv := c.Uses.Info.Types[e.Fun]; !tv.IsType() && !tv.IsBuiltin() || e.Ellipsis.IsValid() || loop.Builtin(c.Uses.Info, e) == "copy" {
					n = tiny + 1
				}
			case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.FuncLit, *ast.LabeledStmt, *ast.BranchStmt:
				n = tiny + 1
			case *ast.UnaryExpr:
				if e.Op == token.ARROW || e.Op == token.AND {
					n = tiny + 1
				}
			}
			return n <= tiny
		})
	}
	return 0 < n && n <= tiny
}
