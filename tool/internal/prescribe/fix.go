// Package prescribe turns evidence and source into edits to try: the checks of
// package vet say where a shape is and which edits fit it, the evidence of a run
// says where it costs, and what has both becomes a [Fix].
//
// None of the fixes is trusted: they type-check, and whether they pay is for a
// trial to say. It runs nothing of the user's. To load the packages of a test
// binary costs a call of go list and a type check, and each fix another one.
package prescribe

import (
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/hollow"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// Given is the check of a finding whose edits payoff did not propose.
const Given = "try"

// A Prescription is what can be tried on the test binary of one package.
type Prescription struct {
	Package  string    `json:"package"`
	Root     string    `json:"root"` // folder that the diffs name files from
	Findings []Finding `json:"findings"`
	Fixes    []Fix     `json:"fixes"` // what can be won first
	// Left is what was not looked at or has no edit, and why, a phrase each.
	Left []string `json:"left,omitempty"`

	together func(ids []string) (Fix, error)
}

// A Finding is a shape that the evidence points at.
type Finding struct {
	edit.Finding
	// NS is the processor time lost per operation of Cells[0] that the evidence
	// books there: no edit can be expected to win more.
	NS float64 `json:"ns"`
	// Share is NS as a part of what the processors could have done in the time of
	// one operation. Loses says that the verdict on the benchmark is that it loses.
	Share   float64        `json:"share"`
	Loses   bool           `json:"loses"`
	Cells   []measure.Cell `json:"cells"` // that lose there, most first
	Refused []edit.Refusal `json:"refused,omitempty"`
}

// A Fix is an edit to try, with what the evidence says of its place.
type Fix struct {
	edit.Edit
	Check        string `json:"check"` // slug of the analyzer
	Cause        string `json:"cause,omitempty"`
	source.Place        // of the finding
	// Finding is its index among the findings: that of the first for a fix of
	// several.
	Finding int     `json:"finding"`
	NS      float64 `json:"ns"` // see Finding.NS; of all findings together
	// Cells are what it is to make faster, most lost first, and then what calls the
	// functions that it makes slower.
	Cells []measure.Cell `json:"cells"`
	// Packages are those whose files it changes: their tests have to pass.
	Packages []Package      `json:"packages"`
	Changes  []patch.Change `json:"changes"`
	Within   bool           `json:"within,omitempty"` // all it changes is in the function
	Diff     string         `json:"diff"`             // unified; paths are named from Prescription.Root
	// Patch is the file that the edit came from, Signs are facts of it that may make its
	// gain hollow: of an edit that payoff did not propose.
	Patch string        `json:"patch,omitempty"`
	Signs []hollow.Sign `json:"signs,omitempty"`
	// Module is what go.mod has to be for Needs, by its path: a part of the
	// overlay, and none of the edit.
	Module map[string]string `json:"module,omitempty"`
}

// A Package is an import path with its folder.
type Package struct {
	Path string `json:"path"`
	Dir  string `json:"dir"`
}

// Overlay is the edit as the go command takes it.
func (f *Fix) Overlay() overlay.Overlay {
	o := overlay.Overlay{}
	for _, c := range f.Changes {
		o[c.File] = []byte(c.After)
		if c.Gone {
			o[c.File] = nil
		}
	}
	for file, content := range f.Module {
		o[file] = []byte(content)
	}
	return o
}

// Together returns a fix that makes the edits of several: of those that won,
// for example. Edits that overlap, or that do not type-check together, are an
// error. It can be asked of what [Prescribe] returned alone, not of a record.
func (p *Prescription) Together(ids ...string) (Fix, error) { return p.together(ids) }

// Find returns the fix with the ID, or nil.
func (p *Prescription) Find(id string) *Fix {
	for i := range p.Fixes {
		if p.Fixes[i].ID == id {
			return &p.Fixes[i]
		}
	}
	return nil
}
