package pool_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gopayoff/payoff/par"
	"github.com/gopayoff/payoff/pool"
)

// logged returns what package log writes while f runs.
func logged(f func()) string {
	var text strings.Builder
	defer log.SetOutput(log.Writer())
	log.SetOutput(&text)
	f()
	return text.String()
}

// TestOnError: the handler is told of each error of Submit, and of no other; then nothing
// is logged, and Close has nothing to say.
func TestOnError(t *testing.T) {
	cause := errors.New("cause")
	user, cancel := context.WithCancelCause(ctx)
	var mu sync.Mutex
	var told []error
	o := pool.Options{Max: 1, OnError: func(err error) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, err)
	}}
	begin := make(chan bool)
	p := pool.New(func(ctx context.Context, v int) (int, error) {
		if v < 0 {
			<-begin
			cancel(cause)
			return 0, nil
		}
		return exits(ctx, v)
	}, o)
	text := logged(func() {
		p.Submit(ctx, -1)
		p.Submit(user, 0) // it does not begin
		close(begin)
		for v := range 16 {
			p.Submit(ctx, v)
			b := p.Batch(ctx)
			b.Submit(v)
			b.Wait()
		}
		p.SubmitAll(ctx, []int{3, 7})
		p.Do(ctx, 3)
		if err := p.Close(); err != nil {
			t.Errorf("Close() = %v, want nil: the handler was told", err)
		}
	})
	var panicked *par.Panic
	if len(told) != 4 || told[0] != cause || told[1] != errOdd || !errors.As(told[2], &panicked) || told[3] != pool.ErrGoexit {
		t.Errorf("the handler was told %v, want the cause, odd, a panic and Goexit", told)
	} else if panicked.Value != 7 || !strings.Contains(string(panicked.Stack), "mixed") {
		t.Errorf("the panic is %v, and its stack does not show the task:\n%s", panicked.Value, panicked.Stack)
	}
	if n := p.Stats().Errors; n != 4 || text != "" {
		t.Errorf("%d errors are counted, want 4, and %q is logged", n, text)
	}
}

// TestOnErrorEnds: Close returns when the handler has.
func TestOnErrorEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := 0
		p := pool.New(mixed, pool.Options{Max: 1, OnError: func(error) {
			time.Sleep(time.Second)
			told++
		}})
		p.Submit(ctx, 3)
		p.Submit(ctx, 7)
		p.Close()
		if told != 2 {
			t.Errorf("Close returns after %d calls of the handler, want 2", told)
		}
	})
}

// TestErrorsLogged: with no handler, the first error is logged, and then at doublings of
// their number; after Stop, none is.
func TestErrorsLogged(t *testing.T) {
	text := logged(func() {
		p := pool.New(mixed, pool.Options{Max: 1})
		p.Submit(ctx, 7)
		for range 199 {
			p.Submit(ctx, 3)
		}
		p.Do(ctx, 3)
		p.Close()
	})
	for n := 1; n <= 200; n++ {
		line := fmt.Sprintf("pool: error %d of tasks given to Submit", n)
		if got, want := strings.Contains(text, line+","), n&(n-1) == 0; got != want {
			t.Errorf("of 200 errors: the %dth is logged: %t, want %t", n, got, want)
		}
	}
	for _, part := range []string{"panic: 7", "pool_test.mixed", "OnError: odd"} {
		if !strings.Contains(text, part) {
			t.Errorf("the log does not have %q:\n%s", part, text)
		}
	}

	text = logged(func() {
		running := make(chan bool)
		p := pool.New(func(ctx context.Context, v int) (int, error) {
			running <- true
			<-ctx.Done()
			return 0, context.Cause(ctx)
		}, pool.Options{Max: 1})
		for v := range 10 {
			p.Submit(ctx, v)
		}
		<-running
		if err := p.Stop(); !errors.Is(err, pool.ErrStopped) {
			t.Errorf("Stop() = %v, want ErrStopped", err)
		}
	})
	if text != "" {
		t.Errorf("after Stop is logged:\n%s", text)
	}
}

// TestOnErrorCrash: a handler that does not return ends the program, which says so, with
// the stack of the handler.
func TestOnErrorCrash(t *testing.T) {
	if mode := os.Getenv("POOL_CRASH"); mode != "" {
		p := pool.New(mixed, pool.Options{OnError: func(error) { guilty(mode) }})
		p.Submit(ctx, 3)
		p.Close()
		return
	}
	for _, mode := range []string{"panic", "Goexit"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestOnErrorCrash$", "-test.timeout=1m")
		cmd.Env = append(os.Environ(), "POOL_CRASH="+mode)
		out, err := cmd.CombinedOutput()
		text := string(out)
		if err == nil || !strings.Contains(text, "panic: pool: Options.OnError has not returned") ||
			mode == "panic" && !strings.Contains(text, "pool_test.guilty") || mode == "Goexit" && !strings.Contains(text, "Goexit") {
			t.Errorf("%s in the handler: %v, and the program says\n%s", mode, err, text)
		}
	}
}

//go:noinline
func guilty(mode string) {
	if mode == "panic" {
		panic(mode)
	}
	runtime.Goexit()
}
