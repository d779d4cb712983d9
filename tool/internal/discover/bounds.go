package discover

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// limits are functions of other packages whose argument says how many goroutines may run.
var limits = []string{"SetLimit", "NewWeighted"}

// bounds are the names, in lower case, of what says how many goroutines a loop starts or a
// semaphore lets through, and of what its value comes from. A loop up to n may start one
// for each element.
func (s *source) bounds() []string {
	if s.counts == nil {
		s.counts = boundsIn(s, s.files)
	}
	return s.counts
}

// boundsOf are those that a benchmark reaches.
func (s *source) boundsOf(fn string) []string {
	return boundsIn(s, s.reach([]ast.Node{s.funcs[fn]}, map[string]bool{}))
}

// count finds the numbers of goroutines in the package.
func (s *source) count() *counting {
	c := counting{source: s, bound: map[types.Object]bool{}, step: map[types.Object]bool{}, list: map[types.Object]bool{}, fields: map[*ast.Ident]bool{}}
	for _, f := range s.files {
		c.semaphores(f)
	}
	for before := -1; before < c.known(); {
		before = c.known()
		for _, f := range s.files {
			c.follow(f)
		}
	}
	return &c
}

func boundsIn[N ast.Node](s *source, nodes []N) []string {
	if s.numbers == nil {
		s.numbers = s.count()
	}
	names := []string{}
	for _, n := range nodes {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && (s.numbers.bound[s.numbers.target(id)] || s.numbers.fields[id]) {
				one := strings.TrimSuffix(strings.ToLower(id.Name), "s")
				names = append(names, one, one+"s")
			}
			return true
		})
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// A counting finds the variables, fields, functions and types whose value is a number of
// goroutines.
type counting struct {
	source *source
	bound  map[types.Object]bool
	step   map[types.Object]bool // a share of the work: what it was divided by is a bound
	list   map[types.Object]bool // slices with an element for each goroutine
	fields map[*ast.Ident]bool   // of other packages, where they stand
	slots  []types.Object        // channels that goroutines receive from when they are done
}

// known is how much was found; it only grows.
func (c *counting) known() int { return len(c.bound) + len(c.step) + len(c.list) }

// semaphores notes the channels whose values goroutines or deferred calls take back.
func (c *counting) semaphores(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.GoStmt, *ast.DeferStmt:
			ast.Inspect(n, func(n ast.Node) bool {
				if stmt, ok := n.(*ast.ExprStmt); ok {
					if x, ok := stmt.X.(*ast.UnaryExpr); ok { // a receive
						c.slots = append(c.slots, c.target(x.X))
					}
				}
				return true
			})
		}
		return true
	})
}

// follow takes over what a file says of the bounds that are known, and those it has itself.
func (c *counting) follow(f *ast.File) {
	var within []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			within = within[:len(within)-1]
			return true
		}
		within = append(within, n)
		switch n := n.(type) {
		case *ast.ForStmt:
			if c.source.does(n.Body)&goes != 0 {
				c.loop(n)
			}
		case *ast.RangeStmt:
			if c.source.does(n.Body)&goes != 0 {
				c.bounded(n.X)
			}
		case *ast.AssignStmt:
			for i := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) {
					c.flows(c.target(n.Lhs[i]), n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i := range n.Values {
				if len(n.Names) == len(n.Values) {
					c.flows(c.target(n.Names[i]), n.Values[i])
				}
			}
		case *ast.KeyValueExpr:
			c.flows(c.target(n.Key), n.Value)
		case *ast.CallExpr:
			c.call(n)
		case *ast.SelectorExpr:
			if f, ok := c.target(n).(*types.Func); ok && f.Signature().Recv() != nil {
				c.flows(f.Signature().Recv(), n.X)
			}
		case *ast.ReturnStmt:
			if decl, ok := enclosing(within).(*ast.FuncDecl); ok && len(n.Results) == 1 {
				c.flows(c.source.info.Defs[decl.Name], n.Results[0])
			}
		}
		return true
	})
}

// enclosing is the innermost function.
func enclosing(within []ast.Node) ast.Node {
	for _, n := range slices.Backward(within) {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return n
		}
	}
	return nil
}

// loop takes over how often a loop that starts goroutines goes round: up to what, or by
// what steps.
func (c *counting) loop(n *ast.ForStmt) {
	if cond, ok := n.Cond.(*ast.BinaryExpr); ok {
		c.bounded(cond.Y)
	}
	if post, ok := n.Post.(*ast.AssignStmt); ok {
		c.divided(post.Rhs[0])
	}
}

// call takes over the arguments that a function of the package counts by, and those of
// [limits].
func (c *counting) call(n *ast.CallExpr) {
	f, ok := c.target(n.Fun).(*types.Func)
	if sel, is := n.Fun.(*ast.SelectorExpr); is && !ok && len(n.Args) == 1 && slices.Contains(limits, sel.Sel.Name) {
		c.bounded(n.Args[0])
	}
	for i := 0; ok && i < min(f.Signature().Params().Len(), len(n.Args)); i++ {
		c.flows(f.Signature().Params().At(i), n.Args[i])
	}
}

// flows says that o has the value of an expression.
func (c *counting) flows(o types.Object, value ast.Expr) {
	if o == nil {
		return
	}
	if call, ok := value.(*ast.CallExpr); ok && (c.list[o] || slices.Contains(c.slots, o)) && isCall(call, "make") && len(call.Args) > 1 {
		c.bounded(call.Args[1]) // of a semaphore its room
	}
	if c.bound[o] {
		c.bounded(value)
	}
	if c.step[o] {
		c.divided(value)
	}
}

// bounded says that an expression is a number of goroutines.
func (c *counting) bounded(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		switch o := c.target(e); {
		case o == nil:
			c.foreign(e)
		case o.Name() == "n":
		case integral(o.Type()):
			c.bound[o] = true
		default:
			c.list[o] = true
		}
	case *ast.ParenExpr:
		c.bounded(e.X)
	case *ast.BinaryExpr:
		if _, ok := e.Y.(*ast.BasicLit); ok {
			c.bounded(e.X)
		}
	case *ast.CallExpr:
		c.operands(e, c.bounded)
		if isCall(e, "len") {
			c.bounded(e.Args[0])
		}
		if f, ok := c.target(e.Fun).(*types.Func); ok {
			c.bound[f] = true
		}
	}
}

// foreign notes the name of a field of another package, which b.N is as well.
func (c *counting) foreign(e ast.Expr) {
	if sel, ok := e.(*ast.SelectorExpr); ok && sel.Sel.Name != "N" {
		c.fields[sel.Sel] = true
	}
}

// divided says that an expression is a share of the work.
func (c *counting) divided(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
		if o := c.target(e); o != nil {
			c.step[o] = true
		}
	case *ast.ParenExpr:
		c.divided(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.QUO:
			c.bounded(e.Y)
		case token.ADD, token.SUB:
			c.divided(e.X)
		}
	case *ast.CallExpr:
		c.operands(e, c.divided)
	}
}

// operands hands on what the value of a call is one of: min, max and conversions. A type
// of numbers of goroutines names them.
func (c *counting) operands(call *ast.CallExpr, take func(ast.Expr)) {
	t, conversion := c.target(call.Fun).(*types.TypeName)
	if conversion && t.Pkg() != nil {
		c.bound[t] = true
	}
	if conversion || isCall(call, "min", "max") {
		for _, a := range call.Args {
			take(a)
		}
	}
}

// isCall reports whether one of the functions is called, by its name alone.
func isCall(call *ast.CallExpr, names ...string) bool {
	id, ok := call.Fun.(*ast.Ident)
	return ok && slices.Contains(names, id.Name)
}

// target is the object that a name or a selector means.
func (c *counting) target(e ast.Expr) types.Object {
	id, ok := e.(*ast.Ident)
	if sel, is := e.(*ast.SelectorExpr); is {
		id, ok = sel.Sel, true
	}
	if !ok {
		return nil
	}
	if o := c.source.info.Defs[id]; o != nil {
		return o
	}
	return c.source.object(id)
}

// integral reports whether a type has integers, or is not known.
func integral(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && (b.Info()&types.IsInteger != 0 || b.Kind() == types.Invalid)
}
