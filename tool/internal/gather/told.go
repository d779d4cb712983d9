package gather

import (
	"context"
	"fmt"
	"time"

	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/measure"
)

// toldFile is what the names of traces end with of what a program does on one processor
// when it is told of others.
const toldFile = "told.trace"

// ToldName is what the names of the files end with that hold traces on one processor of what
// the program does when it is told of those of a cell.
func ToldName(c measure.Cell) string { return evidenceName(c, toldFile) }

// toldRounds is how often each side of [Longer] runs.
const toldRounds = 8

// Longer is how many times as long n operations of a benchmark take on one processor when
// the program is told of others: quotients of the least times of several processes of askers,
// which tells; see [measure.BuildOptions].
func Longer(ctx context.Context, askers *measure.Subject, bench string, n int64, told []int) ([]float64, error) {
	least := make([]float64, 1+len(told))
	for round := range toldRounds {
		for i, procs := range append([]int{1}, told...) {
			x, err := askers.Run(ctx, measure.Cell{Bench: bench, Procs: procs}, n)
			if err != nil {
				return nil, err
			}
			if round == 0 || x.Wall < least[i] {
				least[i] = x.Wall
			}
		}
	}
	for i := range told {
		least[1+i] /= least[0]
	}
	return least[1:], nil
}

// told takes traces on one processor of what a benchmark does when it is told of more. What
// cannot be had is missing; only the end of ctx, and that files cannot be kept, is an error.
func (g *gathering) told(ctx context.Context, bench string) error {
	one := measure.Cell{Bench: bench, Procs: 1}
	if len(g.o.Told) == 0 || g.o.Lab == nil || g.had(one, toldFile, 0) {
		return nil
	}
	n, many, took := g.operations(one, traceTime)
	if err := g.fits(took * time.Duration(len(g.o.Told)*(toldRounds+traces)+toldRounds)); err != nil {
		return err
	}
	g.tried[try{one, toldFile, 0}] = true
	set := g.set(one)
	miss := func(err error) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		set.Miss(fmt.Sprintf("what %s does when it is told of more processors: %v", bench, err))
		return nil
	}
	if g.askers == nil {
		var err error
		if g.askers, err = g.o.Lab.Askers(ctx); err != nil {
			return miss(err)
		}
	}
	g.askers.Patience = g.patience(took)
	longer, err := Longer(ctx, g.askers, bench, n, g.o.Told)
	if err != nil {
		return miss(err)
	}
	for i, procs := range g.o.Told {
		c := measure.Cell{Bench: bench, Procs: procs}
		for range traces {
			_, files, err := g.askers.Collect(ctx, c, n, measure.Trace, many)
			if err != nil {
				return miss(err)
			}
			if err := g.keep(c, measure.Trace, toldFile, files); err != nil {
				return err
			}
		}
		set.Told = append(set.Told, evidence.Told{Procs: procs, N: n, Longer: longer[i]})
	}
	return nil
}
