// Package receipt writes down what payoff try answered, so that it can be repeated
// elsewhere: the edit, the checksums of both sides, the machine, the gates, the intervals.
//
// A receipt says what was seen and proves nothing: its own checksum shows damage, and
// anybody can write another. What counts is that [Receipt.Differs] finds the same when
// the trial is repeated.
package receipt

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/record"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// Format is that of the receipts that this package writes.
const Format = 1

// most is how large the file of a receipt may be.
const most = 32 << 20

// A Receipt is what became of edits. It is plain data.
type Receipt struct {
	Format  int       `json:"receipt"`
	Payoff  string    `json:"payoff"` // version of the tool
	Command []string  `json:"command"`
	Time    time.Time `json:"time"`
	Go      string    `json:"go"`
	CPU     string    `json:"cpu"`
	CPUs    int       `json:"cpus"` // that could be used
	OS      string    `json:"os"`
	Arch    string    `json:"arch"`
	Commit  string    `json:"commit,omitempty"`
	Dirty   bool      `json:"dirty,omitempty"` // the tree had changes that are in no commit

	Asked  Asked        `json:"asked"`
	Seed   uint64       `json:"seed"`
	Rule   stats.Rule   `json:"rule"`
	Bounds stats.Bounds `json:"bounds"`

	Edits    []Edit        `json:"edits"`
	Outcome  report.Answer `json:"outcome"`
	Answer   string        `json:"answer"` // in one sentence
	Packages []Package     `json:"packages"`

	// Sum is the checksum of all the rest, as this package writes it.
	Sum string `json:"sha256"`
}

// Asked is what the trial was asked for.
type Asked struct {
	Packages []string      `json:"packages,omitempty"`
	Names    []string      `json:"benchmarks,omitempty"`
	Bench    string        `json:"bench,omitempty"`
	Procs    []int         `json:"procs,omitempty"`
	Tags     string        `json:"tags,omitempty"`
	Args     []string      `json:"args,omitempty"`
	Budget   time.Duration `json:"budgetNs"` // for each package
	Strict   bool          `json:"strict,omitempty"`
	Layouts  int           `json:"layouts,omitempty"`
	Sample   time.Duration `json:"sampleNs,omitempty"`
	Timeout  time.Duration `json:"timeoutNs,omitempty"`
}

// An Edit is one that was tried. Its patch is of the tree that Files describe.
type Edit struct {
	Name  string `json:"name"`
	Patch string `json:"patch"`
	Sum   string `json:"patchSha256"`
	Files []File `json:"files"`
	// Before and After are checksums of all that the packages which the edit reaches are
	// built of in the modules here.
	Before string `json:"beforeSha256"`
	After  string `json:"afterSha256"`
}

// A File is one that an edit changes; a side that is not there has no checksum.
type File struct {
	Name   string `json:"name"` // as the patch has it
	Before string `json:"beforeSha256,omitempty"`
	After  string `json:"afterSha256,omitempty"`
}

// A Package is what became of an edit in one package.
type Package struct {
	Package string           `json:"package"`
	Edit    string           `json:"edit"` // ID
	Word    verify.Word      `json:"word"`
	Why     string           `json:"why,omitempty"`
	Passed  []string         `json:"passed"`
	Gains   []report.FixGain `json:"gains"`
	Signs   []edit.Refusal   `json:"signs,omitempty"`
	Notes   []string         `json:"notes,omitempty"`
}

// Of makes a receipt of a report. What the report does not have is left to be filled in:
// Asked, Seed, Rule, Bounds, Edits.
func Of(doc *report.Doc, command []string) *Receipt {
	e := doc.Environment
	r := &Receipt{Format: Format, Payoff: doc.Payoff, Command: command, Time: e.Time.UTC().Truncate(time.Second), Go: e.Go, CPU: e.CPU, CPUs: e.UsableCPUs, OS: e.OS, Arch: e.Arch,
		Commit: e.Commit, Dirty: e.Dirty, Outcome: doc.Outcome, Answer: doc.Cured}
	for _, x := range doc.Fixes {
		for _, f := range x.Findings {
			for _, y := range f.Fixes {
				r.Packages = append(r.Packages, Package{Package: x.Package, Edit: y.ID, Word: y.Word, Why: y.Why, Passed: y.Checks, Gains: y.Gains, Signs: y.Signs, Notes: x.Notes})
			}
		}
	}
	return r
}

// Sum is the checksum of a text.
func Sum[T ~string | ~[]byte](text T) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
}

// sum is the checksum of a receipt but for its own.
func (r *Receipt) sum() (string, error) {
	x := *r
	x.Sum = ""
	data, err := json.Marshal(x)
	return Sum(data), err
}

// Write writes a receipt with its checksum.
func (r *Receipt) Write(w io.Writer) (err error) {
	if r.Sum, err = r.sum(); err != nil {
		return err
	}
	data, err := json.MarshalIndent(r, "", "\t")
	if err == nil {
		_, err = w.Write(append(data, '\n'))
	}
	return err
}

// Read reads a receipt. An error says what to do.
func Read(file string) (*Receipt, error) {
	f, err := record.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, err
	}
	if len(data) > most {
		return nil, fmt.Errorf("it has more than %d MiB, and no receipt has: name the file that payoff try -receipt wrote", most>>20)
	}
	return parse(data)
}

func parse(data []byte) (*Receipt, error) {
	const again = "write it anew by payoff try -receipt"
	d := json.NewDecoder(bytes.NewReader(data))
	r := new(Receipt)
	err := d.Decode(r)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errors.New("it was cut: " + again)
	case err != nil:
		return nil, errors.New("it is no receipt of payoff try: " + again)
	case d.More():
		return nil, errors.New("there is more in it than a receipt: " + again)
	case r.Format == 0:
		return nil, errors.New("it is no receipt of payoff try: " + again)
	case r.Format != Format:
		return nil, fmt.Errorf("it is of format %d, and this payoff reads %d: check it with payoff %s", r.Format, Format, r.Payoff)
	}
	if sum, err := r.sum(); err != nil || sum != r.Sum {
		return nil, errors.New("it is not what payoff wrote: its checksum is that of something else: " + again)
	}
	if len(r.Edits) == 0 || r.Outcome == "" {
		return nil, errors.New("it tells of no edit: " + again)
	}
	for _, e := range r.Edits {
		if Sum(e.Patch) != e.Sum {
			return nil, fmt.Errorf("the patch of %s is not that which was tried: %s", e.Name, again)
		}
	}
	return r, nil
}

// Differs says in which ways the answer of a repeated trial is another.
func (r *Receipt) Differs(now *Receipt) (says []string) {
	if now.Outcome != r.Outcome {
		says = append(says, fmt.Sprintf("the answer was %s, and here it is %s", r.Outcome, now.Outcome))
	}
	for _, p := range r.Packages {
		i := slices.IndexFunc(now.Packages, func(q Package) bool { return q.Package == p.Package && q.Edit == p.Edit })
		if i < 0 {
			says = append(says, fmt.Sprintf("%s was not tried here", p.Package))
			continue
		}
		q := now.Packages[i]
		if failed, fails := p.Word == verify.Fails, q.Word == verify.Fails; failed != fails {
			what := "passed all gates, and here one fails: " + q.Why
			if failed {
				what = "failed a gate, and passes all of them here: " + p.Why
			}
			says = append(says, p.Package+": it "+what)
		}
		for _, g := range p.Gains {
			k := slices.IndexFunc(q.Gains, func(h report.FixGain) bool { return h.Name == g.Name && h.Procs == g.Procs })
			if k < 0 {
				continue
			}
			if h := q.Gains[k]; apart(g.Ratio, h.Ratio) {
				says = append(says, fmt.Sprintf("%s at %d: the intervals have nothing in common: %s, here %s", strings.TrimPrefix(g.Name, "Benchmark"), g.Procs, interval(g.Ratio), interval(h.Ratio)))
			}
		}
	}
	return says
}

func apart(a, b report.Interval) bool {
	return a.Low != nil && a.High != nil && b.Low != nil && b.High != nil && (*a.High < *b.Low || *b.High < *a.Low)
}

func interval(x report.Interval) string { return fmt.Sprintf("[%.3g, %.3g]", *x.Low, *x.High) }
