// Package vet is the suite of payoff's checks. They find shapes of source
// behind the causes for which concurrency does not pay. Each is a go/analysis
// analyzer with the edits to try.
//
// The checks say nearly nothing by themselves. What a recorded run supports is
// told: give its evidence to heat.Analyzer, as payoff vet does. The package decides
// nothing. To run all checks takes some three seconds of processor time for 100,000
// lines once these are loaded. Package flow takes most of it.
package vet

import (
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/adjatomic"
	"github.com/gopayoff/payoff/tool/vet/benchvet"
	"github.com/gopayoff/payoff/tool/vet/chanperitem"
	"github.com/gopayoff/payoff/tool/vet/deferloop"
	"github.com/gopayoff/payoff/tool/vet/fewworkers"
	"github.com/gopayoff/payoff/tool/vet/forcegc"
	"github.com/gopayoff/payoff/tool/vet/goperelem"
	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/hotalloc"
	"github.com/gopayoff/payoff/tool/vet/hotslot"
	"github.com/gopayoff/payoff/tool/vet/inplace"
	"github.com/gopayoff/payoff/tool/vet/lockslow"
	"github.com/gopayoff/payoff/tool/vet/onestage"
	"github.com/gopayoff/payoff/tool/vet/owner"
	"github.com/gopayoff/payoff/tool/vet/poolreset"
	"github.com/gopayoff/payoff/tool/vet/poolvalue"
	"github.com/gopayoff/payoff/tool/vet/recgo"
	"github.com/gopayoff/payoff/tool/vet/reflecthot"
	"github.com/gopayoff/payoff/tool/vet/rwtiny"
	"github.com/gopayoff/payoff/tool/vet/selecteach"
	"github.com/gopayoff/payoff/tool/vet/selectspin"
	"github.com/gopayoff/payoff/tool/vet/serialform"
	"github.com/gopayoff/payoff/tool/vet/shardpad"
	"github.com/gopayoff/payoff/tool/vet/sharedacc"
	"github.com/gopayoff/payoff/tool/vet/sortiface"
	"github.com/gopayoff/payoff/tool/vet/spinwait"
	"github.com/gopayoff/payoff/tool/vet/staticsplit"
	"github.com/gopayoff/payoff/tool/vet/syncmap"
	"github.com/gopayoff/payoff/tool/vet/timerloop"
	"github.com/gopayoff/payoff/tool/vet/unbounded"
	"github.com/gopayoff/payoff/tool/vet/unbuffered"
	"github.com/gopayoff/payoff/tool/vet/yieldloop"
)

// Across reports whether a check may see several packages of a module as one: what it
// offers in one may change what that imports.
func Across(a *analysis.Analyzer) bool {
	return slices.Contains([]*analysis.Analyzer{fewworkers.Analyzer, goperelem.Analyzer, hotslot.Analyzer, rwtiny.Analyzer, sharedacc.Analyzer}, a)
}

// All returns the checks by name.
func All() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		adjatomic.Analyzer,
		benchvet.Analyzer,
		chanperitem.Analyzer,
		deferloop.Analyzer,
		fewworkers.Analyzer,
		forcegc.Analyzer,
		goperelem.Analyzer,
		hotalloc.Analyzer,
		hotslot.Analyzer,
		inplace.Analyzer,
		lockslow.Analyzer,
		onestage.Analyzer,
		owner.Analyzer,
		poolreset.Analyzer,
		poolvalue.Analyzer,
		recgo.Analyzer,
		reflecthot.Analyzer,
		rwtiny.Analyzer,
		selecteach.Analyzer,
		selectspin.Analyzer,
		serialform.Analyzer,
		shardpad.Analyzer,
		sharedacc.Analyzer,
		sortiface.Analyzer,
		spinwait.Analyzer,
		staticsplit.Analyzer,
		syncmap.Analyzer,
		timerloop.Analyzer,
		unbounded.Analyzer,
		unbuffered.Analyzer,
		yieldloop.Analyzer,
	}
}

// Tool returns what a vet tool, like go vet -vettool, is made of: the checks,
// and the analyzer whose flags give them evidence.
func Tool() []*analysis.Analyzer { return append(All(), heat.Analyzer) }
