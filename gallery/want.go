package gallery

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
)

// A Want is the content of a want.json: what a measurement of a case must say.
type Want struct {
	Kind        string  `json:"kind"` // case or experiment; a case where the file is silent
	Case        string  `json:"case"`
	Cause       string  `json:"cause"` // of an experiment: none
	Source      string  `json:"source"`
	Procs       []int   `json:"procs"`       // where it is measured; 1 and 2 where the file of a case is silent
	Comparisons []Claim `json:"comparisons"` // against the base of the case
	Pairs       []Claim `json:"pairs"`       // of one variant against another
	// Unclaimed are variants of which nothing holds on every machine.
	Unclaimed []string `json:"unclaimed,omitempty"`
}

// A Claim is one verdict that must be reached, at every family of benchmarks
// that is [At] its place. Alternatives in Verdict and Cause are separated by |.
type Claim struct {
	Variant string `json:"variant"`
	Base    string `json:"base"`
	Procs   int    `json:"procs"`
	At      string `json:"at"`
	Verdict string `json:"verdict"`
	Cause   string `json:"cause,omitempty"`
}

// At reports whether a family of benchmarks, like Sum/n=1000, is at a place, like
// n=1000 or Sum. Each part of the place is one of its parts. Every family is at the
// empty place.
func At(place, family string) bool {
	parts := strings.Split(family, "/")
	for p := range strings.SplitSeq(place, "/") {
		if p != "" && !slices.Contains(parts, p) {
			return false
		}
	}
	return true
}

// readWant reads a want.json and fills in what a case may leave out.
func readWant(root fs.FS, file string) (w Want, err error) {
	if err := readStrict(root, file, &w); err != nil {
		return w, err
	}
	if w.Kind == "" {
		w.Kind = "case"
	}
	if w.Procs == nil && w.Kind == "case" {
		w.Procs = []int{1, 2}
	}
	if len(w.Procs) == 0 {
		return w, errors.New("procs is empty: say at which processors it is measured")
	}
	return w, nil
}

// readStrict reads one JSON value that has no field which v lacks.
func readStrict(root fs.FS, file string, v any) error {
	data, err := fs.ReadFile(root, file)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("more than one JSON value")
	}
	return nil
}
