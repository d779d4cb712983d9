package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/world/overlay"
)

var update = flag.Bool("update", false, "write the record")

// gate has the caller sleep at a gate in the place of its bell, which nothing stands for
// where time passes: a token in the bell is a gate that is open once. Timers never fire,
// and no context ends. Where orders are explored all of that is as it is.
var gate = []overlay.Change{
	{File: "pipe/run.go", Old: "	\"runtime\"\n	\"sync/atomic\"\n", New: "	\"runtime\"\n	\"sync\"\n	\"sync/atomic\"\n"},
	{File: "pipe/run.go", Old: "	bell   chan struct{}\n", New: "	bell   chan struct{}\n	gate   sync.Mutex\n"},
	{File: "pipe/run.go", Old: "r.bell = make(chan struct{}, 1)\n", New: "r.bell = make(chan struct{}, 1)\n		r.gate.Lock()\n"},
	{File: "pipe/run.go", Old: "r.bell <- struct{}{}\n", New: "help.Unpark(&r.gate)\n"},
	{File: "pipe/run.go", Old: "		<-r.bell\n	}\n	help.Sched", New: "		help.Park(&r.gate)\n	}\n	help.Sched"},
	{File: "pipe/shared.go", Old: "		select {\n		case <-w.bell:\n			w.rang = true\n		case <-w.done:\n		}\n", New: "		help.Park(&r.gate)\n		w.rang = true\n"},
	{File: "pipe/shared.go", Old: "		select {\n		case <-r.bell:\n			rang = true\n		case <-r.done:\n		}\n", New: "		help.Park(&r.gate)\n		rang = true\n"},
	{File: "pipe/shared.go", Old: "		<-r.bell\n		r.unpark(true)\n", New: "		help.Park(&r.gate)\n		r.unpark(true)\n"},
	{File: "pipe/chunk.go", Old: "time.AfterFunc(", New: "never("},
	{File: "pipe/chunk.go", Old: "	timer *time.Timer //", New: "	timer *noTimer //"},
	{File: "pipe/wait.go", Old: "time.AfterFunc(", New: "never("},
	{File: "internal/wait/stack.go", Old: "t.t = time.AfterFunc(d, f)", New: "panic(\"no timers\")"},
	{File: "pipe/lane.go", Old: "t := time.NewTimer(d)\n", New: "t := never(d, nil)\n"},
	{File: "pipe/run.go", Old: "// errEnded is", New: "type noTimer struct{ C chan time.Time }\n\nfunc never(time.Duration, func()) *noTimer { return new(noTimer) }\nfunc (*noTimer) Stop() bool { return true }\nfunc (*noTimer) Reset(time.Duration) bool { return true }\n\n// errEnded is"},
	{File: "pipe/run.go", Old: "	timer  *time.Timer //", New: "	timer  *noTimer //"},
}

func build(t testing.TB, changes []overlay.Change, faults [][]overlay.Change, flags ...string) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "scenes")
	if err := overlay.Build(root, dir, out, "./pipe/internal/scenes", "./pipe", changes, faults, flags...); err != nil {
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

// machines are the three with what a wake costs and takes there, as in par's scenes.
var machines = []string{
	"-machine=ring -wake=1.5us -latency=5us",
	"-machine=chiplet -wake=3us -latency=15us",
	"-machine=mesh -wake=16us -latency=100us",
}

// field returns the value of a field that the program prints.
func field(t testing.TB, out, name string) string {
	t.Helper()
	for f := range strings.FieldsSeq(out) {
		if n, v, _ := strings.Cut(f, "="); n == name {
			return v
		}
	}
	t.Fatalf("no %s in %s", name, out)
	return ""
}

// A run is in order and whole on any machine, and many processors are worth something.
// SCENES names a file to leave the program in, for people.
func TestGain(t *testing.T) {
	program := build(t, gate, nil)
	if to := os.Getenv("SCENES"); to != "" {
		data, err := os.ReadFile(program)
		if err == nil {
			err = os.WriteFile(to, data, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		procs int
		args  string
		least float64
	}{
		{1, "-elem=1us -items=20000", 0.97},
		{2, "-elem=1us -items=20000", 1.85},
		{8, "-elem=1us -items=50000", 6},
		{16, "-elem=10us -items=20000 -runs=3", 11},
		{64, "-elem=10us -items=50000 -runs=3", 30},
	} {
		args := machines[1] + " " + c.args
		out := run(t, program, c.procs, args)
		if gain, err := strconv.ParseFloat(field(t, out, "gain"), 64); err != nil || gain < c.least || strings.Contains(out, "error=") {
			t.Errorf("%d processors, %s: want a gain of %g\n%s", c.procs, args, c.least, out)
		}
	}
}

// TestRecord writes the table of the record. What memory lies where differs from process
// to process, and with it the figures, by some percent: nothing holds them to it.
func TestRecord(t *testing.T) {
	if !*update {
		t.Skip("-update writes record/simulated/pipe.md")
	}
	program := build(t, gate, nil)
	var b strings.Builder
	b.WriteString("Simulated, not measured: pipe's own code, on a machine whose steps have prices (internal/world). 100,000 items from a Range through one Map into a ForEach that takes 2 ns an item; gain is over the loop, median of three runs in one process; busy is the largest share of 100 µs in which the hottest cache line was on its way.\n\n`go test ./pipe/internal/scenes -run Record -update`\n\n")
	b.WriteString("| machine | processors | gain at 100 ns an item | busy | at 1 µs | busy | at 10 µs | busy |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, m := range machines {
		for _, procs := range []int{1, 2, 4, 8, 16, 64, 256} {
			name, _, _ := strings.Cut(strings.TrimPrefix(m, "-machine="), " ")
			fmt.Fprintf(&b, "| %s | %d |", name, procs)
			for _, elem := range []string{"100ns", "1us", "10us"} {
				out := run(t, program, procs, m+" -runs=3 -elem="+elem)
				fmt.Fprintf(&b, " %s | %s |", field(t, out, "gain"), field(t, out, "peak"))
			}
			b.WriteString("\n")
		}
	}
	file := filepath.Join("..", "..", "..", "record", "simulated", "pipe.md")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
