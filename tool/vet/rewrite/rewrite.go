// Package rewrite makes the edits that the checks of package vet offer: texts
// of syntax trees, names that are free, imports that come and go.
//
// An edit is a list of texts for stretches of a file, as go/analysis has it.
// It decides nothing: that an edit keeps what the code computes is for the
// check to say. Applying one costs parsing and formatting the file.
package rewrite

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// Text is the source of a node as gofmt has it, without comments.
func Text(fset *token.FileSet, n ast.Node) string {
	var b bytes.Buffer
	if err := format.Node(&b, fset, n); err != nil {
		panic("rewrite.Text: " + err.Error()) // the tree was parsed
	}
	return b.String()
}

// Replace puts text in the place of a node.
func Replace(n ast.Node, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: n.Pos(), End: n.End(), NewText: []byte(text)}
}

// Insert puts text before pos.
func Insert(pos token.Pos, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: pos, End: pos, NewText: []byte(text)}
}

// Universal reports whether predeclared names mean at a position what they always do.
func Universal(pkg *types.Package, pos token.Pos, names ...string) bool {
	_, scope := Around(pkg, pos)
	for _, n := range names {
		if _, o := scope.LookupParent(n, pos); o == nil || o.Parent() != types.Universe {
			return false
		}
	}
	return true
}

// Fresh returns name, or name with a number, such that no identifier within
// node, and nothing visible there, has it.
func Fresh(pkg *types.Package, node ast.Node, name string) string {
	return Names{}.Fresh(pkg, node, name)
}

// Names are those that edits have taken, by the node within which each of them is
// free. What several edits declare may come to stand side by side: all are made at
// once where they do not overlap.
type Names map[ast.Node]map[string]bool

// Fresh returns what the function of that name does, and never the same for a node
// again.
func (ns Names) Fresh(pkg *types.Package, node ast.Node, name string) string {
	given := ns[node]
	if given == nil {
		given = map[string]bool{}
		ns[node] = given
	}
	taken := map[string]bool{}
	ast.Inspect(node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			taken[id.Name] = true
		}
		return true
	})
	_, scope := Around(pkg, node.Pos())
	for i := 1; ; i++ {
		try := name
		if i > 1 {
			try += strconv.Itoa(i)
		}
		_, o := scope.LookupParent(try, token.NoPos)
		if !taken[try] && !given[try] && o == nil {
			given[try] = true
			return try
		}
	}
}

// Import returns the name by which file knows the package at path, and the
// edits that import it if it does not. The name is for use at at: where it means
// something else there, the package gets another name.
func Import(pkg *types.Package, file *ast.File, path string, at token.Pos) (name string, edits []analysis.TextEdit) {
	_, scope := Around(pkg, at)
	for _, s := range file.Imports {
		if p, _ := strconv.Unquote(s.Path.Value); p != path {
			continue
		}
		name = ImportName(s)
		if _, o := scope.LookupParent(name, at); o != nil {
			if p, ok := o.(*types.PkgName); ok && p.Imported().Path() == path {
				return name, nil
			}
		}
	}
	name = base(path)
	for i := 2; ; i++ {
		if _, o := scope.LookupParent(name, token.NoPos); o == nil {
			break
		}
		name = base(path) + strconv.Itoa(i)
	}
	spec := strconv.Quote(path)
	if name != base(path) {
		spec = name + " " + spec
	}
	return name, importEdits(file, path, spec)
}

// importEdits enter a spec beside the imports that are most like it: those of
// the standard library, or the others.
func importEdits(file *ast.File, path, spec string) []analysis.TextEdit {
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT || len(g.Specs) == 0 || g.Specs[0].(*ast.ImportSpec).Path.Value == `"C"` {
			continue
		}
		if !g.Lparen.IsValid() {
			// A declaration of its own: the other may get another beside it, or go.
			// Apply puts them together.
			return []analysis.TextEdit{Insert(g.Pos(), "import "+spec+"\n")}
		}
		for _, s := range slices.Backward(g.Specs) {
			if p, _ := strconv.Unquote(s.(*ast.ImportSpec).Path.Value); source.Standard(p) == source.Standard(path) {
				return []analysis.TextEdit{Insert(s.End(), "\n\t"+spec)}
			}
		}
		return []analysis.TextEdit{Insert(g.Rparen, "\n\t"+spec+"\n")}
	}
	return []analysis.TextEdit{Insert(file.Name.End(), "\n\nimport "+spec)}
}

// Appends reports whether a call appends to its first argument and returns it:
// append, or a function of the standard library like strconv.AppendInt.
func Appends(info *types.Info, call *ast.CallExpr) bool {
	switch fn := typeutil.Callee(info, call).(type) {
	case *types.Builtin:
		return fn.Name() == "append"
	case *types.Func:
		return fn.Pkg() != nil && source.Standard(fn.Pkg().Path()) && strings.HasPrefix(fn.Name(), "Append") && fn.Signature().Recv() == nil &&
			len(call.Args) > 0 && fn.Signature().Results().Len() == 1 && types.Identical(info.TypeOf(call), info.TypeOf(call.Args[0]))
	}
	return false
}

func base(path string) string {
	b := path[strings.LastIndexByte(path, '/')+1:]
	if len(b) > 1 && b[0] == 'v' && strings.Trim(b[1:], "0123456789") == "" && strings.Contains(path, "/") {
		return base(strings.TrimSuffix(path, "/"+b)) // rand/v2
	}
	return b
}

// Complete returns the edits, each once, by position, and others. These take away the
// imports that they leave unused, and put _ in the place of such variables.
func Complete(pass *analysis.Pass, edits []analysis.TextEdit) ([]analysis.TextEdit, error) {
	edits, err := sorted(edits)
	if err != nil {
		return nil, err
	}
	all := slices.Clone(edits)
	for _, file := range pass.Files {
		own := Within(file, edits)
		if len(own) == 0 {
			continue
		}
		src, err := pass.ReadFile(pass.Fset.PositionFor(file.FileStart, false).Filename)
		if err != nil {
			return nil, err
		}
		blank := unread(pass, file, own)
		more, err := unused(pass, file, src, append(own, blank...))
		if err != nil {
			return nil, err
		}
		all = append(append(all, blank...), more...)
	}
	return sorted(all)
}

// Within returns those of the edits that are in a file.
func Within(file *ast.File, edits []analysis.TextEdit) (own []analysis.TextEdit) {
	for _, e := range edits {
		if file.FileStart <= e.Pos && e.Pos <= file.FileEnd {
			own = append(own, e)
		}
	}
	return own
}

// Parse returns the syntax of a file with the edits.
func Parse(tf *token.File, src []byte, edits []analysis.TextEdit) (*ast.File, error) {
	edits, err := sorted(edits)
	if err != nil {
		return nil, err
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", apply(src, spans(tf, edits)), parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("the edited file does not parse: %w", err)
	}
	return f, nil
}

// unused are the edits that delete what edits leave unused of a file's imports.
func unused(pass *analysis.Pass, file *ast.File, src []byte, edits []analysis.TextEdit) (more []analysis.TextEdit, err error) {
	tf := pass.Fset.File(file.FileStart)
	var taken []*ast.ImportSpec // of which the file says nothing outside of the edits
	for _, s := range file.Imports {
		if p := pass.TypesInfo.PkgNameOf(s); p != nil && takes(tf, src, edits, p.Name()) && !named(file, p.Name(), edits) {
			taken = append(taken, s)
		}
	}
	if len(taken) == 0 {
		return nil, nil
	}
	f, err := Parse(tf, src, edits)
	if err != nil {
		return nil, err
	}
	for _, s := range taken {
		if named(f, pass.TypesInfo.PkgNameOf(s).Name(), nil) {
			continue
		}
		gone := unimport(tf, src, file, s)
		// An import that an edit puts behind this one stays where it is.
		if slices.ContainsFunc(edits, func(e analysis.TextEdit) bool {
			return e.Pos > gone.Pos && e.Pos < gone.End || e.Pos <= gone.Pos && e.End > gone.Pos
		}) {
			gone = analysis.TextEdit{Pos: s.Pos(), End: s.End()}
		}
		more = append(more, gone)
	}
	return more, nil
}

// unimport takes an import away, with the end of its line.
func unimport(tf *token.File, src []byte, file *ast.File, s *ast.ImportSpec) analysis.TextEdit {
	gone := analysis.TextEdit{Pos: s.Pos(), End: s.End()}
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && len(g.Specs) == 1 && g.Specs[0] == s {
			gone.Pos, gone.End = g.Pos(), g.End()
		}
	}
	for i := tf.Offset(gone.End); i < len(src) && (src[i] == '\r' || src[i] == '\n'); i++ {
		gone.End++
		if src[i] == '\n' {
			break
		}
	}
	for i := tf.Offset(gone.Pos) - 1; i >= 0 && (src[i] == '\t' || src[i] == ' '); i-- {
		gone.Pos--
	}
	return gone
}

// takes reports whether the text that edits take away selects something of what
// has the name.
func takes(f *token.File, src []byte, edits []analysis.TextEdit, name string) bool {
	return slices.ContainsFunc(edits, func(e analysis.TextEdit) bool {
		return bytes.Contains(src[f.Offset(e.Pos):f.Offset(e.End)], []byte(name+"."))
	})
}

// named reports whether a file selects, outside of what edits take away,
// something of what has the name. Where another thing shadows a package it
// counts as used.
func named(f *ast.File, name string, without []analysis.TextEdit) bool {
	for n := range ast.Preorder(f) {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && id.Name == name && !slices.ContainsFunc(without, func(e analysis.TextEdit) bool { return e.Pos <= id.Pos() && id.Pos() < e.End }) {
				return true
			}
		}
	}
	return false
}

// Apply returns the file with the edits, formatted if it was. Its line endings
// stay. Imports that the edits leave unused together go: each alone may have
// left a use. Edits that overlap are an error.
func Apply(f *token.File, src []byte, edits []analysis.TextEdit) ([]byte, error) {
	edits, err := sorted(edits)
	if err != nil {
		return nil, err
	}
	return skeletonOf(src).apply(spans(f, edits))
}

// tidy deletes the imports of out that src used and out does not, nor anything else. It
// makes one declaration of those at the head of out that stand alone, if there are more
// of them than in src.
func tidy(src, out []byte, used map[string]bool) ([]byte, error) {
	fset := token.NewFileSet()
	was, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return out, nil // not ours to mend
	}
	is, err := parser.ParseFile(fset, "", out, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("the edited file does not parse: %w", err)
	}
	tf := fset.File(is.FileStart)
	var edits []analysis.TextEdit
	gone := func(s ast.Spec) bool {
		name := ImportName(s.(*ast.ImportSpec))
		return name != "C" && !used[name] && named(was, name, nil) && !named(is, name, nil)
	}
	for _, d := range is.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		if !slices.ContainsFunc(g.Specs, func(s ast.Spec) bool { return !gone(s) }) && g.Lparen.IsValid() {
			edits = append(edits, Replace(g, ""))
			continue
		}
		if left := slices.DeleteFunc(slices.Clone(g.Specs), gone); len(left) == 1 && g.Lparen.IsValid() && !Comments(is, g) && !lone(was, left[0]) {
			edits = append(edits, Replace(g, "import "+string(out[tf.Offset(left[0].Pos()):tf.Offset(left[0].End())])))
			continue
		}
		for _, s := range g.Specs {
			if gone(s) {
				edits = append(edits, unimport(tf, out, is, s.(*ast.ImportSpec)))
			}
		}
	}
	before, after := alone(was), slices.DeleteFunc(alone(is), func(g *ast.GenDecl) bool { return gone(g.Specs[0]) })
	if len(after) > 1 && len(after) > len(before) {
		var groups [2]string // the standard library, and the others
		for _, g := range after {
			s := g.Specs[0].(*ast.ImportSpec)
			i := 1
			if p, _ := strconv.Unquote(s.Path.Value); source.Standard(p) {
				i = 0
			}
			groups[i] += "\t" + string(out[tf.Offset(s.Pos()):tf.Offset(s.End())]) + "\n"
			edits = append(edits, Replace(g, ""))
		}
		edits = append(edits, Insert(after[0].Pos(), "import (\n"+strings.Trim(groups[0]+"\n"+groups[1], "\n")+"\n)"))
	}
	if len(empty(was)) == 0 {
		for _, st := range empty(is) {
			if !Comments(is, st) && idle(is, st) {
				edits = append(edits, Replace(st, ""))
			}
		}
	}
	if edits, err = sorted(edits); err != nil {
		return nil, err
	}
	return apply(out, spans(tf, edits)), nil
}

// empty are the statements of a file that do nothing under a condition.
func empty(f *ast.File) (all []*ast.IfStmt) {
	ast.Inspect(f, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		}
		for _, st := range list {
			if st, ok := st.(*ast.IfStmt); ok && st.Init == nil && st.Else == nil && len(st.Body.List) == 0 {
				all = append(all, st)
			}
		}
		return true
	})
	return all
}

// idle reports whether a condition does nothing but ask, for names that are also used
// elsewhere.
func idle(f *ast.File, st *ast.IfStmt) bool {
	others := map[string]int{}
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			others[id.Name]++
		}
		return n != ast.Node(st)
	})
	var asks func(e ast.Expr) bool
	asks = func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Ident:
			return others[e.Name] > 1 || e.Name == "nil" || e.Name == "true" || e.Name == "false"
		case *ast.CallExpr:
			fun, ok := e.Fun.(*ast.Ident)
			return ok && (fun.Name == "len" || fun.Name == "cap") && asks(e.Args[0])
		case *ast.UnaryExpr:
			return e.Op == token.NOT && asks(e.X)
		case *ast.BinaryExpr:
			return asks(e.X) && asks(e.Y)
		case *ast.ParenExpr:
			return asks(e.X)
		case *ast.SelectorExpr: // a field, or it was nil when it was called
			return asks(e.X)
		case *ast.BasicLit:
			return true
		}
		return false
	}
	return asks(st.Cond)
}

// lone reports whether a file has parentheses around nothing but an import.
func lone(f *ast.File, s ast.Spec) bool {
	return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		return ok && g.Tok == token.IMPORT && g.Lparen.IsValid() && len(g.Specs) == 1 && g.Specs[0].(*ast.ImportSpec).Path.Value == s.(*ast.ImportSpec).Path.Value
	})
}

// alone returns the declarations at the head of a file that import one package,
// without comments.
func alone(f *ast.File) (all []*ast.GenDecl) {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT || g.Lparen.IsValid() || g.Doc != nil {
			break
		}
		if s := g.Specs[0].(*ast.ImportSpec); s.Comment != nil || s.Path.Value == `"C"` {
			break
		}
		all = append(all, g)
	}
	return all
}

// ImportName is the name of a package in a file, as far as its path tells.
func ImportName(s *ast.ImportSpec) string {
	if s.Name != nil {
		return s.Name.Name
	}
	p, _ := strconv.Unquote(s.Path.Value)
	return base(p)
}

func lf(src []byte) []byte { return bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")) }

// A span is an edit by offsets.
type span struct {
	from, to int
	text     []byte
}

// spans are edits by offsets.
func spans(f *token.File, edits []analysis.TextEdit) (all []span) {
	for _, e := range edits {
		all = append(all, span{f.Offset(e.Pos), f.Offset(e.End), e.NewText})
	}
	return all
}

// apply puts the texts of spans, which are in order, in their places.
func apply(src []byte, spans []span) (out []byte) {
	last := 0
	for _, e := range spans {
		out = append(append(out, src[last:e.from]...), e.text...)
		last = e.to
	}
	return append(out, src[last:]...)
}

// sorted returns the edits by position, each once. Those that insert at one
// place keep their order. Overlapping ones are an error.
func sorted(edits []analysis.TextEdit) ([]analysis.TextEdit, error) {
	edits = slices.Clone(edits)
	for i := range edits {
		if !edits[i].End.IsValid() {
			edits[i].End = edits[i].Pos
		}
	}
	slices.SortStableFunc(edits, func(a, b analysis.TextEdit) int {
		return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.End, b.End))
	})
	edits = slices.CompactFunc(edits, func(a, b analysis.TextEdit) bool {
		return a.Pos == b.Pos && a.End == b.End && bytes.Equal(a.NewText, b.NewText)
	})
	for i := 1; i < len(edits); i++ {
		if edits[i].Pos < edits[i-1].End {
			return nil, fmt.Errorf("two edits at one place: %q and %q", edits[i-1].NewText, edits[i].NewText)
		}
	}
	return edits, nil
}

// Overlap reports whether two edits are at one place, so that they cannot be
// made together. The same text at the same place is none.
func Overlap(a, b []analysis.TextEdit) bool {
	_, err := sorted(slices.Concat(a, b))
	return err != nil
}
