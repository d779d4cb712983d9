package main

import (
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
)

// TestPlantedPlaces: in the recorded programs with a known cause, the line that
// loses most to it is in the function that has the disease, and the index of the
// run finds it there.
func TestPlantedPlaces(t *testing.T) {
	const dir = "../../../record/2026-11-22-epyc-2cpu/causes-fresh"
	run, all := load(t, dir)
	found := map[string]explain.Finding{}
	for _, s := range all {
		for _, f := range explain.Explain(s, judge.Judge(s, run.Rule, run.Bounds), run.Prices, true) {
			if f.Verdict.Kind == measure.Variant && f.Verdict.New.Procs == 2 {
				found[strings.TrimPrefix(f.Verdict.New.Bench, "Benchmark")] = f
			}
		}
	}
	for _, want := range []struct{ bench, cause, in string }{
		{"HitRate/variant=slots", "falseshare", "hitRateSlots.func1"},
		{"Endpoints/variant=handlers", "falseshare", "(*endpoint).serve"},
		{"Rows/variant=generator", "trueshare", "(*idGen).next"},
		{"Budget/variant=shared", "trueshare", "(*budget).take"},
		{"Transfer/variant=live", "rmw", "transferLive.func1"},
		{"Sieve/variant=atomic", "rmw", "sieveAtomic.func1"},
		{"Bank/variant=tellers", "lock", "(*bank).transfer"},
		{"Journal/variant=shared", "lock", "(*journal).add"},
		{"Votes/variant=spinning", "oversubscription", "(*spinLock).lock"},
		{"Settings/variant=readers", "rwmutex", "(*settings).limit"},
		{"Lexer/variant=channel", "handoff", "lexerChannel.func1.1"},
		{"Sensors/variant=select", "select", "sensorsSelect"},
		{"Watchdog/variant=reset", "timer", "watchdogReset.func1.2"},
		{"Light/variant=rows", "grain", "lightRows"},
		{"Tree/variant=spawning", "grain", "treeSpawn"},
		{"Column/variant=group", "grain", "(*group).run"},
		{"Sessions/variant=byuser", "imbalance", "sessionsByUser"},
		{"Normalize/variant=first", "serial", "normalizeFirst"},
		{"Fetch/variant=pool", "waiting", "fetch"},
		{"Outbox/variant=ticker", "waiting", "outboxTicker"},
		{"Points/variant=copied", "alloc", "movedCopy"},
		{"Tidy/variant=collecting", "gc", "tidyCollecting"},
		{"Upper/variant=pooled", "pool", "upperPooled.func1"},
		{"Visitors/variant=maps", "mapgrow", "distinct"},
		{"Words/variant=syncmap", "syncmap", "wordsSyncMap.func1"},
		{"Trades/variant=marshal", "reflection", "tradesMarshal.func1"},
		{"Latencies/variant=reversed", "interfacesort", "latenciesReversed.func1"},
		{"Commands/variant=timed", "work", "commandsTimed.func1"},
		{"Audit/variant=unbuffered", "syscalls", "audit"},
		{"Metrics/variant=datagrams", "network", "metricsDatagrams.func1"},
		{"Hash/variant=c", "cgo", "Mixed"},
		{"Fill/variant=givenback", "pagefault", "draw"},
	} {
		f, ok := found[want.bench]
		if !ok || len(f.Losses) == 0 || len(f.Causes) == 0 || f.Causes[0].Slug != want.cause {
			t.Errorf("%s: causes %+v, want %s", want.bench, f.Causes, want.cause)
			continue
		}
		first := f.Losses[0]
		if first.Slug != want.cause || !strings.HasSuffix(first.Place.Func, "."+want.in) || first.Place.Line == 0 {
			t.Errorf("%s: most is lost to %s at %v in %s, want %s in %s", want.bench, first.Slug, first.Place, first.Place.Func, want.cause, want.in)
		}
	}
}
