package unbuffered

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// pipes has the edits at the two ends of a pipe tried together, as those of the
// function that makes it: a buffer at one end leaves half of the calls.
func (c *checker) pipes(streams []*stream, all []shape.Finding) {
	for at := range c.x.Root.Preorder((*ast.AssignStmt)(nil)) {
		r, w := c.pipe(at)
		decl := uses.Decl(at)
		if r == nil || w == nil || decl == nil {
			continue
		}
		var in, out []int
		for i, s := range streams {
			switch {
			case len(all[i].Fixes) == 0:
			case s.kind == read && s.reaches(r):
				in = append(in, i)
			case s.kind == write && s.reaches(w):
				out = append(out, i)
			}
		}
		if len(in) == 1 && len(out) == 1 {
			all[in[0]].Func, all[out[0]].Func = decl, decl
		}
	}
}

// pipe returns the ends that a statement makes.
func (c *checker) pipe(at inspector.Cursor) (r, w *types.Var) {
	as := at.Node().(*ast.AssignStmt)
	call, ok := ast.Unparen(as.Rhs[0]).(*ast.CallExpr)
	if !ok || len(as.Lhs) < 2 {
		return nil, nil
	}
	if fn := section.Callee(c.info, call); fn == nil || fn.FullName() != "io.Pipe" && fn.FullName() != "os.Pipe" {
		return nil, nil
	}
	return loop.Var(c.info, as.Lhs[0]), loop.Var(c.info, as.Lhs[1])
}

// reaches reports whether the end of a pipe is the file of a stream.
func (s *stream) reaches(end *types.Var) bool {
	return s.root == end || slices.ContainsFunc(s.arguments(), func(a argument) bool { return loop.Var(s.info, a.arg) == end })
}
