package pool_test

import (
	"context"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/pool"
)

// profiled returns its goroutine's labels, as a profile of goroutines has them. One
// goroutine may call it at a time.
//
//go:noinline
func profiled() string {
	var b strings.Builder
	pprof.Lookup("goroutine").WriteTo(&b, 1)
	for record := range strings.SplitSeq(b.String(), "\n\n") {
		if strings.Contains(record, "pool_test.profiled") {
			_, labels, _ := strings.Cut(record, "# labels: ")
			labels, _, _ = strings.Cut(labels, "\n")
			return labels
		}
	}
	return "not in the profile"
}

// TestLabels: in profiles a task has the labels of the context that it was submitted
// under, whatever those are of the task before it, and of the goroutines that submit.
func TestLabels(t *testing.T) {
	of := func(tenant string) context.Context { return pprof.WithLabels(ctx, pprof.Labels("tenant", tenant)) }
	labels := func(tenant string) string { return `{"tenant":"` + tenant + `"}` }
	if got := profiled(); got != "" {
		t.Fatalf("labels of the test: %q, want none", got)
	}
	pprof.SetGoroutineLabels(of("submitter"))
	defer pprof.SetGoroutineLabels(ctx)
	if got, want := profiled(), labels("submitter"); got != want {
		t.Fatalf("labels are not found in the profile: %q, want %q", got, want)
	}

	for _, own := range []context.Context{nil, of("pool")} {
		want := ""
		if own != nil {
			want = labels("pool")
		}
		p := pool.New(func(_ context.Context, f func() string) (string, error) { return f(), nil },
			pool.Options{Min: 1, Max: 1, Context: own})
		inner, cancel := context.WithCancel(of("inner"))
		defer cancel()
		for _, test := range []struct {
			what string
			ctx  context.Context
			f    func() string
			want string
		}{
			{"under none", ctx, profiled, want},
			{"under one", of("A"), profiled, labels("A")},
			{"under another", of("B"), profiled, labels("B")},
			{"under none after that", ctx, profiled, want},
			{"derived", inner, profiled, labels("inner")},
			{"panics", of("A"), func() string { panic("boom") }, ""},
			{"under none after a panic", ctx, profiled, want},
			{"exits", of("A"), func() string { runtime.Goexit(); return "" }, ""},
			{"under none after Goexit", ctx, profiled, want},
		} {
			b := p.Batch(test.ctx)
			b.Submit(test.f)
			outs, err := b.Wait()
			if outs[0] != test.want {
				t.Errorf("a batch, %s: labels %q, want %q (%v)", test.what, outs[0], test.want, err)
			}
		}
		got := make(chan string)
		p.Submit(of("A"), func() string { got <- profiled(); return "" })
		if got := <-got; got != labels("A") {
			t.Errorf("Submit: labels %q, want %q", got, labels("A"))
		}

		// While the worker is busy, all of a slice is for it.
		begun, proceed := make(chan bool), make(chan bool)
		p.Submit(ctx, func() string { close(begun); <-proceed; return "" })
		<-begun
		go func() {
			outs, _ := p.SubmitAll(of("A"), []func() string{profiled, profiled})
			got <- strings.Join(outs, " ")
		}()
		for p.Stats().Waiting == 0 {
			runtime.Gosched()
		}
		close(proceed)
		if got, want := <-got, labels("A")+" "+labels("A"); got != want {
			t.Errorf("SubmitAll: labels %q, want %q", got, want)
		}
		p.Close()
	}

	for _, test := range []struct {
		ctx  context.Context
		want string
	}{{of("A"), labels("A")}, {ctx, labels("submitter")}} {
		g, _ := pool.WithContext(test.ctx)
		// Few functions have goroutines of their own, more have workers.
		for i := range 20 {
			got := make(chan string, 1)
			g.Go(func() error { got <- profiled(); return nil })
			if got := <-got; got != test.want {
				t.Errorf("function %d of a Group: labels %q, want %q", i, got, test.want)
			}
		}
		g.Wait()
	}
}
