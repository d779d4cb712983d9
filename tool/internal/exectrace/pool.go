package exectrace

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// And is what two traces of one program say together, made with [Options.Serve].
// The spread of operations is that of all of them; of the fast and the slow ones,
// whose operations are compared within a trace, it is the average. Path, Timeline
// and the samples are those of f.
func (f *Facts) And(x *Facts) *Facts {
	out := *f
	out.Window += x.Window
	out.Procs = max(f.Procs, x.Procs)
	out.Events += x.Events
	out.Bytes += x.Bytes
	out.Damaged = f.Damaged || x.Damaged
	out.Running = make([]float64, max(len(f.Running), len(x.Running)))
	for _, t := range []*Facts{f, x} {
		for k, share := range t.Running {
			out.Running[k] += ratio(share*t.Window, out.Window)
		}
	}
	out.GC = ratio(f.GC*f.Window+x.GC*x.Window, out.Window)
	out.Goroutines += x.Goroutines
	out.Resumptions += x.Resumptions
	out.Preempted += x.Preempted
	out.Yields += x.Yields
	out.Run, out.Life, out.RunnableWait = f.Run.and(x.Run), f.Life.and(x.Life), f.RunnableWait.and(x.RunnableWait)
	out.Idle = f.Idle.And(x.Idle)
	out.Idle.SerialSites = together(f.Idle.SerialSites, x.Idle.SerialSites)
	out.Idle.ImbalanceSites = together(f.Idle.ImbalanceSites, x.Idle.ImbalanceSites)
	out.Beside = f.Beside.and(x.Beside)
	out.Late += x.Late
	out.SystemRun += x.SystemRun
	out.UserRun += x.UserRun
	out.Syscall += x.Syscall
	out.Syscalls += x.Syscalls
	out.Work += x.Work
	out.Span += x.Span
	out.BurdenedSpan += x.BurdenedSpan
	out.Blocks = blocks(f.Blocks, x.Blocks)
	out.SpawnSites = spawns(f.SpawnSites, x.SpawnSites)
	out.Again = spawns(f.Again, x.Again)
	out.Stops, out.Stopped = spawns(f.Stops, x.Stops), f.Stopped+x.Stopped
	a, b := f.Served, x.Served
	out.Served = Served{a.Run + b.Run, a.Other + b.Other, a.Assist + b.Assist, a.Outside + b.Outside, a.Unasked + b.Unasked, a.Calm + b.Calm}
	out.Delays = f.Delays.and(x.Delays)
	out.Ops = ops(f.Ops, x.Ops)
	out.Unended += x.Unended
	out.Holders = holders(f.Holders, x.Holders)
	out.Pieces = slices.Concat(f.Pieces, x.Pieces)
	return &out
}

// and is about the distribution of both: the quantiles are averages.
func (d Dist) and(x Dist) Dist {
	if d.N == 0 || x.N == 0 {
		if d.N == 0 {
			return x
		}
		return d
	}
	a, b := float64(d.N), float64(x.N)
	both := func(d, x float64) float64 { return (a*d + b*x) / (a + b) }
	return Dist{d.N + x.N, both(d.Median, x.Median), both(d.P10, x.P10), both(d.P90, x.P90), both(d.Mean, x.Mean), d.Total + x.Total}
}

func together(a, b []SiteTime) (out []SiteTime) {
	by := map[source.Place]float64{}
	for _, s := range slices.Concat(a, b) {
		by[s.Site] += s.Time
	}
	for _, at := range top(by, maxSites, source.Place.Compare) {
		out = append(out, SiteTime{at, by[at]})
	}
	return out
}

func spawns(a, b []SiteCount) (out []SiteCount) {
	by := map[source.Place]int{}
	for _, s := range slices.Concat(a, b) {
		by[s.Site] += s.N
	}
	for _, at := range top(by, maxSites, source.Place.Compare) {
		out = append(out, SiteCount{at, by[at]})
	}
	return out
}

func blocks(a, b []Block) []Block {
	type key struct {
		kind Kind
		at   source.Place
	}
	by := map[key]Block{}
	for _, x := range slices.Concat(a, b) {
		k := key{x.Kind, x.Site}
		y := by[k]
		by[k] = Block{x.Kind, x.Site, x.N + y.N, x.Total + y.Total, x.Ready + y.Ready}
	}
	return slices.SortedFunc(maps.Values(by), func(a, b Block) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Kind, b.Kind), a.Site.Compare(b.Site))
	})
}

func holders(a, b []Holder) []Holder {
	by := map[[2]source.Place]Holder{}
	for _, x := range slices.Concat(a, b) {
		k := [2]source.Place{x.Wait, x.Give}
		y := by[k]
		by[k] = Holder{x.Wait, x.Give, x.N + y.N, x.Time + y.Time}
	}
	all := slices.SortedFunc(maps.Values(by), func(a, b Holder) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), a.Wait.Compare(b.Wait), a.Give.Compare(b.Give))
	})
	return all[:min(len(all), maxSites)]
}

func ops(a, b []Op) []Op {
	by := map[string]Op{}
	for _, x := range slices.Concat(a, b) {
		y, ok := by[x.Name]
		if !ok {
			by[x.Name] = x
			continue
		}
		by[x.Name] = y.and(x)
	}
	return slices.SortedFunc(maps.Values(by), mostTime)
}

func (p Op) and(x Op) Op {
	var h hist
	h.merge(p.time)
	h.merge(x.time)
	out := p
	out.time = &h
	out.N += x.N
	out.Mean = ratio(float64(h.total), float64(h.n))
	out.P50, out.P90, out.P99, out.Max = h.quantile(0.5), h.quantile(0.9), h.quantile(0.99), max(p.Max, x.Max)
	out.Ran += x.Ran
	out.Parts = sum(p.Parts, 1, x.Parts, 1)
	out.Fast, out.Slow = p.Fast.and(x.Fast), p.Slow.and(x.Slow)
	a, b := float64(p.N)/float64(out.N), float64(x.N)/float64(out.N)
	out.Row = Row{a*p.Row.N + b*x.Row.N, a*p.Row.Time + b*x.Row.Time, a*p.Row.Longest + b*x.Row.Longest, p.Row.Site}
	if x.Row.Longest*b > p.Row.Longest*a {
		out.Row.Site = x.Row.Site
	}
	out.Usual, out.Tail = nearest(out.P50, p.Usual, x.Usual), nearest(out.P99, p.Tail, x.Tail)
	return out
}

func (g *Group) and(x *Group) *Group {
	if g == nil || x == nil {
		return cmp.Or(g, x)
	}
	a, b := float64(g.N)/float64(g.N+x.N), float64(x.N)/float64(g.N+x.N)
	out := &Group{N: g.N + x.N, Mean: a*g.Mean + b*x.Mean, Parts: sum(g.Parts, a, x.Parts, b)}
	by := map[Wait]Wait{}
	for _, w := range slices.Concat(g.Waits, x.Waits) {
		k := Wait{Kind: w.Kind, Site: w.Site, By: w.By}
		y := by[k]
		k.N = y.N + w.N
		k.Mean = ratio(y.Mean*float64(y.N)+w.Mean*float64(w.N), float64(k.N))
		by[Wait{Kind: w.Kind, Site: w.Site, By: w.By}] = k
	}
	out.Waits = slices.SortedFunc(maps.Values(by), longest)
	out.Waits = out.Waits[:min(len(out.Waits), 3)]
	return out
}

func sum(a map[Part]float64, by float64, b map[Part]float64, of float64) map[Part]float64 {
	out := map[Part]float64{}
	for p, x := range a {
		out[p] += by * x
	}
	for p, x := range b {
		out[p] += of * x
	}
	return out
}
