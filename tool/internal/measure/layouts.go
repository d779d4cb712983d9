package measure

import (
	"context"
	"fmt"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/contest"
)

// MaxLayouts is how many orders of the functions a run tries if nothing else is asked
// for.
const MaxLayouts = 24

// layouts are the orders in which a run has seen the functions.
type layouts struct {
	contest.Layouts
	from Runner
	have []int // those that are there, the linker's own first
}

// next returns the layout for a block of a family that has had so many rounds:
// one that the family has not seen, as long as there are some and time to make
// them. So the first sample waits for no more than one binary.
func (l *layouts) next(ctx context.Context, m *rounds, rounds int) int {
	if m.round == 0 || m.o.MaxLayouts == 1 {
		return 0
	}
	k := rounds % m.o.MaxLayouts
	if slices.Contains(l.have, k) {
		return k
	}
	some := l.have[k%len(l.have)]
	if l.None || l.Dear(m.o.Budget) || l.Each() > m.left()/2 {
		return some
	}
	if err := l.Make(m.o.Now, func() error { return l.from.Use(ctx, k) }); err != nil {
		if ctx.Err() == nil {
			m.s.Missing = append(m.s.Missing, fmt.Sprintf("what the layout of the code does to a comparison: %v; verdicts hold for these binaries", err))
		}
		return some
	}
	l.have = append(l.have, k)
	return k
}

// most is how many there may be at last.
func (l *layouts) most(m *rounds) int {
	if l.None {
		return len(l.have)
	}
	return m.o.MaxLayouts
}

// other returns another layout than k, if there is one.
func (l *layouts) other(k int) int { return l.have[(slices.Index(l.have, k)+1)%len(l.have)] }
