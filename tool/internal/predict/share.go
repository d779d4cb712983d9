package predict

import (
	"slices"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
)

// A crew is threads that one started at one line, and waits for together: workers among
// which work is divided.
type crew struct {
	parent, from int
	joint        int // the wait that all signal; -1: none
	threads      []int
	work         []int64 // of each
	total        int64
	simple       bool // they compute and are done: they talk to no other
}

// crews are those of a graph, in the order of their first threads.
func crews(g *exectrace.Graph) (all []*crew) {
	type key struct{ parent, from, joint int }
	known := map[key]*crew{}
	for i, th := range g.Threads {
		if th.Parent < 0 {
			continue
		}
		k := key{th.Parent, th.From, -1}
		work, simple := int64(0), true
		for _, a := range th.Acts {
			switch {
			case a.Do == exectrace.DoRun:
				work += a.Time
			case a.Do == exectrace.DoSignal && g.Waits[a.N].Kind == exectrace.WaitGroup:
				k.joint = a.N
			default:
				simple = false
			}
		}
		c := known[k]
		if c == nil {
			c = &crew{parent: k.parent, from: k.from, joint: k.joint, simple: true}
			known[k] = c
			all = append(all, c)
		}
		c.threads = append(c.threads, i)
		c.work = append(c.work, work)
		c.total += work
		c.simple = c.simple && simple
	}
	return all
}

// shared reports whether the workers may take their work from where others take it, by
// what a trace does not show: there are some that had none. What is given to each when it
// is started stays as it is, and which receives what is decided anew in any case.
func (c *crew) shared() bool {
	return slices.Min(c.work) < c.total/int64(len(c.threads))/20
}

// uneven reports whether dividing work evenly among workers that share it would change
// what is computed by which of them: by a tenth of all that is computed, at least.
func uneven(g *exectrace.Graph) bool {
	moved, all := 0.0, 0.0
	p := newPlan(g, held)
	for _, x := range p.pooled {
		_, more := p.mean(x.values)
		moved += float64(more)
	}
	for _, c := range crews(g) {
		if !c.simple || !c.shared() {
			continue
		}
		each := float64(c.total) / float64(len(c.threads))
		for _, w := range c.work {
			moved += max(0, float64(w)-each)
		}
	}
	_, all = g.Spawned()
	return moved > 0.1*all
}

// even is g with the work of each crew divided evenly among so many as it has, and times
// as many: the program starts as many workers as there are processors.
func even(g *exectrace.Graph, times float64) *exectrace.Graph {
	out := *g
	out.Threads, out.Waits = slices.Clone(g.Threads), slices.Clone(g.Waits)
	for _, c := range crews(g) {
		n := len(c.threads)
		want := n
		if times > 1 && c.simple && c.joint >= 0 {
			want = max(n, int(float64(n)*times+0.5))
		}
		if !c.simple || want < 2 || want == n && !c.shared() {
			continue
		}
		each := max(c.total/int64(want), 1)
		for k, i := range c.threads {
			out.Threads[i].Acts = scaled(out.Threads[i].Acts, c.work[k], each)
		}
		last := c.threads[n-1]
		parent := &out.Threads[c.parent]
		at := slices.IndexFunc(parent.Acts, func(a exectrace.Act) bool { return a.Do == exectrace.DoSpawn && a.N == last })
		if at < 0 {
			continue
		}
		var more []exectrace.Act
		for range want - n {
			more = append(more, exectrace.Act{Do: exectrace.DoSpawn, At: parent.Acts[at].At, N: len(out.Threads)})
			out.Threads = append(out.Threads, exectrace.Thread{Func: g.Threads[last].Func, Parent: c.parent, From: c.from, Acts: []exectrace.Act{
				{Do: exectrace.DoRun, At: c.at(g), Time: each}, {Do: exectrace.DoSignal, At: g.Waits[c.joint].At, N: c.joint}}})
			out.Waits[c.joint].Need++
		}
		if more != nil {
			parent = &out.Threads[c.parent] // it may have moved
			parent.Acts = slices.Concat(parent.Acts[:at+1], more, parent.Acts[at+1:])
		}
	}
	return &out
}

// at is where the crew computes most.
func (c *crew) at(g *exectrace.Graph) (place int) {
	most := int64(-1)
	for _, i := range c.threads {
		for _, a := range g.Threads[i].Acts {
			if a.Do == exectrace.DoRun && a.Time > most {
				most, place = a.Time, a.At
			}
		}
	}
	return place
}

// scaled is acts that compute for work, changed so that they compute for want.
func scaled(acts []exectrace.Act, work, want int64) []exectrace.Act {
	out := slices.Clone(acts)
	if work <= 0 {
		return slices.Insert(out, 0, exectrace.Act{Do: exectrace.DoRun, Time: want})
	}
	f := float64(want) / float64(work)
	for i := range out {
		if out[i].Do == exectrace.DoRun {
			out[i].Time = int64(float64(out[i].Time) * f)
		}
	}
	return out
}
