package sharedacc_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/tool/vet/hotslot"
	"github.com/gopayoff/payoff/tool/vet/serialmerge"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/sharedacc"
)

func TestX(t *testing.T) {
	t0 := time.Now()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: os.Getenv("XDIR")}, strings.Fields(os.Getenv("XP"))...)
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, p := range pkgs {
		for _, f := range p.Syntax {
			lines += p.Fset.Position(f.End()).Line
		}
	}
	t.Log(len(pkgs), lines, "loaded", time.Since(t0))
	for _, an := range []*analysis.Analyzer{hotslot.Analyzer, sharedacc.Analyzer, serialmerge.Analyzer} {
		t1 := time.Now()
		g, err := checker.Analyze([]*analysis.Analyzer{an}, pkgs, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(an.Name, time.Since(t1))
		for _, a := range g.Roots {
			if a.Err != nil {
				t.Log(a.Err)
				continue
			}
			for _, f := range a.Result.([]shape.Finding) {
				s := ""
				for _, x := range f.Fixes {
					s += " +" + x.Name
				}
				for _, x := range f.Refused {
					s += " -" + x.Name + " (" + x.Why + ")"
				}
				fn := ""
				if f.Func != nil {
					fn = f.Func.Name.Name
				}
				p := a.Package.Fset.Position(f.Pos)
				t.Logf("%s:%d %s %s: %s:%s", p.Filename[max(0, len(p.Filename)-40):], p.Line, fn, f.Check, f.Message, s)
			}
		}
	}
}
