package exectrace

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// A tally is what is counted in a window. The maps are bounded by the sites.
type tally struct {
	window, gc                    float64
	running                       []float64
	work, userRun, systemRun      float64
	syscall                       float64
	opener                        int64 // see Facts.Opener
	goroutines, preempted, yields int
	syscalls                      int
	resumed, sameProc, sameThread int
	run, life, wait               hist
	blocks                        map[blockAt]waits
	spawns, callers               map[site]int
	again, stops                  map[site]int // see Facts.Again, Facts.Stops
	stopped                       float64      // see Facts.Stopped
	serialAt, unequalAt           map[site]float64
	idle                          Idle
	beside                        Idle  // of idle.Runnable, see Facts.Beside
	late                          int64 // see Facts.Late
	best                          track // the longest path
	bestStep                      step  // its open end
	burdened                      float64
	path                          pathSum // paths of closed windows
	length                        int64   // their length together
	line                          *line   // nil: this window has no part in the timeline
}

type blockAt struct {
	kind Kind
	site site
}

type waits struct {
	n            int
	total, ready int64
}

func (w *tally) waited(k Kind, at site, d int64) {
	b := w.blocks[blockAt{k, at}]
	w.blocks[blockAt{k, at}] = waits{b.n + 1, b.total + d, b.ready}
}

// stoodReady adds the time from a wake-up to running.
func (w *tally) stoodReady(k Kind, at site, d int64) {
	b := w.blocks[blockAt{k, at}]
	b.ready += d
	w.blocks[blockAt{k, at}] = b
}

// reset makes w that of an empty window.
func (w *tally) reset() {
	if w.blocks == nil {
		*w = tally{
			blocks: make(map[blockAt]waits), spawns: make(map[site]int), callers: make(map[site]int), again: make(map[site]int), stops: make(map[site]int),
			serialAt: make(map[site]float64), unequalAt: make(map[site]float64),
		}
		return
	}
	clear(w.running)
	clear(w.blocks)
	clear(w.spawns)
	clear(w.callers)
	clear(w.again)
	clear(w.stops)
	clear(w.serialAt)
	clear(w.unequalAt)
	w.run.reset()
	w.life.reset()
	w.wait.reset()
	// The histograms are most of a tally: with many short windows copying
	// them would cost more than the events.
	w.window, w.gc, w.work, w.userRun, w.systemRun, w.syscall, w.opener, w.stopped = 0, 0, 0, 0, 0, 0, 0, 0
	w.goroutines, w.preempted, w.yields, w.syscalls = 0, 0, 0, 0
	w.resumed, w.sameProc, w.sameThread = 0, 0, 0
	w.idle, w.beside, w.late, w.best, w.bestStep, w.burdened = Idle{}, Idle{}, 0, track{}, step{}, 0
	w.path, w.length, w.line = pathSum{}, 0, nil
}

// merge adds a closed window.
func (w *tally) merge(o *tally) {
	for len(w.running) < len(o.running) {
		w.running = append(w.running, 0)
	}
	for k, d := range o.running {
		w.running[k] += d
	}
	w.window += o.window
	w.gc += o.gc
	w.work += o.work
	w.userRun += o.userRun
	w.systemRun += o.systemRun
	w.syscall += o.syscall
	w.opener += o.opener
	w.stopped += o.stopped
	w.goroutines += o.goroutines
	w.preempted += o.preempted
	w.yields += o.yields
	w.syscalls += o.syscalls
	w.resumed += o.resumed
	w.sameProc += o.sameProc
	w.sameThread += o.sameThread
	w.run.merge(&o.run)
	w.life.merge(&o.life)
	w.wait.merge(&o.wait)
	for at, b := range o.blocks {
		x := w.blocks[at]
		w.blocks[at] = waits{x.n + b.n, x.total + b.total, x.ready + b.ready}
	}
	for at, n := range o.spawns {
		w.spawns[at] += n
	}
	for at, n := range o.again {
		w.again[at] += n
	}
	for at, n := range o.stops {
		w.stops[at] += n
	}
	for at, n := range o.callers {
		w.callers[at] += n
	}
	for at, d := range o.serialAt {
		w.serialAt[at] += d
	}
	for at, d := range o.unequalAt {
		w.unequalAt[at] += d
	}
	w.idle.add(&o.idle)
	w.beside.add(&o.beside)
	w.late += o.late
	w.burdened += o.burdened
	w.length += o.best.length
	w.path.add(o.best.seal(o.bestStep))
	switch {
	case w.line == nil:
		w.line = o.line
	case o.line != nil:
		w.line.add(o.line)
	}
}

func (i *Idle) add(o *Idle) {
	i.Total += o.Total
	i.Runnable += o.Runnable
	i.Lock += o.Lock
	i.Handoff += o.Handoff
	i.Serial += o.Serial
	i.Forked += o.Forked
	i.Unrun += o.Unrun
	i.Imbalance += o.Imbalance
	i.Waiting += o.Waiting
	i.Held += o.Held
	i.Sleep += o.Sleep
	i.Net += o.Net
	i.Syscall += o.Syscall
	i.Cgo += o.Cgo
	i.GC += o.GC
}

// openWindow opens a window, in place of the open one if there is one. by is
// who does it, nil if that is not known.
func (a *accounts) openWindow(by *gor) {
	a.win.reset()
	a.open, a.opened = true, a.crew.now
	a.epoch++
	a.locked, a.conds, a.handing, a.outside, a.pending, a.held = 0, 0, 0, 0, 0, 0
	a.bench = by
	if by != nil {
		a.fresh(by)
	}
	for _, g := range a.crew.runners {
		a.fresh(g)
	}
	a.fresh(a.root)
}

// closeWindow adds the open window to the total.
func (a *accounts) closeWindow() {
	for _, g := range a.crew.runners {
		a.fresh(g)
		a.halt(g)
		if x := &g.acct; x.runTime > 0 {
			a.win.run.add(x.runTime)
			a.win.late += min(x.late, x.runTime)
		}
		a.spend(g)
	}
	a.awake(Other)
	a.open = false
	a.total.merge(&a.win)
	a.win.reset()
}

const (
	maxBlocks  = 64
	maxSteps   = 16
	maxSites   = 8
	maxCallers = 64
)

// facts closes the open window and says what all of them had.
func (a *accounts) facts(sites *sites) *Facts {
	if a.open {
		a.closeWindow()
	}
	w := &a.total
	f := &Facts{
		Window: w.window, Procs: a.crew.procs, Marked: a.marked,
		Goroutines: w.goroutines,
		Run:        w.run.dist(), Life: w.life.dist(), RunnableWait: w.wait.dist(),
		Resumptions: w.resumed,
		SameProc:    ratio(float64(w.sameProc), float64(w.resumed)),
		SameThread:  ratio(float64(w.sameThread), float64(w.resumed)),
		Preempted:   w.preempted, Yields: w.yields,
		Idle:      w.idle,
		Beside:    Beside{w.beside.Lock, w.beside.Handoff, w.beside.Serial, w.beside.Forked, w.beside.Imbalance},
		Late:      float64(w.late),
		Opener:    float64(w.opener),
		SystemRun: w.systemRun, UserRun: w.userRun, Syscall: w.syscall, Syscalls: w.syscalls,
		GC: ratio(w.gc, w.window), Stopped: w.stopped,
		Work: w.work, Span: float64(w.length), BurdenedSpan: w.burdened,
		PathSpawns: w.path.spawns, PathUnblocks: w.path.wakes,
	}
	f.Running = make([]float64, max(f.Procs+1, len(w.running)))
	for k, d := range w.running {
		f.Running[k] = ratio(d, w.window)
	}
	f.Blocks = sites.topBlocks(w.blocks)
	f.Idle.SerialSites = sites.topTimes(w.serialAt)
	f.Idle.ImbalanceSites = sites.topTimes(w.unequalAt)
	for _, at := range top(w.spawns, maxSites, sites.less) {
		f.SpawnSites = append(f.SpawnSites, SiteCount{sites.all[at], w.spawns[at]})
	}
	for _, at := range top(w.again, maxSites, sites.less) {
		f.Again = append(f.Again, SiteCount{sites.all[at], w.again[at]})
	}
	for _, at := range top(w.stops, maxSites, sites.less) {
		f.Stops = append(f.Stops, SiteCount{sites.all[at], w.stops[at]})
	}
	for _, at := range top(w.callers, maxCallers, sites.less) {
		f.Callers = append(f.Callers, sites.all[at])
	}
	f.Path = sites.topSteps(w.path.steps)
	f.Timeline = sites.timeline(w.line, a.opt, w.window)
	return f
}

// top returns the at most n keys of the greatest values, those first; equals
// in the order of less.
func top[K comparable, V cmp.Ordered](m map[K]V, n int, less func(a, b K) int) []K {
	keys := slices.SortedFunc(maps.Keys(m), func(a, b K) int {
		return cmp.Or(cmp.Compare(m[b], m[a]), less(a, b))
	})
	return keys[:min(n, len(keys))]
}

// less orders sites by what they say: their numbers depend on the trace.
func (s *sites) less(a, b site) int { return s.all[a].Compare(s.all[b]) }

func (s *sites) topTimes(m map[site]float64) (list []SiteTime) {
	for _, at := range top(m, maxSites, s.less) {
		list = append(list, SiteTime{s.all[at], m[at]})
	}
	return list
}

func (s *sites) topBlocks(m map[blockAt]waits) (list []Block) {
	for at, b := range m {
		list = append(list, Block{at.kind, s.all[at.site], b.n, float64(b.total), float64(b.ready)})
	}
	order := func(a, b Block) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Kind, b.Kind),
			a.Site.Compare(b.Site))
	}
	slices.SortFunc(list, order)
	if len(list) <= maxBlocks {
		return list
	}
	rest := make(map[Kind]Block)
	for _, b := range list[maxBlocks:] {
		r := rest[b.Kind]
		rest[b.Kind] = Block{b.Kind, source.Place{}, r.N + b.N, r.Total + b.Total, r.Ready + b.Ready}
	}
	list = list[:maxBlocks:maxBlocks]
	for _, k := range slices.Sorted(maps.Keys(rest)) {
		list = append(list, rest[k])
	}
	slices.SortFunc(list, order)
	return list
}

func (s *sites) topSteps(m map[step]pieces) (list []Step) {
	// Steps merge by what they say, not by the address of the start function.
	type key struct {
		fn string
		at site
	}
	merged := make(map[key]pieces)
	for at, p := range m {
		k := key{s.all[at.start].Func, at.site}
		x := merged[k]
		merged[k] = pieces{x.dur + p.dur, x.n + p.n}
	}
	for k, p := range merged {
		if p.dur > 0 {
			list = append(list, Step{k.fn, s.all[k.at], float64(p.dur), p.n})
		}
	}
	slices.SortFunc(list, func(a, b Step) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Func, b.Func),
			cmp.Compare(a.Site.File, b.Site.File), cmp.Compare(a.Site.Line, b.Site.Line))
	})
	return list[:min(len(list), maxSteps)]
}
