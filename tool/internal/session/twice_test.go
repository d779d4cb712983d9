package session

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/gather"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/host/local"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/predict"
	"github.com/gopayoff/payoff/tool/internal/store"
)

// A twice is one row of the record of predictions: what was predicted for two processors
// of times and traces at one, and what a recorded run had measured there.
type twice struct {
	Set        string             `json:"set"`
	Run        string             `json:"run"`
	Prediction predict.Prediction `json:"prediction"`
}

const (
	twiceFile  = "../../../record/2026-11-27-epyc-2cpu/predict-twice.jsonl"
	twiceTable = "../../../record/2026-11-27-epyc-2cpu/predict-twice.md"
)

// TestTwiceTable: the table of the record is what its rows say. With PAYOFF_RECORD it is
// written.
func TestTwiceTable(t *testing.T) {
	table := tabulateTwice(twiceRows(t))
	if os.Getenv("PAYOFF_RECORD") != "" {
		if err := os.WriteFile(twiceTable, []byte(table), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(twiceTable)
	if err != nil {
		t.Fatal(err)
	}
	if table != string(want) {
		t.Errorf("%s is not what %s says: PAYOFF_RECORD=1 go test ./internal/session -run TwiceTable writes\n%s", twiceTable, twiceFile, table)
	}
}

// twiceRows are the rows of the record.
func twiceRows(t *testing.T) (rows []twice) {
	t.Helper()
	f, err := os.Open(twiceFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var r twice
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

func tabulateTwice(rows []twice) string {
	var b strings.Builder
	b.WriteString("| programs | rows | predicted | in the band | median error | largest | Amdahl's | of work and span |\n|---|---|---|---|---|---|---|---|\n")
	var sets []string
	for _, r := range rows {
		if !slices.Contains(sets, r.Set) {
			sets = append(sets, r.Set)
		}
	}
	reasons := map[string]int{}
	for _, set := range append(sets, "all") {
		n, in := 0, 0
		var errs, amdahl, bound []float64
		for _, r := range rows {
			if set != "all" && r.Set != set {
				continue
			}
			n++
			p := r.Prediction
			if p.Refused != "" || len(p.Points) != 1 || p.Points[0].Wide != "" {
				if set == "all" {
					reasons[reason(p)]++
				}
				continue
			}
			x, truth := p.Points[0], p.Measured[0]
			off := func(v float64) float64 { return math.Abs(v/truth.Value - 1) }
			errs = append(errs, off(x.Value))
			s := min(1, 1/p.WorkSpan)
			amdahl = append(amdahl, off(1/(s+(1-s)/2)))
			bound = append(bound, off(min(2, p.WorkSpan)))
			if truth.Value >= x.Low && truth.Value <= x.High {
				in++
			}
		}
		if len(errs) == 0 {
			fmt.Fprintf(&b, "| %s | %d | 0 | | | | | |\n", set, n)
			continue
		}
		for _, x := range [][]float64{errs, amdahl, bound} {
			slices.Sort(x)
		}
		mid := len(errs) / 2
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %.1f %% | %.0f %% | %.1f %% | %.1f %% |\n", set, n, len(errs), in, 100*errs[mid], 100*errs[len(errs)-1], 100*amdahl[mid], 100*bound[mid])
	}
	b.WriteString("\n| refused for | rows |\n|---|---|\n")
	var names []string
	for r := range reasons {
		names = append(names, r)
	}
	slices.SortFunc(names, func(x, y string) int {
		if reasons[x] != reasons[y] {
			return reasons[y] - reasons[x]
		}
		return strings.Compare(x, y)
	})
	for _, r := range names {
		fmt.Fprintf(&b, "| %s | %d |\n", r, reasons[r])
	}
	return b.String()
}

// reason is why there is no point, without its figures.
func reason(p predict.Prediction) string {
	r := p.Refused
	if r == "" {
		r = "the band is too wide to be of use at any number: " + p.Points[0].Wide
	}
	return strings.TrimLeft(r, "0123456789 %")
}

// TestTwiceRecord takes traces at one processor of what recorded runs measured at one and
// two, and predicts the second of the first: PAYOFF_TWICE=SET:RUN,… names runs of the
// record whose packages are in this checkout, and adds their rows; PAYOFF_TWICE=all makes
// those of all runs anew that have rows. The programs are told of two processors. What is
// measured now is their shape, and how much longer an operation takes when told so; the
// times are those of the run. Of many short traces the two count that took the least time,
// where these agree.
func TestTwiceRecord(t *testing.T) {
	list := os.Getenv("PAYOFF_TWICE")
	if list == "" {
		t.Skip("PAYOFF_TWICE names no runs")
	}
	runs := strings.Split(list, ",")
	if list == "all" {
		runs = nil
		for _, r := range twiceRows(t) {
			if word := r.Set + ":" + r.Run; !slices.Contains(runs, word) {
				runs = append(runs, word)
			}
		}
		if err := os.Truncate(twiceFile, 0); err != nil {
			t.Fatal(err)
		}
	}
	for _, word := range runs {
		set, dir, _ := strings.Cut(word, ":")
		if err := recordTwice(t, set, dir); err != nil {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

func recordTwice(t *testing.T, set, name string) error {
	ctx := context.Background()
	dir := filepath.Join("../../../record", name)
	run, all, err := store.Load(dir)
	if err != nil {
		return err
	}
	m, err := predict.NewMachine(name, run.Env, run.Prices, run.Capacity)
	if err != nil {
		return err
	}
	out, err := os.OpenFile(twiceFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	tc, err := gocmd.Find(ctx, ".", "")
	if err != nil {
		return err
	}
	for _, s := range all {
		targets, _, err := discover.Targets(ctx, tc, []string{s.Package}, ".")
		if err != nil || len(targets) != 1 {
			return fmt.Errorf("%s: %d targets, %v", s.Package, len(targets), err)
		}
		work, err := local.NewFolder()
		if err != nil {
			return err
		}
		bin, err := measure.Build(ctx, local.New(work.Path, local.NewCompiler(tc, work.Path, "")), targets[0], measure.BuildOptions{Askers: true})
		if err != nil {
			return err
		}
		for _, bench := range benches(s) {
			one, two := measure.Cell{Bench: bench, Procs: 1}, measure.Cell{Bench: bench, Procs: 2}
			if len(s.Samples[one]) < 4 || len(s.Samples[two]) < 4 || !(s.Samples[two][0].Goroutines > 0) {
				continue // it starts none, or too little is known of it
			}
			in, _ := Forecast{Upto: 1}.input(s, bench, nil)
			full := in.Walls
			in.Walls = upto(full, 1)
			wall := quantile(full[1], 0.5)
			n := int64(max(1, math.Ceil(4e6/wall)))
			if wall > 300e6 {
				continue
			}
			many := s.Samples[one][0].Whole > 0
			longer, err := gather.Longer(ctx, bin, bench, n, []int{2})
			if err != nil {
				t.Logf("%s: %v", bench, err)
				continue
			}
			type taken struct {
				per float64
				t   predict.Trace
			}
			var traces []taken
			for range 16 {
				ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
				_, files, err := bin.Collect(ctx, two, n, measure.Trace, many)
				cancel()
				if err != nil {
					break
				}
				graphs, err := exectrace.GraphsOf(files[measure.Trace], exectrace.Options{})
				if err != nil || len(graphs) == 0 {
					break
				}
				whole := 0.0
				for _, g := range graphs {
					whole += g.Whole
				}
				traces = append(traces, taken{whole, predict.Trace{Procs: 1, Told: 2, Longer: longer[0], N: n, Graphs: graphs}})
			}
			slices.SortFunc(traces, func(a, b taken) int { return int(a.per - b.per) })
			if len(traces) < 2 || traces[1].per > 1.1*traces[0].per {
				t.Logf("%s: disturbed", bench) // two that agree are seldom
				continue
			}
			for _, x := range traces[:2] {
				in.Traces = append(in.Traces, x.t)
			}
			slow := traces[0].per / (longer[0] * wall * float64(n))
			if slow < 0.65 {
				t.Logf("%s: traced it takes %.2f of what was measured: it is not what it was", bench, slow)
				continue
			}
			p, err := predict.Predict(in, m, predict.Options{Procs: []int{2}, Next: "payoff predict"})
			if err != nil {
				t.Errorf("%s: %v", bench, err)
				continue
			}
			p.Package = s.Package
			p.Measure(map[int][]float64{1: full[1], 2: full[2]})
			p.Knee, p.Cures = nil, nil
			data, err := json.Marshal(twice{set, name, p})
			if err != nil {
				return err
			}
			if _, err := out.Write(append(data, '\n')); err != nil {
				return err
			}
			got := p.Refused
			if len(p.Points) > 0 {
				got = fmt.Sprintf("%.2f [%.2f, %.2f] %s", p.Points[0].Value, p.Points[0].Low, p.Points[0].High, p.Points[0].Wide)
			}
			t.Logf("%s: %s; measured %.2f; told of two it takes %.2f, traced %.2f", bench, got, p.Measured[0].Value, longer[0], slow)
		}
		if err := work.Remove(); err != nil {
			return err
		}
	}
	return nil
}

func quantile(x []float64, q float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return s[int(q*float64(len(s)-1))]
}
