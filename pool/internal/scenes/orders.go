package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
	"github.com/gopayoff/payoff/internal/world/stage"
	"github.com/gopayoff/payoff/pool"
)

// scenes are pools and groups with goroutines that use them. Each returns what is wrong.
var scenes = map[string]func() string{
	"submit":  func() string { return submits(1, 3, nil) },
	"submits": func() string { return submits(2, 2, nil) },
	"fails":   func() string { return submits(1, 3, stage.Fails(1)) },
	"panics":  func() string { return submits(1, 3, stage.Panics(1)) },
	"goexits": func() string { return submits(1, 3, stage.Quits(1)) },
	"stop":    stops,
	"do":      does,
	"batch":   func() string { return batch(nil) },
	"results": func() string { return batch(results) },
	"all":     func() string { return all(nil) },
	"allQuit": func() string { return all(stage.Quits(1)) },
	"within":  within,
	"resize":  resizes,
	"idle":    idles,
	"group":   func() string { return groups(0, nil) },
	"limit":   func() string { return groups(1, nil) },
	"failure": func() string { return groups(2, stage.Fails(1)) },

	"withdrawDo":    func() string { return withdraws(withdrawDo) },
	"withdrawBatch": func() string { return withdraws(withdrawBatch) },
	"withdrawAll":   func() string { return withdraws(withdrawAll) },
}

// A tally counts what tasks did. Results are no atomics: a race between a task and who
// gets what it has done shows. The detector is not to see what the tally itself does.
type tally struct {
	began, ended []int
	now, most    int // that run at once
	over, late   bool
	step         byte
}

func newTally(tasks int) *tally { return &tally{began: make([]int, tasks), ended: make([]int, tasks)} }

// run is task i.
func (t *tally) run(i int, how func(int) error) (int, error) {
	t.begin(i)
	defer t.end(i)
	world.Step(&t.step)
	if how != nil {
		if err := how(i); err != nil {
			return 0, err
		}
	}
	world.Step(&t.step)
	return 10 * i, nil
}

//go:norace
func (t *tally) begin(i int) {
	t.began[i]++
	t.now++
	t.most = max(t.most, t.now)
}

//go:norace
func (t *tally) end(i int) {
	t.ended[i]++
	t.now--
	t.late = t.late || t.over
}

// check says what is wrong when no task is to run any more: each of them did once, and
// no more than so many at once.
//
//go:norace
func (t *tally) check(most int) string {
	t.over = true
	stage.LetGoOn()
	if t.late {
		return "a task ran after the end"
	}
	if t.most > most {
		return fmt.Sprintf("%d tasks ran at once, want %d at most", t.most, most)
	}
	for i := range t.began {
		if t.began[i] != 1 || t.ended[i] != 1 {
			return fmt.Sprintf("task %d began %d times and ended %d times", i, t.began[i], t.ended[i])
		}
	}
	return ""
}

// rested says what is wrong where a pool that is closed has not done so many tasks, or
// has a worker.
func rested(p *pool.Pool[int, int], tasks int) string {
	s := p.Stats()
	if s.Items != uint64(tasks) || s.Waiting != 0 || s.Workers != 0 || s.Parked != 0 {
		return fmt.Sprintf("after the end: %v, want %d items and nobody", s, tasks)
	}
	if err := p.Submit(context.Background(), 0); err != pool.ErrClosed {
		return fmt.Sprintf("Submit after Close returned %v", err)
	}
	return ""
}

func small(n int) pool.Options { return pool.Options{Min: n, Max: n, Queue: 1} }

// submits is tasks from some goroutines at once, and Close.
func submits(from, each int, how func(int) error) string {
	n := from * each
	t := newTally(n)
	p := pool.New(func(_ context.Context, i int) (int, error) { return t.run(i, how) }, small(2))
	var wg shim.WaitGroup
	wrong := ""
	for g := range from {
		wg.Go(func() {
			for i := range each {
				if err := p.Submit(context.Background(), g*each+i); err != nil {
					wrong = fmt.Sprintf("Submit returned %v", err)
				}
			}
		})
	}
	wg.Wait()
	err := p.Close()
	if wrong != "" {
		return wrong
	}
	if how == nil && err != nil {
		return fmt.Sprintf("Close returned %v", err)
	}
	if how != nil && !errors.Is(err, stage.ErrBoom) && !errors.Is(err, pool.ErrGoexit) {
		return fmt.Sprintf("Close returned %v, want what a task did", err)
	}
	if s := p.Stats(); how != nil && s.Errors != 1 {
		return fmt.Sprintf("there was one error: %v", s)
	}
	if wrong := t.check(2); wrong != "" {
		return wrong
	}
	return rested(p, n)
}

// stops is Stop while tasks run and wait: those that have begun end before it returns,
// and the others are told.
func stops() string {
	const n = 3
	t := newTally(n)
	p := pool.New(func(ctx context.Context, i int) (int, error) { return t.run(i, nil) }, small(1))
	var wg shim.WaitGroup
	told, refused := make([]error, n), 0
	wg.Go(func() {
		b := p.Batch(context.Background())
		for i := range n {
			if err := b.Submit(i); err == pool.ErrClosed {
				refused++
			} else if err != nil && err != pool.ErrStopped {
				panic(err)
			}
		}
		for r := range b.Results() {
			told[r.Index] = r.Err
		}
	})
	shim.Gosched()
	if err := p.Stop(); err != nil {
		return fmt.Sprintf("Stop returned %v", err)
	}
	t.over = true
	wg.Wait()
	if t.late {
		return "a task ran after Stop"
	}
	for i, err := range told {
		ran := t.began[i] == 1 && t.ended[i] == 1
		if t.began[i] > 1 || ran != (err == nil) || err != nil && err != pool.ErrStopped && err != pool.ErrClosed {
			return fmt.Sprintf("task %d began %d times, and its error is %v", i, t.began[i], err)
		}
	}
	if s := p.Stats(); s.Workers != 0 || s.Parked != 0 || s.Waiting != 0 || s.Items != uint64(n-refused) {
		return fmt.Sprintf("after Stop: %v, of %d tasks", s, n-refused)
	}
	return ""
}

// does is tasks that callers wait for.
func does() string {
	const from, each = 2, 2
	t := newTally(from * each)
	p := pool.New(func(_ context.Context, i int) (int, error) { return t.run(i, nil) }, small(1))
	var wg shim.WaitGroup
	wrong := ""
	for g := range from {
		wg.Go(func() {
			for i := range each {
				at := g*each + i
				if v, err := p.Do(context.Background(), at); v != 10*at || err != nil {
					wrong = fmt.Sprintf("Do(%d) returned %d, %v", at, v, err)
				}
			}
		})
	}
	wg.Wait()
	if err := p.Close(); err != nil || wrong != "" {
		return fmt.Sprintf("%s; Close returned %v", wrong, err)
	}
	if wrong := t.check(1); wrong != "" {
		return wrong
	}
	return rested(p, from*each)
}

// batch is a Batch, of which take takes the results.
func batch(take func(b *pool.Batch[int, int]) string) string {
	const n = 3
	t := newTally(n)
	p := pool.New(func(_ context.Context, i int) (int, error) { return t.run(i, nil) }, small(2))
	b := p.Batch(context.Background())
	for i := range n {
		if err := b.Submit(i); err != nil {
			return fmt.Sprintf("Submit returned %v", err)
		}
	}
	wrong := ""
	if take == nil {
		out, err := b.Wait()
		if fmt.Sprint(out) != "[0 10 20]" || err != nil {
			wrong = fmt.Sprintf("Wait returned %v, %v", out, err)
		}
	} else {
		wrong = take(b)
	}
	if wrong == "" {
		wrong = t.check(2)
	}
	if err := p.Close(); err != nil || wrong != "" {
		return fmt.Sprintf("%s; Close returned %v", wrong, err)
	}
	return rested(p, n)
}

// results takes them as they come, by two at once.
func results(b *pool.Batch[int, int]) string {
	var wg shim.WaitGroup
	got := make([][]pool.Result[int], 2)
	for g := range got {
		wg.Go(func() {
			for r := range b.Results() {
				got[g] = append(got[g], r)
			}
		})
	}
	wg.Wait()
	seen := make(map[int]bool)
	for _, r := range append(got[0], got[1]...) {
		if seen[r.Index] || r.Value != 10*r.Index || r.Err != nil {
			return fmt.Sprintf("results are %v and %v", got[0], got[1])
		}
		seen[r.Index] = true
	}
	if len(seen) != 3 {
		return fmt.Sprintf("results are %v and %v, want 3", got[0], got[1])
	}
	return ""
}

// withdrawn is how many tasks are submitted under a context that ends meanwhile.
const withdrawn = 2

// withdraws is tasks whose context ends at any time, behind task 0, which has another, with
// one worker: each of them runs, or fails with the cause and never does. submit returns
// their results by task, and how many of them were not queued, or -1 where it cannot know.
func withdraws(submit func(p *pool.Pool[int, int], ctx context.Context) (got []pool.Result[int], refused int)) string {
	t := newTally(withdrawn + 1)
	p := pool.New(func(_ context.Context, i int) (int, error) { return t.run(i, nil) }, small(1))
	if err := p.Submit(context.Background(), 0); err != nil {
		return fmt.Sprintf("Submit returned %v", err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	var wg shim.WaitGroup
	wg.Go(func() {
		world.Step(&t.step)
		cancel(stage.ErrBoom)
	})
	got, refused := submit(p, ctx)
	ended := t.count()
	wg.Wait()
	if err := p.Close(); err != nil {
		return fmt.Sprintf("Close returned %v", err)
	}
	seen := make(map[int]bool)
	for _, r := range got {
		n := t.began[r.Index]
		ran := n == 1 && r.Err == nil && r.Value == 10*r.Index
		gone := n == 0 && r.Err == stage.ErrBoom && r.Value == 0
		if seen[r.Index] || !ran && !gone {
			return fmt.Sprintf("task %d began %d times; results are %v", r.Index, n, got)
		}
		seen[r.Index] = true
	}
	if len(seen) != withdrawn {
		return fmt.Sprintf("results are %v, want %d", got, withdrawn)
	}
	if n := t.count(); n != ended {
		return fmt.Sprintf("%d tasks ran after their caller was told", n-ended)
	}
	s := p.Stats()
	if most := uint64(withdrawn + 1 - max(0, refused)); s.Items > most || refused >= 0 && s.Items != most || s.Waiting+s.Workers+s.Parked != 0 {
		return fmt.Sprintf("after the end: %v, want %d items", s, most)
	}
	return ""
}

// count is how many tasks have begun whose context may end.
//
//go:norace
func (t *tally) count() (n int) {
	for _, began := range t.began[1:] {
		n += began
	}
	return n
}

func withdrawDo(p *pool.Pool[int, int], ctx context.Context) ([]pool.Result[int], int) {
	got := make([]pool.Result[int], withdrawn)
	var wg shim.WaitGroup
	for i := range got {
		wg.Go(func() {
			v, err := p.Do(ctx, i+1)
			got[i] = pool.Result[int]{Index: i + 1, Value: v, Err: err}
		})
	}
	wg.Wait()
	return got, -1
}

// withdrawBatch takes results while tasks are submitted, and what is left after that.
func withdrawBatch(p *pool.Pool[int, int], ctx context.Context) (got []pool.Result[int], refused int) {
	b := p.Batch(ctx)
	take := func() {
		for r := range b.Results() {
			got = append(got, pool.Result[int]{Index: r.Index + 1, Value: r.Value, Err: r.Err})
		}
	}
	var wg shim.WaitGroup
	wg.Go(take)
	for i := range withdrawn {
		if b.Submit(i+1) != nil {
			refused++
		}
	}
	wg.Wait()
	take()
	return got, refused
}

func withdrawAll(p *pool.Pool[int, int], ctx context.Context) (got []pool.Result[int], refused int) {
	out, err := p.SubmitAll(ctx, []int{1, 2})
	if out == nil { // it was not queued
		out, refused = make([]int, withdrawn), withdrawn
	}
	for i, v := range out {
		r := pool.Result[int]{Index: i + 1, Value: v}
		if v == 0 && errors.Is(err, stage.ErrBoom) {
			r.Err = stage.ErrBoom
		}
		got = append(got, r)
	}
	return got, refused
}

// all is a slice of tasks beside one of another goroutine's.
func all(how func(int) error) string {
	const n = 4
	t := newTally(n + 1)
	p := pool.New(func(_ context.Context, i int) (int, error) { return t.run(i, how) }, small(2))
	var wg shim.WaitGroup
	wrong := ""
	wg.Go(func() {
		if err := p.Submit(context.Background(), n); err != nil {
			wrong = fmt.Sprintf("Submit returned %v", err)
		}
	})
	wg.Go(func() { // a task may end it
		out, err := p.SubmitAll(context.Background(), []int{0, 1, 2, 3})
		switch {
		case how == nil && (err != nil || fmt.Sprint(out) != "[0 10 20 30]"):
			wrong = fmt.Sprintf("SubmitAll returned %v, %v", out, err)
		case how != nil && (!errors.Is(err, pool.ErrGoexit) || fmt.Sprint(out) != "[0 0 20 30]"):
			wrong = fmt.Sprintf("SubmitAll returned %v, %v, and one called Goexit", out, err)
		}
	})
	wg.Wait()
	if err := p.Close(); err != nil || wrong != "" {
		return fmt.Sprintf("%s; Close returned %v", wrong, err)
	}
	if wrong := t.check(2); wrong != "" {
		return wrong
	}
	return rested(p, n+1)
}

// within is a pool of one worker, whose task waits for a task of the pool, while another
// goroutine closes it.
func within() string {
	t := newTally(3)
	var p *pool.Pool[int, int]
	wrong := ""
	p = pool.New(func(ctx context.Context, i int) (int, error) {
		if i > 0 {
			return t.run(i, nil)
		}
		return t.run(i, func(int) error {
			t.lend(1)
			defer t.lend(-1)
			b := p.Batch(context.Background())
			if err := b.Submit(1); err == pool.ErrClosed {
				t.run(1, nil)
				return nil
			} else if err != nil {
				return err
			}
			out, err := b.Wait()
			if err != nil || fmt.Sprint(out) != "[10]" {
				wrong = fmt.Sprintf("Wait returned %v, %v", out, err)
			}
			return nil
		})
	}, small(1))
	for _, i := range []int{0, 2} {
		if err := p.Submit(context.Background(), i); err != nil {
			return fmt.Sprintf("Submit returned %v", err)
		}
	}
	if err := p.Close(); err != nil || wrong != "" {
		return fmt.Sprintf("%s; Close returned %v", wrong, err)
	}
	if wrong := t.check(2); wrong != "" { // a task that has waited goes on at once
		return wrong
	}
	s := p.Stats()
	if s.Items < 2 || s.Items > 3 || s.Waiting+s.Workers+s.Parked != 0 {
		return fmt.Sprintf("after the end: %v", s)
	}
	return ""
}

// lend has a task not count, while it waits for others.
//
//go:norace
func (t *tally) lend(n int) { t.now -= n }

// resizes is a pool whose bounds change while it works.
func resizes() string {
	const n = 4
	t := newTally(n)
	p := pool.New(func(_ context.Context, i int) (int, error) { return t.run(i, nil) }, small(1))
	for i := range n {
		if err := p.Submit(context.Background(), i); err != nil {
			return fmt.Sprintf("Submit returned %v", err)
		}
		p.Resize(1+(i+1)%2, 1+(i+1)%2)
	}
	if s := p.Stats(); s.Want != 1 {
		return fmt.Sprintf("want 1 worker: %v", s)
	}
	if err := p.Close(); err != nil {
		return fmt.Sprintf("Close returned %v", err)
	}
	if wrong := t.check(2); wrong != "" {
		return wrong
	}
	if n := any(p).(interface{ Live() int }).Live(); n != 0 {
		return fmt.Sprintf("after the end the pool believes to have %d workers", n)
	}
	return rested(p, n)
}

// idles is a pool that has nothing to do for long: its workers leave, and come again.
func idles() string {
	t := newTally(3)
	p := pool.New(func(_ context.Context, i int) (int, error) { return t.run(i, nil) }, small(2))
	b := p.Batch(context.Background())
	for i := range 2 {
		if err := b.Submit(i); err != nil {
			return fmt.Sprintf("Submit returned %v", err)
		}
	}
	if _, err := b.Wait(); err != nil {
		return fmt.Sprintf("Wait returned %v", err)
	}
	for range 4 {
		world.Later(4e9, func() bool { return false })
	}
	if s := p.Stats(); s.Workers+s.Parked != 0 {
		return fmt.Sprintf("after a long time without tasks: %v", s)
	}
	if err := p.Submit(context.Background(), 2); err != nil {
		return fmt.Sprintf("Submit returned %v", err)
	}
	if err := p.Close(); err != nil {
		return fmt.Sprintf("Close returned %v", err)
	}
	if wrong := t.check(2); wrong != "" {
		return wrong
	}
	return rested(p, 3)
}

// groups is a Group, with a limit or without, twice.
func groups(limit int, how func(int) error) string {
	const n = 3
	g, ctx := pool.WithContext(context.Background())
	if limit > 0 {
		g.SetLimit(limit)
	}
	for range 2 {
		t := newTally(n)
		for i := range n {
			g.Go(func() error {
				_, err := t.run(i, how)
				return err
			})
		}
		err := g.Wait()
		if how == nil && err != nil || how != nil && err != stage.ErrBoom {
			return fmt.Sprintf("Wait returned %v", err)
		}
		want := context.Canceled
		if how != nil {
			want = stage.ErrBoom
		}
		if context.Cause(ctx) != want {
			return fmt.Sprintf("the group's context ended with %v, want %v", context.Cause(ctx), want)
		}
		most := n
		if limit > 0 {
			most = limit
		}
		if wrong := t.check(most); wrong != "" {
			return wrong
		}
	}
	return ""
}
