// Command example runs a pipeline over two processes. This one has the pipeline and a
// server with JetStream, and starts another, which serves a stage.
//
//	go run ./pipe/jetstream/example
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"

	"github.com/gopayoff/payoff/pipe"
	"github.com/gopayoff/payoff/pipe/jetstream"
	"github.com/gopayoff/payoff/pipe/jetstream/internal/embedded"
	"github.com/nats-io/nats.go"
)

// Steps counts how often a number is halved, or tripled and one added, until it is 1.
var Steps = jetstream.Stage[int, int]{Name: "steps"}

func steps(_ context.Context, n int) (count int, err error) {
	for m := n; m != 1; count++ {
		if m%2 == 0 {
			m /= 2
		} else {
			m = 3*m + 1
		}
	}
	return count, nil
}

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	run := pipeline
	if len(os.Args) == 2 {
		run = func(ctx context.Context) error { return worker(ctx, os.Args[1]) }
	}
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}

// worker is the other process.
func worker(ctx context.Context, url string) error {
	nc, err := nats.Connect(url)
	if err != nil {
		return err
	}
	defer nc.Close()
	return Steps.Serve(ctx, nc, steps)
}

func pipeline(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "jetstream-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := embedded.Start(dir, -1)
	if err != nil {
		return err
	}
	defer s.Stop()
	nc, err := s.Connect()
	if err != nil {
		return err
	}
	defer nc.Close()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	other := exec.CommandContext(ctx, self, s.URL())
	other.Stderr = os.Stderr
	other.Cancel = func() error { return other.Process.Signal(os.Interrupt) }
	if err := other.Start(); err != nil {
		return err
	}
	defer func() {
		_ = other.Process.Signal(os.Interrupt) // it may have ended
		_ = other.Wait()
	}()

	far, err := Steps.Dial(ctx, nc)
	if err != nil {
		return err
	}
	defer far.Close()
	most, at := 0, 0
	n := 1
	numbers := pipe.Map(pipe.Range(20_000), func(i int) int { return i + 1 })
	for count, err := range far.Map(numbers).All(ctx) {
		if err != nil {
			return err
		}
		if count > most {
			most, at = count, n
		}
		n++
	}
	fmt.Printf("of the numbers up to 20000, %d takes the most steps: %d\n", at, most)
	fmt.Printf("process %d ran the pipeline, process %d the stage\n", os.Getpid(), other.Process.Pid)
	fmt.Println(far.Stats().Verdict())
	return nil
}
