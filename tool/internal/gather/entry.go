package gather

import (
	"github.com/google/pprof/profile"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// enter gives the samples at the first instruction of inlined code of the runtime,
// or of package testing, to the code before it, which they are of: a sample falls
// on the instruction after the slow one. Without that the store that ends the body
// of a loop over pb.Next would be the harness's.
func (g *gathering) enter(p *profile.Profile) {
	if g.binary == nil {
		return
	}
	stacks := stack.NewReader(g.user, stack.Edited)
	of := map[*profile.Location]*profile.Location{} // the one to take instead
	var frames []source.Place
	for _, s := range p.Sample {
		frames = stack.Of(s, frames[:0])
		nearest, _ := stacks.Mine(frames)
		if nearest < 1 || nearest >= len(s.Location[0].Line) || stacks.Mechanism(frames, nearest) != stack.Runtime {
			continue
		}
		leaf := s.Location[0]
		if of[leaf] == nil {
			of[leaf] = g.before(p, leaf)
		}
		s.Location[0] = of[leaf]
	}
}

// before is where the samples of a leaf belong: itself if it is not where inlined
// code begins.
func (g *gathering) before(p *profile.Profile, leaf *profile.Location) *profile.Location {
	addr := cpuprof.Address(leaf)
	first, ok := g.binary.Entry(addr)
	if !ok {
		return leaf
	}
	what, err := g.binary.At(first)
	if err != nil {
		return leaf
	}
	frames := g.binary.Frames(what.Addr)
	if n := len(frames); n == 0 || frames[n-1].Func != leaf.Line[len(leaf.Line)-1].Function.Name {
		return leaf
	}
	l := *leaf
	l.ID, l.Line = 1, nil
	for _, x := range p.Location {
		l.ID = max(l.ID, x.ID+1)
	}
	l.Address -= addr - first // that of a sample still: after what took the time
	for _, f := range frames {
		l.Line = append(l.Line, profile.Line{Function: named(p, f), Line: int64(f.Line)})
	}
	p.Location = append(p.Location, &l)
	return &l
}

// named is the function of a profile that a frame is in.
func named(p *profile.Profile, at source.Place) *profile.Function {
	id := uint64(1)
	for _, f := range p.Function {
		if f.Name == at.Func && f.Filename == at.File {
			return f
		}
		id = max(id, f.ID+1)
	}
	f := &profile.Function{ID: id, Name: at.Func, Filename: at.File}
	p.Function = append(p.Function, f)
	return f
}
