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

// Delete takes a node away.
func Delete(n ast.Node) analysis.TextEdit {
	return analysis.TextEdit{Pos: n.Pos(), End: n.End()}
}

// Universal reports whether predeclared names mean at a position what they always do.
func Universal(pkg *types.Package, pos token.Pos, names ...string) bool {
	scope := pkg.Scope().Innermost(pos)
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
	scope := pkg.Scope().Innermost(node.Pos())
	for i := 1; ; i++ {
		try := name
		if i > 1 {
			try += strconv.Itoa(i)
		}
		if taken[try] || given[try] {
			continue
		}
		if scope != nil {
			if _, o := scope.LookupParent(try, token.NoPos); o != nil && o.Parent() != types.Universe {
				continue
			} else if o != nil && i == 1 && o.Parent() == types.Universe {
				continue // new, len, max: legal to shadow, and bad to read
			}
		}
		given[try] = true
		return try
	}
}

// Import returns the name by which file knows the package at path, and the
// edits that import it if it does not. The name is for use at at: where it means
// something else there, the package gets another name.
func Import(pkg *types.Package, file *ast.File, path string, at token.Pos) (name string, edits []analysis.TextEdit) {
	scope := pkg.Scope().Innermost(at)
	free := func(name string) bool {
		if scope == nil {
			return true
		}
		_, o := scope.LookupParent(name, token.NoPos)
		return o == nil
	}
	for _, s := range file.Imports {
		if p, _ := strconv.Unquote(s.Path.Value); p != path {
			continue
		}
		name = base(path)
		if s.Name != nil {
			name = s.Name.Name
		}
		if name == "_" || name == "." {
			continue
		}
		if scope == nil {
			return name, nil
		}
		if _, o := scope.LookupParent(name, at); o != nil {
			if p, ok := o.(*types.PkgName); ok && p.Imported().Path() == path {
				return name, nil
			}
		}
	}
	name = base(path)
	for i := 2; !free(name); i++ {
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
	var decl *ast.GenDecl
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			if s := g.Specs[0].(*ast.ImportSpec); s.Path.Value != `"C"` {
				decl = g
				break
			}
		}
	}
	if decl == nil {
		return []analysis.TextEdit{Insert(file.Name.End(), "\n\nimport "+spec)}
	}
	var last ast.Spec
	for _, s := range decl.Specs {
		p, _ := strconv.Unquote(s.(*ast.ImportSpec).Path.Value)
		if source.Standard(p) == source.Standard(path) {
			last = s
		}
	}
	switch {
	case !decl.Lparen.IsValid():
		// A declaration of its own: the other may get another beside it, or go.
		// Apply puts them together.
		return []analysis.TextEdit{Insert(decl.Pos(), "import "+spec+"\n")}
	case last != nil:
		return []analysis.TextEdit{Insert(last.End(), "\n\t"+spec)}
	case source.Standard(path):
		return []analysis.TextEdit{Insert(decl.Specs[0].Pos(), spec+"\n\n\t")}
	}
	return []analysis.TextEdit{Insert(decl.Rparen, "\n\t"+spec+"\n")}
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

// Complete returns the edits with those that take away the imports and the variables
// that they leave unused, each once, by position.
func Complete(pass *analysis.Pass, edits []analysis.TextEdit) ([]analysis.TextEdit, error) {
	edits = slices.Clone(edits)
	for i := range edits {
		if !edits[i].End.IsValid() {
			edits[i].End = edits[i].Pos
		}
	}
	for _, file := range pass.Files {
		own := Within(file, edits)
		if len(own) == 0 {
			continue
		}
		read := pass.ReadFile
		name := pass.Fset.PositionFor(file.FileStart, false).Filename
		src, err := read(name)
		if err != nil {
			return nil, err
		}
		kept := unread(pass, file, src, own)
		more, err := unused(pass, file, src, kept)
		if err != nil {
			return nil, err
		}
		edits = slices.DeleteFunc(edits, func(e analysis.TextEdit) bool { return file.FileStart <= e.Pos && e.Pos <= file.FileEnd })
		edits = append(append(edits, kept...), more...)
	}
	return sorted(edits)
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
	after, err := apply(tf, src, edits)
	if err != nil {
		return nil, err
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", after, parser.SkipObjectResolution)
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
		// An import that an edit puts behind this one stays where it is.
		if !slices.ContainsFunc(edits, func(e analysis.TextEdit) bool {
			return e.Pos > gone.Pos && e.Pos < gone.End || e.Pos <= gone.Pos && e.End > gone.Pos
		}) {
			more = append(more, gone)
			continue
		}
		more = append(more, analysis.TextEdit{Pos: s.Pos(), End: s.End()})
	}
	return more, nil
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
func named(f *ast.File, name string, without []analysis.TextEdit) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && id.Name == name && !slices.ContainsFunc(without, func(e analysis.TextEdit) bool { return e.Pos <= id.Pos() && id.Pos() < e.End }) {
				found = true
			}
		}
		return !found
	})
	return found
}

// Apply returns the file with the edits, formatted if it was. Its line endings
// stay. Imports that the edits leave unused together go: each alone may have
// left a use. Edits that overlap are an error.
func Apply(f *token.File, src []byte, edits []analysis.TextEdit) ([]byte, error) {
	out, err := apply(f, src, edits)
	if err != nil {
		return nil, err
	}
	if out, err = tidy(src, out); err != nil {
		return nil, err
	}
	out = join(src, out)
	crlf := bytes.Contains(src, []byte("\r\n"))
	plain := lf(src)
	out = lf(out)
	if was, err := format.Source(plain); err == nil && bytes.Equal(was, plain) {
		if out, err = format.Source(out); err != nil {
			return nil, fmt.Errorf("the edited file does not parse: %w", err)
		}
	}
	if crlf {
		out = bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n"))
	}
	return out, nil
}

// tidy deletes the imports of out that src used and out does not.
func tidy(src, out []byte) ([]byte, error) {
	fset := token.NewFileSet()
	was, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return out, nil // not ours to mend
	}
	is, err := parser.ParseFile(fset, "", out, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("the edited file does not parse: %w", err)
	}
	at := fset.File(is.FileStart)
	for _, d := range slices.Backward(is.Decls) {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		left := len(g.Specs)
		kept := out
		for _, s := range slices.Backward(g.Specs) {
			name := ImportName(s.(*ast.ImportSpec))
			if name == "C" || !named(was, name, nil) || named(is, name, nil) {
				continue
			}
			left--
			kept = cutLine(kept, at.Offset(s.Pos()), at.Offset(s.End()))
		}
		if left == 0 {
			kept = cutLine(out, at.Offset(g.Pos()), at.Offset(g.End()))
		}
		out = kept
	}
	return out, nil
}

// join makes one declaration of the imports at the head of out that stand alone,
// if there are more of them than in src.
func join(src, out []byte) []byte {
	_, _, before := alone(src)
	from, to, specs := alone(out)
	if len(specs) < 2 || len(specs) <= len(before) {
		return out
	}
	slices.SortStableFunc(specs, func(a, b *ast.ImportSpec) int {
		p, _ := strconv.Unquote(a.Path.Value)
		q, _ := strconv.Unquote(b.Path.Value)
		if source.Standard(p) != source.Standard(q) {
			if source.Standard(p) {
				return -1
			}
			return 1
		}
		return strings.Compare(p, q)
	})
	var b bytes.Buffer
	b.WriteString("import (\n")
	for i, s := range specs {
		p, _ := strconv.Unquote(s.Path.Value)
		if i > 0 {
			if last, _ := strconv.Unquote(specs[i-1].Path.Value); source.Standard(last) && !source.Standard(p) {
				b.WriteString("\n")
			}
		}
		b.WriteString("\t")
		if s.Name != nil {
			b.WriteString(s.Name.Name + " ")
		}
		b.WriteString(s.Path.Value + "\n")
	}
	b.WriteString(")")
	return slices.Concat(out[:from], b.Bytes(), out[to:])
}

// alone returns the imports at the head of a file that stand in declarations of
// their own, without comments, and where these begin and end.
func alone(src []byte) (from, to int, specs []*ast.ImportSpec) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return 0, 0, nil
	}
	at := fset.File(f.FileStart)
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT || g.Lparen.IsValid() || g.Doc != nil {
			break
		}
		s := g.Specs[0].(*ast.ImportSpec)
		if s.Comment != nil || s.Path.Value == `"C"` {
			break
		}
		if len(specs) == 0 {
			from = at.Offset(g.Pos())
		}
		to = at.Offset(g.End())
		specs = append(specs, s)
	}
	return from, to, specs
}

// ImportName is the name of a package in a file, as far as its path tells.
func ImportName(s *ast.ImportSpec) string {
	if s.Name != nil {
		return s.Name.Name
	}
	p, _ := strconv.Unquote(s.Path.Value)
	return base(p)
}

// cutLine deletes src[from:to], and the line if nothing else is on it.
func cutLine(src []byte, from, to int) []byte {
	start, end := from, to
	for start > 0 && (src[start-1] == '\t' || src[start-1] == ' ') {
		start--
	}
	for end < len(src) && (src[end] == '\r' || src[end] == ' ') {
		end++
	}
	if end < len(src) && src[end] == '\n' && (start == 0 || src[start-1] == '\n') {
		from, to = start, end+1
	}
	return slices.Concat(src[:from], src[to:])
}

func lf(src []byte) []byte { return bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")) }

func apply(f *token.File, src []byte, edits []analysis.TextEdit) ([]byte, error) {
	edits, err := sorted(edits)
	if err != nil {
		return nil, err
	}
	var out []byte
	last := 0
	for _, e := range edits {
		from, to := f.Offset(e.Pos), f.Offset(e.End)
		if from < last {
			return nil, fmt.Errorf("two edits at %v", f.PositionFor(e.Pos, false))
		}
		out = append(append(out, src[last:from]...), e.NewText...)
		last = to
	}
	return append(out, src[last:]...), nil
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
