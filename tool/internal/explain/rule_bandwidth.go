package explain

import (
	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/instr"
)

// bandwidth claims what running at once adds to code that reads and copies
// memory, where goroutines do not write near each other and do not hand over.
func bandwidth(f *facts) claim {
	slower := f.slowerMemory()
	if slower <= 0 || f.movesData() {
		return claim{}
	}
	return claim{ns: slower, evidence: f.memoryEvidence("it reads or copies memory on every processor, and nobody writes where another does: the processors share what the memory can deliver")}
}

// slowerMemory is what running at once adds to loads, streams and copies.
func (f *facts) slowerMemory() float64 {
	if f.one == nil || f.one == f.new || f.runsAlone() {
		return 0
	}
	total := 0.0
	if infl := f.inflation(cpuprof.Copy); infl > inflated*f.one.by(cpuprof.Copy) {
		total += infl
	}
	infl := f.inflation(cpuprof.User)
	if infl < inflated*f.one.by(cpuprof.User) {
		return total
	}
	falsely, truly := f.shared()
	grown := max(0, f.new.kind(instr.Load, instr.Stream)-f.one.kind(instr.Load, instr.Stream))
	if m := f.locks(); m.events >= 1 && f.cost(m) > f.lost/5 {
		return total // the data that a lock protects
	}
	if grown > infl/2 { // the time is behind loads
		total += max(0, min(grown, infl-falsely-truly))
	}
	return total
}

func (f *facts) memoryEvidence(why string) []Line {
	cats := []cpuprof.Category{cpuprof.User, cpuprof.Copy}
	out := []Line{say("the same code takes %s of processor time on one processor and %s on %d", ns(f.one.by(cats...)), ns(f.new.by(cats...)), f.v.New.Procs)}
	if h := f.hottest(instr.Load, instr.Stream); h != nil {
		out = append(out, say("%s of the time is behind %s", percent(h.Where.Share), h.What.Text).at(userSite(*h)))
	} else {
		out[0] = out[0].at(f.lineOf(cpuprof.Copy))
	}
	return append(append(out, f.counted()...), Line{Text: why})
}
