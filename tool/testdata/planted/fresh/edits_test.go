package fresh

import (
	"encoding/json"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// withEdits makes each benchmark whose disease an edit can take away run its cure
// as well, as variant=cure: what an edit reaches is measured beside what an
// expert writes by hand. incurable.json says why the others have none.
var withEdits = os.Getenv("PAYOFF_CURES") == "1"

// edits are what an expert writes where the cure that shows what a cause costs
// takes away more than an edit may: who is told, kept or waited for stays.
var edits = map[string]way{
	"Documents": {name: "held", do: documentsHeld},
	"Shipping":  {name: "noted", do: shippingNoted},
	"Rates":     {name: "copied", do: ratesCopied},
	"Search":    {name: "seldom", do: searchSeldom},
	"Calls":     {name: "reset", do: callsReset},
	"Answers":   {name: "reset", do: answersReset},
}

// incurable says why an edit cannot cure a benchmark.
var incurable = func() (why map[string]string) {
	data, err := os.ReadFile("incurable.json")
	if err == nil {
		err = json.Unmarshal(data, &why)
	}
	if err != nil {
		panic(err)
	}
	return why
}()

// edited is the cure of a program that an edit can make.
func (p program) edited() (w way, ok bool) {
	if incurable["Benchmark"+p.name] != "" {
		return w, false
	}
	if w, ok = edits[p.name]; !ok {
		w, ok = cures[p.name]
	}
	w.name = "variant=cure"
	return w, ok
}

// Each disease has a cure, or there is a word on why it has none.
func TestIncurable(t *testing.T) {
	ill := map[string]bool{}
	for _, c := range readClaims(t) {
		if !strings.HasPrefix(c.First, "none") {
			ill[strings.TrimPrefix(c.Benchmark, "Benchmark")] = true
		}
	}
	for _, p := range programs {
		if _, ok := p.edited(); ill[p.name] && ok == (incurable["Benchmark"+p.name] != "") || !ill[p.name] && ok {
			t.Errorf("%s: ill %t, a cure %t, why it has none: %q", p.name, ill[p.name], ok, incurable["Benchmark"+p.name])
		}
	}
	for bench := range incurable {
		if !ill[strings.TrimPrefix(bench, "Benchmark")] {
			t.Errorf("%s is said to be incurable and has no disease", bench)
		}
	}
}

// documentsHeld retains what it reads once.
func documentsHeld() int {
	return fourth(func(w int) int {
		part := cut(documents, w)
		for i := range part {
			part[i].retain()
		}
		sum := 0
		for range readRounds {
			for i := range part {
				sum += part[i].words()
			}
		}
		for i := range part {
			part[i].release()
		}
		return sum
	})
}

// shippingNoted claims what nobody else can.
func shippingNoted() int {
	claimed := make([]bool, len(orders))
	return fourth(func(w int) int {
		own := cut(claimed, w)
		sum := 0
		for i, o := range cut(orders, w) {
			if !own[i] {
				own[i] = true
				sum += freight(o)
			}
		}
		return sum
	})
}

// ratesNow is replaced as a whole when a rate changes.
var ratesNow = func() *atomic.Pointer[[32]int] {
	p := new(atomic.Pointer[[32]int])
	p.Store(&exchange.to)
	return p
}()

func ratesCopied() int {
	return fourth(func(w int) int {
		lo := len(payments) * w / workers
		sum := 0
		for i, p := range cut(payments, w) {
			sum += fee(ratesNow.Load()[p] * (lo + i))
		}
		return sum
	})
}

// searchSeldom looks at the cancellation of all every 64 candidates.
func searchSeldom() int {
	var done [6]chan struct{}
	for i := range done {
		done[i] = make(chan struct{})
	}
	var bests [workers]int
	fourth(func(w int) int {
		best := 0
		for i, c := range cut(candidates, w) {
			if i%64 == 0 {
				select {
				case <-done[0]:
					return 0
				case <-done[1]:
					return 0
				case <-done[2]:
					return 0
				case <-done[3]:
					return 0
				case <-done[4]:
					return 0
				case <-done[5]:
					return 0
				default:
				}
			}
			best = max(best, read(c))
		}
		bests[w] = best
		return 0
	})
	return max(bests[0], bests[1], bests[2], bests[3])
}

func callsReset() int {
	return fourth(func(w int) int {
		late, sum := 0, 0
		t := time.AfterFunc(time.Minute, func() { late++ })
		t.Stop()
		for _, c := range cut(calls, w) {
			t.Reset(time.Minute)
			sum += read(c)
			t.Stop()
		}
		return sum
	})
}

func answersReset() int {
	q := make(chan int, 1)
	t := time.NewTimer(time.Minute)
	defer t.Stop()
	sum := 0
	for _, c := range calls {
		q <- read(c)
		t.Reset(time.Minute)
		select {
		case v := <-q:
			sum += v
		case <-t.C:
			return -1
		}
	}
	return sum
}
