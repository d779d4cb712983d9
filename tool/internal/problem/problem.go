// Package problem says what stopped a package or a benchmark, and what to do.
//
// It is for bad input that does not stop the run. What stops the run is an error.
package problem

// A Problem is bad input that stops a package or a benchmark but not the run.
type Problem struct {
	Package   string `json:"package"`
	Benchmark string `json:"benchmark,omitempty"`
	Reason    string `json:"reason"`
	Next      string `json:"next"`           // what to do about it
	Note      bool   `json:"note,omitempty"` // worth a word; the run is complete without it
	// Pairs says that it is about what is compared with what: another base may
	// change that. Base is one that would, if there is one to name.
	Pairs bool   `json:"pairs,omitempty"`
	Base  string `json:"base,omitempty"`
}

func (p Problem) String() string {
	s := p.Package
	if p.Benchmark != "" {
		s += ": " + p.Benchmark
	}
	return s + ": " + p.Reason + ": " + p.Next
}
