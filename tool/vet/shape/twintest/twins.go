// Package twintest calls what the edits of goldens change, as it was and as it is,
// with random inputs. An edit may type-check and print the same in a program of
// its testdata. It may still do something else for other inputs.
//
// It does not see what an edit does to speed, nor orders of steps that the
// scheduler has not come to. Nothing but tests may import it.
package twintest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/vet/shape/twintest/twin"
)

// Run calls the functions that the edits of goldens change, and those of the
// package that use them. It calls them with random inputs, as they were and as
// they are. It reports to t where a result, an input, or the end of a call is
// another. It takes the goldens of each folder, like hotslot/testdata/src/a.
// Without PAYOFF_LONG it takes one value of each edit and few inputs; with it,
// it runs with the race detector as well.
//
// The log counts what cannot be called, with the reason, and the functions of
// except, like hotslot_a.f, with theirs.
//
// All are built as one program, which costs what compiling them does, and some
// seconds to run.
func Run(t *testing.T, folders []string, except map[string]string) {
	t.Helper()
	inputs := 10
	if stress.Long() {
		inputs = 100
	}
	for _, d := range differ(t, folders, except, inputs) {
		t.Error(d)
	}
}

// differ returns what differs with that many inputs for each function.
func differ(t *testing.T, folders []string, except map[string]string, inputs int) []string {
	t.Helper()
	seed := stress.Seed(t)
	here, err := filepath.Abs(filepath.Join("testdata", "twins"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "list", ".").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	w := &world{except: except, files: overlay.Overlay{}, here: here, path: strings.TrimSpace(string(out)) + "/testdata/twins"}
	for _, folder := range folders {
		if err := w.add(folder, !stress.Long()); err != nil {
			t.Fatalf("%s: %v", folder, err)
		}
	}
	w.main()
	r := w.run(t, twin.Plan{Seed: seed, Inputs: inputs})
	if stress.Long() {
		differ := r.differ
		r = w.run(t, twin.Plan{Seed: seed, Inputs: inputs / 10}, "-race")
		r.differ = append(differ, r.differ...)
	}
	if r.tried == 0 {
		t.Error("no function was called")
	}
	return r.differ
}

// A result is what a program said of its units.
type result struct {
	tried, inputs, loose int
	out                  map[string]int // reasons for what was left out
	differ               []string
}

// run builds the program and lets it go through all units, with a new process
// after each that died.
func (w *world) run(t *testing.T, plan twin.Plan, flags ...string) result {
	t.Helper()
	dir := t.TempDir()
	index, err := w.files.Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "twins.test")
	args := append([]string{"test", "-c", "-vet=off", "-o", bin, "-overlay", index}, flags...)
	if out, err := exec.Command("go", append(args, w.path+"/main")...).CombinedOutput(); err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, out)
	}
	r := result{out: map[string]int{}}
	for _, why := range w.left {
		r.out[why]++
	}
	plan.Tame, plan.Skip = map[int]int{}, map[int][]int{}
	for finished := false; !finished; {
		events, err := process(t, bin, plan)
		var last twin.Event
		for _, e := range events {
			switch e.Kind {
			case twin.Done:
				r.tried++
				r.inputs += e.Inputs
				if e.Text != "" {
					r.loose++
				}
			case twin.LeftOut:
				r.out[e.Text]++
				t.Logf("left out: %s: %s", w.name(e.Unit), e.Text)
			case twin.Differs:
				r.tried++
				r.differ = append(r.differ, fmt.Sprintf("%s%v, PAYOFF_SEED=%d, case %d: %s", w.name(e.Unit), flags, plan.Seed, e.Case, e.Text))
			case twin.Finished:
				finished = true
			}
			last = e
		}
		if finished {
			break
		}
		what := fmt.Sprintf("%s%v, PAYOFF_SEED=%d, case %d:", w.name(last.Unit), flags, plan.Seed, last.Case)
		plan.From = last.Unit + 1
		slow := last.Kind == twin.Slow || err != nil && strings.Contains(err.Error(), "stack overflow")
		switch {
		case last.Kind != twin.Calls && last.Kind != twin.Slow:
			t.Fatalf("the program ended after %+v: %v", last, err)
		case !last.After && slow && plan.Tame[last.Unit] < 2:
			plan.Tame[last.Unit]++
			plan.From--
		case !last.After && slow && len(plan.Skip[last.Unit]) < 2:
			plan.Skip[last.Unit] = append(plan.Skip[last.Unit], last.Case)
			plan.From--
		case !last.After || dies(t, bin, plan, last):
			r.out["ends the process"]++
			first, _, _ := strings.Cut(err.Error(), "\n\n")
			t.Logf("left out: %s ends the process: %s", what, first)
		default:
			r.tried++
			r.differ = append(r.differ, fmt.Sprintf("%s ends the process: %v", what, err))
		}
	}
	t.Logf("%d edits%v: %d functions and types with %d inputs, %d of them in any order; left out: %v", w.edits, flags, r.tried, r.inputs, r.loose, r.out)
	return r
}

// name is that of a unit in messages.
func (w *world) name(unit int) string {
	u := w.units[unit]
	return fmt.Sprintf("%s of %s with %s", u.Name, filepath.Dir(u.Before), filepath.Base(u.After))
}

// dies reports whether the first form ends a process as well, sometimes.
func dies(t *testing.T, bin string, plan twin.Plan, e twin.Event) bool {
	plan.From, plan.Only = e.Unit, e.Case
	for range 10 {
		if _, err := process(t, bin, plan); err != nil {
			return true
		}
	}
	return false
}

// process runs the program once and returns what it said.
func process(t *testing.T, bin string, plan twin.Plan) (events []twin.Event, err error) {
	t.Helper()
	plan.Out = filepath.Join(filepath.Dir(bin), "events")
	if err := os.WriteFile(plan.Out, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	env, err := json.Marshal(plan)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), bin, "-test.timeout=0")
	cmd.Dir = filepath.Dir(bin)
	cmd.Env = append(os.Environ(), twin.Env+"="+string(env), "GORACE=halt_on_error=1 atexit_sleep_ms=0")
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.WaitDelay = time.Minute
	if err = cmd.Run(); err != nil {
		err = fmt.Errorf("%w\n%.4000s", err, output.String())
	}
	data, rerr := os.ReadFile(plan.Out)
	if rerr != nil {
		t.Fatal(rerr)
	}
	for line := range bytes.Lines(data) {
		var e twin.Event
		if json.Unmarshal(line, &e) == nil {
			events = append(events, e)
		}
	}
	if len(events) == 0 {
		t.Fatalf("the program says nothing: %v", err)
	}
	return events, err
}
