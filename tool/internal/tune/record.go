package tune

import (
	"time"

	"github.com/gopayoff/payoff/tool/internal/problem"
)

// A Cell is what is timed: one benchmark at one GOMAXPROCS.
type Cell struct {
	Package string `json:"package"`
	Bench   string `json:"bench"`
	Procs   int    `json:"procs"`
}

// A Phase is what samples are taken for.
type Phase string

const (
	Search  Phase = "search"  // which values are slower beyond doubt
	Compare Phase = "compare" // how those that are left compare, read once at its end
	Confirm Phase = "confirm" // the chosen value against the present one, likewise
)

// A Sample is what one process measured. Of a value in a cell a round has one
// sample at most.
type Sample struct {
	Phase  Phase   `json:"phase"`
	Round  int32   `json:"r"`
	Cell   int     `json:"c"` // index in Record.Cells
	Value  int     `json:"v"` // index in Record.Trials
	Layout int32   `json:"l,omitempty"`
	N      int64   `json:"n"`
	Wall   float64 `json:"wall"` // ns per operation
}

// A Trial is a value that was tried, or not.
type Trial struct {
	Value int64  `json:"value"`
	Text  string `json:"text"`          // as it would stand in the source
	Out   string `json:"out,omitempty"` // why it was not measured, or not to the end; "" if it was
}

// A Record is all that was found out about one constant. [Judge] makes its
// result of it, and of nothing else.
type Record struct {
	Constant Constant `json:"constant"`
	Trials   []Trial  `json:"trials"` // by rising value
	Procs    []int    `json:"procs"`
	Cells    []Cell   `json:"cells"` // that reach the constant, or may
	// Unreached are benchmarks, package and name, that do not reach it. Unknown
	// says why that is not known, if it is not.
	Unreached []string `json:"unreached,omitempty"`
	Unknown   string   `json:"unknown,omitempty"`
	// Compared are those of them, by index, that are compared and confirmed: those
	// that some value seemed to move in the search, or all.
	Compared []int `json:"compared,omitempty"`

	Margin  float64  `json:"margin"` // a smaller difference is none
	Alpha   float64  `json:"alpha"`  // chance of a false statement, for each kind
	Samples []Sample `json:"samples"`
	// Tests says of values, by their text, what their tests said: "" if they pass.
	Tests    map[string]string `json:"tests,omitempty"`
	Problems []problem.Problem `json:"problems,omitempty"`
	Missing  []string          `json:"missing,omitempty"`
	Cut      string            `json:"cut,omitempty"` // why it ended before its time: interrupted, budget
	Layouts  int               `json:"layouts"`       // that values were compared in
	Budget   time.Duration     `json:"budgetNs"`
	Elapsed  time.Duration     `json:"elapsedNs"`
}

// present is the index of the present value in Trials.
func (r *Record) present() int {
	for i, t := range r.Trials {
		if t.Value == r.Constant.Present {
			return i
		}
	}
	return -1
}

// A table is the time of each value in each round of a phase at one GOMAXPROCS:
// the logarithm, as the mean over the benchmarks, of ns per operation.
type table struct {
	rounds  []int32
	layouts []int32
	logs    []map[int]float64 // by round: by value
}

// table returns that of a phase; bench chooses the cells. A round in which a
// value lacks one of the cells has no time of that value.
func (r *Record) table(phase Phase, in func(Cell) bool) table {
	cells := 0
	for _, c := range r.Cells {
		if in(c) {
			cells++
		}
	}
	type key struct {
		round int32
		value int
	}
	type sum struct {
		log float64
		n   int
	}
	var t table
	sums := map[key]sum{}
	for _, s := range r.Samples {
		if s.Phase != phase || !in(r.Cells[s.Cell]) {
			continue
		}
		if len(t.rounds) == 0 || t.rounds[len(t.rounds)-1] != s.Round {
			t.rounds, t.layouts = append(t.rounds, s.Round), append(t.layouts, s.Layout)
		}
		k := key{s.Round, s.Value}
		sums[k] = sum{sums[k].log + log(s.Wall), sums[k].n + 1}
	}
	for _, round := range t.rounds {
		logs := map[int]float64{}
		for v := range r.Trials {
			if x := sums[key{round, v}]; x.n == cells && cells > 0 {
				logs[v] = x.log / float64(cells)
			}
		}
		t.logs = append(t.logs, logs)
	}
	return t
}
