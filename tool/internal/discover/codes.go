package discover

import (
	"slices"
	"strings"
)

// A Code is a state of the code.
type Code struct {
	Name   string `json:"name"`             // as a person named it: a ref, or a folder of a run
	Commit string `json:"commit,omitempty"` // "" where that is not known
	Dirty  bool   `json:"dirty,omitempty"`  // with changes that are in no commit
	Run    string `json:"run,omitempty"`    // folder of the recorded run that its samples are of
}

// Compared are two states of the code whose benchmarks are compared.
type Compared struct {
	Old Code `json:"old"`
	New Code `json:"new"`
	// Same are packages whose test binaries are the same in both: they were not measured.
	Same []string `json:"same,omitempty"`
}

// Apart reports whether the two were measured at different times: what changed
// with the machine between them counts as well.
func (c *Compared) Apart() bool { return c.Old.Run != "" }

// Old and New are the variants in the families of [Codes].
const (
	Old = "old"
	New = "new"
)

const codeKey = "/code="

// CodeName is the name of a benchmark in a state of the code, as a series of two
// has it: benchstat -col /code reads it.
func CodeName(bench, code string) string { return bench + codeKey + code }

// CutCode undoes [CodeName].
func CutCode(name string) (bench, code string) {
	i := strings.LastIndex(name, codeKey)
	if i < 0 {
		return name, ""
	}
	return name[:i], name[i+len(codeKey):]
}

// Codes makes a family of each benchmark that two states of the code have: the
// old one is the base. The others are gone or added.
func Codes(old, new []string) (families []Family, gone, added []string) {
	for _, n := range new {
		if !slices.Contains(old, n) {
			added = append(added, n)
			continue
		}
		f := Family{Name: strings.Join(elements(n), "/"), Codes: true, Members: []Member{{CodeName(n, Old), Old}, {CodeName(n, New), New}}}
		f.finish()
		families = append(families, f)
	}
	for _, n := range old {
		if !slices.Contains(new, n) {
			gone = append(gone, n)
		}
	}
	return families, gone, added
}
