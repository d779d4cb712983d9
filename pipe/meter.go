package pipe

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"
)

// A Meter counts what runs of a pipe do: see [Pipe.Meter]. The zero Meter is ready. It
// must not be copied after first use. Its methods may be called at any time, by any
// goroutine. It is an [expvar.Var].
//
// A stage goes by its name: stages of one name count as one, and an item counts for
// each of them. Give them names with [Pipe.Named].
type Meter struct {
	mu     sync.Mutex
	stages []*counter // in the order of the items; a stage is known by its name
}

// Stats are what a [Meter] has counted, of all runs so far.
type Stats struct{ Stages []StageStats }

// A StageStats is what was counted of one stage, or source.
type StageStats struct {
	Name string
	// Items is how many have come to the stage, and Errors how many of these failed.
	Items, Errors uint64
	// Busy is the time of its functions, of all goroutines together. It is measured for
	// some batches, and taken to be the same for the others.
	Busy time.Duration
	// InputWait is how long the goroutine of the sink has waited for items of the
	// source that the stage is fused behind. OutputWait is how long it was busy with
	// what comes behind these stages.
	InputWait, OutputWait time.Duration
	// Batch is the mean number of items that were worked on in a row.
	Batch float64
	// Workers is how many goroutines work on it now, or wait for items.
	Workers int
	// Most is how many did so at once, at most.
	Most int
}

// A counter counts for a stage. Who ends a batch adds.
type counter struct {
	name                        string
	items, errors, batches      atomic.Uint64
	busy, inputWait, outputWait atomic.Int64
	perItem                     atomic.Int64 // ps, of the last batch that was timed
	workers, most               atomic.Int32
}

// Stats returns what was counted. The numbers are read one after the other, while
// others may change them.
func (m *Meter) Stats() Stats {
	m.mu.Lock()
	defer m.mu.Unlock()
	var s Stats
	for _, c := range m.stages {
		st := StageStats{
			Name: c.name, Items: c.items.Load(), Errors: c.errors.Load(), Busy: time.Duration(c.busy.Load() / 1000),
			InputWait: time.Duration(c.inputWait.Load()), OutputWait: time.Duration(c.outputWait.Load()),
			Workers: int(c.workers.Load()), Most: int(c.most.Load()),
		}
		if n := c.batches.Load(); n > 0 {
			st.Batch = float64(st.Items) / float64(n)
		}
		s.Stages = append(s.Stages, st)
	}
	return s
}

// String returns the Stats as JSON.
func (m *Meter) String() string {
	b, _ := json.Marshal(m.Stats()) // cannot fail
	return string(b)
}

// String returns a table with a line for each stage. Its last column says how many
// goroutines work on the stage, of how many that did so at once.
func (s Stats) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "stage\titems\terrors\tbusy\tinput wait\toutput wait\tbatch\tworkers")
	for _, st := range s.Stages {
		busy := ""
		if st.Busy > 0 { // that of a source is not measured
			busy = round(st.Busy).String()
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%v\t%v\t%.3g\t%d of %d\n", st.Name, st.Items, st.Errors,
			busy, round(st.InputWait), round(st.OutputWait), st.Batch, st.Workers, st.Most)
	}
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

func round(d time.Duration) time.Duration {
	switch {
	case d > time.Second:
		return d.Round(time.Millisecond)
	case d > time.Millisecond:
		return d.Round(time.Microsecond)
	}
	return d
}

// counters returns those of the source and the stages of s, which come before those
// that stand behind, from down on; nil: before none.
func (m *Meter) counters(s *segment, down *counter) []*counter {
	names := []string{s.title()}
	for i := range s.stages {
		names = append(names, s.stages[i].name())
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	at := len(m.stages)
	for i, c := range m.stages {
		if c == down {
			at = i
		}
	}
	var cs []*counter
	for i, name := range names {
		if _, relays := s.from.(interface{ relays() }); i == 0 && relays {
			cs = append(cs, new(counter)) // the stage itself is counted
			continue
		}
		c := m.named(name)
		if c == nil {
			c = &counter{name: name}
			m.stages = append(m.stages[:at], append([]*counter{c}, m.stages[at:]...)...)
			at++
		}
		cs = append(cs, c)
	}
	return cs
}

func (m *Meter) named(name string) *counter {
	for _, c := range m.stages {
		if c.name == name {
			return c
		}
	}
	return nil
}

// timeEach: one of so many batches of a lane is timed stage by stage.
const timeEach = 8

// workMetered is work with counting.
func (l *lane) workMetered(b *batch) {
	stages, cs := l.seg.stages, l.seg.counters
	timed := l.batches%timeEach == 0 || cs[1].perItem.Load() == 0 // the lane may have been another Meter's
	l.batches++
	v := b.in
	var from time.Duration
	if timed {
		from = clock()
	}
	for i := range stages {
		p := &b.out
		if i < len(stages)-1 {
			p = l.vec(i)
		}
		l.st = &stages[i]
		n := v.length()
		v = l.st.op.run(l, v, *p)
		*p = v
		if n == 0 {
			continue
		}
		c := cs[i+1]
		c.items.Add(uint64(n))
		c.batches.Add(1)
		if timed {
			now := clock()
			c.perItem.Store(each(now-from, n))
			from = now
		}
		c.busy.Add(int64(n) * c.perItem.Load())
	}
	b.result = b.out
	l.st = nil
}

// came counts items of the source.
func (s *segment) came(n int) {
	if s.counters != nil {
		s.counters[0].items.Add(uint64(n))
		s.counters[0].batches.Add(1)
	}
}

// metered enters one more goroutine, or -1, that works on s.
func (s *segment) metered(workers int32) {
	for _, c := range s.counters {
		now := c.workers.Add(workers)
		for most := c.most.Load(); now > most && !c.most.CompareAndSwap(most, now); most = c.most.Load() {
		}
	}
}

// countError counts an error of the stage.
func (s *segment) countError(st *stage) {
	for i := range s.stages {
		if st == &s.stages[i] {
			s.counters[i+1].errors.Add(1)
		}
	}
}

// waited counts how long the caller has waited for an item.
func (s *segment) waited(from time.Duration) {
	if s.counters == nil {
		return
	}
	d := int64(clock() - from)
	for _, c := range s.counters {
		c.inputWait.Add(d)
	}
}

// delivering counts how long the caller was busy with what stands behind.
func (s *segment) delivering(from time.Duration) {
	d := int64(clock() - from)
	for _, c := range s.counters {
		c.outputWait.Add(d)
	}
}
