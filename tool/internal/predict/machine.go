package predict

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/tool/internal/machine"
)

// A Machine is what the model is told of one, from what payoff machine measures.
type Machine struct {
	Name   string
	Procs  int  // usable; 0: not known
	Sleepy bool // a virtual machine, whose short sleeps take long

	Wake, Low, High time.Duration // to pass the turn to a thread that sleeps
	Line            time.Duration // a cache line from processor to processor
	// Slower is how much longer fixed computing takes with all processors busy, 1 and
	// more, and Stream the same of reading memory.
	Slower, Stream float64
}

// schema is the version of what payoff machine -json writes.
const schema = 1

// NewMachine is the machine of a run's environment and prices.
func NewMachine(name string, e machine.Env, p machine.Prices, given []machine.Capacity) (Machine, error) {
	if !(p.Wake.NS > 0) {
		return Machine{}, errors.New("the price of a wake is not known: payoff machine says why")
	}
	line := p.CacheLine.NS
	if !(line > 0) {
		line = 60 // as on many: no prediction hangs on it as on a wake
	}
	ns := func(v float64) time.Duration { return time.Duration(max(v, 1)) }
	m := Machine{Name: name, Procs: e.UsableCPUs, Sleepy: e.Virtual != "", Wake: ns(p.Wake.NS), Low: ns(p.Wake.Low), High: ns(p.Wake.High), Line: ns(line), Slower: 1, Stream: 1}
	if p.Step.NS > 0 && p.StepAll.NS > p.Step.NS {
		m.Slower = p.StepAll.NS / p.Step.NS
	}
	for _, c := range given {
		if c.Procs == e.UsableCPUs && c.Cores > 0 {
			m.Slower = max(m.Slower, float64(c.Procs)/c.Cores)
		}
	}
	if p.Memory.NS > 0 && p.MemoryAll.NS > 0 && e.UsableCPUs > 0 {
		m.Stream = max(1, float64(e.UsableCPUs)*p.MemoryAll.NS/p.Memory.NS)
	}
	return m, nil
}

// ReadMachine reads what payoff machine -json wrote.
func ReadMachine(name string, data []byte) (Machine, error) {
	var d struct {
		Schema      *int               `json:"schema"`
		Environment machine.Env        `json:"environment"`
		Capacity    []machine.Capacity `json:"capacity"`
		Prices      machine.Prices     `json:"prices"`
	}
	const next = "payoff machine -json > FILE makes one on that machine"
	if err := json.Unmarshal(data, &d); err != nil {
		return Machine{}, fmt.Errorf("%s is no machine file (%w): %s", name, err, next)
	}
	switch {
	case d.Schema == nil:
		return Machine{}, fmt.Errorf("%s is no machine file (it has no schema): %s", name, next)
	case *d.Schema > schema:
		return Machine{}, fmt.Errorf("%s was written by a newer payoff (schema %d, this one reads %d): update payoff", name, *d.Schema, schema)
	case *d.Schema < schema:
		return Machine{}, fmt.Errorf("%s has schema %d, this payoff reads %d: %s", name, *d.Schema, schema, next)
	}
	for _, p := range []machine.Price{d.Prices.Wake, d.Prices.CacheLine, d.Prices.Memory, d.Prices.MemoryAll} {
		if p.NS < 0 || math.IsNaN(p.NS) || p.NS > 1e9 {
			return Machine{}, fmt.Errorf("%s is damaged (a price of %g ns): %s", name, p.NS, next)
		}
	}
	m, err := NewMachine(name, d.Environment, d.Prices, d.Capacity)
	if err != nil {
		return m, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// prices are those of the modelled machine under a choice.
func (m Machine) prices(c choice) world.Prices {
	wake := m.Wake
	near, far, group := m.Line, m.Line, 0
	slack := [2]time.Duration{55 * time.Microsecond, 60 * time.Microsecond} // of 3 µs on Linux
	if m.Sleepy {
		slack = [2]time.Duration{100 * time.Microsecond, 200 * time.Microsecond}
	}
	switch c.cost {
	case cheap:
		wake = min(m.Low, m.Wake*7/10)
		if m.Sleepy {
			slack = [2]time.Duration{60 * time.Microsecond, 100 * time.Microsecond}
		}
	case spun:
		wake = m.Wake / 10
	case dear:
		// What is beyond the processors that the price was measured on may be another
		// complex, or another socket.
		wake, far, group = max(m.High, m.Wake*3/2), 4*m.Line, 8
		if m.Sleepy {
			slack = [2]time.Duration{100 * time.Microsecond, time.Millisecond}
		}
	}
	// Of passing a turn, about a quarter is the waker's system call.
	return world.Of(m.Name, wake/4, wake-wake/4, slack, near, far, group)
}

// slower is what a doubling of the processors may make computing take longer, a
// logarithm: by the memory and the caches that they share, and by threads of one core.
// Of a program that reaches more than the caches hold, memory counts whole.
func (m Machine) slower(streams bool) float64 {
	x := m.Slower
	if streams {
		x = max(x, m.Stream)
	}
	return max(math.Log(x), leastSlower)
}

// leastSlower is for what no price tells of: caches that are shared, a clock that falls
// with load.
var leastSlower = math.Log(1.04)
