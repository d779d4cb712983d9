package queue_test

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

// TestMutants: the tests of this package find what is wrong in it. Each mutant
// is the package with one fault, which no file holds but a build overlay.
func TestMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and tests the package a dozen times")
	}
	if os.Getenv("QUEUE_MUTANT") != "" {
		t.Skip("this is one")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command")
	}
	for _, m := range []struct {
		name, file, old, new string
	}{
		{"SPSC publishes before it writes", "spsc.go",
			"q.ring.buf[p] = v\n\t\tif q.tail.CompareAndSwap(t, t+step) {",
			"if q.tail.CompareAndSwap(t, t+step) {\n\t\t\twait.Backoff(9) // yields\n\t\t\tq.ring.buf[p] = v"},
		{"shared publishes before it writes", "shared.go",
			"q.ring.buf[p] = v\n\t\t\tif p++; p == len(q.ring.buf) {\n\t\t\t\tp = 0\n\t\t\t}\n\t\t\te.slot = p\n\t\t\te.word.Store(w + step)\n",
			"e.word.Store(w + step)\n\t\t\twait.Backoff(9) // yields\n\t\t\tq.ring.buf[p] = v\n\t\t\tif p++; p == len(q.ring.buf) {\n\t\t\t\tp = 0\n\t\t\t}\n\t\t\te.slot = p\n"},
		{"SPSC's receiver does not wake the sender", "spsc.go", "signal(q.room)\n\t\t}\n\t\tif w&watched", "}\n\t\tif w&watched"},
		{"SPSC's sender does not wake the receiver", "spsc.go", "if w&waiting != 0 && len(q.items) == 0 {\n\t\t\tq.poke()\n\t\t}\n\t\tif w&watched", "if w&watched"},
		{"SPSC's Close does not wake the sender", "spsc.go", "\tsignal(q.room)\n\tsignal(q.readable)", "\tsignal(q.readable)"},
		{"SPSC's receiver forgets items", "spsc.go", "if q.asked || len(q.items) > 0 {", "if false {"},
		{"a single receiver keeps values alive", "receiver.go", "if q.pointers {\n\t\t\tvar zero T", "if false {\n\t\t\tvar zero T"},
		{"batches keep values alive", "receiver.go", "\tif q.pointers {\n\t\tclearSlots", "\tif false {\n\t\tclearSlots"},
		{"many receivers keep values alive", "mpmc.go", "if q.pointers {\n\t\t\t\tvar zero T", "if false {\n\t\t\t\tvar zero T"},
		{"receivers do not wake senders", "shared.go", "\t\ts.Wake()\n\t}\n\tif w&watched != 0 {\n\t\tsignal(q.writable)", "\t}\n\tif w&watched != 0 {\n\t\tsignal(q.writable)"},
		{"senders drop the duty", "shared.go", "if duty {\n\t\tq.seeToSenders()\n\t}", ""},
		{"receivers drop the duty", "mpmc.go", "if duty {\n\t\tq.seeToReceivers()\n\t}", ""},
		{"Close does not wake receivers", "shared.go", "\tfor _, r := range receivers {\n\t\tr.Wake()\n\t}\n\tfor _, s := range senders", "\tfor _, s := range senders"},
		{"one slot too many", "shared.go", "q.tail.edge = q.size", "q.tail.edge = q.size + step"},
		{"a sender sleeps on with room", "ring.go", "uint64(more-grain+2) * step", "uint64(more-grain+3) * step"},
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
			// Faults that only one order of many shows are the model's.
			cmd := exec.CommandContext(ctx, "go", "test", "-short", "-failfast", "-vet=off", "-timeout=60s", "-skip=Model", "-overlay", filepath.Join(dir, "overlay.json"), ".")
			cmd.Env = append(os.Environ(), "QUEUE_MUTANT=1")
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
