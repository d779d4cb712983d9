package par_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMutants: the tests of the scheduler find what is wrong in it. Each mutant
// is the package with one fault, which no file holds but a build overlay.
func TestMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and tests the package a dozen times")
	}
	if os.Getenv("PAR_MUTANT") != "" {
		t.Skip("this is one")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command")
	}
	for _, m := range []struct {
		name, file, old, new string
	}{
		{"who panics does not wait for its other half", "fork.go", "if taken || t.published > k && !t.takeBack(k) {", "if t.published > k && t.takeBack(k) {"},
		{"who waits takes any work", "fork.go", "thief.steal(fr.thiefGen, &h)", "sched.findWork(&h)"},
		{"a half is run twice", "fork.go", "return fr.state.CompareAndSwap(t.gen<<stateBits|ready, t.gen<<stateBits)", "fr.state.CompareAndSwap(t.gen<<stateBits|ready, t.gen<<stateBits)\n\treturn true"},
		{"who sleeps is not woken", "fork.go", "\t\t\tt.gate.Unlock()\n", ""},
		{"a panic of a half is lost", "fork.go", "if out != nil {\n\t\t\tout.raise()\n\t\t}\n", "_ = out\n"},
		{"Goexit of a half is lost", "outcome.go", "runtime.Goexit()\n", "runtime.Gosched()\n\t\treturn\n"},
		{"a frame keeps its argument", "fork.go", "fr.b, fr.r, fr.out = a, r, nil", "_, _, fr.out = a, r, nil"},
		{"a panic in a helper's part is lost", "share.go", "if out := s.out.Load(); out != nil {", "if out := s.out.Load(); false {"},
		{"a loop returns before its helpers", "share.go", "\ts.left.Add(int64(l.next) - s.n)\n\tsched.remove(&s.offer)\n\ts.wait()", "\ts.left.Store(0)\n\tsched.remove(&s.offer)"},
		{"parts overlap", "share.go", "return lo, lo + size", "return lo, min(lo+size+1, s.n)"},
		{"wakes are for nothing", "sched.go", "payer.add(-cost)", "_ = payer"},
		{"one late part is believed", "loop.go", "max(1, min(seen, 2*old), old/16)", "max(1, seen)"},
		{"a bubble gets helpers", "sched.go", "return t == t.Round(0)", "return t.IsZero()"},
	} {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			source, err := os.ReadFile(m.file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Count(string(source), m.old) != 1 {
				t.Fatalf("%s has %q %d times, want once: the mutant is out of date", m.file, m.old, strings.Count(string(source), m.old))
			}
			dir := t.TempDir()
			mutant := filepath.Join(dir, m.file)
			if err := os.WriteFile(mutant, []byte(strings.Replace(string(source), m.old, m.new, 1)), 0o644); err != nil {
				t.Fatal(err)
			}
			here, err := filepath.Abs(m.file)
			if err != nil {
				t.Fatal(err)
			}
			overlay, err := json.Marshal(map[string]map[string]string{"Replace": {here: mutant}})
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o644); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, "go", "test", "-failfast", "-vet=off", "-timeout=30s", "-run=^Test(Helper|Fork|For|Do|Overhead|Bubble)", "-overlay", filepath.Join(dir, "overlay.json"), ".")
			cmd.Env = append(os.Environ(), "PAR_MUTANT=1")
			out, err := cmd.CombinedOutput()
			switch {
			case err == nil:
				t.Errorf("the tests pass")
			case strings.Contains(string(out), "build failed") || !strings.Contains(string(out), "FAIL"):
				t.Errorf("the mutant was not tested:\n%s", out)
			}
		})
	}
}
