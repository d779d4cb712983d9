package predict

import (
	"slices"
	"time"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
)

// Which goroutine receives which value is decided by which comes first, and so on the
// modelled machine anew. A trace has no channels: those that exchange values at two lines
// are taken to use one. A worker of several that receive from one channel does what
// belongs to the value that it got, whoever got it in the trace: the stretches up to the
// next receive.

// A plan is a graph with its channels.
type plan struct {
	g        *exectrace.Graph
	threads  [][]step
	values   [][]step // by number: what is done with one, up to the next receive; nil where its receiver goes on as it would with any
	channels []int    // by number: how many values it carries in the graph
	pooled   []pool
}

// A pool is a channel that several workers receive from.
type pool struct {
	channel int
	workers int
	values  []int
	parts   int // that each value is sent in; 0: one
}

// A step is an act, or an operation on a channel.
type step struct {
	exectrace.Act
	op      op
	channel int
	value   int // send
}

type op uint8

const (
	act    op = iota
	send      // value to channel
	recv      // from channel
	labour    // receives from channel, and does what belongs to the value, again and again
)

// An end is one end of a channel: where a thread sends or receives.
type end struct {
	thread, place int
	sends         bool
}

// newPlan finds the channels of g. Where they are streamed, those with one receiver are
// left as waits that the other side ends, whoever comes first; where they are traced, all.
func newPlan(g *exectrace.Graph, how channels) *plan {
	type exchange struct {
		sender, receiver int // threads
		channel          int
	}
	var parent []int
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	ends := map[end]int{}
	number := func(e end) int {
		n, ok := ends[e]
		if !ok {
			n = len(parent)
			ends[e] = n
			parent = append(parent, n)
		}
		return n
	}
	exchanges := make([]exchange, len(g.Waits)) // by wait; channel -1: it is none
	for w := range exchanges {
		exchanges[w].channel = -1
	}
	for i, th := range g.Threads {
		for _, a := range th.Acts {
			if a.Do != exectrace.DoSignal && a.Do != exectrace.DoMeet || g.Waits[a.N].Need != 1 {
				continue
			}
			w := g.Waits[a.N]
			if w.Thread < 0 || how == traced {
				continue
			}
			var s, r end
			switch {
			case w.Kind == exectrace.ChanReceive && a.Do == exectrace.DoSignal:
				s, r = end{i, a.At, true}, end{w.Thread, w.At, false}
			case w.Kind == exectrace.ChanSend && a.Do == exectrace.DoMeet:
				s, r = end{w.Thread, w.At, true}, end{i, a.At, false}
			default:
				continue
			}
			x, y := root(number(s)), root(number(r))
			parent[x] = y
			exchanges[a.N] = exchange{s.thread, r.thread, number(s)}
		}
	}
	// A goroutine that receives from several channels at one line makes one of them, and
	// one of a chain then both sends and receives there. Those stay as they were traced.
	type side struct{ channel, thread int }
	sides := map[side]bool{}
	chained := map[int]bool{}
	for e, n := range ends {
		x := side{root(n), e.thread}
		if sends, ok := sides[x]; ok && sends != e.sends {
			chained[x.channel] = true
		}
		sides[x] = e.sends
	}
	p := &plan{g: g, values: make([][]step, len(g.Waits))}
	channels := map[int]int{}
	for w := range exchanges {
		if c := exchanges[w].channel; c >= 0 {
			if c = root(c); chained[c] {
				exchanges[w].channel = -1
				continue
			}
			n, ok := channels[c]
			if !ok {
				n = len(p.channels)
				channels[c] = n
				p.channels = append(p.channels, 0)
			}
			exchanges[w].channel = n
			p.channels[n]++
		}
	}
	for _, th := range g.Threads {
		steps := make([]step, 0, len(th.Acts))
		for _, a := range th.Acts {
			s := step{Act: a}
			switch a.Do {
			case exectrace.DoAwait, exectrace.DoSignal, exectrace.DoMeet:
				x := exchanges[a.N]
				if x.channel < 0 {
					break
				}
				s.op, s.channel, s.value = send, x.channel, a.N
				if receives := g.Waits[a.N].Kind == exectrace.ChanReceive; receives == (a.Do == exectrace.DoAwait) {
					s.op = recv
				}
			}
			steps = append(steps, s)
		}
		p.threads = append(p.threads, steps)
	}
	p.pools()
	if how == streamed {
		p.stream()
	}
	return p
}

// stream makes acts of the operations on channels that have one receiver.
func (p *plan) stream() {
	pooled := map[int]bool{}
	for _, x := range p.pooled {
		pooled[x.channel] = true
	}
	for _, list := range [][][]step{p.threads, p.values} {
		for _, steps := range list {
			for i, s := range steps {
				if s.op != act && s.op != labour && !pooled[s.channel] {
					steps[i].op = act
				}
			}
		}
	}
}

// pools finds the channels that several workers of one crew receive from, and no other
// does, and gives each value what its receiver did with it.
func (p *plan) pools() {
	type crewed struct{ parent, from int }
	from := map[int]crewed{} // by channel
	workers := map[int][]int{}
	mixed := map[int]bool{}
	for i, steps := range p.threads {
		th := p.g.Threads[i]
		own := -1
		for _, s := range steps {
			if s.op != recv {
				continue
			}
			c := crewed{th.Parent, th.From}
			if k, ok := from[s.channel]; th.Parent < 0 || ok && k != c {
				mixed[s.channel] = true
			}
			if own >= 0 && own != s.channel { // it receives from two
				mixed[own], mixed[s.channel] = true, true
			}
			if own < 0 {
				own = s.channel
				workers[own] = append(workers[own], i)
			}
			from[s.channel] = c
		}
	}
	for c := range p.channels {
		list := workers[c]
		if mixed[c] || len(list) == 0 {
			continue
		}
		// Of the same crew, others may have come when all was taken.
		for i, th := range p.g.Threads {
			if k := from[c]; th.Parent == k.parent && th.From == k.from && !slices.Contains(list, i) && !slices.ContainsFunc(p.threads[i], func(s step) bool { return s.op == recv || s.Do == exectrace.DoRun }) {
				list = append(list, i)
			}
		}
		if len(list) < 2 {
			continue
		}
		var values []int
		for _, i := range list {
			steps := p.threads[i]
			end := len(steps) // where the worker says that it is done
			for k, s := range steps {
				if s.op == act && s.Do == exectrace.DoSignal && p.g.Waits[s.N].Kind == exectrace.WaitGroup {
					end = k
				}
			}
			first, at := end, -1
			for k, s := range steps[:end] {
				if s.op != recv {
					continue
				}
				if at < 0 {
					first = k
				} else {
					p.values[steps[at].value] = steps[at+1 : k]
				}
				at = k
				values = append(values, s.value)
			}
			if at >= 0 {
				p.values[steps[at].value] = steps[at+1 : end]
			}
			loop := slices.Clone(steps[:first])
			loop = append(loop, step{op: labour, channel: c})
			p.threads[i] = append(loop, steps[end:]...)
		}
		p.pooled = append(p.pooled, pool{channel: c, workers: len(list), values: values})
	}
}

// works is how long is computed for a value.
func (p *plan) works(value int) (d int64) {
	for _, s := range p.values[value] {
		if s.op == act && s.Do == exectrace.DoRun {
			d += s.Time
		}
	}
	return d
}

// mean is what is computed for a value of a channel, on average of those for which
// something is, and moved what is more than that.
func (p *plan) mean(values []int) (mean, moved int64) {
	all, n := int64(0), int64(0)
	for _, v := range values {
		if d := p.works(v); d > 0 {
			all += d
			n++
		}
	}
	if n == 0 {
		return 0, 0
	}
	mean = all / n
	for _, v := range values {
		moved += max(0, p.works(v)-mean)
	}
	return mean, moved
}

// even makes the values of each channel that workers share take equally long, and has many
// of them for each worker: where the channel has a buffer, a trace shows as one what a
// worker did with all that was in it.
func (p *plan) even() {
	const each = 8
	for i := range p.pooled {
		x := &p.pooled[i]
		mean, _ := p.mean(x.values)
		working, simple := 0, true
		for _, v := range x.values {
			if p.works(v) > 0 {
				working++
			}
			simple = simple && !slices.ContainsFunc(p.values[v], func(s step) bool { return s.op != act || s.Do != exectrace.DoRun })
		}
		if working == 0 {
			continue
		}
		if simple {
			x.parts = max(1, each*x.workers/working)
		}
		for _, v := range x.values {
			d := p.works(v)
			if d <= 0 {
				continue
			}
			steps := slices.Clone(p.values[v])
			for i := range steps {
				if steps[i].op == act && steps[i].Do == exectrace.DoRun {
					steps[i].Time = int64(float64(steps[i].Time) * float64(mean) / float64(d) / float64(max(1, x.parts)))
				}
			}
			p.values[v] = steps
		}
		if x.parts > 1 {
			p.spread(x.channel, x.parts)
		}
	}
}

// spread lets a channel's senders send each value in parts, one after the other while they
// compute what comes before it.
func (p *plan) spread(channel, parts int) {
	p.channels[channel] *= parts
	for i, steps := range p.threads {
		if !slices.ContainsFunc(steps, func(s step) bool { return s.op == send && s.channel == channel }) {
			continue
		}
		var out []step
		for _, s := range steps {
			if s.op != send || s.channel != channel {
				out = append(out, s)
				continue
			}
			var before []step
			if n := len(out); n > 0 && out[n-1].op == act && out[n-1].Do == exectrace.DoRun {
				part := out[n-1]
				part.Time /= int64(parts)
				out, before = out[:n-1], []step{part}
			}
			for range parts {
				out = append(append(out, before...), s)
			}
		}
		p.threads[i] = out
	}
}

// buffered reports whether a channel of one receiver seems to have a buffer: after it
// received from a sender that waited, the receiver goes on for far longer than after it
// was woken by one.
func (p *plan) buffered() bool {
	type sum struct{ n, time int64 }
	woken, met := map[int]sum{}, map[int]sum{}
	for _, steps := range p.threads {
		for i, s := range steps {
			if s.op != recv || i+1 == len(steps) || steps[i+1].op != act || steps[i+1].Do != exectrace.DoRun {
				continue
			}
			to := woken
			if s.Do == exectrace.DoMeet {
				to = met
			}
			x := to[s.channel]
			to[s.channel] = sum{x.n + 1, x.time + steps[i+1].Time}
		}
	}
	for c, m := range met {
		if w := woken[c]; w.n > 0 && float64(m.time)/float64(m.n) > 2*float64(w.time)/float64(w.n) {
			return true
		}
	}
	return false
}

// A passage is a channel on the modelled machine.
type passage struct {
	room      int
	left      int   // values that have not been received
	buffer    []int // values
	senders   []blocked
	receivers []blocked
}

// A blocked is a goroutine that waits.
type blocked struct {
	self  world.Waiter
	t     *runner
	value int  // of a sender
	got   *int // of a receiver

	since time.Duration // of one that waits for a lock
}

// wake lets it go on, by the doing of one.
func (b blocked) wake(by *runner) {
	b.t.chain = by.chain
	world.Ready(b.self)
}

// address is where the lock of a channel lies.
func (r *replay) address(c int) uintptr { return 1<<31 + uintptr(c)<<7 }

func (r *replay) send(t *runner, c, value int) {
	world.Touch(r.address(c), true)
	x := &r.passages[c]
	world.ParkUnless(func() bool {
		if r.over {
			return true
		}
		if len(x.receivers) > 0 {
			y := x.receivers[0]
			x.receivers = x.receivers[1:]
			*y.got = value
			y.wake(t)
			return true
		}
		if len(x.buffer) < x.room {
			x.buffer = append(x.buffer, value)
			return true
		}
		x.senders = append(x.senders, blocked{self: world.Self(), t: t, value: value})
		return false
	})
}

// receive returns a value, -1 where there are no more, or the replay is over.
func (r *replay) receive(t *runner, c int) int {
	got := -1
	world.Touch(r.address(c), true)
	x := &r.passages[c]
	defer func() {
		if got < 0 {
			return
		}
		if x.left--; x.left == 0 { // the channel is closed
			for _, y := range x.receivers {
				y.wake(t)
			}
			x.receivers = nil
		}
	}()
	world.ParkUnless(func() bool {
		switch {
		case r.over || x.left == 0:
			return true
		case len(x.buffer) > 0:
			got = x.buffer[0]
			x.buffer = x.buffer[1:]
			if len(x.senders) > 0 {
				y := x.senders[0]
				x.senders = x.senders[1:]
				x.buffer = append(x.buffer, y.value)
				y.wake(t)
			}
			return true
		case len(x.senders) > 0:
			y := x.senders[0]
			x.senders = x.senders[1:]
			got = y.value
			y.wake(t)
			return true
		}
		x.receivers = append(x.receivers, blocked{self: world.Self(), t: t, got: &got})
		return false
	})
	return got
}
