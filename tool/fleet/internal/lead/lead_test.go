package lead_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/fleet/internal/wire"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/machine"
)

// A wish that no machine fits is an error that says what there is; what was asked for is
// given back, so that the name is free.
func TestNone(t *testing.T) {
	w := serve(t)
	w.machine()
	f, _ := w.fleet(false)
	waitAgents(t, f, 1)
	for range 2 {
		if _, err := w.tryBegin("cores>=100000,run=mine"); err == nil || !strings.Contains(err.Error(), "there are 1 × ") {
			t.Errorf("no machine has so many processors: %v, want an error with what there is", err)
		}
	}
	r := w.begin("run=mine")
	if err := r.End(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := r.Run(t.Context(), host.Job{}); err == nil {
		t.Error("a run that has ended has run a job")
	}
}

// A run does on a machine of the fleet what a host does: it runs binaries with their
// files, tells how they ended, hands their files over, and says what the machine is.
func TestRun(t *testing.T) {
	w := serve(t)
	w.machine()
	r := w.begin("cores>=1,os=linux")
	b := script(`cat testdata/word; echo "args $*"; echo "procs $GOMAXPROCS $NAME"; head -c 300000 /dev/zero >"$AT/large"; echo small >"$AT/small"; exit 3`)
	b.Files = map[string][]byte{"testdata/word": []byte("there\n")}
	b, err := r.Put(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	j := job(b, "-a", "b c")
	j.Procs, j.Env = 2, []string{"NAME=x", "AT=" + host.Folder}
	o, err := r.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(o.Output), "there\nargs -a b c\nprocs 2 x\n"; got != want || o.Exit != 3 {
		t.Errorf("it printed %q and exited with %d, want %q and 3", got, o.Exit, want)
	}
	if !bytes.Equal(o.Files["large"], make([]byte, 300000)) || string(o.Files["small"]) != "small\n" || len(o.Files) != 2 {
		t.Errorf("%d files, large of %d bytes, small %q; want 300000 zeros and small", len(o.Files), len(o.Files["large"]), o.Files["small"])
	}
	p, err := r.Probe(t.Context(), host.Ask{})
	if err != nil || p.Procs < 1 || p.Env.CPU != r.Machine().Env.CPU {
		t.Errorf("the probe says %+v, %v; want the processor %q", p, err, r.Machine().Env.CPU)
	}
	// The agent's own environment is none of the job's.
	t.Setenv("PAYOFF_TEST_SECRET", "x")
	if o, err := runs(t, r, "env"); err != nil || strings.Contains(string(o.Output), "SECRET") {
		t.Errorf("a job sees %q (%v) of the agent's environment", o.Output, err)
	}
}

// TestAgentsKept: within a beat a fleet is told of the machines that were there at its
// first call, and another of those that are.
func TestAgentsKept(t *testing.T) {
	w := serveWith(t, patient)
	w.t = t
	a, _ := w.fleet(true)
	f, _ := w.fleet(false)
	here := func(name string) {
		t.Helper()
		env := machine.Env{CPU: "a processor"}
		if err := a.Here(t.Context(), wire.Agent{Machine: name, Kind: env.Kind(), Env: env, Time: time.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	f.Timing.Beat = time.Hour
	for _, name := range []string{"one", "two"} {
		here(name)
		if all, err := f.Agents(t.Context()); err != nil || len(all) != 1 || all[0].Machine != "one" {
			t.Errorf("with %s there: %v, %v, want the one of the first call", name, all, err)
		}
	}
	again, _ := w.fleet(false)
	if all, err := again.Agents(t.Context()); err != nil || len(all) != 2 {
		t.Errorf("another fleet: %v, %v, want both", all, err)
	}
}
