package jetstream

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// The test binary is also the process that others kill: it serves the stage "square".
func TestMain(m *testing.M) {
	if url := os.Getenv("PAYOFF_JETSTREAM_SERVE"); url != "" {
		if err := serveSquares(url); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// square is the stage of the kill tests: its function notes each call in a file.
var square = Stage[int, int]{Name: "square", AckWait: time.Second, Deliveries: 3, Grace: time.Second}

func serveSquares(url string) error {
	nc, err := nats.Connect(url, nats.MaxReconnects(-1), nats.ReconnectWait(20*time.Millisecond))
	if err != nil {
		return err
	}
	log, err := os.OpenFile(os.Getenv("PAYOFF_JETSTREAM_LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return square.Serve(context.Background(), nc, func(ctx context.Context, n int) (int, error) {
		if n == -1 {
			os.Exit(3) // what kills its process
		}
		if _, err := log.WriteString(strconv.Itoa(n) + "\n"); err != nil {
			return 0, err
		}
		time.Sleep(time.Millisecond)
		if n%1000 == 999 {
			return 0, errors.New("of a kind that is not squared")
		}
		return n * n, nil
	})
}
