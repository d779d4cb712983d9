package lead_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nkeys"

	"github.com/gopayoff/payoff/tool/fleet/internal/agent"
	"github.com/gopayoff/payoff/tool/fleet/internal/hub"
	"github.com/gopayoff/payoff/tool/fleet/internal/lead"
	"github.com/gopayoff/payoff/tool/fleet/internal/wire"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/turn"
)

// A fleet for tests listens to this machine, and gives a sign of life ten times as often:
// what is waited for is shorter, and no outcome depends on it.
var timing = wire.Timing{Beat: 100 * time.Millisecond}

// partEnv makes a process of this test binary a part of a fleet, which tests can kill.
const partEnv = "PAYOFF_FLEET_TEST"

// A part says which.
type part struct {
	Hub, Agent  string // folders
	Listen      string
	Coordinator string // of the hub, with a run of this name
	Steps       int    // of it
	Cert, Key   string // files of the server's certificate
	URL         string // of the server, where that is not what its folder says
	Relay       bool   // a slow line to it
	Await       int    // as many machines
}

func TestMain(m *testing.M) {
	if is, err := agent.Work(); is {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Setenv(turn.Env, "off") // several agents share this machine
	if text := os.Getenv(partEnv); text != "" {
		var p part
		err := json.Unmarshal([]byte(text), &p)
		if err == nil {
			err = p.run()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func (p part) run() error {
	ctx := context.Background()
	switch {
	case p.Relay:
		return relay()
	case p.Await > 0:
		f, _ := p.mustOpen(ctx, false)
		for all, err := f.Agents(ctx); err != nil || len(all) < p.Await; all, err = f.Agents(ctx) {
			time.Sleep(timing.Beat)
		}
		fmt.Println("agents")
		return nil
	case p.Agent != "":
		return p.agent(ctx)
	case p.Coordinator != "":
		return p.coordinate(ctx)
	}
	if _, err := hub.Start(hub.Options{Dir: p.Hub, Listen: p.Listen, Cert: p.Cert, Key: p.Key, Timing: timing}); err != nil {
		return err
	}
	fmt.Println("ready")
	select {}
}

func (p part) agent(ctx context.Context) error {
	f, key := p.mustOpen(ctx, true)
	_, _, list := hub.Keys(p.Hub)
	trust, err := wire.ReadKeys(list)
	if err != nil {
		return err
	}
	return agent.Run(ctx, agent.Options{Dir: p.Agent, Fleet: f, Key: key, Trust: trust, Quiet: true, Limit: limits, Log: func(f string, args ...any) { fmt.Fprintf(os.Stderr, f+"\n", args...) }})
}

// coordinate does a run of as many steps, and says each answer.
func (p part) coordinate(ctx context.Context) error {
	f, key := p.mustOpen(ctx, false)
	wish, err := wire.ParseWish("run=" + p.Coordinator)
	if err != nil {
		return err
	}
	r, err := lead.Begin(ctx, lead.Options{Fleet: f, Key: key, Wish: wish, Notice: func(s string) { fmt.Fprintln(os.Stderr, s) }})
	if err != nil {
		return err
	}
	answers, err := counted(ctx, r, p.Steps, func(s string) { fmt.Println(s) })
	if err != nil {
		return err
	}
	fmt.Println("all", strings.Join(answers, " "))
	return r.End(ctx)
}

// mustOpen tries until there is a server: it may be the next to be killed.
func (p part) mustOpen(ctx context.Context, asAgent bool) (*wire.Fleet, nkeys.KeyPair) {
	for {
		f, key, err := openAt(ctx, p.URL, p.Cert, p.Hub, asAgent, timing)
		if err == nil {
			return f, key
		}
		fmt.Fprintln(os.Stderr, err)
		time.Sleep(timing.Beat)
	}
}

var limits = agent.Limits{Time: 20 * time.Second, Memory: 2 << 30, Output: 8 << 20, File: 64 << 20}

func open(ctx context.Context, dir string, asAgent bool, timing wire.Timing) (*wire.Fleet, nkeys.KeyPair, error) {
	return openAt(ctx, "", "", dir, asAgent, timing)
}

// openAt connects with the keys of a server's folder, at its address or another.
func openAt(ctx context.Context, url, ca, dir string, asAgent bool, timing wire.Timing) (*wire.Fleet, nkeys.KeyPair, error) {
	a, c, _ := hub.Keys(dir)
	if !asAgent {
		a = c
	}
	key, err := wire.LoadKey(a)
	if err != nil {
		return nil, nil, err
	}
	if url == "" {
		if url, err = hub.URL(dir); err != nil {
			return nil, nil, err
		}
	}
	nc, err := wire.Connect(wire.Access{URL: url, CA: ca, Key: key, Name: "test"})
	if err != nil {
		return nil, nil, err
	}
	f, err := wire.Open(ctx, nc, timing)
	return f, key, err
}

// A world is a server with its folder.
type world struct {
	t      *testing.T
	dir    string
	hub    *hub.Hub    // nil where it is a process of its own
	timing wire.Timing // of machines and coordinators; default: timing
}

// folder is one that the user of jobs can go through.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "fleet-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return dir
}

func serve(t *testing.T) *world {
	t.Helper()
	w := serveWith(t, timing)
	w.t = t
	return w
}

// patient is the timing where what stands still for a second must not be given up.
var patient = wire.DefaultTiming

func serveWith(tb testing.TB, timing wire.Timing) *world {
	tb.Helper()
	w := &world{dir: tb.TempDir(), timing: timing}
	var err error
	if w.hub, err = hub.Start(hub.Options{Dir: w.dir, Listen: "127.0.0.1:0", Timing: timing}); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(w.hub.Close)
	return w
}

// fleet connects as an agent or as a coordinator.
func (w *world) fleet(asAgent bool) (*wire.Fleet, nkeys.KeyPair) {
	w.t.Helper()
	f, key, err := open(w.t.Context(), w.dir, asAgent, cmp.Or(w.timing, timing))
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(f.Conn.Close)
	return f, key
}

// machine starts an agent in this process, which ends with the test or by end. It
// returns the agent's folder.
func (w *world) machine(change ...func(*agent.Options)) (dir string, end func()) {
	w.t.Helper()
	f, key := w.fleet(true)
	public, err := func() (string, error) { _, k := w.fleet(false); return k.PublicKey() }()
	if err != nil {
		w.t.Fatal(err)
	}
	o := agent.Options{Dir: filepath.Join(folder(w.t), "agent"), Fleet: f, Key: key, Trust: []string{public}, Quiet: true, Limit: limits, Log: w.t.Logf}
	for _, c := range change {
		c(&o)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- agent.Run(ctx, o) }()
	end = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			w.t.Errorf("agent: %v", err)
		}
		left, _ := os.ReadDir(filepath.Join(o.Dir, "jobs"))
		if len(left) > 0 {
			w.t.Errorf("the agent left %v of jobs", left)
		}
	})
	w.t.Cleanup(end)
	return o.Dir, end
}

// begin begins a run, which ends with the test.
func (w *world) begin(wish string) *lead.Run {
	w.t.Helper()
	r, err := w.tryBegin(wish)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
		defer stop()
		r.End(ctx)
	})
	return r
}

func (w *world) tryBegin(wish string) (*lead.Run, error) {
	w.t.Helper()
	f, key := w.fleet(false)
	x, err := wire.ParseWish(wish)
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(w.t.Context(), time.Minute)
	defer stop()
	return lead.Begin(ctx, lead.Options{Fleet: f, Key: key, Wish: x, Notice: func(s string) { w.t.Log(s) }})
}

// process starts a part of a fleet as a process of its own, and returns what it has
// printed up to a line that begins with until.
func (w *world) process(p part, until string) (*exec.Cmd, *lines) {
	w.t.Helper()
	return w.processBy(nil, p, until)
}

// processBy is process by a command that starts others.
func (w *world) processBy(command []string, p part, until string) (*exec.Cmd, *lines) {
	w.t.Helper()
	text, err := json.Marshal(p)
	if err != nil {
		w.t.Fatal(err)
	}
	command = append(slices.Clone(command), os.Args[0])
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), partEnv+"="+string(text))
	out := &lines{more: make(chan bool, 1)}
	cmd.Stdout, cmd.Stderr = out, &logged{t: w.t}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	if until != "" {
		out.await(w.t, until)
	}
	return cmd, out
}

// lines are what a process has printed.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan bool
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.more <- true:
	default:
	}
	return l.text.Write(p)
}

func (l *lines) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Split(strings.TrimSuffix(l.text.String(), "\n"), "\n")
}

// await waits for a line.
func (l *lines) await(t *testing.T, prefix string) string {
	t.Helper()
	for late := time.After(time.Minute); ; {
		for _, s := range l.all() {
			if strings.HasPrefix(s, prefix) {
				return s
			}
		}
		select {
		case <-l.more:
		case <-late:
			t.Fatalf("no line %q after a minute: %q", prefix, l.all())
		}
	}
}

type logged struct{ t *testing.T }

func (l *logged) Write(p []byte) (int, error) {
	l.t.Log(strings.TrimSuffix(string(p), "\n"))
	return len(p), nil
}

// script is a binary that is a script: no compiler is needed to test what runs it.
func script(text string) host.Binary {
	return host.Binary{OS: "linux", Image: []byte("#!/bin/sh\n" + text + "\n")}
}

func job(b host.Binary, args ...string) host.Job {
	return host.Job{Binary: b.ID, Args: args, Procs: 1, Timeout: 10 * time.Second}
}

// runs puts a script and runs it once.
func runs(t *testing.T, r *lead.Run, text string, args ...string) (host.Outcome, error) {
	t.Helper()
	b, err := r.Put(t.Context(), script(text))
	if err != nil {
		t.Fatal(err)
	}
	return r.Run(t.Context(), job(b, args...))
}

// counted does steps. Each answers with its number and a word that it never says again:
// what is done twice answers otherwise.
func counted(ctx context.Context, r *lead.Run, steps int, tell func(string)) (answers []string, err error) {
	b, err := r.Put(ctx, script(`echo "$1/$(cat /proc/sys/kernel/random/uuid)"; sleep 0.02`))
	if err != nil {
		return nil, err
	}
	for i := range steps {
		o, err := r.Run(ctx, job(b, fmt.Sprint(i)))
		if err != nil {
			return answers, err
		}
		s := fmt.Sprintf("%s@%s", strings.TrimSpace(string(o.Output)), r.Machine().Machine)
		answers = append(answers, s)
		tell(s)
	}
	return answers, nil
}

// whole says what is wrong with the answers of a run: each step once, in order, and all
// on one machine; "" if nothing is.
func whole(answers []string, steps int) string {
	if len(answers) != steps {
		return fmt.Sprintf("%d answers, want %d", len(answers), steps)
	}
	on := ""
	words := map[string]bool{}
	for i, a := range answers {
		said, machine, _ := strings.Cut(a, "@")
		step, word, _ := strings.Cut(said, "/")
		if words[word] {
			return fmt.Sprintf("answer %d, %q, is that of another step", i, a)
		}
		words[word] = true
		if on == "" {
			on = machine
		}
		if step != fmt.Sprint(i) || machine != on {
			return fmt.Sprintf("answer %d is %q, want step %d of machine %s", i, a, i, on)
		}
	}
	return ""
}
