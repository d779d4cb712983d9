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
			Name: "Take ends the run", File: "take.go",
			Old:  "	if s.index == 0 {",
			New:  "	if true {",
			Test: "^TestTakeEnds$/^map$",
		},
		{
			Name: "what stands before Take waits for one item more", File: "take.go",
			Old:  "		if up.down == s {",
			New:  "		if false {",
			Test: "^TestTakeWaits$",
		},
		{
			Name: "a branch that ends ends the others", File: "branch.go",
			Old:  "t.open--; t.open == 0 && t.up != nil",
			New:  "t.open--; t.up != nil",
			Test: "^TestTakeBranch$",
		},
		{
			Name: "more values are received than Take wants", File: "take.go",
			Old:  "n = min(n, s.quota-s.taken)",
			New:  "n = min(n, s.quota)",
			Test: "^TestTakeNoMore$",
		},
		{
			Name: "a batch is delivered out of order", Dear: true, File: "shared.go",
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
			Name: "more workers than AtMost allows", File: "wait.go",
			Old:  "return st.hired < int(st.want.Load()) && (sh.s.limit == 0 || sh.inside < sh.s.limit)",
			New:  "return st.hired < int(st.want.Load())+1 && (sh.s.limit == 0 || sh.inside <= sh.s.limit)",
			Test: "^TestWaitsAtMost$",
		},
		{
			Name: "a worker that finds nothing leaves without a word", File: "wait.go",
			Old:  "	sh.leave(l)\n	r.wake()",
			New:  "	sh.leave(l)\n	_ = r",
			Test: "^TestWaitsWatch$",
		},
		{
			Name: "the larger ring has its batches elsewhere", File: "shared.go",
			Old:  "at := (sh.head + i) & uint64(n-1)",
			New:  "at := i & uint64(n-1)",
			Test: "^TestWaits$",
		},
		{
			Name: "a worker waits for the caller that waits in the source", File: "wait.go",
			Old:  "	for sh.staff.waiters.Load() > 0 {",
			New:  "	for sh.staff.waiters.Load() < 0 {",
			Test: "^TestAwait$",
		},
		{
			Name: "nobody looks while all workers wait", File: "wait.go",
			Old:  "		if sh.unserved() > 0 {",
			New:  "		if sh.unserved() < 0 {",
			Test: "^TestWaitsLong$",
		},
		{
			Name: "a worker takes as many items as are believed to be short", File: "shared.go",
			Old:  "	if sh.staff.on.Load() {\n		return 1",
			New:  "	if false {\n		return 1",
			Test: "^TestWaitsMixed$",
		},
		{
			Name: "a run does not keep what its items took", File: "wait.go",
			Old:  "	sh.s.site.perItem.Store(max(1, st.perItem))\n",
			New:  "",
			Test: "^TestWaitsKnown$",
		},
		{
			Name: "a place is taken in a rate by who will not call", File: "rate.go",
			Old:  "	case p.turn <- struct{}{}:",
			New:  "	case make(chan struct{}, 1) <- struct{}{}:",
			Test: "Rate",
		},
		{
			Name: "workers stay when fewer are wanted", File: "wait.go",
			Old:  "return sh.staff.hired > int(sh.staff.want.Load())",
			New:  "return false",
			Test: "^TestWaitsLeave$",
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
		{
			Name: "what is on its way when the run fails is dropped", File: "segment.go",
			Old:  "		if r.drain(s) {",
			New:  "		if !r.over {",
			Test: "^TestBeforeError$",
		},
		{
			Name: "a context outlives its run", File: "run.go",
			Old:  "	if r.cancel != nil {",
			New:  "	if r.cancel != nil && r.bell != nil {",
			Test: "^TestContextEnds$",
		},
		{
			Name: "errors are told that come after the end", File: "lane.go",
			Old:  "Index > b.end.index",
			New:  "Index < 0",
			Test: "^TestGatherBeforeStop$",
		},
		{
			Name: "room is made for all that may come", File: "sink.go",
			Old:  "min(s.total(), collectBytes/max(1, int(sizeOf[T]())))",
			New:  "s.total()",
			Test: "^TestCollectRoom$",
		},
		{
			Name: "who gives up keeps its place in a rate", File: "rate.go",
			Old:  "	at := p.free\n	if kept := now.Add(-p.lead); at.Before(kept) {",
			New:  "	at := p.free\n	p.free = p.free.Add(p.each)\n	if kept := now.Add(-p.lead); at.Before(kept) {",
			Test: "^TestRateOfCalls$",
		},
		{
			Name: "to try again needs no turn", File: "lane.go",
			Old:  "return sleep(l.ctx, d) && (a.pace == nil || a.pace.wait(l.ctx))",
			New:  "return sleep(l.ctx, d)",
			Test: "^TestRateOfRetry$",
		},
		{
			Name: "a merge loses errors that came with items", File: "lane.go",
			Old:  "append(b.gathered, l.gathered...), nil",
			New:  "l.gathered, nil",
			Test: "^TestMergeGathers$",
		},
		{
			Name: "the least number of workers is not kept", File: "wait.go",
			Old:  "workers := floor // it begins with those",
			New:  "workers := 0",
			Test: "^TestWaitsAtLeast$",
		},
		{
			Name: "what is not used of a rate is lost", File: "rate.go",
			Old:  "float64(each)*float64(burst-1)",
			New:  "0*float64(each)",
			Test: "^TestBurst$",
		},
		{
			Name: "pauses grow without end", File: "lane.go",
			Old:  "if most := a.retry.Longest; most > 0 {",
			New:  "if most := a.retry.Longest; most < 0 {",
			Test: "^TestRetryBy$",
		},
		{
			Name: "each error is worth another call", File: "lane.go",
			Old:  " || a.retry.If != nil && !a.retry.If(err)",
			New:  "",
			Test: "^TestRetryBy$",
		},
		{
			Name: "a timer that is late cuts a batch short", File: "chunk.go",
			Old:  "t.rang.Load() && len(t.items) > 0 && time.Since(t.first) >= t.d",
			New:  "t.rang.Load()",
			Test: "^TestChunkLateTimer$",
		},
		{
			Name: "the end of a line is looked for behind where it may be", File: "lines.go",
			Old:  "from := max(f.seen, f.at+len(text))",
			New:  "from := max(f.seen, f.at+len(text)+1)",
			Test: "^TestLines$",
		},
		{
			Name: "what was read is looked through where it lay before", File: "lines.go",
			Old:  "f.seen = max(0, f.seen-f.at)",
			New:  "f.seen = f.seen",
			Test: "^TestLines$",
		},
		{
			Name: "a line keeps all that was read with it", File: "lines.go",
			Old:  "text = text[:min(len(text), lineShare, lineEach*(len(items)-n))]",
			New:  "text = text[:len(text)]",
			Test: "^TestLinesMemory$",
		},
		{
			Name: "closures of one literal are taken for the same", File: "site.go",
			Old:  "if known = st.values.Load() == values; !known {",
			New:  "if known = true; !known {",
			Test: "^TestClosuresOfOneLiteral$",
		},
		{
			Name: "a rule goes on under another limit", File: "wait.go",
			Old:  "k != nil && k.limit == limit",
			New:  "k != nil",
			Test: "^TestKept$",
		},
		{
			Name: "a rule goes on with counts of its own", File: "wait.go",
			Old:  "st.begun += k.batches",
			New:  "_ = k.batches",
			Test: "^TestKept$",
		},
		{
			Name: "a run is no burst", File: "wait.go",
			Old:  "size.View{Since: st.since, Begun: st.begun, Ended: st.begun})",
			New:  "size.View{Since: now, Begun: st.begun, Ended: st.begun})",
			Test: "^TestRunIsBurst$",
		},
		{
			Name: "an index is that of another run", File: "segment.go",
			Old:  "		b.base, b.n = 0, n",
			New:  "		b.n = n",
			Test: "^TestIndexOfSmallRuns$",
		},
	})
}
