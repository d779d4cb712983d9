package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/world/overlay"
)

var update = flag.Bool("update", false, "write the record")

// gate has the caller sleep at a gate in the place of its bell, which nothing stands for
// on the machine: a token in the bell is a gate that is open once. There are no timers,
// and no contexts that end.
var gate = []overlay.Change{
	{File: "pipe/run.go", Old: "	\"runtime\"\n	\"sync/atomic\"\n", New: "	\"runtime\"\n	\"sync\"\n	\"sync/atomic\"\n"},
	{File: "pipe/run.go", Old: "	bell   chan struct{}\n", New: "	bell   chan struct{}\n	gate   sync.Mutex\n"},
	{File: "pipe/run.go", Old: "r.bell = make(chan struct{}, 1)\n", New: "r.bell = make(chan struct{}, 1)\n		r.gate.Lock()\n"},
	{File: "pipe/run.go", Old: "r.bell <- struct{}{}\n", New: "help.Unpark(&r.gate)\n"},
	{File: "pipe/run.go", Old: "		<-r.bell\n	}\n	help.Sched", New: "		help.Park(&r.gate)\n	}\n	help.Sched"},
	{File: "pipe/shared.go", Old: "		select {\n		case <-w.bell:\n			w.rang = true\n		case <-w.done:\n		}\n", New: "		help.Park(&r.gate)\n		w.rang = true\n"},
	{File: "pipe/shared.go", Old: "		select {\n		case <-r.bell:\n			rang = true\n		case <-r.done:\n		}\n", New: "		help.Park(&r.gate)\n		rang = true\n"},
	{File: "pipe/shared.go", Old: "		<-r.bell\n		r.unpark(true)\n", New: "		help.Park(&r.gate)\n		r.unpark(true)\n"},
	{File: "pipe/batch.go", Old: "time.AfterFunc(", New: "noTimer("},
	{File: "pipe/wait.go", Old: "time.AfterFunc(", New: "noTimer("},
	{File: "internal/wait/stack.go", Old: "t.t = time.AfterFunc(d, f)", New: "panic(\"no timers\")"},
	{File: "pipe/lane.go", Old: "t := time.NewTimer(d)\n", New: "t := noTimer(d, nil)\n"},
	{File: "pipe/run.go", Old: "// errEnded is", New: "func noTimer(time.Duration, func()) *time.Timer { panic(\"no timers\") }\n\n// errEnded is"},
}

func build(t testing.TB) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "scenes")
	if err := overlay.Build(root, dir, out, "./pipe/internal/scenes", "./pipe", gate); err != nil {
		t.Fatal(err)
	}
	return out
}

// run runs the program on a machine of so many processors. It has one of this machine,
// so that memory is handed out in the same order each time.
func run(t testing.TB, program string, procs int, args string) string {
	t.Helper()
	cmd := exec.Command(program, strings.Fields(args)...)
	cmd.Env = append(os.Environ(), fmt.Sprint("PAYOFF_WORLD_PROCS=", procs), "GOMAXPROCS=1", "PAYOFF_PAR=auto")
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%d processors, %s: %v\n%s", procs, args, err, text)
	}
	return strings.TrimSpace(string(text))
}

func TestBuild(t *testing.T) {
	p := build(t)
	if to := os.Getenv("SCENES"); to != "" {
		data, err := os.ReadFile(p)
		if err == nil {
			err = os.WriteFile(to, data, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Log(run(t, p, 2, "-elem=1us -items=10000"))
}
