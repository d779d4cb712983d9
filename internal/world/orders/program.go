package orders

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/plant"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

// A Program is the scenes of a package, built for the machine when a test needs it first.
type Program struct {
	Package string             // from the module's root: ./queue, with its scenes in ./queue/internal/scenes
	Changes []overlay.Change   // of what it is built from
	Faults  [][]overlay.Change // of which each run has one, by its place, or none
	Procs   int                // that the package sees where orders are explored; 0: 1
	Race    bool               // with the race detector

	once sync.Once
	path string
	err  error
}

// None is the fault of a run that has none.
const None = -1

// dirs are where programs lie, which Main removes: more than one test runs one.
var (
	mu   sync.Mutex
	dirs []string
	main bool
)

// Main is the TestMain of a package with scenes.
func Main(m *testing.M) {
	main = true
	code := m.Run()
	for _, dir := range dirs {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// built returns where the program is. Where SCENES names a file it is also left there,
// for people.
func (p *Program) built(t testing.TB) string {
	t.Helper()
	p.once.Do(func() { p.path, p.err = p.build() })
	if p.err != nil {
		t.Fatal(p.err)
	}
	return p.path
}

func (p *Program) build() (path string, err error) {
	if !main {
		return "", fmt.Errorf("TestMain is to call orders.Main")
	}
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "scenes")
	if err != nil {
		return "", err
	}
	mu.Lock()
	dirs = append(dirs, dir)
	mu.Unlock()
	var flags []string
	if p.Race {
		flags = append(flags, "-race")
	}
	path = filepath.Join(dir, "scenes")
	if err := overlay.Build(root, dir, path, p.Package+"/internal/scenes", p.Package, p.Changes, p.Faults, flags...); err != nil {
		return "", err
	}
	if to := os.Getenv("SCENES"); to != "" {
		data, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		return path, os.WriteFile(to, data, 0o755)
	}
	return path, nil
}

// Leave leaves the program where SCENES says.
func (p *Program) Leave(t *testing.T) {
	if os.Getenv("SCENES") == "" {
		t.Skip("SCENES names no file")
	}
	p.built(t)
}

// Run runs it with a fault on a machine of so many processors, and returns what it
// printed. It has one processor of this machine, so that memory is handed out in the same
// order each time.
func (p *Program) Run(t testing.TB, procs, fault int, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(p.built(t), args...)
	cmd.Env = append(os.Environ(), fmt.Sprint("PAYOFF_WORLD_PROCS=", procs), "GOMAXPROCS=1",
		"GORACE=halt_on_error=1 atexit_sleep_ms=0",
		"PAYOFF_PAR=auto", // not what builds with -race do by default
		fmt.Sprint(plant.Env, "=", fault))
	text, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(text)), err
}

// An Outcome is the fields that a program printed, by name.
type Outcome map[string]string

// Play runs what takes a time. The test fails where that does.
func (p *Program) Play(t testing.TB, procs, fault int, args string) Outcome {
	t.Helper()
	out, err := p.Run(t, procs, fault, strings.Fields(args)...)
	o := Outcome{"printed": out}
	for field := range strings.FieldsSeq(out) {
		name, value, _ := strings.Cut(field, "=")
		o[name] = value
	}
	if err != nil || o["error"] != "" {
		t.Fatalf("%d processors, %s: %v\n%s", procs, args, err, out)
	}
	return o
}

// Number returns a field that is a number, or a time in µs; -1 where there is none.
func (o Outcome) Number(name string) float64 {
	if d, err := time.ParseDuration(o[name]); err == nil {
		return float64(d) / 1e3
	}
	f, err := strconv.ParseFloat(o[name], 64)
	if err != nil {
		return -1
	}
	return f
}

// Time returns a field that is a time; an hour where there is none.
func (o Outcome) Time(name string) time.Duration {
	d, err := time.ParseDuration(o[name])
	if err != nil {
		return time.Hour
	}
	return d
}

// Machines are the three of package world, by name, as flags say them: with what a wake
// costs and takes there.
var Machines = []struct{ Name, Flags string }{
	{"ring", "-machine=ring -wake=1.5us -latency=5us"},
	{"chiplet", "-machine=chiplet -wake=3us -latency=15us"},
	{"mesh", "-machine=mesh -wake=16us -latency=100us"},
}

var update = flag.Bool("update", false, "write the record")

// Record returns the file of a record of what is simulated, and skips the test where
// that is not to be written. What memory lies where differs from process to process, and
// with it the figures, by some percent: nothing holds them to it.
func Record(t *testing.T, name string) string {
	if !*update {
		t.Skip("-update writes record/simulated/" + name)
	}
	return filepath.Join("..", "..", "..", "record", "simulated", name)
}

// Write writes a record.
func Write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Planted are what faults change, and more.
func Planted(faults []Fault, more ...[]overlay.Change) (all [][]overlay.Change) {
	for _, f := range faults {
		all = append(all, append([]overlay.Change{f.Change}, f.With...))
	}
	return slices.Concat(all, more)
}
