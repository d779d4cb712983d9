package stress

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/plant"
)

// A Mutant is the package under test with one fault: Old, which File has once, is
// New. Test, a pattern as -run takes it, selects what finds the fault: each time,
// whatever else the machine does. A fault that shows only in some orders of steps
// is for a test that chooses the order.
type Mutant struct {
	Name, File, Old, New, Test string
	// Dear leaves the run of it to the long form: it takes over a tenth of a second of
	// processor time, as the log of Mutants says.
	Dear bool
}

// Mutants fails for each mutant that its Test passes, in the short form, and for a
// Test that fails where there is no fault. No file is changed: the package is built
// once, by an overlay, with all faults, and each run of that has one of them (package
// plant). A Test that hangs with a fault is stopped after patience.
//
// What a mutant changes outside of functions takes a build of its own. Only the long
// form makes it.
func Mutants(t *testing.T, mutants []Mutant) {
	if testing.Short() {
		t.Skip("builds the package and tests it a dozen times")
	}
	if os.Getenv(plant.Env) != "" {
		t.Skip("this is one")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command")
	}
	faults := make([][]plant.Change, len(mutants))
	tests := make([]string, len(mutants))
	for i, m := range mutants {
		faults[i] = []plant.Change{{File: m.File, Old: m.Old, New: m.New}}
		tests[i] = m.Test
	}
	sources, apart, err := plant.Merge(os.ReadFile, faults)
	if err != nil {
		t.Fatal(err)
	}
	all := compiled(t, sources)
	none := make(chan result, 1)
	runs := make([]chan result, len(mutants))
	for i := range runs {
		runs[i] = make(chan result, 1)
	}
	turn := make(chan bool, atOnce*runtime.GOMAXPROCS(0))
	start := func(to chan<- result, program string, fault int, tests, timeout string) {
		turn <- true
		go func() {
			to <- tested(program, fault, tests, timeout)
			<-turn
		}()
	}
	go func() {
		start(none, all, -1, strings.Join(tests, "|"), "60s")
		for i, m := range mutants {
			if apart[i] == "" && (!m.Dear || Long()) {
				start(runs[i], all, i, m.Test, patience)
			}
		}
	}()
	t.Run("without a fault", func(t *testing.T) {
		if r := <-none; r.err != nil {
			t.Errorf("tests fail where they should pass: %v\n%s", r.err, r.out)
		}
	})
	for i, m := range mutants {
		t.Run(m.Name, func(t *testing.T) {
			if why := apart[i]; why != "" {
				if !Long() {
					t.Skip("takes a build of its own: " + why)
				}
				runs[i] <- tested(alone(t, faults[i][0]), i, m.Test, patience)
			}
			if m.Dear && !Long() {
				t.Skip("takes long")
			}
			r := <-runs[i]
			t.Logf("%v of processor time", r.cpu.Round(10*time.Millisecond))
			switch exit := (*exec.ExitError)(nil); {
			case strings.Contains(r.out, "no tests to run"):
				t.Errorf("there is no test %s", m.Test)
			case r.err == nil:
				t.Errorf("%s passes", m.Test)
			case !errors.As(r.err, &exit):
				t.Errorf("the mutant was not tested: %v\n%s", r.err, r.out)
			}
		})
	}
}

const (
	// patience is how long a mutant may hang. Tests of mutants take milliseconds.
	patience = "4s"
	// atOnce is how many mutants run at once, for each processor: most of those that
	// take long sleep.
	atOnce = 2
)

// alone returns the tests of a package with one change.
func alone(t *testing.T, c plant.Change) (program string) {
	source, err := os.ReadFile(c.File)
	if err != nil {
		t.Fatal(err)
	}
	mutant, err := c.Apply(string(source))
	if err != nil {
		t.Fatal(err)
	}
	return compiled(t, map[string][]byte{c.File: []byte(mutant)})
}

// compiled returns the tests of the package in the current directory, with other
// sources for some of its files.
func compiled(t *testing.T, sources map[string][]byte) (program string) {
	dir := t.TempDir()
	replace := make(map[string]string)
	for name, source := range sources {
		here, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		// The compiler's work is in the cache where name and text are as before.
		replace[here] = filepath.Join(dir, strings.ReplaceAll(filepath.ToSlash(name), "/", "_"))
		if err := os.WriteFile(replace[here], source, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, list, 0o644); err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(dir, "tests")
	// Without what only debuggers read it links in half the time.
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-w", "-overlay", overlay, "-o", program)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return program
}

// A result is what a run of tests came to.
type result struct {
	out string
	err error
	cpu time.Duration
}

// tested runs tests of a program that has a fault, or none where that is -1.
func tested(program string, fault int, tests, timeout string) result {
	cmd := exec.Command(program, "-test.count=1", "-test.failfast", "-test.timeout="+timeout, "-test.run", tests)
	// A mutant's tests are short: what finds it must be there for everybody.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "PAYOFF_LONG=") })
	cmd.Env = append(cmd.Env, fmt.Sprint(plant.Env, "=", fault))
	text, err := cmd.CombinedOutput()
	var cpu time.Duration
	if p := cmd.ProcessState; p != nil {
		cpu = p.UserTime() + p.SystemTime()
	}
	return result{string(text), err, cpu}
}
