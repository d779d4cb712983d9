package lead_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/fleet/internal/agent"
	"github.com/gopayoff/payoff/tool/fleet/internal/hub"
	"github.com/gopayoff/payoff/tool/fleet/internal/wire"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/host/plug"
)

// machineProcess starts an agent as a process, and returns what kills it.
func machineProcess(w *world, dir string) func() {
	cmd, _ := w.process(part{Hub: w.dir, Agent: dir}, "")
	return func() {
		syscall.Kill(cmd.Process.Pid, syscall.SIGKILL)
		cmd.Wait()
	}
}

// An agent that is killed in mid-job and comes back goes on with the step that it was
// at: the run sees nothing of it. Nothing that it had started runs on.
func TestAgentKilled(t *testing.T) {
	w := serve(t)
	dir := filepath.Join(folder(t), "agent")
	kill := machineProcess(w, dir)
	r := w.begin("")
	if o, err := runs(t, r, "echo before"); err != nil || string(o.Output) != "before\n" {
		t.Fatalf("%q, %v", o.Output, err)
	}
	hang, err := r.Put(t.Context(), script(`sleep 1.25; echo done`))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	var o host.Outcome
	go func() {
		var err error
		o, err = r.Run(t.Context(), job(hang))
		done <- err
	}()
	pid := waitFor(t, func() int { return running("sleep\x001.25") })
	kill()
	if !waitGone(pid) {
		t.Errorf("process %d of the job runs on without its agent", pid)
	}
	machineProcess(w, dir)
	if err := <-done; err != nil || string(o.Output) != "done\n" {
		t.Errorf("the step that was being done: %q, %v; want it done again", o.Output, err)
	}
	if o, err := runs(t, r, "echo after"); err != nil || string(o.Output) != "after\n" {
		t.Errorf("the next step: %q, %v", o.Output, err)
	}
	if left, _ := os.ReadDir(filepath.Join(dir, "jobs")); len(left) != 1 {
		t.Errorf("%v lie in the agent's folder, want that of the job alone", left)
	}
}

// running is a process whose command line begins so; 0 if there is none.
func running(line string) int {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range all {
		text, err := os.ReadFile(f)
		if err == nil && strings.HasPrefix(string(text), line) {
			pid := 0
			fmt.Sscanf(f, "/proc/%d/", &pid)
			return pid
		}
	}
	return 0
}

func waitFor(t testing.TB, there func() int) int {
	t.Helper()
	for until := time.Now().Add(30 * time.Second); time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
		if x := there(); x != 0 {
			return x
		}
	}
	t.Fatal("what was waited for did not come in half a minute")
	return 0
}

// waitGone reports whether a process ends within half a minute.
func waitGone(pid int) bool {
	for until := time.Now().Add(30 * time.Second); time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(text), ") Z ") {
			return true
		}
	}
	return false
}

// A folder is one agent's: two would be one machine that measures twice at once.
func TestOneFolder(t *testing.T) {
	w := serve(t)
	dir, _ := w.machine()
	f, key := w.fleet(true)
	waitAgents(t, f, 1)
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
	defer stop()
	if err := agent.Run(ctx, agent.Options{Dir: dir, Fleet: f, Key: key, Quiet: true}); err == nil || !strings.Contains(err.Error(), "is another agent's") {
		t.Errorf("a second agent in %s: %v, want an error", dir, err)
	}
}

// Where another machine takes the job of one that died, the run ends: what was measured
// is not continued elsewhere.
func TestMoved(t *testing.T) {
	w := serve(t)
	kill := machineProcess(w, filepath.Join(folder(t), "one"))
	r := w.begin("")
	if _, err := runs(t, r, "echo 1"); err != nil {
		t.Fatal(err)
	}
	first := r.Machine().Machine
	kill()
	w.machine()
	if o, err := runs(t, r, "echo 2"); !errors.Is(err, plug.ErrMoved) {
		t.Errorf("machine %s is gone and %s has the job: %q, %v; want ErrMoved", first, r.Machine().Machine, o.Output, err)
	}
	if o, err := runs(t, r, "echo 3"); !errors.Is(err, plug.ErrMoved) {
		t.Errorf("after that: %q, %v; want ErrMoved again", o.Output, err)
	}
}

// A coordinator that is killed and comes back under its name gets what was answered, on
// the same machine, and goes on from there: no step is done twice.
func TestCoordinatorKilled(t *testing.T) {
	w := serve(t)
	w.machine()
	const steps = 30
	one, out := w.process(part{Hub: w.dir, Coordinator: "nightly", Steps: steps}, "10/")
	one.Process.Kill()
	one.Wait()
	before := out.all()
	_, out = w.process(part{Hub: w.dir, Coordinator: "nightly", Steps: steps}, "all")
	answers := strings.Fields(out.await(t, "all"))[1:]
	if wrong := whole(append([]string{}, answers...), steps); wrong != "" {
		t.Error(wrong)
	}
	for i, b := range before {
		if i < len(answers) && answers[i] != b {
			t.Errorf("answer %d was %q and is %q", i, b, answers[i])
		}
	}
}

// Two coordinators cannot have one name, and one of another key never gets it.
func TestSameName(t *testing.T) {
	w := serve(t)
	w.machine()
	w.machine()
	w.begin("run=mine")
	if _, err := w.tryBegin("run=mine"); !errors.Is(err, wire.ErrTaken) {
		t.Errorf("a second coordinator of that name: %v, want ErrTaken", err)
	}
	f, _ := w.fleet(false)
	other, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	public, err := other.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.Claim(t.Context(), "mine", wire.Claim{Key: public}); !errors.Is(err, wire.ErrTaken) || !strings.Contains(err.Error(), "another key") {
		t.Errorf("one with another key: %v, want ErrTaken by its key", err)
	}
}

// A server that is killed in mid-job comes back from its disk, and the run goes on.
func TestServerKilled(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	l.Close()
	w := &world{t: t, dir: t.TempDir()}
	server, _ := w.process(part{Hub: w.dir, Listen: at}, "ready")
	_, end := w.machine()
	r := w.begin("")
	const steps = 40
	killed := false
	answers, err := counted(t.Context(), r, steps, func(s string) {
		if strings.HasPrefix(s, "15/") && !killed {
			killed = true
			server.Process.Kill()
			server.Wait()
			w.process(part{Hub: w.dir, Listen: at}, "ready")
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if wrong := whole(answers, steps); wrong != "" {
		t.Error(wrong)
	}
	if err := r.End(t.Context()); err != nil {
		t.Error(err)
	}
	end() // while there is a server
}

// A job that comes twice is one: the machine that has the copy finds nobody who wants it,
// and gives it up.
func TestDuplicate(t *testing.T) {
	w := serveWith(t, patient) // another machine would take what stands still
	w.t = t
	w.machine()
	r := w.begin("")
	var seen []byte
	f, key := w.fleet(false)
	j := wire.Job{ID: r.Name(), Kind: r.Machine().Kind, Epoch: r.Epoch()}
	seen, err := wire.SealJob(key, j)
	if err != nil {
		t.Fatal(err)
	}
	_, end := w.machine()
	if err := f.PutCopy(t.Context(), j, seen); err != nil {
		t.Fatal(err)
	}
	answers, err := counted(t.Context(), r, 20, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	if wrong := whole(answers, 20); wrong != "" {
		t.Error(wrong)
	}
	end()
}

// Who has no key, or one that the server does not have, is not let in; an agent cannot
// say what a coordinator says, nor the other way round.
func TestStrangers(t *testing.T) {
	w := serve(t)
	url, err := hub.URL(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	if nc, err := nats.Connect(url); err == nil {
		nc.Close()
		t.Error("one without a key was let in")
	}
	stranger, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	if nc, err := wire.Connect(wire.Access{URL: url, Key: stranger}); err == nil {
		nc.Close()
		t.Error("one with a key that the server does not have was let in")
	}
	for _, tt := range []struct {
		agent   bool
		subject string
	}{
		{true, "payoff.job.kind.any"}, {true, "payoff.step.run"}, {true, "$KV.payoff-claims.run"}, {true, "$JS.API.STREAM.PURGE.PAYOFF_OUTS"}, {true, "$JS.API.STREAM.DELETE.PAYOFF_JOBS"},
		{false, "payoff.out.run.machine.key"}, {false, "payoff.lease.run"}, {false, "$KV.payoff-agents.machine"}, {false, "$JS.API.STREAM.DELETE.PAYOFF_OUTS"}, {false, "$JS.API.CONSUMER.MSG.NEXT.PAYOFF_JOBS.x"},
	} {
		refused := make(chan error, 8)
		file, other, _ := hub.Keys(w.dir)
		if !tt.agent {
			file = other
		}
		key, err := wire.LoadKey(file)
		if err != nil {
			t.Fatal(err)
		}
		nc, err := wire.Connect(wire.Access{URL: url, Key: key}, nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err }))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(nc.Publish(tt.subject, []byte("{}")), nc.Flush()); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-refused:
			if !errors.Is(err, nats.ErrPermissionViolation) {
				t.Errorf("agent %v at %s: %v, want a violation of permissions", tt.agent, tt.subject, err)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("agent %v may say something at %s", tt.agent, tt.subject)
		}
		nc.Close()
	}
	if _, err := hub.Start(hub.Options{Dir: t.TempDir(), Listen: "0.0.0.0:0"}); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a server for others without a certificate: %v, want an error", err)
	}
}

// A machine runs nothing that is not signed by a key that it trusts, and within a job
// nothing that another key signed, be it trusted as well: a job's name can be known to
// others.
func TestSignatures(t *testing.T) {
	w := serve(t)
	var friend nkeys.KeyPair
	ran := filepath.Join(folder(t), "ran")
	w.machine(func(o *agent.Options) {
		friend, _ = nkeys.CreateUser()
		public, _ := friend.PublicKey()
		o.Trust = append(o.Trust, public)
	})
	f, own := w.fleet(false)
	all := waitAgents(t, f, 1)
	stranger, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	j := wire.Job{ID: "foreign", Kind: all[0].Kind, Epoch: 1}
	taken, err := f.Conn.SubscribeSync(wire.LeaseSubject(j.ID))
	if err != nil {
		t.Fatal(err)
	}
	for name, forge := range map[string]func() []byte{
		"of a stranger": func() []byte { return must(wire.SealJob(stranger, j)) },
		"changed":       func() []byte { return change(t, must(wire.SealJob(own, j))) },
		"of another kind of message": func() []byte {
			return must(wire.SealStep(own, wire.Step{Job: "foreign"}))
		},
	} {
		sequence, err := f.PutJob(t.Context(), wire.Job{ID: strings.ReplaceAll(name, " ", "-"), Kind: j.Kind, Epoch: 1}, forge())
		if err != nil {
			t.Fatal(err)
		}
		waitFor(t, func() int { // until it was refused
			if wanted, err := f.Wanted(t.Context(), sequence); err == nil && !wanted {
				return 1
			}
			return 0
		})
		if n, _, err := taken.Pending(); err != nil || n > 0 {
			t.Errorf("a job %s was taken (%v)", name, err)
			taken.NextMsg(time.Second)
		}
	}
	r := w.begin("")
	b, err := r.Put(t.Context(), script("touch "+ran))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Probe(t.Context(), host.Ask{}); err != nil {
		t.Fatal(err)
	}
	image, _, err := f.PutBlob(t.Context(), script("sleep 0; echo stolen").Image)
	if err != nil {
		t.Fatal(err)
	}
	x := job(b)
	step := wire.Step{Job: r.Name(), Epoch: r.Epoch(), Machine: r.Machine().Machine, Key: "stolen", Run: &x, Binary: &wire.Binary{OS: "linux", Image: image}}
	for name, data := range map[string][]byte{
		"another trusted key": must(wire.SealStep(friend, step)),
		"a stranger's key":    must(wire.SealStep(stranger, step)),
		"changed":             change(t, must(wire.SealStep(own, step))),
	} {
		if err := errors.Join(f.Conn.Publish(wire.StepSubject(r.Name()), data), f.Conn.Flush()); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Probe(t.Context(), host.Ask{}); err != nil { // which comes after it
			t.Fatal(err)
		}
		if out, err := f.GetOut(t.Context(), r.Name(), step.Machine, "stolen"); err != nil || out != nil {
			t.Errorf("%s: the step was done: %s (%v)", name, out, err)
		}
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("what another key signed has run")
	}
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

// change changes what a message says, to what means the same, and leaves its signature.
func change(t *testing.T, data []byte) []byte {
	t.Helper()
	var m struct {
		Key       string
		Sig, Body []byte
	}
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	m.Body = append([]byte(" "), m.Body...)
	return must(json.Marshal(m))
}

func waitAgents(t testing.TB, f *wire.Fleet, n int) (all []wire.Agent) {
	t.Helper()
	waitFor(t, func() int {
		var err error
		if all, err = f.Agents(t.Context()); err == nil && len(all) >= n {
			return 1
		}
		return 0
	})
	return all
}

// The ledger: of a run in which agents, coordinators and the server are killed again and
// again, at random moments, each step is answered once, in order, on one machine, by no
// stranger. PAYOFF_LONG kills 1,000 times.
func TestLedger(t *testing.T) {
	kills := 6
	if os.Getenv("PAYOFF_LONG") != "" {
		kills = 1000
	}
	rng := rand.New(rand.NewPCG(stress.Seed(t), 0))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	l.Close()
	w := &world{t: t, dir: t.TempDir()}
	server, _ := w.process(part{Hub: w.dir, Listen: at}, "ready")
	dir := filepath.Join(folder(t), "agent")
	kill := machineProcess(w, dir)
	const steps = 12
	run, finished := 0, 0
	name := func() string { return fmt.Sprintf("run-%d", run) }
	lead, out := w.process(part{Hub: w.dir, Coordinator: name(), Steps: steps}, "")
	check := func() bool {
		for _, s := range out.all() {
			if rest, ok := strings.CutPrefix(s, "all "); ok {
				if wrong := whole(strings.Fields(rest), steps); wrong != "" {
					t.Errorf("%s, after %d kills: %s", name(), kills, wrong)
				}
				return true
			}
		}
		return false
	}
	for range kills {
		time.Sleep(time.Duration(rng.IntN(1200)) * time.Millisecond)
		if check() {
			finished++
			run++
			lead, out = w.process(part{Hub: w.dir, Coordinator: name(), Steps: steps}, "0/")
		}
		switch rng.IntN(3) {
		case 0:
			kill()
			kill = machineProcess(w, dir)
		case 1:
			lead.Process.Kill()
			lead.Wait()
			if check() {
				run++
			}
			lead, out = w.process(part{Hub: w.dir, Coordinator: name(), Steps: steps}, "")
		case 2:
			server.Process.Kill()
			server.Wait()
			server, _ = w.process(part{Hub: w.dir, Listen: at}, "ready")
		}
	}
	out.await(t, "all")
	check()
	t.Logf("%d runs came to their end among %d kills", finished+1, kills)
}
