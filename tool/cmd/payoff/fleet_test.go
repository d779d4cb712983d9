package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/host/local"
	"github.com/gopayoff/payoff/tool/internal/host/plug"
	"github.com/gopayoff/payoff/tool/internal/report"
)

// plugEnv makes a process of this test binary a machine of a fleet that is this one.
const plugEnv = "PAYOFF_TEST_PLUG"

// asPlug answers for payoff-fleet, and reports whether it has to.
func asPlug() bool {
	if os.Getenv(plugEnv) == "" {
		return false
	}
	switch {
	case len(os.Args) < 2:
	case os.Args[1] == "ls":
		json.NewEncoder(os.Stdout).Encode([]map[string]any{
			{"kind": "aaaa", "name": "the first kind", "fit": true}, {"kind": "bbbb", "name": "the second kind", "fit": true}, {"kind": "cccc", "name": "a noisy kind"},
		})
	case os.Args[1] == "door" && os.Args[2] == "kind=none":
		plug.NewSocket(os.Stdin, os.Stdout).Say(plug.Hello{Err: "no machine is so"})
	case os.Args[1] == "door":
		dir, err := os.MkdirTemp("", "plug-")
		if err != nil {
			return true
		}
		defer os.RemoveAll(dir)
		s := plug.NewSocket(os.Stdin, os.Stdout)
		s.Say(plug.Hello{OS: runtime.GOOS, Arch: runtime.GOARCH, Machine: "a machine that is " + os.Args[2]})
		h := local.New(dir, nil)
		s.Serve(context.Background(), h)
	default:
		os.Exit(3)
	}
	return true
}

// fleet puts a payoff-fleet in PATH.
func fleet(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a script")
	}
	dir := t.TempDir()
	script := "#!/bin/sh\n" + plugEnv + "=1 exec '" + os.Args[0] + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, fleetProgram), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// payoff run -on measures on the machine that payoff-fleet finds, and -on-each on one of
// each kind, with a record of each.
func TestOn(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles test binaries and measures")
	}
	fleet(t)
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m_test.go": `package m

import "testing"

var sink int

func BenchmarkWorkSerial(b *testing.B) {
	for b.Loop() {
		for i := range 1000 {
			sink += i
		}
	}
}

func BenchmarkWork(b *testing.B) {
	for b.Loop() {
		for i := range 100000 {
			sink += i
		}
	}
}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	payoff := func(args ...string) (code int, out, err string) {
		var stdout, stderr bytes.Buffer
		code = run(append([]string{"payoff"}, args...), &stdout, &stderr)
		return code, stdout.String(), stderr.String()
	}
	if code, _, err := payoff("run", "-on", "kind=none"); code != exitFailed || !strings.Contains(err, "-on kind=none: no machine is so") {
		t.Errorf("no machine: exit %d, %q", code, err)
	}
	code, out, err := payoff("run", "-on-each", "any", "-json", "-verdicts", "-budget", "2s", "-procs", "1", "-base", "Serial", "-vs", "Work$", "-o", "out")
	var all report.Several
	if e := json.Unmarshal([]byte(out), &all); code != exitOK || e != nil {
		t.Fatalf("-on-each: exit %d, %v, %q, %q", code, e, out, err)
	}
	if len(all.Machines) != 2 || all.Machines[0].Machine != "the first kind" || all.Machines[1].Kind != "bbbb" || len(all.Rows) != 1 || len(all.Rows[0].Cells) != 2 {
		t.Errorf("-on-each: %+v, want one row of the two kinds that fit", all)
	}
	if !strings.Contains(err, "measuring on a machine that is kind=bbbb") {
		t.Errorf("-on-each says %q, want which machines", err)
	}
	code, out, err = payoff("run", "-resume", filepath.Join("out", "aaaa"))
	if code != exitFailed || !strings.Contains(err, "-on kind=aaaa") {
		t.Errorf("-resume of a run elsewhere: exit %d, %q, %q; want that it is asked for again", code, out, err)
	}
	if code, _, _ := payoff("fleet", "other", "-flag"); code != 3 {
		t.Errorf("payoff fleet exits with %d, want the code of payoff-fleet, 3", code)
	}
}
