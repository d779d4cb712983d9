package verify

import "github.com/gopayoff/payoff/tool/internal/prescribe"

// A Treatment is what was prescribed for a package, and what was seen of it: the part
// of a record that says so.
type Treatment struct {
	Prescription *prescribe.Prescription `json:"prescription"`
	Tries        bool                    `json:"tries"`            // edits were to be tried
	Record       *Record                 `json:"record,omitempty"` // nil: none was
}

// Edits is how many findings, edits and trials it has.
func (t *Treatment) Edits() (n int) {
	if t.Prescription != nil {
		n += len(t.Prescription.Findings) + len(t.Prescription.Fixes)
	}
	if t.Record != nil {
		n += len(t.Record.Candidates)
	}
	return n
}

// Proofs are what the trials show, by the ID of the edit.
func (t *Treatment) Proofs() map[string]Proof {
	all := map[string]Proof{}
	if t.Record != nil {
		for _, p := range Judge(t.Record) {
			all[p.Candidate] = p
		}
	}
	return all
}
