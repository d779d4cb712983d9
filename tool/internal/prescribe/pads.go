package prescribe

import (
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/gather"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/padding"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/program"
	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// FalseShare is the check of edits that move apart what met on a cache line.
const FalseShare = "falseshare"

// pads adds what no shape gives: to move apart what met on one cache line when
// goroutines were watched. Where the run has tried that and it was no faster, the
// finding says so and has no edit.
func (c *chemist) pads() error {
	if len(c.Only) > 0 && !slices.Contains(c.Only, FalseShare) {
		return nil
	}
	for _, x := range worst(c.Findings) {
		set := x.Page.Evidence()
		if set == nil || set.Sharing == nil || set.Sharing.Pad == nil || len(set.Sharing.Pad.Does) == 0 {
			continue
		}
		trial, note := set.Sharing.Pad, set.Sharing.Pad.Does[0]
		if c.padded(note.At) {
			continue // a check has an edit for it
		}
		f := Finding{
			Finding: edit.Finding{Check: FalseShare, Cause: FalseShare, Place: note.At, Message: shared(note.What) + ", and several goroutines write it"},
			Cells:   []measure.Cell{x.Verdict.New},
		}
		for _, l := range x.Losses {
			if l.Slug == FalseShare {
				f.NS += l.NS
			}
		}
		f.Evidence = fmt.Sprintf("watched: %d returns of lines on which others used other bytes alone", set.Sharing.Seen.False)
		if f.NS == 0 && trial.Low <= 1 {
			continue
		}
		f.Loses = loses(x.Verdict)
		if x.Avail > 0 {
			f.Share = f.NS / x.Avail
		}
		i := len(c.p.Findings)
		c.p.Findings = append(c.p.Findings, f)
		if t := c.against(f.Cells, false); t != nil {
			c.p.Findings[i].refuse(parts[0].name, noFaster(t), f.Place)
			continue
		}
		all := 0 // of what met is moved
		for _, p := range parts {
			fix, moved, err := c.apart(i, x, p.part, p.name)
			if c.ctx.Err() != nil {
				return c.ctx.Err()
			}
			switch {
			case p.part == padding.All:
				all = moved
			case moved == 0 || moved == all && p.part != padding.Structs: // all of it is of one kind
				continue
			}
			if err != nil {
				c.p.Findings[i].refuse(p.name, err, f.Place)
			} else {
				c.p.Fixes = append(c.p.Fixes, fix)
			}
		}
	}
	return nil
}

// parts are what can be moved apart, as alternatives: what is right for a few fields
// may be too much room for each element beside them.
var parts = []struct {
	part padding.Part
	name string
}{{padding.All, "pad"}, {padding.Singles, "padfields"}, {padding.Elements, "padelements"}, {padding.Structs, "padstructs"}}

// padded reports whether a check offers to pad what is at a place, or a compound.
func (c *chemist) padded(at Place) bool {
	return slices.ContainsFunc(c.p.Fixes, func(x Fix) bool {
		return x.Name == "pad" && slices.ContainsFunc(x.Changes, func(ch patch.Change) bool { return ch.File == at.File })
	})
}

// apart makes a fix that moves apart a part of what met, and says of how much.
func (c *chemist) apart(i int, x explain.Finding, part padding.Part, name string) (fix Fix, moved int, err error) {
	f := c.p.Findings[i]
	fix = Fix{Edit: edit.Edit{Name: name}, Check: f.Check, Cause: f.Cause, Place: f.Place, Finding: i, NS: f.NS, Cells: c.cells(f.Cells)}
	fix.ID = c.id(fmt.Sprintf("%s:%s:%d:%s", f.Check, filepath.Base(f.File), f.Line, name))
	e, err := gather.Apart(c.ctx, c.Toolchain, c.Package, x.Page.Evidence(), part)
	if err != nil {
		return fix, 0, err
	}
	var what []string
	for _, n := range e.Does {
		what = append(what, n.What)
	}
	if len(what) == 0 {
		return fix, 0, errors.New("nothing could be moved apart")
	}
	fix.Says = "give " + strings.Join(what, ", ") + " room of their own"
	fix.Dearer = shape.Memory("each of these", fmt.Sprintf("at least %d bytes", layout.Line))
	if err := c.relied(e.Does); err != nil {
		return fix, len(what), err
	}
	o, err := e.Overlay()
	if err != nil {
		return fix, len(what), err
	}
	return fix, len(what), c.fillOverlay(&fix, o)
}

// relied returns why fields must not get room, by the rule of the checks: a trial of
// what that buys may change what fmt shows of a struct, the user's code may not.
func (c *chemist) relied(moved []edit.Note) error {
	for _, pkg := range c.pkgs {
		var x *uses.Index
		for _, n := range moved {
			name, ok := strings.CutPrefix(n.What, "field ")
			i := slices.IndexFunc(pkg.Files, func(f *program.File) bool { return f.Name == n.At.File })
			if !ok || i < 0 {
				continue
			}
			if x == nil {
				x = uses.New(inspector.New(pkg.Syntax), pkg.TypesInfo)
			}
			for id := range x.Root.Preorder((*ast.Ident)(nil)) {
				if node := id.Node().(*ast.Ident); node.Name != name || pkg.TypesInfo.Defs[node] == nil || !pkg.Place(node.Pos()).OnLine(n.At) {
					continue
				}
				st, ok := layout.Around(x, id)
				if !ok {
					continue
				}
				if why, at := st.Relied(x, pkg.Types); why != "" {
					return &edit.Refusal{Why: why, Place: placeOf(pkg, at)}
				}
			}
		}
	}
	return nil
}

// fillOverlay makes the changed files of a fix from an overlay that type-checks.
func (c *chemist) fillOverlay(fix *Fix, o overlay.Overlay) error {
	for file, after := range o {
		after, err := format.Source(after)
		if err != nil {
			return err
		}
		change := patch.Change{File: file, After: string(after)}
		before, err := os.ReadFile(file)
		if change.New = errors.Is(err, os.ErrNotExist); err != nil && !change.New {
			return err
		}
		change.Before = string(before)
		if change.Before == change.After && !change.New {
			continue
		}
		if name := changedBenchmark(change); name != "" {
			return fmt.Errorf("it would change %s, the benchmark itself: what measures has to stay", name)
		}
		fix.Changes = append(fix.Changes, change)
		for _, pkg := range c.pkgs {
			if q := packageOf(pkg); q.Dir == filepath.Dir(file) && !slices.Contains(fix.Packages, q) {
				fix.Packages = append(fix.Packages, q)
			}
		}
	}
	slices.SortFunc(fix.Changes, func(a, b patch.Change) int { return strings.Compare(a.File, b.File) })
	slices.SortFunc(fix.Packages, func(a, b Package) int { return strings.Compare(a.Path, b.Path) })
	fix.Diff = patch.Diff(c.p.Root, fix.Changes)
	return nil
}

// changedBenchmark names a benchmark function that a change touches, or "".
func changedBenchmark(c patch.Change) string {
	if !strings.HasSuffix(c.File, "_test.go") || c.New {
		return ""
	}
	was, is := benchmarks(c.Before), benchmarks(c.After)
	for name, text := range was {
		if is[name] != text {
			return name
		}
	}
	return ""
}

// benchmarks are the benchmark functions of a file, formatted.
func benchmarks(src string) map[string]string {
	fset := token.NewFileSet()
	out := map[string]string{}
	f, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return out
	}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && strings.HasPrefix(d.Name.Name, "Benchmark") {
			var b strings.Builder
			if format.Node(&b, fset, d) == nil {
				out[d.Name.Name] = b.String()
			}
		}
	}
	return out
}

// shared says of what an edit moves apart, one thing or the elements of one, that it is
// close to others.
func shared(what string) string {
	if strings.HasPrefix(what, "elements ") {
		return what + " share a cache line"
	}
	return what + " shares a cache line with what lies beside it"
}
