package lead_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/gopayoff/payoff/tool/fleet/internal/agent"
	"github.com/gopayoff/payoff/tool/fleet/internal/lead"
	"github.com/gopayoff/payoff/tool/fleet/internal/wire"
	"github.com/gopayoff/payoff/tool/internal/host"
)

// An instant answers at once, and counts its jobs.
type instant struct{ jobs *atomic.Int64 }

func (i instant) Put(_ context.Context, b host.Binary) (host.Binary, error) { return b, nil }

func (i instant) Run(_ context.Context, j host.Job) (host.Outcome, error) {
	return host.Outcome{Output: []byte(j.Args[0])}, nil
}

func (i instant) Probe(context.Context, host.Ask) (host.Probe, error) {
	return host.Probe{Procs: 2}, nil
}

func (i instant) Gone() bool { return false }

func (i instant) End() error { return nil }

// crowd starts machines in this process that answer at once.
func (w *world) crowd(tb testing.TB, n int, own string, trust []string) []atomic.Int64 {
	jobs := make([]atomic.Int64, n)
	ctx, stop := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for i := range n {
		f, key, err := open(ctx, w.dir, true, w.timing)
		if err != nil {
			tb.Fatal(err)
		}
		o := agent.Options{Dir: filepath.Join(own, strconv.Itoa(i)), Fleet: f, Key: key, Trust: trust, Quiet: true, Start: func(string) (agent.Worker, error) {
			jobs[i].Add(1)
			return instant{&jobs[i]}, nil
		}}
		all.Go(func() {
			defer f.Conn.Close()
			if err := agent.Run(ctx, o); err != nil {
				tb.Error(err)
			}
		})
	}
	tb.Cleanup(func() {
		stop()
		all.Wait()
	})
	return jobs
}

// BenchmarkJobs is a run of one step on one of many machines that answer at once: what the
// fleet itself costs. PAYOFF_FLEET_MACHINES says how many there are, 64 coordinators ask
// at once.
//
//	PAYOFF_FLEET_MACHINES=1000 go test -run='^$' -bench=Jobs -benchtime=100000x ./tool/fleet/internal/lead
func BenchmarkJobs(b *testing.B) {
	machines := 50
	if n, err := strconv.Atoi(os.Getenv("PAYOFF_FLEET_MACHINES")); err == nil && n > 0 {
		machines = n
	}
	w := serveWith(b, patient)
	_, key, err := open(b.Context(), w.dir, false, w.timing)
	if err != nil {
		b.Fatal(err)
	}
	public, err := key.PublicKey()
	if err != nil {
		b.Fatal(err)
	}
	own := b.TempDir()
	jobs := w.crowd(b, machines, own, []string{public})
	const coordinators = 64
	fleets := make([]*wire.Fleet, coordinators)
	for i := range fleets {
		if fleets[i], _, err = open(b.Context(), w.dir, false, w.timing); err != nil {
			b.Fatal(err)
		}
		defer fleets[i].Conn.Close()
	}
	waitAgents(b, fleets[0], machines)
	one := script("unused")
	var next atomic.Int64
	b.ResetTimer()
	var all sync.WaitGroup
	for _, f := range fleets {
		all.Go(func() {
			for next.Add(1) <= int64(b.N) {
				if err := oneJob(b.Context(), lead.Options{Fleet: f, Key: key}, one); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	b.StopTimer()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	least, most := int64(math.MaxInt64), int64(0)
	for i := range jobs {
		n := jobs[i].Load()
		if least, most = min(least, n), max(most, n); n == 0 && b.N > 20*machines { // it may be by chance in a shorter run
			name, err := os.ReadFile(filepath.Join(own, strconv.Itoa(i), "machine"))
			all, err2 := fleets[0].Agents(b.Context())
			at := slices.IndexFunc(all, func(a wire.Agent) bool { return a.Machine == string(name) })
			if err = errors.Join(err, err2); err != nil || at < 0 {
				b.Errorf("machine %s had no job, and is not listed: %v", name, err)
				continue
			}
			b.Errorf("machine %s had no job; it says that it has job %q", name, all[at].Job)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
	b.ReportMetric(float64(m.Sys)/(1<<20), "MB")
	b.ReportMetric(float64(least)*float64(machines)/float64(b.N), "least/mean")
	b.ReportMetric(float64(most)*float64(machines)/float64(b.N), "most/mean")
}

func oneJob(ctx context.Context, o lead.Options, binary host.Binary) error {
	r, err := lead.Begin(ctx, o)
	if err != nil {
		return err
	}
	b, err := r.Put(ctx, binary)
	if err == nil {
		var out host.Outcome
		if out, err = r.Run(ctx, job(b, r.Name())); err == nil && string(out.Output) != r.Name() {
			err = fmt.Errorf("%s got the answer of %s", r.Name(), out.Output)
		}
	}
	if e := r.End(ctx); err == nil {
		err = e
	}
	return err
}

// Many runs at once on many machines each get the answers to their own steps, and no
// machine does two at a time.
func TestMany(t *testing.T) {
	w := serveWith(t, patient)
	w.t = t
	_, key := w.fleet(false)
	public, err := key.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	jobs := w.crowd(t, 8, t.TempDir(), []string{public})
	var all sync.WaitGroup
	const coordinators, each = 6, 10
	for range coordinators {
		f, _ := w.fleet(false)
		all.Go(func() {
			for range each {
				if err := oneJob(t.Context(), lead.Options{Fleet: f, Key: key}, script("unused")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	total := int64(0)
	for i := range jobs {
		total += jobs[i].Load()
	}
	// A server has no more than a thousand queues for one stream: machines share theirs.
	f, _ := w.fleet(false)
	js, err := jetstream.New(f.Conn)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), "PAYOFF_JOBS")
	if err != nil {
		t.Fatal(err)
	}
	if n := s.CachedInfo().State.Consumers; n != 1 {
		t.Errorf("8 machines have %d queues of jobs, want one for all", n)
	}
	if total != coordinators*each {
		t.Errorf("the machines had %d jobs, want %d: one for each run", total, coordinators*each)
	}
}
