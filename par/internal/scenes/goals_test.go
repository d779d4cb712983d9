package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/internal/world/orders"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

// played is what a scene came to, with a fault or none.
func played(t testing.TB, procs, fault int, scene string) orders.Outcome {
	t.Helper()
	return program.Play(t, procs, fault, "-scene "+scene)
}

// A goal is what a scene is to come to.
type goal struct {
	procs int
	scene string
	long  bool // takes more than a moment
	holds func(o orders.Outcome) string
}

// least wants a number to be that large.
func least(name string, want float64) func(o orders.Outcome) string {
	return func(o orders.Outcome) string {
		if got := o.Number(name); got < want {
			return fmt.Sprintf("%s is %v, want %v", name, got, want)
		}
		return ""
	}
}

// mean wants calls to take no longer in the mean.
func mean(most time.Duration) func(o orders.Outcome) string {
	return func(o orders.Outcome) string {
		if got := o.Time("mean"); got > most {
			return fmt.Sprintf("a call takes %v in the mean, want %v", got, most)
		}
		return ""
	}
}

// within wants all processors to have come by then.
func within(procs int, all time.Duration) func(o orders.Outcome) string {
	return func(o orders.Outcome) string {
		if o["came"] != strconv.Itoa(procs) || o.Time("all") > all {
			return fmt.Sprintf("%s processors came within %s, want %d within %v", o["came"], o["all"], procs, all)
		}
		return ""
	}
}

// few wants calls to have so many joins at most.
func few(joins int) func(o orders.Outcome) string {
	return func(o orders.Outcome) string {
		if got := int(o.Number("joins")); got < 0 || got > joins {
			return fmt.Sprintf("a call has %d joins, want %d at most", got, joins)
		}
		return ""
	}
}

// goals are what par is to reach. From 2 ms of work for each processor on, calls are
// to take no longer than 1/0.9 of what Go's gate allows: one woken thread after
// the other.
func goals() (all []goal) {
	for i, procs := range []int{2, 4, 8, 16, 64, 256} {
		for _, kind := range []string{"loop", "tree"} {
			for j, machine := range orders.Machines {
				short := kind == "loop" && j == 0 && i < 5 || kind == "tree" && j == 0 && i < 3
				scene := fmt.Sprintf("%s %s -work=%dms -elem=1us", kind, machine.Flags, 2*procs)
				all = append(all, goal{procs, scene, !short, least("ofbest", floor(procs, kind, machine.Name))})
			}
		}
	}
	for _, procs := range []int{2, 8, 64} {
		all = append(all,
			goal{procs, "sleep", procs > 8, least("atonce", float64(procs))},
			goal{procs, "callers -work=200us -elem=1us", procs > 8, least("throughput", 0.95)},
			goal{procs, "tick -work=20ms -elem=1us", procs > 8, least("ofbest", 0.9)},
			goal{procs, "brief -machine=mesh -wake=16us -latency=100us", procs > 2, least("kept", 0.97)})
	}
	for _, procs := range []int{2, 8, 64} {
		for _, kind := range []string{"reduce", "fold"} {
			all = append(all, goal{procs, fmt.Sprintf("%s -work=%dms -elem=1us", kind, 10*procs), procs > 8, few(10 * procs)})
		}
	}
	return append(all,
		goal{64, "loop -work=128ms -elem=1us", false, within(64, 500*time.Microsecond)},
		goal{256, "loop -work=512ms -elem=1us", true, within(256, 2*time.Millisecond)},
		goal{64, "tree -work=128ms -elem=1us", true, within(64, 500*time.Microsecond)},
		goal{256, "tree -work=512ms -elem=1us", true, within(256, 2*time.Millisecond)})
}

// floor is the least share of what Go's gate allows: 0.9, but for those who do not
// reach it. They are here so that they do not get worse.
func floor(procs int, kind, machine string) float64 {
	if f, ok := floors[fmt.Sprintf("%s %s %d", kind, machine, procs)]; ok {
		return f
	}
	return 0.9
}

var floors = map[string]float64{
	"tree ring 256": 0.75, "tree chiplet 64": 0.88, "tree chiplet 256": 0.78,
}

// TestGoals holds package par to its goals, on machines of up to 256 processors.
func TestGoals(t *testing.T) {
	for _, g := range goals() {
		if g.long && !stress.Long() {
			continue
		}
		t.Run(fmt.Sprintf("%d %s", g.procs, g.scene), func(t *testing.T) {
			t.Parallel()
			o := played(t, g.procs, orders.None, g.scene)
			if wrong := g.holds(o); wrong != "" {
				t.Errorf("%s; seed %s", wrong, o["seed"])
			}
			// What 256 processors pay from is the one line of a tree that all write.
			if peak := o.Number("peak"); peak > 0.9 && !(o["scene"] == "tree" && g.procs == 256) {
				t.Errorf("a cache line is on its way for %v of the time: %s", peak, o["line"])
			}
		})
	}
}

// TestBeside: beside goroutines that sleep and wake, and beside such that compute,
// a call takes no longer than a loop on goroutines of one's own, or than plain code.
func TestBeside(t *testing.T) {
	for _, c := range []struct{ scene, than string }{
		{"tick", "tickplain"}, {"busy", "busyserial"},
	} {
		for _, procs := range []int{2, 8, 64} {
			const args = " -work=15ms -elem=1us -calls=9"
			ours, other := played(t, procs, orders.None, c.scene+args), played(t, procs, orders.None, c.than+args)
			if a, b := ours.Time("took"), other.Time("took"); float64(a) > 1.1*float64(b) {
				t.Errorf("%d processors: %s takes %v, %s %v; seed %s", procs, c.scene, a, c.than, b, ours["seed"])
			}
		}
	}
}

// TestBusyMachine: where other processes have processors of the machine, or there are
// fewer of them than GOMAXPROCS says, calls take hardly longer in the mean than plain
// code, wherever the system has put the threads of the program.
func TestBusyMachine(t *testing.T) {
	seeds := 3
	if stress.Long() {
		seeds = 20
	}
	for _, beside := range busyMachines {
		t.Run(beside, func(t *testing.T) {
			t.Parallel()
			var ours, serial time.Duration
			for seed := range seeds {
				args := fmt.Sprintf(" %s -seed=%d %s", busyCalls, seed+1, beside)
				ours += played(t, 2, orders.None, "loop"+args).Time("mean")
				serial += played(t, 2, orders.None, "serial"+args).Time("mean")
			}
			t.Logf("serial %v, with par %v: %.2f", serial, ours, float64(serial)/float64(ours))
			if ours > serial*21/20 {
				t.Errorf("with par a call takes %v in the mean, without %v", ours/time.Duration(seeds), serial/time.Duration(seeds))
			}
		})
	}
}

// busyCalls are of loops of 1.7 ms, one after the other.
const busyCalls = "-machine=here -latency=50us -work=1700us -elem=1us -calls=200 -rest=0s"

// busyMachines are on which processors of a machine the threads of the program are, and
// busy processes.
var busyMachines = []string{
	"-on=0,1 -hogs=0,1", // each thread beside one
	"-on=0,0 -hogs=1,1", // the program has one processor
	"-on=0,0",           // the same, in a container
	"-on=0,0 -hogs=0",
	"-on=0,1 -hogs=1",
}

// TestSame: a scene comes out the same each time.
func TestSame(t *testing.T) {
	for _, scene := range []string{"loop", "tree"} {
		scene += " -work=4ms -elem=1us"
		a, b := played(t, 16, orders.None, scene)["printed"], played(t, 16, orders.None, scene)["printed"]
		if a != b {
			t.Errorf("two runs differ:\n%s\n%s", a, b)
		}
	}
}

// harms are planted in what goals are about.
var harms = []struct {
	name    string
	changes []overlay.Change
	procs   int
	scene   string
	goal    func(o orders.Outcome) string
}{
	{"what is woken last runs next, after a sleep", []overlay.Change{{File: "internal/help/host.go",
		Old: "\tgo gate.Unlock()\n", New: "\tgate.Unlock()\n"}},
		8, "loop -work=16ms -elem=1us", within(8, 60*time.Microsecond)},
	{"only callers wake", []overlay.Change{{File: "internal/help/sched.go",
		Old: "if want <= 0 || !payer.MayWake()", New: "if want <= 0 || s.helpers.Load() > 0 || !payer.MayWake()"}},
		16, "loop -work=32ms -elem=1us", least("ofbest", 0.9)},
	{"all count small parts in one word", []overlay.Change{
		{File: "par/internal/loop/lane.go", Old: "size := min(max(n/4, least), most, n)",
			New: "size := min(max(n/4, least), most, n, 4)\n\t\tallParts.Add(1)"},
		{File: "par/internal/loop/lane.go", Old: "func (ln *lane) halve(",
			New: "var allParts atomic.Int64\n\nfunc (ln *lane) halve("}},
		64, "loop -work=128ms -elem=200ns", least("ofbest", 0.9)},
	{"a helper in the place of its caller counts as gained", []overlay.Change{{File: "par/internal/loop/loop.go",
		Old: "l.waited += l.away(taken)", New: "l.away(taken)"}},
		2, "loop " + busyCalls + " -on=0,0", mean(1785 * time.Microsecond)},
}

// TestGoalsFail: what is planted makes goals fail.
func TestGoalsFail(t *testing.T) {
	for i, h := range harms {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			if wrong := h.goal(played(t, h.procs, orders.None, h.scene)); wrong != "" {
				t.Errorf("without a fault: %s", wrong)
			}
			if h.goal(played(t, h.procs, len(faults)+i, h.scene)) == "" {
				t.Error("the goal is reached all the same")
			}
		})
	}
}

const record = "../../../record/2026-11-22-epyc-2cpu/par-world"

// TestRecord writes the record where PAYOFF_RECORD is set: what comes of loops and
// trees of all sizes. Each figure is by how much a call is faster than on one
// processor, and what part that is of what Go's gate allows.
func TestRecord(t *testing.T) {
	if os.Getenv("PAYOFF_RECORD") == "" {
		t.Skip("PAYOFF_RECORD is not set")
	}
	const head = "| machine | call | P = 2 | 4 | 8 | 16 | 64 | 256 |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
	raw := "$ PAYOFF_RECORD=1 go test ./par/internal/scenes -run Record\n\n"
	all, large := head, head
	for _, machine := range orders.Machines {
		for _, kind := range []string{"loop", "tree"} {
			for _, work := range []string{"100us", "1ms", "10ms", "100ms", "2ms × P"} {
				row := fmt.Sprintf("| %s | %s of %s |", machine.Name, kind, strings.NewReplacer("us", " µs", "ms", " ms").Replace(work))
				for _, procs := range []int{2, 4, 8, 16, 64, 256} {
					w := work
					if w == "2ms × P" {
						w = fmt.Sprint(2*procs, "ms")
					}
					o := played(t, procs, orders.None, fmt.Sprintf("%s %s -work=%s -elem=1us", kind, machine.Flags, w))
					raw += o["printed"] + "\n"
					row += fmt.Sprintf(" %s (%.2f) |", short(o.Number("gain")), o.Number("ofbest"))
				}
				all += row + "\n"
				if strings.HasSuffix(work, "P") {
					large += row + "\n"
				}
			}
		}
	}
	for name, text := range map[string]string{".md": large, "-all.md": all, ".txt": raw} {
		if err := os.WriteFile(record+name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func short(f float64) string {
	if f >= 10 {
		return fmt.Sprintf("%.0f", f)
	}
	return fmt.Sprintf("%.1f", f)
}
