package tune

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/outfile"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/record"
)

// Schema is the version of the record and of the JSON form.
const Schema = 1

// A Saved is what is recorded of tuning some constants, one after the other: each
// with the values that were recommended for those before.
type Saved struct {
	Schema      int               `json:"schema"`
	Payoff      string            `json:"payoff"` // version of the tool
	Asked       Asked             `json:"asked"`
	Environment machine.Env       `json:"environment"`
	Records     []*Record         `json:"records"`
	Problems    []problem.Problem `json:"problems,omitempty"`
	Missing     []string          `json:"missing,omitempty"`
	Changes     []patch.Change    `json:"changes,omitempty"` // that are recommended
	Patch       string            `json:"patch,omitempty"`   // the same as a unified diff
	Elapsed     time.Duration     `json:"elapsedNs"`
}

// Asked is what the user asked for, as far as the next command has to repeat it.
type Asked struct {
	Consts   []string      `json:"consts,omitempty"` // as typed
	Packages []string      `json:"packages,omitempty"`
	Bench    string        `json:"bench,omitempty"`
	Tags     string        `json:"tags,omitempty"`
	Procs    []int         `json:"procs,omitempty"`
	Budget   time.Duration `json:"budgetNs,omitempty"` // 0: the default
	Args     []string      `json:"args,omitempty"`     // for the test binary
}

// Command is a command line that asks for the same.
func (a Asked) Command() string {
	words := []string{"payoff", "tune"}
	for _, c := range a.Consts {
		words = append(words, "-const", c)
	}
	rest := cmdline.Asked{Bench: a.Bench, Tags: a.Tags, Procs: a.Procs, Budget: a.Budget.Nanoseconds(), Args: a.Args}
	return rest.Line(slices.Concat(words, rest.Flags(), a.Packages)...)
}

const file = "tune.json"

// Recorded reports whether dir holds a [Saved].
func Recorded(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, file))
	return err == nil
}

// Save writes the run to dir, which must exist.
func (r *Saved) Save(dir string) error {
	r.Schema = Schema
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return outfile.String(filepath.Join(dir, file), string(data))
}

// Load reads a run back.
func Load(dir string) (*Saved, error) {
	name := filepath.Join(dir, file)
	in := new(record.Reader)
	data, err := in.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is no recorded run of payoff tune (it has no %s)", dir, file)
	}
	if err != nil {
		return nil, err
	}
	var r Saved
	if err := in.Unmarshal(name, data, &r); err != nil {
		return nil, fmt.Errorf("%s is damaged (%w): restore it, or measure again", name, err)
	}
	if r.Schema > Schema {
		return nil, fmt.Errorf("%s was written by a newer payoff (schema %d, this one reads %d): update payoff", dir, r.Schema, Schema)
	}
	r.Patch = patch.Diff(r.Root(), r.Changes) // what is shown is what would be written
	for i, x := range r.Records {
		if err := x.check(); err != nil {
			return nil, fmt.Errorf("%s is damaged (record %d: %w): restore it, or measure again", name, i+1, err)
		}
	}
	return &r, nil
}

// Root is the folder that the patch names files from: the one from which the changes
// make it, or else that of the first.
func (r *Saved) Root() string {
	if len(r.Changes) == 0 {
		return ""
	}
	first := filepath.Dir(r.Changes[0].File)
	for d := first; ; d = filepath.Dir(d) {
		if patch.Diff(d, r.Changes) == r.Patch {
			return d
		}
		if filepath.Dir(d) == d {
			return first
		}
	}
}

// check refuses what Judge could not read.
func (r *Record) check() error {
	if r == nil || !(r.Margin > 0) || !(r.Alpha > 0 && r.Alpha < 1) || r.present() < 0 {
		return errors.New("no margin, no error or no present value")
	}
	for _, i := range r.Compared {
		if i < 0 || i >= len(r.Cells) {
			return errors.New("it compares cells that it does not have")
		}
	}
	for _, s := range r.Samples {
		if s.Cell < 0 || s.Cell >= len(r.Cells) || s.Value < 0 || s.Value >= len(r.Trials) || !(s.Wall > 0) {
			return fmt.Errorf("a sample of round %d is of nothing", s.Round)
		}
	}
	return nil
}

// A Doc is the report of a run.
type Doc struct {
	Schema      int               `json:"schema"`
	Payoff      string            `json:"payoff"`
	Summary     string            `json:"summary"`
	Environment machine.Env       `json:"environment"`
	Results     []Told            `json:"results"`
	Problems    []problem.Problem `json:"problems"`
	Missing     []string          `json:"missing"`
	Patch       string            `json:"patch"` // a unified diff of what is recommended
	Record      string            `json:"record"`
	Seconds     float64           `json:"seconds"`
	Next        string            `json:"next"`
}

// Told is a result with what else is worth knowing of it.
type Told struct {
	Result
	Margin    float64  `json:"margin"`
	Present   string   `json:"present"` // as in the source
	Out       []Trial  `json:"out"`     // values that were not measured, or not to the end
	Unreached []string `json:"unreached"`
	Unknown   string   `json:"unknown,omitempty"` // why it is not known which benchmarks reach it
	Tested    bool     `json:"tested"`            // the tests pass under the value
	Cut       string   `json:"cut,omitempty"`
	Samples   int      `json:"samples"`
	Layouts   int      `json:"layouts"`
	Seconds   float64  `json:"seconds"`
}

// NewDoc makes the report. record is the folder of the run, as it is to be shown,
// and dir the folder that files are named from.
func NewDoc(r *Saved, record, dir string) *Doc {
	d := &Doc{
		Schema: Schema, Payoff: r.Payoff, Environment: r.Environment, Problems: slices.Concat([]problem.Problem{}, r.Problems), Missing: slices.Concat([]string{}, r.Missing),
		Patch: r.Patch, Record: record, Seconds: r.Elapsed.Seconds(), Results: []Told{},
	}
	var said []string
	for _, x := range r.Records {
		t := Told{Result: Judge(x), Margin: x.Margin, Present: x.Constant.Text(x.Constant.Present), Out: []Trial{}, Unreached: slices.Concat([]string{}, x.Unreached), Unknown: x.Unknown,
			Cut: x.Cut, Samples: len(x.Samples), Layouts: x.Layouts, Seconds: x.Elapsed.Seconds()}
		t.Constant.Place, t.Constant.Assigned = t.Constant.Place.Near(dir), t.Constant.Assigned.Near(dir)
		for _, trial := range x.Trials {
			if said := x.Tests[trial.Text]; said != "" && trial.Out == "" {
				trial.Out = "its tests fail: " + said
			}
			if trial.Out != "" {
				t.Out = append(t.Out, trial)
			}
		}
		failed, ok := x.Tests[t.Text]
		t.Tested = ok && failed == ""
		for i := range t.Still {
			t.Still[i].Bench = strings.TrimPrefix(t.Still[i].Bench, x.Constant.Package+".")
		}
		d.Results = append(d.Results, t)
		d.Problems = append(d.Problems, x.Problems...)
		d.Missing = append(d.Missing, x.Missing...)
		said = append(said, t.Headline())
	}
	d.Summary = strings.Join(said, "; ")
	if len(said) == 0 {
		d.Summary = "nothing was tuned"
	}
	d.Next = next(r, d)
	return d
}

// JSON writes the report.
func (d *Doc) JSON(w io.Writer) error { return plain.JSON(w, d) }

// Failed reports whether a result is missing that was asked for.
func (d *Doc) Failed() bool {
	return len(d.Results) == 0 || slices.ContainsFunc(d.Results, func(t Told) bool { return t.Word == CannotSay && t.Cut != "" && t.Cut != Interrupted })
}

// Recommends reports whether another value is recommended.
func (d *Doc) Recommends() bool {
	return slices.ContainsFunc(d.Results, func(t Told) bool { return t.Word == Better })
}

// next is the next command.
func next(r *Saved, d *Doc) string {
	again := r.Asked
	for _, t := range d.Results {
		switch {
		case t.Word == Trade:
			for _, a := range t.At {
				if a.Gain != nil && a.Gain.Low > 1 {
					again.Procs = []int{a.Procs}
				}
			}
			again.Budget = 0
			return again.Command()
		case t.Word == CannotSay && t.Cut != "" || t.Word == CannotSay && t.Tested:
			again.Budget = 2 * max(r.Asked.Budget, DefaultBudget)
			if t.Cut == Interrupted {
				again.Budget = r.Asked.Budget
			}
			return again.Command()
		}
	}
	if d.Recommends() && d.Record != "" {
		return plain.Shell("payoff", "tune", "-from", d.Record, "-apply")
	}
	return cmdline.Asked{Packages: r.Asked.Packages, Args: r.Asked.Args}.Command()
}

// DefaultBudget measures 13 values at two processor counts of two benchmarks, so
// that in all it is two minutes. It is the same for every grid: what has fewer
// values, or scatters less, ends by itself when the values are told apart.
const DefaultBudget = 110 * time.Second

// Percent writes a share, and not less: 2.1 %.
func Percent(x float64) string {
	const ulps = 1e-9 // 0.03 is 3 %, whatever its last bit
	if x < 0.1 {
		return fmt.Sprintf("%.2g %%", max(0, math.Ceil(1000*x-ulps)/10))
	}
	return fmt.Sprintf("%.0f %%", math.Ceil(100*x-ulps))
}

// Headline is the answer in a line.
func (t *Told) Headline() string {
	c := &t.Constant
	var procs []string
	for _, a := range t.At {
		procs = append(procs, fmt.Sprint(a.Procs))
	}
	low, high := "", ""
	if len(t.At) > 0 && len(t.At[0].Curve) > 0 {
		curve := t.At[0].Curve
		low, high = c.Show(curve[0].Value), c.Show(curve[len(curve)-1].Value)
	}
	switch t.Word {
	case Better:
		order := slices.Clone(t.At)
		slices.SortStableFunc(order, func(a, b At) int { return cmp.Compare(b.Gain.Ratio, a.Gain.Ratio) })
		var gains []string
		for _, a := range order {
			gains = append(gains, fmt.Sprintf("%s times %s at %d", figure.Ratio(a.Gain.Ratio), a.Gain.interval(), a.Procs))
		}
		return fmt.Sprintf("%s = %s is faster than %s: %s", c.Name, t.Text, t.Present, strings.Join(gains, ", "))
	case Still:
		return fmt.Sprintf("%s moves nothing: all values from %s to %s are within %s of the best", c.Name, low, high, Percent(t.widest()))
	case Keep:
		if t.Why != "" {
			return fmt.Sprintf("keep %s = %s: %s", c.Name, t.Present, t.Why)
		}
		if !t.Serves {
			return fmt.Sprintf("keep %s = %s: no value serves GOMAXPROCS %s alike, and this one is the best compromise", c.Name, t.Present, strings.Join(procs, " and "))
		}
		return fmt.Sprintf("keep %s = %s: it lies in the flat region, within %s of the best", c.Name, t.Present, Percent(t.widest()))
	case Trade:
		var best []string
		for _, a := range t.At {
			best = append(best, fmt.Sprintf("%s at %d", c.Show(a.Best), a.Procs))
		}
		return fmt.Sprintf("no value of %s serves all GOMAXPROCS: best is %s; %s gains at one and costs at another", c.Name, strings.Join(best, ", "), c.Show(t.Value))
	}
	return fmt.Sprintf("cannot say which value of %s is best: %s", c.Name, t.reason())
}

func (t *Told) reason() string {
	if t.Cut != "" {
		return t.Cut
	}
	return t.Why
}

// widest is the widest of the flat regions.
func (t *Told) widest() (w float64) {
	for _, a := range t.At {
		w = max(w, a.Within)
	}
	return w
}

// interval writes the ends.
func (r Regret) interval() string {
	if r.High == 0 {
		return fmt.Sprintf("[%s, ?]", figure.Ratio(r.Low))
	}
	return fmt.Sprintf("[%s, %s]", figure.Ratio(r.Low), figure.Ratio(r.High))
}

// String is the ratio with its interval.
func (r Regret) String() string { return figure.Ratio(r.Ratio) + " " + r.interval() }
