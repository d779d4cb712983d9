package rewrite

import (
	"bytes"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// Clash reports whether edits of the files of a package cannot be made together.
// They overlap. Or one takes an import away that the other needs. Or their texts for
// one function, or for the package, have a name in common. Both may declare it, for each
// has found it free.
func Clash(files []*ast.File, a, b []analysis.TextEdit) bool {
	if Overlap(a, b) || needs(files, a, b) || needs(files, b, a) {
		return true
	}
	type name struct {
		in   *ast.FuncDecl // nil: the package
		name string
	}
	said := map[name]bool{}
	for _, e := range a {
		for _, n := range declarable(files, e) {
			said[name{function(files, e.Pos), n}] = true
		}
	}
	for _, e := range b {
		if slices.ContainsFunc(a, func(o analysis.TextEdit) bool { return o.Pos == e.Pos && bytes.Equal(o.NewText, e.NewText) }) {
			continue // it is made once
		}
		for _, n := range declarable(files, e) {
			if said[name{function(files, e.Pos), n}] {
				return true
			}
		}
	}
	return false
}

// needs reports whether edits name a package whose import others take away.
func needs(files []*ast.File, edits, others []analysis.TextEdit) bool {
	for _, f := range files {
		for _, s := range f.Imports {
			name := []byte(ImportName(s) + ".")
			if slices.ContainsFunc(others, func(e analysis.TextEdit) bool {
				return e.Pos <= s.Pos() && s.End() <= e.End && !bytes.Contains(e.NewText, []byte(s.Path.Value))
			}) && slices.ContainsFunc(Within(f, edits), func(e analysis.TextEdit) bool { return bytes.Contains(e.NewText, name) }) {
				return true
			}
		}
	}
	return false
}

// function is the declaration that a place is in, nil if it is in none.
func function(files []*ast.File, at token.Pos) *ast.FuncDecl {
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Pos() < at && at < fn.End() {
				return fn
			}
		}
	}
	return nil
}

// declarable are the names in the text of an edit that it may declare. It does not
// declare what it selects, and gives no packages or predeclared names another meaning.
func declarable(files []*ast.File, e analysis.TextEdit) []string {
	return slices.DeleteFunc(names(e.NewText, true), func(n string) bool {
		return types.Universe.Lookup(n) != nil || slices.ContainsFunc(files, func(f *ast.File) bool {
			return f.FileStart <= e.Pos && e.Pos <= f.FileEnd && slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool { return ImportName(s) == n })
		})
	})
}

// identifiers are the names in a text.
func identifiers(text []byte) []string { return names(text, false) }

// names are the identifiers in a text, with those that it selects or without.
func names(text []byte, without bool) (all []string) {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), text, nil, 0)
	for last := token.ILLEGAL; ; {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return all
		case tok == token.IDENT && !(without && last == token.PERIOD):
			all = append(all, lit)
		}
		last = tok
	}
}
