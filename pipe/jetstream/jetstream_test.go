package jetstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/pipe"
	"github.com/gopayoff/payoff/pipe/jetstream/internal/embedded"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// start starts a server that ends with the test.
func start(t testing.TB) *embedded.Server {
	t.Helper()
	s, err := embedded.Start(t.TempDir(), -1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

func connect(t testing.TB, s *embedded.Server) *nats.Conn {
	t.Helper()
	nc, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// serve serves a stage in this process until the test ends, or the function is called
// that it returns, which waits for Serve.
func serve[T, U any](t testing.TB, s *embedded.Server, stage Stage[T, U], f func(ctx context.Context, v T) (U, error)) (stop func()) {
	t.Helper()
	nc := connect(t, s)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- stage.Serve(ctx, nc, f) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Serve(%s) = %v", stage.Name, err)
		}
	})
	t.Cleanup(stop)
	return stop
}

func dial[T, U any](t testing.TB, s *embedded.Server, stage Stage[T, U]) *Remote[T, U] {
	t.Helper()
	r, err := stage.Dial(t.Context(), connect(t, s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func TestMap(t *testing.T) {
	s := start(t)
	double := Stage[int, int]{Name: "double"}
	serve(t, s, double, func(_ context.Context, n int) (int, error) { return 2 * n, nil })
	far := dial(t, s, double)
	got, err := far.Map(pipe.Range(5000)).Collect(t.Context())
	if err != nil || len(got) != 5000 {
		t.Fatalf("%d results, %v", len(got), err)
	}
	for i, v := range got {
		if v != 2*i {
			t.Fatalf("result %d is %d, want %d: the order of the items", i, v, 2*i)
		}
	}
	// In no order, in a pipe with stages here, and twice at once.
	var runs sync.WaitGroup
	for range 2 {
		runs.Go(func() {
			odd := pipe.Filter(far.Map(pipe.Range(500)).Unordered(), func(n int) bool { return n%4 == 2 })
			sum, err := pipe.Reduce(t.Context(), odd, 0, func(a, v int) int { return a + v })
			if want := 2 * 250 * 250; err != nil || sum != want {
				t.Errorf("sum %d, %v, want %d", sum, err, want)
			}
		})
	}
	runs.Wait()
	st := far.Stats()
	if st.Items != 6000 || st.Messages == 0 || st.Messages >= 6000 || st.Processes != 1 || st.Hop <= 0 || st.Wait <= 0 {
		t.Errorf("stats %+v: want 6000 items in fewer messages, by one process", st)
	}
	if !strings.Contains(st.Verdict(), "does not pay") {
		t.Errorf("%q: doubling takes less than to send", st.Verdict())
	}
}

// What a pipe says of errors here holds for those from there.
func TestErrors(t *testing.T) {
	s := start(t)
	stage := Stage[string, int]{Name: "atoi"}
	var tries atomic.Int32
	serve(t, s, stage, func(_ context.Context, v string) (int, error) {
		switch v {
		case "panic":
			panic("it was asked for")
		case "exit":
			runtime.Goexit()
		case "later":
			if tries.Add(1) < 3 {
				return 0, errors.New("not yet")
			}
			return 7, nil
		}
		return strconv.Atoi(v)
	})
	far := dial(t, s, stage)
	got, err := far.Map(pipe.Slice([]string{"1", "2", "x", "4"})).Collect(t.Context())
	var at *pipe.Error
	var there *Error
	if !errors.As(err, &at) || at.Index != 2 || at.Item != "x" || at.Stage != "atoi" || !errors.As(err, &there) || there.Stage != "atoi" || !strings.Contains(there.Text, `parsing "x"`) || !slices.Equal(got, []int{1, 2}) {
		t.Errorf("got %v, %v: want 1, 2, and the error of item 2 with its text", got, err)
	}
	if got, err := far.Map(pipe.Slice([]string{"1", "x", "3"})).OnError(pipe.Skip).Collect(t.Context()); err != nil || !slices.Equal(got, []int{1, 3}) {
		t.Errorf("skipping: %v, %v", got, err)
	}
	if got, err := far.Map(pipe.Slice([]string{"later"})).Retry(3, time.Millisecond).Collect(t.Context()); err != nil || !slices.Equal(got, []int{7}) {
		t.Errorf("with retry: %v, %v", got, err)
	}
	if _, err := far.Do(t.Context(), "exit"); err == nil || !strings.Contains(err.Error(), "runtime.Goexit") {
		t.Errorf("Goexit: %v", err)
	}
	func() {
		defer func() {
			p, _ := recover().(*pipe.Panic)
			var there *Panic
			if !errors.As(p, &there) || !strings.HasPrefix(there.Text, "it was asked for\n\n") || !strings.Contains(there.Text, "jetstream_test.go") {
				t.Errorf("panicked with %v, want the value and the stack there", p)
			}
		}()
		_, err := far.Map(pipe.Slice([]string{"1", "panic"})).Collect(t.Context())
		t.Errorf("a panic there is error %v here", err)
	}()
	if got, err := far.Do(t.Context(), "5"); got != 5 || err != nil {
		t.Errorf("after all that: %d, %v", got, err)
	}
}

// A run that ends early waits for nothing, and Close takes back what was not begun.
func TestEnds(t *testing.T) {
	s := start(t)
	stage := Stage[int, int]{Name: "slow", Grace: time.Minute}
	begun, open := make(chan struct{}, 100), make(chan struct{})
	stop := serve(t, s, stage, func(ctx context.Context, n int) (int, error) {
		begun <- struct{}{}
		<-open
		return n, nil
	})
	far := dial(t, s, stage)
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		<-begun
		cancel(errors.New("enough"))
	}()
	if _, err := far.Map(pipe.Range(50)).Collect(ctx); err == nil || !strings.Contains(err.Error(), "enough") {
		t.Errorf("the end of a context: %v", err)
	}
	answered := make(chan error)
	go func() {
		_, err := far.Do(t.Context(), 1)
		answered <- err
	}()
	for { // until it is queued
		far.mu.Lock()
		n := len(far.calls)
		far.mu.Unlock()
		if n == 1 {
			break
		}
		runtime.Gosched()
	}
	if err := far.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if err := <-answered; !errors.Is(err, ErrClosed) {
		t.Errorf("a call when it is closed: %v", err)
	}
	if _, err := far.Do(t.Context(), 1); !errors.Is(err, ErrClosed) {
		t.Errorf("a call after it is closed: %v", err)
	}
	close(open)
	stop()
	left, err := far.js.Stream(t.Context(), stream("slow"))
	if err != nil {
		t.Fatal(err)
	}
	info, err := left.Info(t.Context(), jetstream.WithSubjectFilter(">"))
	if err != nil {
		t.Fatal(err)
	}
	// What had begun is answered when all is closed: the server lets it go by age.
	for subject, n := range info.State.Subjects {
		if subject != done("slow", far.id) || n > uint64(cap(begun)) {
			t.Errorf("%d messages of %s are left", n, subject)
		}
	}
}

// Two stages put together: results of the first go to the second without coming back,
// and errors of either have its name.
func TestThen(t *testing.T) {
	s := start(t)
	parse := Stage[string, int]{Name: "parse"}
	half := Stage[int, float64]{Name: "half"}
	serve(t, s, parse, func(_ context.Context, v string) (int, error) { return strconv.Atoi(v) })
	serve(t, s, half, func(_ context.Context, n int) (float64, error) {
		if n == 13 {
			return 0, errors.New("unlucky")
		}
		return float64(n) / 2, nil
	})
	both := dial(t, s, Then(parse, half))
	got, err := both.Map(pipe.Slice([]string{"1", "2", "3"})).Collect(t.Context())
	if err != nil || !slices.Equal(got, []float64{0.5, 1, 1.5}) {
		t.Errorf("got %v, %v", got, err)
	}
	for item, stage := range map[string]string{"x": "parse", "13": "half"} {
		var there *Error
		if _, err := both.Do(t.Context(), item); !errors.As(err, &there) || there.Stage != stage {
			t.Errorf("%q: %v, want an error of stage %s", item, err, stage)
		}
	}
}

// Items and results above half of a message go by reference, and leave nothing behind.
func TestLarge(t *testing.T) {
	s := start(t)
	twice := Stage[[]byte, []byte]{Name: "twice", In: Bytes, Out: Bytes}
	serve(t, s, twice, func(_ context.Context, b []byte) ([]byte, error) { return append(b, b...), nil })
	far := dial(t, s, twice)
	for _, n := range []int{0, 1, 300 << 10, 700 << 10, 3 << 20} {
		in := bytes.Repeat([]byte{'a', byte(n)}, n/2)
		if got, err := far.Do(t.Context(), in); err != nil || !bytes.Equal(got, append(in, in...)) {
			t.Errorf("%d bytes: got %d, %v", n, len(got), err)
		}
	}
	// Several in a message whose results do not fit into one.
	got, err := far.Map(pipe.Slice([][]byte{make([]byte, 200<<10), make([]byte, 210<<10), make([]byte, 220<<10)})).Collect(t.Context())
	if err != nil || len(got) != 3 || len(got[2]) != 440<<10 {
		t.Errorf("three: %d results, %v", len(got), err)
	}
	objects, err := far.js.ObjectStore(t.Context(), bucket("twice"))
	if err != nil {
		t.Fatal(err)
	}
	for range 100 { // removed by the other process when its message is through
		if list, err := objects.List(t.Context()); errors.Is(err, jetstream.ErrNoObjectsFound) {
			return
		} else if err != nil {
			t.Fatal(err)
		} else if len(list) == 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("objects stay in the store")
}

func TestReady(t *testing.T) {
	nc := connect(t, start(t))
	for _, c := range []struct {
		stage Stage[int, int]
		nc    *nats.Conn
		want  string
	}{
		{Stage[int, int]{}, nc, `stage "": a name has letters`},
		{Stage[int, int]{Name: "a.b"}, nc, `stage "a.b": a name has letters`},
		{Stage[int, int]{Name: "a"}, nil, "no connection"},
		{Stage[int, int]{Name: "a", Deliveries: -1}, nc, "are not negative"},
		{Then(Stage[int, int]{Name: "a"}, Stage[int, int]{Name: ">"}), nc, `stage ">"`},
	} {
		if _, err := c.stage.Dial(t.Context(), c.nc); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Dial of %q: %v, want %s", c.stage.named(), err, c.want)
		}
	}
	func() {
		defer func() {
			if p := fmt.Sprint(recover()); !strings.Contains(p, "serve each of its stages") {
				t.Errorf("Serve of Then: %s", p)
			}
		}()
		_ = Then(Stage[int, int]{Name: "a"}, Stage[int, int]{Name: "b"}).Serve(t.Context(), nc, func(context.Context, int) (int, error) { return 0, nil })
	}()
	nc.Close()
	if _, err := (Stage[int, int]{Name: "a"}).Dial(t.Context(), nc); !errors.Is(err, nats.ErrConnectionClosed) {
		t.Errorf("Dial over a closed connection: %v", err)
	}
}

// A message that is not ours is ended, and hurts nobody.
func TestForeign(t *testing.T) {
	s := start(t)
	stage := Stage[int, int]{Name: "inc"}
	serve(t, s, stage, func(_ context.Context, n int) (int, error) { return n + 1, nil })
	far := dial(t, s, stage)
	for _, data := range []string{"", "x", "\x01", "\x01\x01\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"} {
		for _, subject := range []string{work("inc", far.id), done("inc", far.id)} {
			if _, err := far.js.Publish(t.Context(), subject, []byte(data)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got, err := far.Do(t.Context(), 1); got != 2 || err != nil {
		t.Errorf("after them: %d, %v", got, err)
	}
}

// A server that restarts from its disk loses nothing, and both sides wait for it.
func TestRestart(t *testing.T) {
	dir := t.TempDir()
	s, err := embedded.Start(dir, -1)
	if err != nil {
		t.Fatal(err)
	}
	var port int
	if _, err := fmt.Sscanf(s.URL(), "nats://127.0.0.1:%d", &port); err != nil {
		t.Fatal(err)
	}
	stage := Stage[int, int]{Name: "neg", AckWait: time.Second}
	var calls atomic.Int64
	serve(t, s, stage, func(_ context.Context, n int) (int, error) {
		calls.Add(1)
		time.Sleep(time.Millisecond)
		return -n, nil
	})
	far := dial(t, s, stage)
	n := 0
	for v, err := range far.Map(pipe.Range(2000)).All(t.Context()) {
		if err != nil || v != -n {
			t.Fatalf("result %d is %d, %v", n, v, err)
		}
		if n++; n == 700 {
			s.Stop()
			if s, err = embedded.Start(dir, port); err != nil {
				t.Fatal(err)
			}
			defer s.Stop()
		}
	}
	if n != 2000 {
		t.Errorf("%d of 2000 results", n)
	}
	t.Logf("%d calls for 2000 items", calls.Load())
	if err := far.Close(); err != nil {
		t.Error(err)
	}
}

// A herd keeps processes alive that are killed.
type herd struct {
	self string
	env  []string
	mu   sync.Mutex
	all  []*os.Process
	over bool
	kept sync.WaitGroup
}

func (h *herd) keep(t *testing.T, n int) {
	h.all = make([]*os.Process, n)
	for i := range n {
		h.kept.Go(func() {
			for {
				cmd := exec.Command(h.self)
				cmd.Env = append(os.Environ(), h.env...)
				h.mu.Lock()
				if h.over {
					h.mu.Unlock()
					return
				}
				if err := cmd.Start(); err != nil {
					t.Error(err)
					h.over = true
				}
				h.all[i] = cmd.Process
				h.mu.Unlock()
				_ = cmd.Wait() // it was killed, or has exited
			}
		})
	}
}

func (h *herd) kill(i int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if p := h.all[i]; p != nil {
		_ = p.Kill() // it may have ended by itself
	}
}

func (h *herd) end() {
	h.mu.Lock()
	h.over = true
	h.mu.Unlock()
	for i := range h.all {
		h.kill(i)
	}
	h.kept.Wait()
}

// Processes are killed at random. No item is lost, none comes out twice, and errors and
// results are those of a run here. An item that kills its process is ended.
func TestKilled(t *testing.T) {
	kills := 4
	switch {
	case stress.Long():
		kills = 1000
	case testing.Short():
		kills = 1
	}
	seed := stress.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 0))
	s := start(t)
	log := filepath.Join(t.TempDir(), "calls")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := &herd{env: []string{"PAYOFF_JETSTREAM_SERVE=" + s.URL(), "PAYOFF_JETSTREAM_LOG=" + log}, self: self}
	h.keep(t, 3)
	defer h.end()
	over := make(chan struct{})
	defer close(over)
	killed := make(chan struct{}, kills)
	go func() {
		for range kills {
			select {
			case <-over:
				return
			case <-time.After(time.Duration(50+rng.IntN(200)) * time.Millisecond):
			}
			h.kill(rng.IntN(3))
			killed <- struct{}{}
		}
	}()
	far := dial(t, s, square)
	rounds, items := 0, 0
	for done := false; !done; {
		done = len(killed) == kills
		rounds++
		base := items
		const n = 1500
		items += n
		got, err := far.Map(pipe.Map(pipe.Range(n), func(i int) int { return base + i })).OnError(pipe.Skip).Collect(t.Context())
		var want []int
		for i := base; i < base+n; i++ {
			if i%1000 != 999 {
				want = append(want, i*i)
			}
		}
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("seed %d, round %d: %d results, %v; want %d", seed, rounds, len(got), err, len(want))
		}
	}
	if _, err := far.Do(t.Context(), -1); !errors.Is(err, ErrPoison) || !strings.Contains(err.Error(), "delivered 3 times") {
		t.Errorf("an item that kills its process: %v", err)
	}
	h.end()
	letters, err := far.js.Stream(t.Context(), deadStream("square"))
	if err != nil {
		t.Fatal(err)
	}
	if n := letters.CachedInfo().State.Msgs; n != 1 {
		t.Errorf("%d dead letters, want 1", n)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]int{}
	for line := range strings.Lines(string(text)) {
		calls[strings.TrimSpace(line)]++
	}
	again := 0
	for i := range items {
		c := calls[strconv.Itoa(i)]
		if c == 0 {
			t.Errorf("item %d was never called", i)
		}
		again += c - 1
	}
	t.Logf("%d kills, %d items, %d calls besides; %+v", kills, items, again, far.Stats())
}

// Streams are cut at any place, and read as what was written.
func FuzzItems(f *testing.F) {
	f.Add(appendItem(appendItem(nil, item{1, value, 5, []byte("a")}), item{1 << 60, failed, 0, nil}))
	f.Add([]byte{version, 0x80})
	f.Fuzz(func(t *testing.T, data []byte) {
		items, err := parseItems(data)
		if err != nil {
			return
		}
		var again []byte
		for _, i := range items {
			again = appendItem(again, i)
		}
		if len(items) == 0 {
			return
		}
		back, err := parseItems(again)
		if err != nil || len(back) != len(items) {
			t.Fatalf("%q: %d items, then %d, %v", data, len(items), len(back), err)
		}
		for n, i := range items {
			if b := back[n]; b.call != i.call || b.kind != i.kind || b.work != i.work || !bytes.Equal(b.data, i.data) {
				t.Errorf("item %d was %+v, is %+v", n, i, b)
			}
		}
	})
}
