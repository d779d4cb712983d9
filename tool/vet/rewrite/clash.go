package rewrite

import (
	"bytes"
	"go/ast"
	"go/scanner"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// Clash reports whether edits of the files of a package cannot be made together.
// They overlap. Or both declare a name in one function, or in the package, for each
// has found that name free. Or one takes an import away that the other needs.
func Clash(files []*ast.File, a, b []analysis.TextEdit) bool {
	if Overlap(a, b) || needs(files, a, b) || needs(files, b, a) {
		return true
	}
	type name struct {
		in   *ast.FuncDecl // nil: the package
		name string
	}
	names := func(edits, without []analysis.TextEdit) (all []name) {
		for _, e := range edits {
			if slices.ContainsFunc(without, func(o analysis.TextEdit) bool { return o.Pos == e.Pos && string(o.NewText) == string(e.NewText) }) {
				continue // it is made once
			}
			in := function(files, e.Pos)
			for _, n := range declares(e.NewText) {
				all = append(all, name{in, n})
			}
		}
		return all
	}
	of := names(a, nil)
	return slices.ContainsFunc(names(b, a), func(n name) bool { return slices.Contains(of, n) })
}

// needs reports whether edits name a package whose import others take away.
func needs(files []*ast.File, edits, others []analysis.TextEdit) bool {
	for _, f := range files {
		for _, s := range f.Imports {
			if !slices.ContainsFunc(others, func(e analysis.TextEdit) bool {
				return e.Pos <= s.Pos() && s.End() <= e.End && !bytes.Contains(e.NewText, []byte(s.Path.Value))
			}) {
				continue
			}
			name := []byte(ImportName(s) + ".")
			if slices.ContainsFunc(Within(f, edits), func(e analysis.TextEdit) bool { return bytes.Contains(e.NewText, name) }) {
				return true
			}
		}
	}
	return false
}

// function is the declaration that a place is in, nil if it is in none.
func function(files []*ast.File, at token.Pos) *ast.FuncDecl {
	for _, f := range files {
		if at < f.FileStart || f.FileEnd < at {
			continue
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Pos() < at && at < fn.End() {
				return fn
			}
		}
	}
	return nil
}

// declares returns the names that a text declares where it comes to stand: not
// those of the blocks within.
func declares(text []byte) (names []string) {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), text, nil, 0)
	depth, first := 0, true // of a statement
	var list []string       // of the names that it may declare
	word := token.ILLEGAL   // var, const, type or func, whose name comes
	for {
		_, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			return names
		case token.LBRACE, token.LPAREN, token.LBRACK:
			depth++
		case token.RBRACE, token.RPAREN, token.RBRACK:
			depth--
		case token.VAR, token.CONST, token.TYPE, token.FUNC:
			if depth == 0 && first {
				word = tok
			}
		case token.IDENT:
			switch {
			case depth != 0:
			case word != token.ILLEGAL:
				names, word = append(names, lit), token.ILLEGAL
			case first || len(list) > 0:
				list = append(list, lit)
			}
		case token.DEFINE:
			if depth == 0 {
				names, list = append(names, list...), nil
			}
		case token.COMMA:
		case token.SEMICOLON:
			if depth == 0 {
				list, word = nil, token.ILLEGAL
			}
		default:
			if depth == 0 {
				list = nil
			}
		}
		first = tok == token.SEMICOLON && depth == 0
	}
}
