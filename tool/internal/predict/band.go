package predict

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
)

// A fan is the models of one benchmark that what was measured leaves.
type fan struct {
	in      Input
	m       Machine
	o       Options
	members []*member
	top     int     // the most processors that were measured
	noise   float64 // of what was measured, a logarithm
	streams bool    // an operation reaches more memory than the caches hold
	told    []int   // numbers of processors that the program was told, of which there are traces
}

func (p *Prediction) predict(in Input, m Machine, o Options) error {
	f := &fan{in: in, m: m, o: o, streams: in.Cache > 0 && in.Touched > in.Cache}
	if err := f.gather(); err != nil {
		return err
	}
	if err := f.hold(); err != nil {
		return err
	}
	var err error
	procs := slices.Clone(o.Procs)
	slices.Sort(procs)
	procs = slices.Compact(procs)
	widest := f.members
	if len(procs) > 0 {
		widest, _ = f.of(procs[len(procs)-1])
	}
	if p.WorkSpan, err = workSpan(widest[0].trace.Graphs); err != nil {
		return err
	}
	for _, n := range procs {
		if n < 2 {
			continue
		}
		if n > MostProcs {
			return fmt.Errorf("-procs %d: the modelled machine has %d at most", n, MostProcs)
		}
		x, err := f.point(n, nil)
		if err != nil {
			return err
		}
		p.Points = append(p.Points, x)
	}
	useful := slices.ContainsFunc(p.Points, func(x Point) bool { return x.Wide == "" })
	if len(p.Points) > 0 && !useful {
		return refusal{"the band is too wide to be of use at any number: " + p.Points[0].Wide, f.measureMore()}
	}
	return p.why(f)
}

// gather makes the members of the input.
func (f *fan) gather() error {
	in := f.in
	if len(in.Walls[1]) == 0 {
		return refusal{"its time at 1 processor was not measured", f.o.Next}
	}
	type setting struct{ procs, told int }
	traces := map[setting][]Trace{}
	var all []Trace
	for _, t := range in.Traces {
		k := setting{t.Procs, t.told()}
		if len(in.Walls[t.Procs]) > 0 && len(t.Graphs) > 0 && len(traces[k]) < mostTraces {
			traces[k] = append(traces[k], t)
			all = append(all, t)
		}
	}
	if len(all) < leastTraces {
		return refusal{fmt.Sprintf("there are too few traces of it (%d, %d are needed)", len(all), leastTraces), f.o.Next}
	}
	for _, n := range sorted(in.Walls) {
		if n > f.top && len(in.Walls[n]) > 0 {
			f.top = n
		}
		f.noise = max(f.noise, noise(in.Walls[n]))
	}
	if err := f.sameProgram(all); err != nil {
		return err
	}
	counts := map[int]float64{} // goroutines that an operation starts, by processors
	threads, waits, most := 0, 0, 0
	starts := false
	for k, list := range traces {
		n := 0.0
		for _, t := range list {
			for _, g := range t.Graphs {
				threads = max(threads, len(g.Threads))
				for _, w := range g.Waits {
					waits += min(w.Need, 1)
				}
			}
			n += t.starts() / float64(len(list))
		}
		starts = starts || n > 0
		most = max(most, k.procs)
		if k.told == k.procs {
			counts[k.procs] = n
		} else {
			f.told = append(f.told, k.told)
		}
	}
	slices.Sort(f.told)
	if threads <= 1 || waits == 0 && !starts {
		switch {
		case most == 1 && f.told == nil:
			return refusal{"it starts no goroutines at 1 processor, and may where there are more", f.measureMore()}
		case most == 1:
			return refusal{"it starts no goroutines on 1 processor, though it is told of more", f.measureMore()}
		}
		return refusal{"it starts no goroutines: more processors change nothing that a trace shows", "give it a variant that starts some"}
	}
	_, one := counts[1]
	grows := f.told == nil && one && most > 1 && counts[most] > 1.3*counts[1] && counts[most]-counts[1] > 0.2
	for _, t := range all {
		if grows && t.Procs != most {
			continue // with fewer processors it is another program
		}
		if err := f.add(t, grows, one, most); err != nil {
			return err
		}
	}
	if most == 1 {
		return f.hidden()
	}
	return nil
}

// add adds the members of one trace.
func (f *fan) add(t Trace, grows, one bool, most int) error {
	ops, per := float64(t.N), quartiles(f.in.Walls[t.Procs])[1]*cmp.Or(t.Longer, 1)
	if t.N <= 0 {
		ops = 0
		for _, g := range t.Graphs {
			ops += g.Whole / per
		}
	}
	growths := []float64{1}
	if t.Procs > 1 && f.told == nil {
		simple, crewed := true, false
		for _, g := range t.Graphs {
			for _, c := range crews(g) {
				if len(c.threads) == t.Procs {
					crewed = true
					simple = simple && c.simple && c.joint >= 0
				}
			}
		}
		switch {
		case grows && (!crewed || !simple):
			if slices.Max(append(slices.Clone(f.o.Procs), 0)) > f.top {
				return refusal{fmt.Sprintf("it starts more goroutines at %d processors than at 1, in a way that the traces do not tell for more of them", most), "measure on a machine with more processors"}
			}
		case grows:
			growths = []float64{2}
		case !one && crewed && simple: // as many as there are processors: by chance, or it asks
			growths = []float64{1, 2}
		}
	}
	all := map[choice]bool{}
	var list []choice
	for _, g := range t.Graphs {
		for _, c := range choices(g, f.top <= 1) {
			if !all[c] {
				all[c] = true
				list = append(list, c)
			}
		}
	}
	for _, growth := range growths {
		for _, c := range list {
			f.members = append(f.members, &member{trace: t, wall: per * ops, ops: ops, c: c, growth: growth, when: map[int]result{}})
		}
	}
	return nil
}

// sameProgram refuses traces that have no function in common.
func (f *fan) sameProgram(traces []Trace) error {
	var first map[string]bool
	for _, t := range traces {
		funcs := map[string]bool{}
		for _, g := range t.Graphs {
			for _, th := range g.Threads {
				for _, a := range th.Acts {
					if a.At > 0 && a.At < len(g.Places) {
						funcs[g.Places[a.At].Func] = true
					}
				}
			}
		}
		if len(funcs) == 0 {
			continue
		}
		if first == nil {
			first = funcs
			continue
		}
		common := false
		for fn := range funcs {
			common = common || first[fn]
		}
		if !common {
			return refusal{"its traces are of different programs: they have no function in common", f.o.Next}
		}
	}
	return nil
}

// hidden refuses what a trace at one processor cannot show.
func (f *fan) hidden() error {
	const share = 0.02
	if f.in.Locks > share {
		return refusal{fmt.Sprintf("%.0f %% of its time is in locks without a wait at 1 processor", 100*f.in.Locks), f.measureMore()}
	}
	if f.in.Atomics > share {
		return refusal{fmt.Sprintf("%.0f %% of its time is at atomic operations, whose cache lines travel where there are more processors", 100*f.in.Atomics), f.measureMore()}
	}
	const kernel, heap = 0.1, 0.5
	if f.in.System > kernel {
		return refusal{fmt.Sprintf("%.0f %% of its time is in the system, whose own locks a trace does not show", 100*f.in.System), f.measureMore()}
	}
	if f.in.Memory > heap {
		return refusal{fmt.Sprintf("%.0f %% of its time makes, moves or frees memory, whose locks and bandwidth a trace does not show", 100*f.in.Memory), f.measureMore()}
	}
	for _, x := range f.members {
		for _, g := range x.trace.Graphs {
			if g.Yields() > 0 {
				return refusal{"it waits by runtime.Gosched, how often where there are more processors a trace at 1 does not show", f.measureMore()}
			}
		}
	}
	if f.top <= 1 && slices.ContainsFunc(f.members, func(x *member) bool { return slices.ContainsFunc(x.trace.Graphs, hands) }) {
		return refusal{"its goroutines hand each other more values through channels than there are of them, and a trace at 1 processor shows neither what was ready nor how much channels hold", f.measureMore()}
	}
	for _, x := range f.members {
		if x.c.even && f.top > 1 {
			return nil
		}
		var free []*exectrace.Graph // what one lock keeps apart shows
		for _, g := range x.trace.Graphs {
			free = append(free, unlocked(g))
		}
		if best, err := workSpan(free); err != nil || best >= leastShown {
			return err
		}
	}
	return refusal{"its goroutines run one at a time in a trace at 1 processor, and may not where there are more", f.measureMore()}
}

// hands reports whether goroutines of g hand each other values over and over: there are more
// waits for channels than goroutines.
func hands(g *exectrace.Graph) bool {
	waits := 0
	for _, w := range g.Waits {
		if rendezvous(w.Kind) && w.Need > 0 {
			waits++
		}
	}
	return waits > len(g.Threads)
}

func (f *fan) measureMore() string {
	if f.top <= 1 {
		return "measure it at 2 processors as well: " + f.o.Next
	}
	return "measure on a machine with more processors, or take more traces: " + f.o.Next
}

// hold drops the members that contradict what was measured.
func (f *fan) hold() error {
	worst := 0.0
	kept := f.members[:0]
	slow := 0.0
	for _, x := range f.members {
		took := 0.0
		for _, g := range x.trace.Graphs {
			took += g.Whole
		}
		most := slowest
		if f.top <= 1 {
			most = slowestBlind
		}
		if took > most*x.wall {
			slow = took / x.wall
			continue
		}
		if x.scale == 0 {
			if err := x.calibrate(f.m, f.o.Order); err != nil {
				return err
			}
		}
		other := f.top
		switch {
		case x.trace.told() != x.trace.Procs:
			other = x.trace.told()
		case x.trace.Procs == f.top:
			other = 1
		}
		if x.trace.Procs != other && !(x.growth > 1 && other == 1) && len(f.in.Walls[other]) > 0 {
			r, err := x.at(f.m, other, f.o.Order)
			if err != nil {
				return err
			}
			measured := quartiles(f.in.Walls[other])[1] * x.ops * x.size
			x.over = math.Log(measured / r.time)
			if other == 1 {
				x.over = -x.over
			}
		}
		if math.Abs(x.over) > unexplained {
			if worst == 0 || math.Abs(x.over) < math.Abs(worst) {
				worst = x.over
			}
			continue
		}
		kept = append(kept, x)
	}
	f.members = kept
	f.extend()
	switch {
	case len(kept) > 0:
		return nil
	case slow > 0 && worst == 0:
		return refusal{fmt.Sprintf("it takes %.1f times as long under a tracer as without: too much of its traces is of that", slow), "give its goroutines more to do between two waits, or measure on a machine with more processors"}
	}
	how := "slower"
	if worst < 0 {
		how = "faster"
	}
	return refusal{fmt.Sprintf("at %d processors it is %.2f times %s than its graph says, for what a trace does not hold, such as cache lines that travel, locks or memory", f.top, math.Exp(math.Abs(worst)), how), "payoff why shows what it is"}
}

// extend gives what was told of more processors than were measured what is unexplained of the
// others: it is the same program.
func (f *fan) extend() {
	var overs []float64
	for _, x := range f.members {
		if x.trace.told() > 1 && len(f.in.Walls[x.trace.told()]) > 0 {
			overs = append(overs, x.over)
		}
	}
	if len(overs) == 0 {
		return
	}
	slices.Sort(overs)
	for _, x := range f.members {
		if x.trace.told() > f.top {
			x.over = overs[len(overs)/2]
		}
	}
}

// workSpan is the work of graphs over their longest chains, as they were traced.
func workSpan(graphs []*exectrace.Graph) (float64, error) {
	free := Machine{Wake: 4, Low: 4, High: 4, Line: 1}
	all, span := 0.0, 0.0
	for _, g := range graphs {
		_, work := g.Spawned()
		r, err := run(g, free, MostProcs, choice{}, 0, 1, world.Next)
		if err != nil {
			r, err = run(g, free, MostProcs, choice{channels: traced}, 0, 1, world.Next)
		}
		if err != nil {
			return 0, err
		}
		all += work
		span += r.time
	}
	return max(1, all/span), nil
}

// of are the members that are of the program as it is at n processors: of what it was told
// of so many, and those that start as many goroutines. Where it was never told of n they are
// all, and untold says that it does not start as many whatever it is told.
func (f *fan) of(n int) (members []*member, untold bool) {
	if len(f.told) == 0 {
		return f.members, false
	}
	at := slices.IndexFunc(f.members, func(x *member) bool { return x.trace.told() == n })
	as := f.members[max(at, 0)].trace.starts()
	for _, x := range f.members {
		like := math.Abs(x.trace.starts()-as) <= 0.1*as
		untold = untold || at < 0 && !like
		if at < 0 || like || x.trace.told() == n {
			members = append(members, x)
		}
	}
	return members, untold
}

// point is the band at n, of the graphs or of what edit makes of them.
func (f *fan) point(n int, edit func(*exectrace.Graph) *exectrace.Graph) (Point, error) {
	var mids []float64
	low, high := math.Inf(1), 0.0
	groups := map[string]map[string][]float64{}
	note := func(what, value string, s float64) {
		if groups[what] == nil {
			groups[what] = map[string][]float64{}
		}
		groups[what][value] = append(groups[what][value], s)
	}
	one := quartiles(f.in.Walls[1])[1]
	slow := 0.0
	members, untold := f.of(n)
	for _, x := range members {
		r, err := result{}, error(nil)
		if edit == nil {
			r, err = x.at(f.m, n, f.o.Order)
		} else {
			r, err = x.time(f.m, n, edit, f.o.Order)
		}
		if err != nil {
			return Point{}, err
		}
		// Of the traced operations, at one processor.
		base := one * x.ops * x.size
		s := math.Log(base / r.time)
		doublings, known := math.Log2(float64(n)), math.Log2(float64(max(f.top, 1)))
		if x.trace.Procs == 1 && known > 0 {
			s -= x.over * min(1, doublings/known)
		}
		if x.trace.Procs > 1 && doublings < known {
			s += x.over * (1 - doublings/known)
		}
		beyond := max(0, doublings-known)
		each := max(leastSlower, x.over/max(known, 1))
		slower := each * beyond
		if known == 0 {
			slower = max(f.m.slower(f.streams)*beyond, firstDoubling)
		}
		slow = max(slow, slower)
		mids = append(mids, s-each*beyond/2)
		low, high = min(low, s-slower), max(high, s)
		note(unknownMeets, fmt.Sprint(x.c.channels), s)
		note(unknownEven, fmt.Sprint(x.c.even), s)
		note(unknownCost, fmt.Sprint(x.c.cost), s)
		note(unknownWorkers, fmt.Sprint(x.growth), s)
		note(unknownTraces, fmt.Sprint(x.trace.Procs, &x.trace.Graphs[0]), s)
	}
	slices.Sort(mids)
	p := Point{Procs: n, Value: math.Exp(mids[len(mids)/2]), Low: math.Exp(low - f.noise), High: math.Exp(high + f.noise)}
	const locks = 0.05
	if beyond := n > f.top && f.top > 1; beyond && f.in.Locks > locks {
		// A lock that all take may be no faster than it was.
		p.Low = min(p.Low, ratio(f.top, f.in.Walls[1], f.in.Walls[f.top]).Low)
	}
	p.High = min(p.High, float64(n)*1.05*math.Exp(f.noise))
	p.Low, p.Value = min(p.Low, p.High), min(max(p.Value, p.Low), p.High)
	switch {
	case untold:
		p.Wide = unknownTold
	case f.streams && f.m.Procs > 0 && n > f.m.Procs:
		p.Wide = "what the memory of a machine with more processors delivers"
	case p.High > widest*p.Low:
		p.Wide = f.widest(groups, slow, n)
	}
	return p, nil
}

// widest names the unknown that makes most of a band.
func (f *fan) widest(groups map[string]map[string][]float64, slow float64, n int) string {
	const locks = 0.05
	what, most := unknownSlower, slow
	if f.top > 1 && n > f.top && f.in.Locks > locks {
		return "locks, which may be no faster with more processors"
	}
	for _, name := range []string{unknownMeets, unknownEven, unknownCost, unknownWorkers, unknownTraces} {
		var mids []float64
		for _, list := range groups[name] {
			slices.Sort(list)
			mids = append(mids, list[len(list)/2])
		}
		if d := slices.Max(mids) - slices.Min(mids); d > most {
			what, most = name, d
		}
	}
	return what
}

// why finds the knee, and what would move it.
func (p *Prediction) why(f *fan) error {
	if len(p.Points) == 0 {
		return nil
	}
	last := p.Points[len(p.Points)-1]
	best := last
	for _, x := range p.Points {
		if x.Value > best.Value {
			best = x
		}
	}
	// What the longest chain is of at the end, by the model in the middle.
	x := f.middle(last.Procs)
	r, err := x.at(f.m, last.Procs, f.o.Order)
	if err != nil {
		return err
	}
	g := x.trace.Graphs[0]
	at, most := 0, 0.0
	for i, d := range r.blame {
		if i < len(g.Places) && d > most {
			at, most = i, d
		}
	}
	stretches, took := 0, 0.0
	for _, th := range g.Threads {
		for _, a := range th.Acts {
			if a.Do == exectrace.DoRun && a.At == at {
				stretches++
				took += max(float64(a.Time)*x.scale-x.off, least)
			}
		}
	}
	k := &Knee{Share: min(1, most/r.time), Waits: stretches > 0 && took/float64(stretches) < float64(f.m.Wake)}
	if at < len(g.Places) {
		k.At = g.Places[at]
	}
	for _, y := range p.Points {
		if y.Value >= 0.9*best.Value {
			k.Procs = y.Procs
			break
		}
	}
	if k.Procs < last.Procs {
		p.Knee = k
	}
	return p.cure(f, k)
}

// middle is the member whose time at n is in the middle.
func (f *fan) middle(n int) *member {
	all, _ := f.of(n)
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b *member) int {
		return cmp.Compare(a.when[n].time/a.wall/a.size, b.when[n].time/b.wall/b.size)
	})
	return all[len(all)/2]
}

// curedProcs is where cures are looked at.
const curedProcs = 16

// cure tries what would move the knee.
func (p *Prediction) cure(f *fan, k *Knee) error {
	var at Point
	for _, x := range p.Points {
		if x.Wide == "" && x.Procs <= curedProcs {
			at = x
		}
	}
	if at.Procs == 0 || k.At.Func == "" {
		return nil
	}
	edits := []struct {
		does string
		if_  bool
		edit func(*exectrace.Graph) *exectrace.Graph
	}{
		{"batches of 64", true, func(g *exectrace.Graph) *exectrace.Graph { return batch(g, place(g, k.At), 64) }},
		{"half the time", true, func(g *exectrace.Graph) *exectrace.Graph { return scale(g, place(g, k.At), 0.5) }},
		{"even shares for the workers", slices.ContainsFunc(f.members, func(x *member) bool { return !x.c.even && uneven(x.trace.Graphs[0]) }), func(g *exectrace.Graph) *exectrace.Graph { return even(g, 1) }},
	}
	for _, e := range edits {
		if !e.if_ {
			continue
		}
		to, err := f.point(at.Procs, e.edit)
		if err != nil {
			return err
		}
		if to.Value > 1.1*at.Value && to.Wide == "" {
			p.Cures = append(p.Cures, Cure{Does: e.does, At: k.At, Procs: at.Procs, From: at, To: to})
		}
	}
	slices.SortStableFunc(p.Cures, func(a, b Cure) int { return cmp.Compare(b.To.Value, a.To.Value) })
	return nil
}
