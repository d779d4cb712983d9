package par

import (
	"fmt"
	"sync"
	"testing"

	"github.com/exascience/pargo/parallel"
	"github.com/gopayoff/payoff/par"
	"github.com/gopayoff/payoff/peers/internal/burn"
	"golang.org/x/sync/errgroup"
)

// A body is a balanced recursion: node i of forks nodes, in the order of a heap,
// works rounds rounds and calls nodes 2i and 2i+1; beyond forks there are leaves. It is in a variable, so that
// the argument of the recursion is one word.
var body struct{ forks, rounds int }

// bodyWork is what a fork guards, beside two calls: nothing if rounds is 0.
func bodyWork(i int) int {
	if body.rounds == 0 {
		return i
	}
	return int(burn.Rounds(uint64(i), body.rounds))
}

func bodySerial(i int) int {
	if i > body.forks {
		return i
	}
	return bodyWork(i) + bodySerial(2*i) + bodySerial(2*i+1)
}

var (
	bodyFunc     = par.New(bodyTask)
	bodyFuncJoin = par.New(bodyTaskJoin)
)

func bodyTask(t *par.Task[int, int], i int) int {
	if i > body.forks {
		return i
	}
	if t.Serial() {
		return bodyWork(i) + bodyTask(t, 2*i) + bodyTask(t, 2*i+1)
	}
	l, r := t.Fork(2*i, 2*i+1)
	return bodyWork(i) + l + r
}

func bodyTaskJoin(t *par.Task[int, int], i int) int {
	if i > body.forks {
		return i
	}
	l, r := t.Join(2*i, 2*i+1)
	return bodyWork(i) + l + r
}

func bodyRoot(i int) int {
	if i > body.forks {
		return i
	}
	var l int
	var wg sync.WaitGroup
	wg.Go(func() { l = bodySerial(2 * i) })
	r := bodySerial(2*i + 1)
	wg.Wait()
	return bodyWork(i) + l + r
}

// bodyCut forks where at least cut nodes are below; about forks are.
func bodyCut(i, forks, cut int) int {
	if forks < cut || i > body.forks {
		return bodySerial(i)
	}
	var l int
	var wg sync.WaitGroup
	wg.Go(func() { l = bodyCut(2*i, forks/2, cut) })
	r := bodyCut(2*i+1, forks/2, cut)
	wg.Wait()
	return bodyWork(i) + l + r
}

func bodyErrgroup(i, forks, cut int) int {
	if forks < cut || i > body.forks {
		return bodySerial(i)
	}
	var l int
	var g errgroup.Group
	g.Go(func() error {
		l = bodyErrgroup(2*i, forks/2, cut)
		return nil
	})
	r := bodyErrgroup(2*i+1, forks/2, cut)
	if err := g.Wait(); err != nil {
		panic(err)
	}
	return bodyWork(i) + l + r
}

func bodyPargo(i, forks, cut int) int {
	if forks < cut || i > body.forks {
		return bodySerial(i)
	}
	var l, r int
	parallel.Do(
		func() { l = bodyPargo(2*i, forks/2, cut) },
		func() { r = bodyPargo(2*i+1, forks/2, cut) },
	)
	return bodyWork(i) + l + r
}

// A recursion is a body with the nanoseconds of a fork, by which those who need
// a threshold find one.
type recursion struct {
	forks, rounds int
	ns            float64
}

// running returns a variant that runs f for the body and from its root, with the
// number of forks that take 50 µs, or the one that takes cut.
func running(name string, us float64, f func(forks, cut int) int) variant[recursion, int] {
	return variant[recursion, int]{name: name, run: func(r recursion) int {
		body.forks, body.rounds = r.forks, r.rounds
		return f(r.forks, max(1, int(us*1000/r.ns)))
	}}
}

var bodyVariants = []variant[recursion, int]{
	running("serial", 0, func(_, _ int) int { return bodySerial(1) }),
	running("payoff", 0, func(_, _ int) int { return bodyFunc.Call(1) }),
	running("payoff-join", 0, func(_, _ int) int { return bodyFuncJoin.Call(1) }),
	running("goroutines-root", 0, func(_, _ int) int { return bodyRoot(1) }),
	running("goroutines-cut10us", 10, func(forks, cut int) int { return bodyCut(1, forks, cut) }),
	running("goroutines-cut50us", 50, func(forks, cut int) int { return bodyCut(1, forks, cut) }),
	running("errgroup-cut50us", 50, func(forks, cut int) int { return bodyErrgroup(1, forks, cut) }),
	running("pargo-cut50us", 50, func(forks, cut int) int { return bodyPargo(1, forks, cut) }),
}

// recursions are of about total nanoseconds in forks of about work nanoseconds,
// calls included.
var recursions = func() (loads []load[recursion]) {
	for _, w := range []struct {
		ns     float64
		rounds int
	}{{2.5, 0}, {10, 3}, {50, 22}, {200, 90}, {1000, 453}} {
		for _, total := range []int{100, 1000, 10_000, 100_000, 1_000_000, 10_000_000} {
			if float64(total) < w.ns {
				continue
			}
			r := recursion{max(1, int(float64(total)/w.ns)), w.rounds, w.ns}
			loads = append(loads, load[recursion]{
				key: fmt.Sprintf("/work=%g/total=%d", w.ns, total),
				n:   total, make: func() recursion { return r },
			})
		}
	}
	return loads
}()

func BenchmarkBody(b *testing.B) { bench(b, recursions, bodyVariants) }
func TestBody(t *testing.T)      { same(t, 1_000_000, 10_000, recursions, bodyVariants) }
