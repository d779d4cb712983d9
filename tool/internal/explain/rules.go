package explain

import (
	"math"

	"github.com/gopayoff/payoff/tool/catalog"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// A rule claims a part of the lost time for one cause: it takes from the
// ledger, f.book, and returns what it got with the evidence. A rule that does
// not claim takes nothing.
type rule struct {
	cause catalog.Cause
	claim func(*facts) claim
}

// A claim is lost time, ns per operation, with the evidence that it went this
// way. The zero claim claims nothing.
type claim struct {
	ns       float64 // taken from the ledger
	evidence []Line
	price    string
	title    string // instead of the catalogue's, where that says too much
	do       string // instead of the catalogue's, where that does not fit

	// Where it was lost, if the evidence tells more than where the time is:
	// lines of code with processor time, and sites for which processors were
	// idle, each with its weight.
	lines []source.Place
	sites []exectrace.SiteTime
}

// rules are all but that of the machine, which [unfit] stands for, by priority:
// where two could claim the same time, the first gets it. Those with evidence of
// what happened stand before those that take what nobody else can name: idle
// time beside a goroutine that runs alone goes to what that one does, and only
// the rest of it to its running alone.
//
// A rule knows the facts and no other rule: what two of them look at is in files
// that hold no rule (TestRulesApart).
var rules = []rule{
	{catalog.Layout, codeLayout},
	{catalog.PageFault, pageFaults},
	{catalog.StopTheWorld, stopsTheWorld},
	{catalog.FalseShare, falseSharing},
	{catalog.TrueShare, trueSharing},
	{catalog.Lock, lockContention},
	{catalog.RMW, perItemRMW},
	{catalog.RWMutex, readerWord},
	{catalog.Select, manyCases},
	{catalog.Handoff, handoff},
	{catalog.Grain, grain},
	{catalog.Waiting, waiting},
	{catalog.Oversubscription, oversubscription},
	{catalog.Pool, pooling},
	{catalog.Timer, timers},
	{catalog.GC, collector},
	{catalog.Alloc, allocation},
	{catalog.MapGrow, growingMaps},
	{catalog.SyncMap, concurrentMap},
	{catalog.Cgo, callsOfC},
	{catalog.Network, network},
	{catalog.Reflection, reflection},
	{catalog.InterfaceSort, interfaceSort},
	{catalog.Syscalls, systemCalls},
	{catalog.Imbalance, imbalance},
	{catalog.Serial, serialSection},
	{catalog.SMT, sharedCores},
	{catalog.Bandwidth, bandwidth},
	{catalog.Affinity, affinity},
	{catalog.Work, moreWork},
}

// whole is a cause that nothing else stands beside.
func whole(c catalog.Cause, ns float64, evidence ...Line) Cause {
	return Cause{Slug: c.Slug, Title: c.Title, Share: 1, NS: ns, Low: math.NaN(), High: math.NaN(), Evidence: evidence, Do: c.Do}
}

// library claims the time of a part of the standard library beyond the base,
// with all that it calls.
func (f *facts) library(what string, cats ...stack.Category) claim {
	direct := f.excess(cats...)
	if direct <= 0 {
		return claim{}
	}
	c := claim{ns: f.book.take(direct, at(cats, AtOne, AtOnce)...)}
	c.ns += f.pay(f.idleBeside(direct)) // what runs alone in it keeps the others idle
	c.evidence = append(c.evidence, say("%s takes %s of processor time per operation, %s of all%s", what, ns(f.new.by(cats...)), percent(f.new.by(cats...)/f.new.CPU), f.there(ns(f.base.by(cats...)))).at(f.lineOf(cats...)))
	return c
}

// collecting is the part of the collector's work that goes to the allocations in
// which ns of processor time were spent.
func (f *facts) collecting(ns float64) float64 {
	if ns <= 0 {
		return 0
	}
	return ns / max(ns, f.new.by(stack.Alloc, stack.PoolMiss, stack.TimerMade)) * (f.excess(stack.GC) + f.excess(stack.Sweep))
}
