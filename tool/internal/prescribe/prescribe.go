package prescribe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/lint"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/program"
	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// Options say what is to be cured, and with what.
type Options struct {
	Toolchain *gocmd.Toolchain
	Package   string               // whose test binary was measured
	Dir       string               // its folder
	Findings  []explain.Finding    // of its benchmarks
	Heat      *heat.Map            // of the run, for the checks; default: [Heat] of the findings
	Checks    []*analysis.Analyzer // made by [shape.Analyzer]
	Only      []string             // slugs of checks or causes; nil: all
	Procs     []int                // GOMAXPROCS values at which fixes are tried
	Benches   []string             // that the test binary has: those that an edit makes dearer are tried with it
	// Library returns the folder of payoff's library for edits that import it. nil:
	// they are refused.
	Library func() (dir string, err error)
}

// Mismeasured is the check whose findings are about the benchmarks themselves. An
// edit of what measures is never a gain.
const Mismeasured = "benchvet"

// Prescribe returns what can be tried against the losses of the findings.
func Prescribe(ctx context.Context, o Options) (*Prescription, error) {
	c := &chemist{Options: o, ctx: ctx, heat: Heat("", o.Findings), sites: map[int]*site{}}
	p := &Prescription{Package: o.Package, Root: patch.Root(o.Dir, cmp.Or(o.Toolchain.Work, o.Dir)), together: c.together}
	c.p = p
	if len(c.heat.Benches) == 0 {
		return p, nil
	}
	if err := c.load(); err != nil || len(c.pkgs) == 0 {
		return p, err
	}
	if err := c.examine(); err != nil {
		return p, err
	}
	c.compound()
	if err := c.pads(); err != nil {
		return p, err
	}
	c.unedited()
	// Of one function the edits of all findings come before those of one.
	slices.SortStableFunc(p.Fixes, func(a, b Fix) int {
		return cmp.Or(urgency(p.Findings[a.Finding], p.Findings[b.Finding]), len(b.Parts)-len(a.Parts))
	})
	return p, context.Cause(ctx)
}

// A chemist makes one prescription.
type chemist struct {
	Options
	ctx  context.Context
	p    *Prescription
	heat *heat.Map
	prog *program.Program
	pkgs []*program.Package
	// sites are what the findings are made of, by their index.
	sites   map[int]*site
	all     []*site                      // of the checks, hot or not
	calls   map[string][]string          // by whom functions are named, by full names: see callers
	modules map[string]map[string]string // go.mod files for -lib, by the module's folder
}

// A site is a finding with its syntax.
type site struct {
	shape.Finding
	pkg *program.Package
}

// given is what the checks are told of the run.
func (c *chemist) given() *heat.Map {
	if c.Heat != nil {
		return c.Heat
	}
	return c.heat
}

// load loads the packages that have hot lines.
func (c *chemist) load() (err error) {
	if c.prog, err = program.List(c.ctx, c.Toolchain, c.Package); err != nil {
		return err
	}
	paths := map[string]bool{}
	for _, b := range c.heat.Benches {
		for _, l := range b.Lines {
			if q, _ := c.prog.Find(l.File); program.Editable(q) == nil {
				paths[program.ListPath(q)] = true
			}
		}
	}
	if len(paths) == 0 {
		c.p.Left = append(c.p.Left, "no hot line is in a package of the main module")
		return nil
	}
	c.pkgs, err = c.prog.Linked(slices.Sorted(maps.Keys(paths)))
	return err
}

// examine runs the checks and keeps what the evidence points at.
func (c *chemist) examine() error {
	var roots []*program.Package
	for _, pkg := range c.pkgs {
		if len(pkg.Files) > 0 {
			roots = append(roots, pkg)
		}
	}
	results, err := lint.Run(c.ctx, c.Checks, packagesOf(roots), c.given(), false)
	if err != nil {
		return err
	}
	var all []*site
	for _, r := range results {
		if r.Err != nil {
			c.p.Left = append(c.p.Left, fmt.Sprintf("%s of %s: %v", r.Check, r.Package.PkgPath, r.Err))
		}
		var of *program.Package
		if i := slices.IndexFunc(roots, func(p *program.Package) bool { return p.Package == r.Package }); i >= 0 {
			of = roots[i]
		} else if of, err = c.prog.Sources(r.Package); err != nil { // several as one
			return err
		}
		for _, f := range r.Findings {
			all = append(all, &site{Finding: f, pkg: of})
		}
	}
	slices.SortFunc(c.p.Left, strings.Compare)
	c.all = all
	c.keep(all)
	return nil
}

// keep makes findings of the sites that are hot, the most that is lost first.
func (c *chemist) keep(all []*site) {
	type hot struct {
		Finding
		*site
	}
	var found []hot
	for _, s := range all {
		if f, ok := c.finding(s); ok && c.wanted(f) {
			found = append(found, hot{f, s})
		}
	}
	// Of shapes of one check within each other the innermost is meant.
	found = slices.DeleteFunc(slices.Clone(found), func(x hot) bool {
		return slices.ContainsFunc(found, func(y hot) bool {
			return x.site != y.site && x.Finding.Check == y.Finding.Check && x.Pos <= y.Pos && y.End <= x.End && (x.Pos < y.Pos || y.End < x.End)
		})
	})
	slices.SortStableFunc(found, func(x, y hot) int {
		return cmp.Or(urgency(x.Finding, y.Finding), x.Place.Compare(y.Place), cmp.Compare(x.Finding.Check, y.Finding.Check))
	})
	for _, x := range found {
		i := len(c.p.Findings)
		c.sites[i] = x.site
		c.p.Findings = append(c.p.Findings, x.Finding)
		if x.Finding.Check != Mismeasured {
			c.prescribe(i)
		}
	}
}

// urgency orders findings: what loses comes before what pays less than it could,
// and then the one that could win more.
func urgency(x, y Finding) int {
	loses := func(f Finding) int {
		if f.Loses {
			return 0
		}
		return 1
	}
	return cmp.Or(loses(x)-loses(y), cmp.Compare(y.Share, x.Share), cmp.Compare(y.NS, x.NS))
}

func (c *chemist) wanted(f Finding) bool {
	return len(c.Only) == 0 || slices.Contains(c.Only, f.Check) || f.Cause != "" && slices.Contains(c.Only, f.Cause)
}

// fairlyHot is the share of a benchmark's CPU time from which a shape is worth a
// trial, even if the evidence names no cause there that it is known for.
const fairlyHot = 0.2

// finding is what the evidence says of a site, if it points there.
func (c *chemist) finding(s *site) (Finding, bool) {
	f := Finding{Finding: edit.Finding{Check: s.Check, Message: s.Message, Place: s.pkg.Place(s.Pos)}}
	f.Func = declared(s.pkg, s.Func)
	for _, r := range s.Refused {
		f.Refused = append(f.Refused, r.At(s.pkg.Fset))
	}
	if s.Check == Mismeasured {
		grade, seen := s.Grade(s.pkg.Fset, c.given())
		f.Evidence = seen
		return f, c.measured(s) && (s.Sure || grade != shape.Hint)
	}
	type loss struct {
		measure.Cell
		heat.Evidence
		ns, share float64
		loses     bool
	}
	var losses []loss
	stretches := s.Stretches(s.pkg.Fset)
	for _, b := range c.heat.Benches {
		one := &heat.Map{Benches: []heat.Bench{b}}
		e := one.In(s.Causes, stretches...)
		if !e.Hot() && e.Share < fairlyHot {
			continue
		}
		l := loss{Cell: measure.Cell{Bench: b.Name, Procs: b.Procs}, Evidence: e}
		for _, x := range worst(c.Findings) {
			if x.Verdict.New == l.Cell && e.Cause != "" { // what has no cause comes last
				l.ns = e.Lost * x.Lost
				if x.Avail > 0 {
					l.share = l.ns / x.Avail
				}
			}
		}
		l.loses = slices.ContainsFunc(c.Findings, func(x explain.Finding) bool { return x.Verdict.New == l.Cell && loses(x.Verdict) })
		losses = append(losses, l)
	}
	if len(losses) == 0 {
		return f, false
	}
	slices.SortStableFunc(losses, func(x, y loss) int {
		return cmp.Or(urgency(Finding{Loses: x.loses, Share: x.share, NS: x.ns}, Finding{Loses: y.loses, Share: y.share, NS: y.ns}), cmp.Compare(y.Evidence.Share, x.Evidence.Share))
	})
	f.NS, f.Share, f.Loses, f.Cause, f.Evidence = losses[0].ns, losses[0].share, losses[0].loses, losses[0].Cause, losses[0].Evidence.String()
	if f.Cause == "" {
		f.Evidence += ", and none of the causes that it is known for is seen there"
	}
	for _, l := range losses {
		f.Cells = append(f.Cells, l.Cell)
	}
	return f, true
}

// loses reports whether a verdict says that concurrency loses. That a loop of one
// goroutine is no faster on more processors says nothing of the kind.
func loses(v judge.Verdict) bool {
	return v.Word == judge.Loses && (v.Kind == measure.Variant || v.Goroutines != judge.One)
}

// measured reports whether a site is in the function of a benchmark that was
// measured.
func (c *chemist) measured(s *site) bool {
	return s.Func != nil && slices.ContainsFunc(c.heat.Benches, func(b heat.Bench) bool {
		name, _, _ := strings.Cut(b.Name, "/")
		return name == s.Func.Name.Name
	})
}

// prescribe makes fixes of what the ith finding offers.
func (c *chemist) prescribe(i int) {
	s, f := c.sites[i], &c.p.Findings[i]
	checked := map[string]error{} // what the type check said of the first value of a sweep
	var barred []string           // kinds of edits that the module cannot have
	for _, x := range s.Fixes {
		if t := c.against(f.Cells, true); t != nil && movesApart(x.Name) {
			f.refuse(x.Name, noFaster(t), f.Place)
			continue
		}
		fix, err := c.fix(i, x)
		if err == nil {
			key := x.Name
			if x.Value == 0 {
				key = fix.ID
			}
			said, ok := checked[key]
			if !ok {
				said = c.check(fix)
				checked[key] = said
			}
			err = said
		}
		if err != nil {
			f.refuse(x.Name, err, f.Place)
			if errors.As(err, new(*unavailable)) {
				barred = append(barred, x.Name)
			}
			continue
		}
		c.p.Fixes = append(c.p.Fixes, fix)
	}
	c.instead(i, barred)
}

// instead says with edits of the ith finding that the module cannot have, for what
// they import, which of its edits use the standard library alone.
func (c *chemist) instead(i int, barred []string) {
	var names []string
	for _, x := range c.p.Fixes {
		if x.Finding == i && x.Needs == "" && !slices.Contains(names, x.Name) {
			names = append(names, x.Name)
		}
	}
	if len(names) == 0 {
		return
	}
	f := &c.p.Findings[i]
	for k := range f.Refused {
		if r := &f.Refused[k]; slices.Contains(barred, r.Name) {
			r.Why += "; in its place, with the standard library alone: " + strings.Join(names, ", ")
		}
	}
}

// refuse notes once why an edit is not tried.
func (f *Finding) refuse(name string, err error, at Place) {
	r := edit.Refusal{Name: name, Why: err.Error(), Place: at.Spot()}
	if x := (*edit.Refusal)(nil); errors.As(err, &x) {
		r.Place = x.Place
	}
	if !slices.Contains(f.Refused, r) {
		f.Refused = append(f.Refused, r)
	}
}

// fix makes a fix of an edit at the ith finding.
func (c *chemist) fix(i int, x edit.Edit) (Fix, error) {
	s, f := c.sites[i], c.p.Findings[i]
	fix := Fix{Edit: x, Check: f.Check, Cause: f.Cause, Place: f.Place, Finding: i, NS: f.NS, Cells: c.cells(f.Cells)}
	fix.ID = c.id(fmt.Sprintf("%s:%s:%d:%s", f.Check, filepath.Base(f.File), f.Line, named(x)))
	for _, file := range s.pkg.Files {
		fix.Within = fix.Within || within(s.Func, file, x.Edits)
	}
	more, err := c.slower(s.pkg, x.Slower)
	fix.Slower = nil // a syntax tree is no plain data: it leads back to itself
	if err != nil {
		return fix, err
	}
	for _, cell := range c.cells(more) {
		if !slices.Contains(fix.Cells, cell) {
			fix.Cells = append(fix.Cells, cell)
		}
	}
	return fix, c.fill(&fix, s.pkg, x.Edits)
}

func named(x edit.Edit) string {
	if x.Value != 0 {
		return fmt.Sprintf("%s=%d", x.Name, x.Value)
	}
	return x.Name
}

// id makes a name that no fix has.
func (c *chemist) id(name string) string {
	id := name
	for i := 2; c.p.Find(id) != nil; i++ {
		id = fmt.Sprintf("%s#%d", name, i)
	}
	return id
}

// cells are the benchmarks of cells at all processors of the run: what makes a
// benchmark faster on two must not make it slower on one.
func (c *chemist) cells(hot []measure.Cell) []measure.Cell {
	out := slices.Clone(hot)
	for _, h := range hot {
		for _, procs := range c.Procs {
			if cell := (measure.Cell{Bench: h.Bench, Procs: procs}); !slices.Contains(out, cell) {
				out = append(out, cell)
			}
		}
	}
	return out
}

// declared is the name of a function as the linker has it.
func declared(pkg *program.Package, d *ast.FuncDecl) string {
	if d == nil {
		return ""
	}
	name := d.Name.Name
	if d.Recv != nil && len(d.Recv.List) > 0 {
		recv := d.Recv.List[0].Type
		star, pointer := recv.(*ast.StarExpr)
		if pointer {
			recv = star.X
		}
		switch x := recv.(type) {
		case *ast.IndexExpr:
			recv = x.X
		case *ast.IndexListExpr:
			recv = x.X
		}
		if id, ok := recv.(*ast.Ident); ok && pointer {
			name = "(*" + id.Name + ")." + name
		} else if ok {
			name = id.Name + "." + name
		}
	}
	return pkg.PkgPath + "." + name
}

func placeOf(pkg *program.Package, pos token.Pos) (at Place) {
	if pos.IsValid() {
		at = pkg.Place(pos)
	}
	return at
}
