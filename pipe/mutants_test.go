package pipe

import (
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// Faults that tests must find.
func TestMutants(t *testing.T) {
	stress.Mutants(t, []stress.Mutant{
		{
			Name: "the first error by index is not the one that counts", File: "map.go",
			Old:  "			if !l.failed(from.place(i), from.items[i], err) {\n				break\n			}\n			if k == i {",
			New:  "			if !l.failed(from.place(i), from.items[i], err) && i > 3 {\n				break\n			}\n			if k == i {",
			Test: "^TestFirstError$",
		},
		{
			Name: "an item behind a filter has the wrong index", File: "filter.go",
			Old:  "		if keep(v) {\n			kept[k] = v\n			at[k] = int32(from.place(j))",
			New:  "		if keep(v) {\n			kept[k] = v\n			at[k] = int32(k)",
			Test: "^TestErrorBehindFilter$",
		},
		{
			Name: "a batch is delivered out of order", File: "shared.go",
			Old:  "b.done || !sh.s.unordered",
			New:  "b.done && sh.s.unordered",
			Test: "^TestHelpersCome$",
		},
		{
			Name: "a lone item waits for a second one", File: "source.go",
			Old:  "		if k == 0 && w != nil && !ended {",
			New:  "		if k < 2 && w != nil && !ended {",
			Test: "^TestLoneItem$",
		},
		{
			Name: "a run does not wait for who works on it", File: "shared.go",
			Old:  "		if inside == 0 {\n			r.unpark(false)",
			New:  "		if inside >= 0 {\n			r.unpark(false)",
			Test: "^TestCloseWaits$",
		},
		{
			Name: "what was collected is held while the source waits", File: "run.go",
			Old:  "		if r.segs[i].service() {",
			New:  "		if r.segs[i].shared != nil && r.segs[i].service() {",
			Test: "^TestCollectedGoesOn$",
		},
		{
			Name: "a relay loses what it has collected", File: "push.go",
			Old:  "func (p *pusher[T]) close() {\n	p.flush()",
			New:  "func (p *pusher[T]) close() {",
			Test: "^TestGraphs$",
		},
		{
			Name: "others who do harm stay", File: "harm.go",
			Old:  "if j.bad++; j.bad >= 2 {",
			New:  "if j.bad++; j.bad >= 1<<30 {",
			Test: "^TestJudge$",
		},
		{
			Name: "others are sent away where they help", File: "harm.go",
			Old:  "if seen < j.with-j.with/16 {",
			New:  "if seen > 0 {",
			Test: "^TestJudge$",
		},
		{
			Name: "what is known is believed, though it cannot be", File: "harm.go",
			Old:  "5*int64(j.workers)*seen < 4*j.alone || ",
			New:  "",
			Test: "^TestJudge$",
		},
		{
			Name: "others come who are to stay away", File: "shared.go",
			Old:  "return sh.open.Load() && !sh.away.Load()",
			New:  "return sh.open.Load()",
			Test: "^TestAway$",
		},
		{
			Name: "results of a fold change places", File: "fold.go",
			Old:  "x = t.join(t.acc, x)",
			New:  "x = t.join(x, t.acc)",
			Test: "^TestFold$",
		},
		{
			Name: "a name changes the pipe that it was not asked of", File: "pipe.go",
			Old:  "	all := d.stages(int(d.n))\n	all[d.n-1].about = a",
			New:  "	all := d.stages(int(d.n))\n	if d.rest != nil && d.rest.stages != nil {\n		all = d.rest.stages\n	}\n	all[d.n-1].about = a",
			Test: "^TestDescriptions$",
		},
	})
}
