package forkjoin

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// serial has the calling goroutine do the tasks.
func (w *writer) serial(f *shape.Finding) {
	fix := shape.Fix{Name: "serial", Serial: true, Says: "do the tasks one after the other in a loop"}
	if text, ok := w.inPlace(w.h, w.call, w.decl); ok && w.statement() != nil {
		fix.Edits = []analysis.TextEdit{rewrite.Replace(w.statement(), text)}
	} else {
		name, edits, err := w.twin(w.h)
		if err != nil {
			f.Refused = append(f.Refused, shape.Refusal{Name: "serial", Why: err.Error(), Pos: w.h.decl.Pos()})
			return
		}
		fix.Says = fmt.Sprintf("call %s, which does the tasks one after the other", name)
		fix.Edits = append(edits, rewrite.Replace(called(w.call), name))
	}
	f.Fixes = append(f.Fixes, fix)
}

// statement is the call as a statement of its own, nil if it is part of one.
func (w *writer) statement() (out ast.Stmt) {
	ast.Inspect(w.decl.Body, func(n ast.Node) bool {
		if st, ok := n.(*ast.ExprStmt); ok && st.X == w.call {
			out = st
		}
		return out == nil
	})
	return out
}

// called is the name in a call of a function or method.
func called(c *ast.CallExpr) *ast.Ident {
	fun := ast.Unparen(c.Fun)
	for {
		switch x := fun.(type) {
		case *ast.IndexExpr:
			fun = x.X
		case *ast.IndexListExpr:
			fun = x.X
		case *ast.SelectorExpr:
			return x.Sel
		default:
			return x.(*ast.Ident)
		}
	}
}

// twin returns the name of the helper that does its tasks in one goroutine, and
// the edits that enter it, none where it is there already.
func (w *writer) twin(h *helper) (name string, edits []analysis.TextEdit, err error) {
	inside := slices.Clone(h.edits)
	if h.inner != nil {
		if text, ok := w.inPlace(h.up, h.inner, h.decl); ok {
			inside = append(inside, rewrite.Replace(h.inner, text))
		} else {
			up, more, err := w.twin(h.up)
			if err != nil {
				return "", nil, err
			}
			edits = append(edits, more...)
			inside = append(inside, rewrite.Replace(called(h.inner), up))
		}
	}
	name = inline.TwinOf(h.decl, "Serial")
	text, err := inline.Twin(w.pass, h.decl, name, inside)
	if err != nil {
		return "", nil, err
	}
	if w.there(h, name, text) {
		return name, edits, nil
	}
	if free := inline.TwinName(w.pass, h.decl, "Serial"); free != name {
		name = free
		if text, err = inline.Twin(w.pass, h.decl, name, inside); err != nil {
			return "", nil, err
		}
	}
	return name, append(edits, rewrite.Insert(h.decl.End(), "\n\n"+inline.InOne(name, h.decl)+text)), nil
}

// there reports whether the package has a function of that text.
func (w *writer) there(h *helper, name, text string) bool {
	for _, file := range w.pass.Files {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == name && (fn.Recv == nil) == (h.decl.Recv == nil) {
				is := *fn
				is.Doc = nil
				return plainText(rewrite.Text(w.pass.Fset, &is)) == plainText(text)
			}
		}
	}
	return false
}

// plainText is a declaration as gofmt has it, without comments.
func plainText(decl string) string {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", "package p\n"+decl, parser.SkipObjectResolution)
	if err != nil {
		return decl
	}
	src, err := format.Source([]byte(rewrite.Text(fset, f)))
	if err != nil {
		return decl
	}
	return string(src)
}

// Where there are few elements the start of goroutines is most of the time; some
// ten thousand are worth it whatever is done with each.
var sizes = []int{256, 1024, 4096, 16384, 65536}

// threshold has the calling goroutine do the tasks where there are few elements.
func (w *writer) threshold(f *shape.Finding) {
	refuse := func(why string) {
		f.Refused = append(f.Refused, shape.Refusal{Name: "threshold", Why: why, Pos: w.call.Pos()})
	}
	size := w.size()
	st := w.statement()
	switch {
	case size == "":
		refuse("nothing that the call is given tells how much there is to do")
		return
	case st == nil:
		refuse("the call is part of a larger statement")
		return
	case w.guarded(size):
		refuse("it is made where there is enough to do")
		return
	}
	name, edits, err := w.twin(w.h)
	if err != nil {
		refuse(err.Error())
		return
	}
	arg := w.call.Args[w.h.index]
	var more []analysis.TextEdit
	task := "" // its name
	if _, ok := arg.(*ast.FuncLit); ok {
		task = w.fresh("task")
		more = append(more, rewrite.Replace(arg, task))
	}
	parallel, err := inline.Source(w.pass, w.call.Pos(), w.call.End(), more)
	if err == nil {
		more = append(more, rewrite.Replace(called(w.call), name))
	}
	one, err2 := inline.Source(w.pass, w.call.Pos(), w.call.End(), more)
	if err != nil || err2 != nil {
		refuse("there is no source")
		return
	}
	for _, k := range sizes {
		text := fmt.Sprintf("if %s < %d {\n%s\n} else {\n%s\n}", size, k, one, parallel)
		put := []analysis.TextEdit{rewrite.Replace(st, text)}
		if task != "" {
			put = []analysis.TextEdit{
				{Pos: st.Pos(), End: arg.Pos(), NewText: []byte(task + " := ")},
				{Pos: arg.End(), End: st.End(), NewText: []byte("\n" + text)},
			}
		}
		f.Fixes = append(f.Fixes, shape.Fix{
			Name: "threshold", Value: k,
			Says:  fmt.Sprintf("do the tasks one after the other where %s is less than %d", size, k),
			Edits: append(put, edits...),
		})
	}
}

// fresh is a free name in the function: another for each of its calls, which may
// all get an edit.
func (w *writer) fresh(name string) string {
	left := w.nth
	for i := 1; ; i++ {
		try := name
		if i > 1 {
			try += fmt.Sprint(i)
		}
		if rewrite.Fresh(w.pass.Pkg, w.decl, try) == try {
			if left--; left == 0 {
				return try
			}
		}
	}
}

// spans are the names of two ends.
var spans = [][2]string{{"lo", "hi"}, {"low", "high"}, {"from", "to"}, {"start", "end"}, {"begin", "end"}, {"first", "last"}}

// size is how many elements a call is about, by what it is given: hi-lo, n or
// len(xs). It is "" where nothing tells, or a constant does.
func (w *writer) size() string {
	fn := w.info.Defs[w.h.decl.Name].(*types.Func)
	params := fn.Signature().Params()
	text := func(e ast.Expr) string {
		s := rewrite.Text(w.pass.Fset, e)
		if _, ok := ast.Unparen(e).(*ast.BinaryExpr); ok {
			s = "(" + s + ")"
		}
		return s
	}
	whole := func(i int) bool {
		b, ok := params.At(i).Type().Underlying().(*types.Basic)
		return ok && b.Info()&types.IsInteger != 0 && !inline.Calls(w.call.Args[i], w.info)
	}
	for i := range len(w.call.Args) - 1 {
		if whole(i) && whole(i+1) && slices.Contains(spans, [2]string{params.At(i).Name(), params.At(i + 1).Name()}) {
			lo, hi := w.call.Args[i], w.call.Args[i+1]
			if w.constant(lo) && w.constant(hi) {
				return ""
			}
			if v := w.info.Types[lo].Value; v != nil && v.ExactString() == "0" {
				return text(hi)
			}
			return text(hi) + "-" + text(lo)
		}
	}
	for i, arg := range w.call.Args {
		if whole(i) && !w.constant(arg) && !inline.PerProcessor(w.info, w.decl, arg, 0) {
			return rewrite.Text(w.pass.Fset, arg)
		}
	}
	for i, arg := range w.call.Args {
		if _, ok := params.At(i).Type().Underlying().(*types.Slice); ok && !inline.Calls(arg, w.info) {
			if _, lit := arg.(*ast.CompositeLit); !lit {
				return "len(" + rewrite.Text(w.pass.Fset, arg) + ")"
			}
		}
	}
	return ""
}

func (w *writer) constant(e ast.Expr) bool { return w.info.Types[e].Value != nil }

// guarded reports whether the call is made only where its size is enough.
func (w *writer) guarded(size string) (found bool) {
	ast.Inspect(w.decl.Body, func(n ast.Node) bool {
		if st, ok := n.(*ast.IfStmt); ok && (within(st.Body, w.call) || st.Else != nil && within(st.Else, w.call)) {
			ast.Inspect(st.Cond, func(n ast.Node) bool {
				if x, ok := n.(ast.Expr); ok && rewrite.Text(w.pass.Fset, x) == size {
					found = true
				}
				return !found
			})
		}
		return !found
	})
	return found
}
