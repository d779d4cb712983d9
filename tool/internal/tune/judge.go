package tune

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A Word is what tuning a constant came to.
type Word string

const (
	Better    Word = "better"     // another value was measured faster, on samples of its own
	Keep      Word = "keep"       // the present value is as good as any, or as good a compromise
	Still     Word = "still"      // no value moves anything
	Trade     Word = "trade"      // what is faster at one GOMAXPROCS is slower at another
	CannotSay Word = "cannot say" // see Result.Why
)

// A Result is what a [Record] says.
type Result struct {
	Constant Constant `json:"constant"`
	Word     Word     `json:"word"`
	Why      string   `json:"why,omitempty"` // where the word needs a reason
	// Value is the one that comes off best over all GOMAXPROCS: its worst regret
	// is the least. It is recommended if Word is Better.
	Value int64  `json:"value"`
	Text  string `json:"text"` // of Value, as in the source
	// Rival is the value that was measured once more against the present one; the
	// present one if none was.
	Rival int64 `json:"rival"`
	// Serves reports that Value lies in the flat region at every GOMAXPROCS.
	Serves bool `json:"serves"`
	At     []At `json:"at"`
	// Still are benchmarks that reach the constant and that no value moves.
	Still []Quiet `json:"still,omitempty"`
	// Slower are benchmarks that lose under Value what others gain.
	Slower []Effect `json:"slower,omitempty"`
}

// At is what was found at one GOMAXPROCS. Regrets are times over that of the
// best value there: 1.05 is 5 % slower.
type At struct {
	Procs int   `json:"procs"`
	Best  int64 `json:"best"`
	// Flat are the values that are as good as the best, or cannot be told from it.
	// Each is within Within of the best, whichever that is: 0.02 is 2 %.
	Flat   []int64 `json:"flat"`
	Within float64 `json:"within"`
	Price  Regret  `json:"price"` // of the present value
	// Gain is the time of the present value over that of Result.Rival, measured
	// once more; nil if it was not.
	Gain   *Regret  `json:"gain,omitempty"`
	Curve  []Regret `json:"curve"`  // of every value that was measured, by rising value
	Rounds int      `json:"rounds"` // that Flat was read from
}

// A Regret is a ratio of times with its interval.
type Regret struct {
	Value int64   `json:"value"`
	Ratio float64 `json:"ratio"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"` // 0 where it is not known
	// Dropped says that the value was slower beyond doubt after so many rounds,
	// and measured no further; its interval is then that of a single comparison.
	Dropped int `json:"dropped,omitempty"`
}

// A Quiet is a benchmark that does not move.
type Quiet struct {
	Bench string  `json:"bench"`
	Most  float64 `json:"most"` // the largest difference seen: 0.01 is 1 %
}

// An Effect is how a value does in one benchmark, the present time over its.
type Effect struct {
	Cell
	Regret
}

// fewest is how many rounds of a comparison are read.
const fewest = 6

// Judge says what was found out. It is a function of the record alone.
func Judge(r *Record) Result {
	res := Result{Constant: r.Constant, Word: CannotSay, Value: r.Constant.Present, Rival: r.Constant.Present, Still: r.still()}
	res.Text = r.Constant.Text(res.Value)
	at, candidate, compared := r.read()
	res.At = at
	present := r.present()
	switch {
	case len(at) == 0:
		res.Why = "nothing was measured"
		return res
	case !compared:
		res.Why = "it ended before values were compared"
		return res
	}
	if candidate == present && len(r.failing()) > 0 {
		res.Why = "the tests fail with every value that seems faster"
		return res
	}
	if !slices.ContainsFunc(at, func(a At) bool { return a.Price.High == 0 || a.Price.High > 1+r.Margin }) || candidate == present {
		r.keep(&res)
		return res
	}
	res.Value = r.Trials[candidate].Value
	res.Text = r.Constant.Text(res.Value)
	res.Serves = res.flat(res.Value)
	r.confirmed(&res, candidate)
	if res.Word == CannotSay && res.flat(r.Constant.Present) {
		r.keep(&res)
	}
	if res.Word == Keep {
		res.Value, res.Text = r.Constant.Present, r.Constant.Text(r.Constant.Present)
		res.Serves = res.flat(res.Value)
	}
	return res
}

// failing are the values whose tests fail, as in the source.
func (r *Record) failing() (out []string) {
	for _, t := range r.Trials {
		if r.Tests[t.Text] != "" {
			out = append(out, t.Text)
		}
	}
	return out
}

// keep settles for the present value.
func (r *Record) keep(res *Result) {
	res.Word, res.Why, res.Value, res.Text = Keep, "", r.Constant.Present, r.Constant.Text(r.Constant.Present)
	res.Serves = res.flat(res.Value)
	if !slices.ContainsFunc(r.Trials, func(t Trial) bool { return t.Out == "" && !res.flat(t.Value) }) {
		res.Word = Still
	}
}

// flat reports whether a value lies in the flat region at every GOMAXPROCS.
func (res *Result) flat(value int64) bool {
	return !slices.ContainsFunc(res.At, func(a At) bool { return !slices.Contains(a.Flat, value) })
}

// confirmed reads the last phase: the present value against the chosen one.
func (r *Record) confirmed(res *Result, candidate int) {
	alpha := r.Alpha / float64(len(r.Procs))
	present, margin := r.present(), math.Log1p(r.Margin)
	res.Rival = res.Value
	gains, costs, small := 0, 0, true
	for i := range res.At {
		a := &res.At[i]
		t := r.table(Confirm, r.moved(a.Procs))
		if t.shared(present, candidate) < fewest {
			res.Why = "the gain was not measured once more"
			return
		}
		g := regret(res.Constant.Present, t.ratio(present, candidate, alpha))
		a.Gain = &g
		small = small && math.Abs(log(g.Ratio)) < margin
		switch {
		case g.Low > 1 && log(g.Ratio) >= margin:
			gains++
			a.Flat = slices.DeleteFunc(slices.Clone(a.Flat), func(v int64) bool { return v == g.Value })
		case g.High != 0 && g.High < 1 && log(g.Ratio) <= -margin:
			costs++
		}
	}
	switch {
	case gains > 0 && costs > 0:
		res.Word = Trade
	case gains > 0:
		res.Word = Better
		res.Slower = r.slower(candidate)
	case small:
		res.Word, res.Why = Keep, fmt.Sprintf("measured once more, %s gains less than %s", r.Constant.Show(res.Rival), Percent(r.Margin))
	default:
		res.Why = "measured once more, the gain was not confirmed"
	}
}

// slower are the cells that lose under a value, each by an interval that holds
// for all of them together.
func (r *Record) slower(value int) (out []Effect) {
	for i, c := range r.Cells {
		t := r.table(Confirm, func(x Cell) bool { return x == r.Cells[i] })
		e := t.ratio(r.present(), value, r.Alpha/float64(len(r.Cells)))
		if e.High < 1 && log(e.Ratio) <= -math.Log1p(r.Margin) {
			out = append(out, Effect{c, regret(r.Constant.Present, e)})
		}
	}
	return out
}

// read compares the values at each GOMAXPROCS. The candidate is the index of
// the value whose worst regret, at the upper end, is the least, and whose tests
// do not fail. Where there was no comparison yet, the search is read, and
// compared is false: its figures are for display.
func (r *Record) read() (at []At, candidate int, compared bool) {
	if r.present() < 0 || len(r.Cells) == 0 {
		return nil, -1, false
	}
	compared = true
	for _, p := range r.Procs {
		compared = compared && len(r.table(Compare, r.moved(p)).rounds) >= fewest
	}
	phase := Search
	if compared {
		phase = Compare
	}
	worst := map[int]float64{}
	for _, p := range r.Procs {
		t := r.table(phase, r.moved(p))
		values := slices.DeleteFunc(t.whole(), func(v int) bool { return r.Trials[v].Out != "" })
		if len(values) == 0 || len(t.rounds) < looks[0] {
			return nil, -1, false // what so few rounds say is no use to anybody
		}
		a := r.at(t, values)
		a.Procs = p
		for _, v := range values {
			u := math.Inf(1)
			for _, x := range a.Curve {
				if x.Value == r.Trials[v].Value && x.High != 0 {
					u = x.High
				}
			}
			worst[v] = max(worst[v], u)
		}
		for v := range r.Trials {
			if !slices.Contains(values, v) {
				worst[v] = math.Inf(1)
			}
		}
		search := r.table(Search, r.moved(p))
		for v, trial := range r.Trials {
			if i := slices.IndexFunc(r.Trials, func(t Trial) bool { return t.Value == a.Best }); !slices.Contains(values, v) && search.shared(v, i) > 0 {
				x := regret(trial.Value, search.ratio(v, i, r.Alpha))
				x.Dropped = search.shared(v, i)
				a.Curve = append(a.Curve, x)
			}
		}
		slices.SortFunc(a.Curve, func(a, b Regret) int { return int(max(-1, min(1, a.Value-b.Value))) })
		at = append(at, a)
	}
	candidate = r.present()
	for _, v := range slices.Sorted(maps.Keys(worst)) {
		if worst[v] < worst[candidate] && r.Tests[r.Trials[v].Text] == "" && r.Trials[v].Out == "" {
			candidate = v
		}
	}
	return at, candidate, compared
}

// at compares some values with the best of them, by Hsu's multiple comparisons
// with the best (Ann. Statist. 12, 1984): the regret of i is at most the largest
// upper end of its ratios to each of the others. For that to hold for all i at
// once, only the comparisons with the one that is truly best must, so the error
// is divided by the number of others, and by that of GOMAXPROCS values.
func (r *Record) at(t table, values []int) At {
	alpha := r.Alpha / float64(max(1, len(values)-1)) / float64(len(r.Procs))
	a := At{Rounds: len(t.rounds)}
	regrets := map[int]Regret{}
	best := values[0]
	for _, i := range values {
		x := Regret{Value: r.Trials[i].Value, Ratio: 1, Low: 1, High: 1}
		for _, j := range values {
			if i == j {
				continue
			}
			e := t.ratio(i, j, 2*alpha) // one end each
			x.Ratio, x.Low, x.High = max(x.Ratio, e.Ratio), max(x.Low, e.Low), max(x.High, e.High)
		}
		regrets[i] = x
		if x.Ratio < regrets[best].Ratio {
			best = i
		}
	}
	a.Best = r.Trials[best].Value
	for _, i := range values {
		x := regrets[i]
		if x.High <= 1+r.Margin || x.Low <= 1 {
			a.Flat = append(a.Flat, x.Value)
			a.Within = max(a.Within, x.High-1)
		}
		if math.IsInf(x.High, 1) {
			x.High = 0
		}
		if i == r.present() {
			a.Price = x
		}
		a.Curve = append(a.Curve, x)
	}
	if math.IsInf(a.Within, 1) {
		a.Flat, a.Within = nil, 0
	}
	return a
}

// moved chooses the cells at one GOMAXPROCS, without those of benchmarks that
// do not move while others do.
func (r *Record) moved(procs int) func(Cell) bool {
	cells := r.Compared
	if cells == nil {
		cells = r.moving()
	}
	return func(c Cell) bool {
		return c.Procs == procs && slices.ContainsFunc(cells, func(i int) bool { return r.Cells[i] == c })
	}
}

// moving are the cells of benchmarks that some value seems to move; all, if none
// does.
func (r *Record) moving() (cells []int) {
	still := r.still()
	for i, c := range r.Cells {
		if !slices.ContainsFunc(still, func(q Quiet) bool { return q.Bench == c.name() }) {
			cells = append(cells, i)
		}
	}
	if len(cells) == 0 {
		for i := range r.Cells {
			cells = append(cells, i)
		}
	}
	return cells
}

func (c Cell) name() string { return c.Package + "." + c.Bench }

// still returns the benchmarks that no value moved by the margin in the search.
func (r *Record) still() (out []Quiet) {
	var names []string
	for _, c := range r.Cells {
		if n := c.name(); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	for _, n := range names {
		most, rounds := 0.0, math.MaxInt
		for _, p := range r.Procs {
			t := r.table(Search, func(c Cell) bool { return c.name() == n && c.Procs == p })
			for v, trial := range r.Trials {
				if v == r.present() || trial.Out != "" {
					continue
				}
				rounds = min(rounds, t.shared(v, r.present()))
				most = max(most, math.Abs(log(t.ratio(v, r.present(), r.Alpha).Ratio)))
			}
		}
		if rounds != math.MaxInt && rounds >= looks[0] && most < math.Log1p(r.Margin) {
			out = append(out, Quiet{n, math.Expm1(most)})
		}
	}
	return out
}

// ratio estimates the time of one value over that of another.
func (t table) ratio(i, j int, alpha float64) stats.Estimate {
	return stats.Rule{Alpha: alpha, Looks: []int{1}}.Read(t.pairs(i, j))
}

// pairs are the rounds in which two values have a time, as log ratios. Binaries
// that differ in a constant have their functions in the same places, so that
// layouts do not matter to a ratio.
func (t table) pairs(i, j int) (p stats.Pairs) {
	for _, logs := range t.logs {
		a, oka := logs[i]
		b, okb := logs[j]
		if oka && okb {
			p.Logs = append(p.Logs, a-b)
		}
	}
	return p
}

func (t table) shared(i, j int) int { return len(t.pairs(i, j).Logs) }

// whole returns the values that have a time in as many rounds as any, but for
// the last, which may have been cut short.
func (t table) whole() (values []int) {
	count, most := map[int]int{}, 0
	for _, logs := range t.logs {
		for v := range logs {
			count[v]++
			most = max(most, count[v])
		}
	}
	for v, n := range count {
		if n >= most-1 {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return values
}

func regret(value int64, e stats.Estimate) Regret {
	r := Regret{Value: value, Ratio: e.Ratio, Low: e.Low, High: e.High}
	if math.IsInf(r.High, 1) {
		r.High = 0
	}
	return r
}

func log(x float64) float64 { return math.Log(x) }

// Runs writes the flat region as the runs of it that have no measured value
// between them: 256 to 4096, or 16 and 256 to 1024.
func (a At) Runs(show func(int64) string) string {
	var runs [][]int64
	next := -1
	for i, x := range a.Curve {
		if !slices.Contains(a.Flat, x.Value) {
			continue
		}
		if i != next {
			runs = append(runs, nil)
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], x.Value)
		next = i + 1
	}
	s := ""
	for i, run := range runs {
		switch {
		case i > 0 && i == len(runs)-1:
			s += " and "
		case i > 0:
			s += ", "
		}
		s += show(run[0])
		if len(run) > 1 {
			s += " to " + show(run[len(run)-1])
		}
	}
	return s
}
