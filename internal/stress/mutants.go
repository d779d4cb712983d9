package stress

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A Mutant is the package under test with one fault: Old, which File has once, is
// New. Test, a pattern as -run takes it, selects what finds the fault: each time,
// whatever else the machine does. A fault that shows only in some orders of steps
// is for a test that chooses the order.
type Mutant struct{ Name, File, Old, New, Test string }

const (
	mutantEnv = "PAYOFF_STRESS_MUTANT"
	few       = 1 // mutant of the short form: each builds all tests, for some seconds
)

// Mutants fails for each mutant that its Test passes, in the short form. No file is
// changed: mutants are build overlays. A Test that hangs fails after 10 seconds, so it
// is to take much less.
//
// Its own short form builds the first mutant. The others are checked for being up to
// date.
func Mutants(t *testing.T, mutants []Mutant) {
	if testing.Short() {
		t.Skip("builds and tests the package a dozen times")
	}
	if os.Getenv(mutantEnv) != "" {
		t.Skip("this is one")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command")
	}
	// A mutant's tests are short: what finds it must be there for everybody.
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "PAYOFF_LONG=") })
	env = append(env, mutantEnv+"=1")
	for i, m := range mutants {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			overlay := m.overlay(t)
			if i >= few && !Long() {
				return
			}
			cmd := exec.Command("go", "test", "-count=1", "-failfast", "-vet=off", "-timeout=10s",
				"-overlay", overlay, "-run", m.Test)
			cmd.Env = env
			out, err := cmd.CombinedOutput()
			switch text := string(out); {
			case err == nil && strings.Contains(text, "[no tests to run]"):
				t.Errorf("there is no test %s", m.Test)
			case err == nil:
				t.Errorf("%s passes", m.Test)
			case strings.Contains(text, "build failed") || !strings.Contains(text, "FAIL"):
				t.Errorf("the mutant was not tested:\n%s", text)
			}
		})
	}
}

// overlay returns a file for go's -overlay that makes the package the mutant.
func (m Mutant) overlay(t *testing.T) string {
	here, err := filepath.Abs(m.File)
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(here)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), m.Old); n != 1 {
		t.Fatalf("%s has %q %d times, want once: the mutant is out of date", m.File, m.Old, n)
	}
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	mutant := write(filepath.Base(m.File), []byte(strings.Replace(string(source), m.Old, m.New, 1)))
	list, err := json.Marshal(map[string]map[string]string{"Replace": {here: mutant}})
	if err != nil {
		t.Fatal(err)
	}
	return write("overlay.json", list)
}
