package recgo

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// fixes enters the edits of a finding and what was refused of them.
func (r *recursion) fixes(f *shape.Finding, sites []*spawn.Site) {
	serial, no := inline.Edits(r.pass, r.decl, sites)
	if no != nil {
		for _, name := range []string{"threshold", "serial"} {
			f.Refused = append(f.Refused, shape.Refusal{Name: name, Why: no.Why, Pos: no.Pos})
		}
		return
	}
	if m := r.measure(); m == nil {
		f.Refused = append(f.Refused, shape.Refusal{Name: "threshold", Pos: r.decl.Pos(),
			Why: "nothing that the calls are given tells how much there is to do"})
		r.levels(f, serial)
	} else if edits, no := r.twin(serial); no != nil {
		f.Refused = append(f.Refused, *no)
	} else {
		for _, k := range m.values {
			f.Fixes = append(f.Fixes, shape.Fix{
				Name: "threshold", Value: k,
				Says:  fmt.Sprintf("go on in one goroutine where %s is at most %d (%s)", m.expr, k, m.why),
				Edits: append(r.guard(m, k), edits...),
			})
		}
	}
	f.Fixes = append(f.Fixes, shape.Fix{
		Name: "serial", Serial: true,
		Says:  "make the calls one after the other",
		Edits: serial,
	})
}

// name is a free name for the twin of the function.
func (r *recursion) name(suffix string) string { return inline.TwinName(r.pass, r.decl, suffix) }

// twin enters the function once more behind itself, in one goroutine.
func (r *recursion) twin(serial []analysis.TextEdit) ([]analysis.TextEdit, *shape.Refusal) {
	for _, p := range r.params {
		if p.Name() == "" || p.Name() == "_" {
			return nil, &shape.Refusal{Name: "threshold", Why: "a parameter has no name by which it could be handed on", Pos: r.decl.Pos()}
		}
	}
	name := r.name("Serial")
	text, err := inline.Twin(r.pass, r.decl, name, serial)
	if err != nil {
		return nil, &shape.Refusal{Name: "threshold", Why: err.Error(), Pos: r.decl.Pos()}
	}
	return []analysis.TextEdit{rewrite.Insert(r.decl.End(), "\n\n"+inline.InOne(name, r.decl)+text)}, nil
}

// guard has the function go on as its twin where the measure is at most k.
func (r *recursion) guard(m *measure, k int) []analysis.TextEdit {
	return []analysis.TextEdit{rewrite.Insert(r.decl.Body.Lbrace+1, fmt.Sprintf("\nif %s <= %d {\n%s\n}", m.expr, k, r.ends(r.name("Serial"))))}
}

// ends is the text that ends a call of the function by one of a twin that is
// given the same, and more.
func (r *recursion) ends(twin string, more ...string) string {
	params := r.params
	if recv := r.fn.Signature().Recv(); recv != nil {
		twin = recv.Name() + "." + twin
		params = params[1:]
	}
	if tps := r.fn.Signature().TypeParams(); tps.Len() > 0 {
		var names []string
		for tp := range tps.TypeParams() {
			names = append(names, tp.Obj().Name())
		}
		twin += "[" + strings.Join(names, ", ") + "]"
	}
	var args []string
	for _, v := range params {
		args = append(args, v.Name())
	}
	call := twin + "(" + strings.Join(append(args, more...), ", ")
	if r.fn.Signature().Variadic() {
		call += "..."
	}
	call += ")"
	if r.fn.Signature().Results().Len() == 0 {
		return call + "\nreturn"
	}
	return "return " + call
}
