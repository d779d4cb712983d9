package jetstream

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/gopayoff/payoff/pipe"
	stage "github.com/gopayoff/payoff/pipe/jetstream"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

var kilobyte = bytes.Repeat([]byte("payoff. "), 128)

func echo(_ context.Context, b []byte) ([]byte, error) { return b, nil }

// A way sends items through stages.
type way interface {
	// through sends n items, and returns when all have come out.
	through(b testing.TB, n int)
}

var ways = []struct {
	name string
	lay  func(b testing.TB, stages int) way
}{
	{"byhand", layByHand},
	{"watermill", layWatermill},
	{"payoff", layOurs},
}

func BenchmarkStages(b *testing.B) {
	for _, stages := range []int{1, 2, 4} {
		for _, w := range ways {
			b.Run(fmt.Sprintf("stages=%d/variant=%s", stages, w.name), func(b *testing.B) {
				laid := w.lay(b, stages)
				b.SetBytes(int64(len(kilobyte)))
				b.ResetTimer()
				laid.through(b, b.N)
			})
		}
	}
}

func BenchmarkLone(b *testing.B) {
	for _, w := range ways {
		b.Run("variant="+w.name, func(b *testing.B) {
			laid := w.lay(b, 1)
			for b.Loop() {
				laid.through(b, 1)
			}
		})
	}
}

// All bring each item through, however many there are.
func TestThrough(t *testing.T) {
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			laid := w.lay(t, 2)
			for _, n := range []int{1, 3 * ahead} {
				laid.through(t, n)
			}
		})
	}
}

// start runs a server with JetStream that stores in a folder of the test's, and returns
// where it listens.
func start(b testing.TB) (url string) {
	b.Helper()
	s, err := server.NewServer(&server.Options{
		ServerName: "peers", Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true, NoSystemAccount: true,
		JetStream: true, StoreDir: b.TempDir(), DisableJetStreamBanner: true,
	})
	if err != nil {
		b.Fatal(err)
	}
	s.Start()
	b.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(20 * time.Second) {
		b.Fatal("the server is not ready after 20 s")
	}
	return s.ClientURL()
}

func connect(b testing.TB, url string) *nats.Conn {
	b.Helper()
	nc, err := nats.Connect(url)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(nc.Close)
	return nc
}

// ahead is how many items are under way at most.
const ahead = 1000

// A back counts the items that are under way.
type back chan struct{}

func (c back) wait(b testing.TB) {
	select {
	case <-c:
	case <-time.After(20 * time.Second):
		b.Fatal("an item does not come back")
	}
}

type ours struct {
	*stage.Remote[[]byte, []byte]
}

func layOurs(b testing.TB, n int) way {
	url := start(b)
	var all stage.Stage[[]byte, []byte]
	for i := range n {
		s := stage.Stage[[]byte, []byte]{Name: fmt.Sprintf("echo%d", i), In: stage.Bytes, Out: stage.Bytes}
		nc := connect(b, url)
		ctx, stop := context.WithCancel(context.Background())
		var served sync.WaitGroup
		served.Go(func() {
			if err := s.Serve(ctx, nc, echo); err != nil {
				b.Error(err)
			}
		})
		b.Cleanup(func() {
			stop()
			served.Wait()
		})
		if i == 0 {
			all = s
		} else {
			all = stage.Then(all, s)
		}
	}
	r, err := all.Dial(b.Context(), connect(b, url))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := r.Close(); err != nil {
			b.Error(err)
		}
	})
	return ours{r}
}

func (o ours) through(b testing.TB, n int) {
	if n == 1 { // what one calls for a lone item
		if _, err := o.Do(b.Context(), kilobyte); err != nil {
			b.Fatal(err)
		}
		return
	}
	items := pipe.Map(pipe.Range(n), func(int) []byte { return kilobyte })
	if got, err := pipe.Reduce(b.Context(), o.Map(items), 0, func(n int, _ []byte) int { return n + 1 }); got != n || err != nil {
		b.Fatalf("%d of %d items, %v", got, n, err)
	}
}
