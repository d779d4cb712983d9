package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gopayoff/payoff/internal/plant"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

// A program is what these tests run: package par on the machine, with a fault or none.
type program struct {
	path  string
	fault int // -1: none
}

// A build is made once, by the test that needs it first.
type build struct {
	flags []string
	once  sync.Once
	dir   string
	err   error
}

// asItIs is the program, and racing the one that the race detector watches. Both can have
// each of the faults.
var asItIs, racing = &build{}, &build{flags: []string{"-race"}}

// program returns the program without a fault.
func (b *build) program(t testing.TB) program {
	t.Helper()
	b.once.Do(func() {
		root, err := filepath.Abs("../../..")
		if err == nil {
			b.dir, err = os.MkdirTemp("", "scenes")
		}
		if err == nil {
			err = overlay.Build(root, b.dir, filepath.Join(b.dir, "scenes"), "./par/internal/scenes", "./par", given, planted(), b.flags...)
		}
		b.err = err
	})
	if b.err != nil {
		t.Fatal(b.err)
	}
	return program{filepath.Join(b.dir, "scenes"), -1}
}

// given is what the code gives to scenes: a loop that is shared, as its caller does it
// and as a helper that has found it does.
//
// The counter of a simulated processor is its clock.
var given = []overlay.Change{{File: "internal/help/host.go", Old: "	Ticks:  ticks,\n",
	New: "	Ticks:  func() int64 { return int64(time.Since(epoch)) },\n"}, {File: "internal/help/host.go",
	Old: "	Preempted: preempted,\n", New: "	Preempted: shim_.Preempted,\n"}, {File: "par/internal/loop/share.go", Old: "// Ready is for a look to find out.\n", New: `
func init() {
	shim_.Given["loop"] = func(n int, body func(lo, hi int) bool) (call func() bool, helps func()) {
		l := newLoop(16, n, 0)
		s := newShared(0, n, 3, coarseElem, body)
		s.account = &l.site.account
		s.account.Bar() // or helpers would come, which find nothing
		return func() bool { return l.share(s) }, func() {
			w := help.NewWait(help.Clock())
			s.Help(&w.Helper)
			w.Settled()
		}
	}
	shim_.Given["lanes"] = func(left bool) (take func() any, all func() []any) {
		s := newShared(0, 100, 3, coarseElem, nil)
		if left {
			for range 2 {
				s.join()
				s.lane()
			}
			for i := range 2 {
				s.lanes[1+i].Load().owned.Store(false)
				s.leave(false)
			}
		}
		return func() any {
			s.join()
			return s.lane()
		}, func() []any { return []any{s.lanes[1].Load(), s.lanes[2].Load()} }
	}
	shim_.Given["flags"] = func() (set, clear, join func(), is func() (bool, bool, int)) {
		s := newShared(0, 100, 3, coarseElem, nil)
		s.set(parked)
		return func() { s.set(shut) }, func() { s.clear(parked) }, func() { s.state.Add(one + joined) }, func() (bool, bool, int) {
			state := s.state.Load()
			return state&shut != 0, state&parked != 0, helpers(state)
		}
	}
}

// Ready is for a look to find out.
`}}

// with returns the program with a fault, by its place in planted.
func (p program) with(fault int) program { return program{p.path, fault} }

// planted are the changes of faults and of harms.
func planted() (all [][]overlay.Change) {
	for _, f := range faults {
		all = append(all, []overlay.Change{f.change})
	}
	for _, h := range harms {
		all = append(all, h.changes)
	}
	return all
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, b := range []*build{asItIs, racing} {
		os.RemoveAll(b.dir)
	}
	os.Exit(code)
}

// run runs the program on a machine of so many processors. It has one of this
// machine, so that memory is handed out in the same order each time.
func (p program) run(procs int, args ...string) (out string, err error) {
	cmd := exec.Command(p.path, args...)
	cmd.Env = append(os.Environ(), fmt.Sprint("PAYOFF_WORLD_PROCS=", procs), "GOMAXPROCS=1",
		"GORACE=halt_on_error=1 atexit_sleep_ms=0",
		"PAYOFF_PAR=auto", // not what builds with -race do by default
		fmt.Sprint(plant.Env, "=", p.fault))
	text, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(text)), err
}

// TestBuild leaves the program where SCENES says, for people.
func TestBuild(t *testing.T) {
	to := os.Getenv("SCENES")
	if to == "" {
		t.Skip("SCENES names no file")
	}
	data, err := os.ReadFile((&build{flags: strings.Fields(os.Getenv("SCENEFLAGS"))}).program(t).path)
	if err == nil {
		err = os.WriteFile(to, data, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}
