package explain

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// spent is the time of a side by the user's lines, in some categories or all.
func (x *Side) spent(cats ...stack.Category) spread {
	out := spread{}
	if x == nil || x.Set == nil || x.Set.CPU == nil {
		return out
	}
	for _, l := range x.Set.CPU.Lines {
		for _, cat := range amounts(l.By).categories() {
			if len(cats) == 0 || slices.Contains(cats, cat) {
				out[l.Place] += l.By[cat] * x.CPU
			}
		}
	}
	return out
}

// places are the keys in order, so that sums over them have the same last digit.
func places[V any](m map[source.Place]V) []source.Place {
	return slices.SortedFunc(maps.Keys(m), source.Place.Compare)
}

// extra says which lines take most time that the base does not spend there,
// two at most, each a twentieth of that time or more.
func (f *facts) extra(x *Side, cats ...stack.Category) []Line {
	type spot struct {
		source.Place
		more, there float64
	}
	before := f.base.spent(cats...)
	var all []spot
	total := 0.0
	now := x.spent(cats...)
	for _, s := range places(now) {
		if more := now[s] - before[s]; more > 0 {
			all = append(all, spot{s, more, before[s]})
			total += more
		}
	}
	slices.SortStableFunc(all, func(a, b spot) int { return cmp.Compare(b.more, a.more) })
	var out []Line
	for _, p := range all[:min(2, len(all))] {
		if p.more < total/20 {
			break
		}
		line := say("%s is spent here in %s, where %s spends %s", ns(p.more+p.there), function(p.Func), f.baseName(), ns(p.there))
		if p.there == 0 {
			line = say("%s is spent here in %s, and none in %s", ns(p.more), function(p.Func), f.baseName())
		}
		out = append(out, line.at(p.Place))
	}
	return out
}

// known is what is known of a loss without a cause.
func (f *facts) known() []Line {
	out := []Line{say("it takes %s of processor time per operation, %s %s", ns(f.new.CPU), f.baseName(), ns(f.useful))}
	if rest := f.avail - f.new.CPU; rest > least*f.avail {
		out = append(out, say("processors are idle for %s meanwhile", ns(rest)))
		if late := f.book.left[bucket{kind: IdleReady}]; late > rest/2 {
			out = append(out, say("for %s of that a goroutine is ready: its processor comes late", ns(late)))
		}
	}
	return append(out, f.extra(f.new)...)
}

// function is the name of a function without the path of its package.
func function(name string) string {
	return name[strings.LastIndexByte(name, '/')+1:]
}

// mine is the first site in the user's code. A goroutine is seen first where it
// starts, which may be in package sync.
func mine(sites []exectrace.SiteTime) source.Place {
	for _, s := range sites {
		if own(s.Site) {
			return s.Site
		}
	}
	return source.Place{}
}

// own reports whether a place is not where goroutines start and wait whoever
// starts them.
func own(s source.Place) bool { return s.File != "" && !stack.Common(s.Func) }

// lineOf is the user's line with most time in the categories.
func (f *facts) lineOf(cats ...stack.Category) source.Place {
	var best source.Place
	most := 0.0
	if f.new.Set == nil || f.new.Set.CPU == nil {
		return best
	}
	for _, l := range f.new.Set.CPU.Lines {
		share := 0.0
		for _, c := range cats {
			share += l.By[c]
		}
		if share > most {
			most, best = share, l.Place
		}
	}
	return best
}

// mostBlocked is where goroutines block most often for such reasons.
func (f *facts) mostBlocked(kinds ...exectrace.Kind) source.Place {
	var best exectrace.Block
	for _, b := range f.blockSites(kinds...) {
		if b.N > best.N && b.Site.File != "" {
			best = b
		}
	}
	return best.Site
}

// soloEvidence says who ran alone, how long, and what that allows.
func (f *facts) soloEvidence(idle float64, sites []exectrace.SiteTime, who string) []Line {
	t := f.trace
	full := 0.0
	if len(t.Running) > f.procs {
		full = t.Running[f.procs]
	}
	out := []Line{say("%s runs while other processors are idle: %s of the idle processor time; all %d run together %s of the time", who, percent(idle/f.away.Total), f.procs, percent(full)).at(mine(sites))}
	if f.running {
		return out // what it was asked for meanwhile is no part of a path
	}
	if p := t.Parallelism(); p > 0 {
		out = append(out, say("work %s, span %s per operation: parallelism %.3g, no machine can make it faster than that many times one processor", ns(t.Work/f.n), ns(t.Span/f.n), p))
	}
	if len(t.Path) > 0 && own(t.Path[0].Site) {
		out = append(out, say("%s of the span is spent up to here", percent(t.Path[0].Time/max(t.Span, 1))).at(t.Path[0].Site))
	}
	return out
}

// lone reports whether an operation starts one goroutine, and that has the work
// while its starter has none, or the other way round, unless they have parts of
// the same, in the same functions: there is nothing to balance.
func (f *facts) lone() bool {
	n := f.spawned()
	if f.running || f.trace == nil || n < 0.5 || n >= 1.5 {
		return false
	}
	if p := f.new.Set.CPU; p != nil && p.Common > p.Own/2 {
		return false
	}
	p := f.trace.Parallelism()
	return p > 0 && p < 1.1
}
