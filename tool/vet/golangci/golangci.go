// Package golangci makes the checks of package vet a module plugin of
// golangci-lint.
//
// Build a golangci-lint that has it with golangci-lint custom and a file
// .custom-gcl.yml:
//
//	version: v2.15.0
//	plugins:
//	  - module: github.com/gopayoff/payoff/tool
//	    import: github.com/gopayoff/payoff/tool/vet/golangci
//	    version: latest
//
// and enable it in .golangci.yml, with the evidence of a recorded run (heat.json
// in the folder of a package of the run), without which it says next to nothing:
//
//	linters:
//	  enable: [payoff]
//	  settings:
//	    custom:
//	      payoff:
//	        type: module
//	        settings:
//	          run: .payoff/runs/20261123-100000/01-m/heat.json
//	          hints: false
//	          only: [hotslot, recgo]
//
// payoff vet says more: it finds the run by itself and knows what payoff fix
// confirmed. The plugin costs what the checks do.
package golangci

import (
	"fmt"
	"slices"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet"
	"github.com/gopayoff/payoff/tool/vet/heat"
)

func init() { register.Plugin("payoff", New) }

// Settings are those of the linter in .golangci.yml.
type Settings struct {
	Run   string   `json:"run"`   // file with the evidence of a recorded run
	Hints bool     `json:"hints"` // report shapes without evidence, too
	Only  []string `json:"only"`  // slugs of checks; default: all
}

type plugin struct{ Settings }

// New makes the plugin of its settings.
func New(conf any) (register.LinterPlugin, error) {
	s, err := register.DecodeSettings[Settings](conf)
	if err != nil {
		return nil, fmt.Errorf("payoff: %w", err)
	}
	return &plugin{s}, nil
}

// BuildAnalyzers returns the checks.
func (p *plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	m := &heat.Map{}
	if p.Run != "" {
		var err error
		if m, err = heat.Read(p.Run); err != nil {
			return nil, fmt.Errorf("payoff: %w: run is heat.json of a recorded run", err)
		}
	}
	heat.Give(m, p.Hints) // for good: golangci-lint is one analysis
	all := vet.All()
	for _, slug := range p.Only {
		if !slices.ContainsFunc(all, func(a *analysis.Analyzer) bool { return a.Name == slug }) {
			return nil, fmt.Errorf("payoff: only: no check %q", slug)
		}
	}
	if len(p.Only) > 0 {
		all = slices.DeleteFunc(all, func(a *analysis.Analyzer) bool { return !slices.Contains(p.Only, a.Name) })
	}
	return all, nil
}

// GetLoadMode says that the checks need types.
func (p *plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
