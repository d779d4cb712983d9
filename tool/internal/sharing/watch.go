package sharing

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/program"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// maxWrites and maxReads bound the size of a watched binary; the functions of a
// profile have a few dozen of each.
const (
	maxWrites = 400
	maxReads  = 400
)

// recorderName is the package, and the directory, of the recorder in the
// watched binary.
const recorderName = "payoff_sharing"

//go:embed record.go
var recorderSource []byte

// Watch returns how to watch who reads and writes what, for the test binary of
// pkg, an import path. It watches the functions that hold the places and those
// that they call, and then what others of the main module write, at most 400
// reads and 400 writes: the function that waits for a line need not be the one
// that takes it, and to be slow by a read it has to be hot itself. Functions of
// the packages with the places come before those of others. Places are lines of
// files with absolute names; their functions are not looked at.
//
// Watched are reads and writes through pointers and of elements of slices,
// package variables and captured ones, the functions and methods of
// sync/atomic, and the locks of package sync. The watched code computes what
// it did before. Build it with vet off: the recorder is a package without a
// directory.
//
// Nothing to watch is not an error: the Watcher has no Sites then and says why.
func Watch(ctx context.Context, tc *gocmd.Toolchain, pkg string, places []source.Place) (*Watcher, error) {
	if len(places) == 0 {
		return nil, fmt.Errorf("watch %s: no places: profile it first", pkg)
	}
	prog, err := program.List(ctx, tc, pkg)
	if err != nil {
		return nil, fmt.Errorf("watch: %w", err)
	}
	w := &Watcher{}
	hot := map[string][]source.Place{} // by file as the go command names it
	home := map[string]bool{}          // packages with places
	for _, pl := range places {
		q, file := prog.Find(pl.File)
		if err := program.Editable(q); err != nil {
			w.refuse(pl.String(), err.Error())
			continue
		}
		hot[file] = append(hot[file], pl)
		home[program.ListPath(q)] = true
	}
	if len(home) == 0 {
		return w, nil
	}
	sources, err := prog.Typed(slices.Sorted(maps.Keys(home)))
	if err != nil {
		return nil, fmt.Errorf("watch: %w", err)
	}
	others, err := prog.Typed(slices.DeleteFunc(prog.Editable(), func(path string) bool { return home[path] }))
	if err != nil {
		return nil, fmt.Errorf("watch: %w", err)
	}
	for _, s := range others {
		if program.Editable(s.Package) == nil {
			sources = append(sources, s)
		}
	}
	w.instrument(sources, hot)
	if len(w.Sites) == 0 {
		return w, nil
	}
	changed, err := w.build(sources)
	if err != nil {
		return nil, fmt.Errorf("watch: %w", err)
	}
	if err := prog.Check(w.Overlay, changed); err != nil {
		return nil, fmt.Errorf("watch %s: the watched code does not type-check: %w", pkg, err)
	}
	return w, nil
}

// calls returns the functions that fn calls by their names.
func (fn function) calls(named map[string]function) []function {
	var out []function
	ast.Inspect(fn.Decl, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if f, ok := fn.Callee(call).(*types.Func); ok && f.Pos().IsValid() {
				if callee, ok := named[fn.Key(f.Origin())]; ok {
					out = append(out, callee)
				}
			}
		}
		return true
	})
	return out
}

func (w *Watcher) refuse(what, why string) { w.Refused = append(w.Refused, what+": "+why) }

// A function is a declaration at the top of a file; most are functions.
type function struct {
	*program.Package
	file *program.File
	ast.Decl
}

// instrument rewrites the functions that hold the places, those that they call,
// and then the others.
func (w *Watcher) instrument(sources []*program.Package, hot map[string][]source.Place) {
	var all []function
	named := map[string]function{} // by key
	for _, s := range sources {
		for _, f := range s.Files {
			for _, d := range f.Decls {
				fn := function{s, f, d}
				all = append(all, fn)
				if d, ok := d.(*ast.FuncDecl); ok {
					named[s.Key(s.TypesInfo.Defs[d.Name])] = fn
				}
			}
		}
	}
	found := map[source.Place]bool{}
	done := map[ast.Decl]bool{}
	over := 0
	touch := func(fn function, hot bool) {
		if !done[fn.Decl] {
			done[fn.Decl] = true
			t := &toucher{Package: fn.Package, text: w.edit.File(fn.file.Name, fn.file.Src), hot: hot, w: w}
			t.decl(fn.Decl)
			over += t.over
		}
	}
	var inside []function
	for _, fn := range all {
		from, to := fn.Position(fn.Pos()).Line, fn.Position(fn.End()).Line
		for _, pl := range hot[fn.file.Name] {
			if from <= pl.Line && pl.Line <= to {
				found[pl] = true
				inside = append(inside, fn)
			}
		}
	}
	for _, fn := range inside {
		touch(fn, true)
	}
	// A profile may have the time of an inlined function at its caller.
	for i := 0; i < len(inside); i++ {
		for _, callee := range inside[i].calls(named) {
			if !done[callee.Decl] {
				touch(callee, true)
				inside = append(inside, callee)
			}
		}
	}
	for _, fn := range all {
		touch(fn, false)
	}
	for _, places := range hot {
		for _, pl := range places {
			if !found[pl] {
				w.refuse(pl.String(), "no function of this file that can be rewritten is there")
			}
		}
	}
	if over > 0 {
		w.refuse(fmt.Sprintf("%d more reads and writes", over), fmt.Sprintf("at most %d of each are watched", maxWrites))
	}
}

// build makes the overlay: the rewritten files, a file for each package that
// leads to the recorder, and the recorder. It returns the paths of the packages
// that are rewritten.
func (w *Watcher) build(sources []*program.Package) (changed []string, err error) {
	home := sources[0].Module
	path := home.Path + "/" + recorderName
	for _, s := range sources {
		if !slices.ContainsFunc(s.Files, func(f *program.File) bool { return w.edit.File(f.Name, f.Src).Changed() }) {
			continue
		}
		w.edit.Add(s.Extra("payoff_sharing_touch"), fmt.Appendf(nil, touchSource, s.Name, path))
		if p := program.ListPath(s.Package); !slices.Contains(changed, p) {
			changed = append(changed, p)
		}
	}
	dir := filepath.Join(home.Dir, recorderName)
	w.edit.Add(filepath.Join(dir, "record.go"), bytes.Replace(recorderSource, []byte("package sharing\n"), []byte("package "+recorderName+"\n"), 1))
	var table strings.Builder
	for _, site := range w.Sites {
		way := "write"
		if site.Read {
			way = "read"
		}
		if site.Lock {
			way = "lock"
		}
		row := strconv.Quote(site.Expr) + "\t" + strconv.Quote(site.File) + fmt.Sprintf("\t%d\t%d\t%s", site.Line, site.Column, way)
		fmt.Fprintf(&table, "\t{%s, %t, %t, %t},\n", strconv.Quote(row), site.Read, site.Atomic, site.Lock)
	}
	w.edit.Add(filepath.Join(dir, "sites.go"), fmt.Appendf(nil, sitesSource, recorderName, Env, table.String()))
	w.Overlay, err = w.edit.Overlay()
	return changed, err
}

// touchSource is inlined into the rewritten code, so that a closed window
// costs a load and a branch. The pointer becomes a number here: what is
// watched escapes no more than before.
const touchSource = `package %[1]s

import (
	"unsafe"

	%[2]q
)

func payoffTouch[T any](site int, p *T) {
	if payoff_sharing.On() {
		payoff_sharing.Touch(site, uintptr(unsafe.Pointer(p)), unsafe.Sizeof(*p))
	}
}

func payoffTouched[T any](site int, p *T) *T {
	if payoff_sharing.On() {
		payoff_sharing.Touch(site, uintptr(unsafe.Pointer(p)), unsafe.Sizeof(*p))
	}
	return p
}

func payoffSlice[S ~[]T, T any](base *uintptr, s S) S {
	if len(s) > 0 {
		*base = uintptr(unsafe.Pointer(&s[0]))
	}
	return s
}

func payoffArray[A any](base *uintptr, a *A) *A {
	*base = uintptr(unsafe.Pointer(a))
	return a
}

func payoffElement[T any](site int, base uintptr, i int, x T) {
	if payoff_sharing.On() {
		payoff_sharing.Touch(site, base+uintptr(i)*unsafe.Sizeof(x), unsafe.Sizeof(x))
	}
}

func payoffWait() { payoff_sharing.Wait() }

func payoffWaits[T any](on T) T {
	payoff_sharing.Wait()
	return on
}
`

const sitesSource = `package %[1]s

import "os"

var watch *recorder = newRecorder(os.Getenv(%[2]q), sites)

func init() {
	if watch.file != "" {
		os.Unsetenv(%[2]q)
		watch.start()
	}
}

// On reports whether an access is to be recorded.
func On() bool { return watch.live() }

// Touch records an access.
func Touch(site int, addr, size uintptr) { watch.touch(site, addr, size) }

// Wait records that the goroutine is about to wait, or has waited.
func Wait() {
	if watch.state.Load() == recordOpen {
		watch.wait()
	}
}

var sites = []recordSite{
%[3]s}
`
