package gather

import (
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// The time of an instruction goes to its own line, not to that of the next one.
func TestMove(t *testing.T) {
	d := &cpuprof.Digest{Lines: []cpuprof.Line{{Place: source.Place{Func: "f", File: "x.go", Line: 8}, Share: 0.6, By: shares{stack.User: 0.5, stack.Alloc: 0.1}}}}
	h := cpuprof.Hot{User: source.Place{Func: "f", File: "x.go", Line: 8}, Category: stack.User, Share: 0.3}
	to := source.Place{Func: "g", File: "x.go", Line: 7} // inlined into f
	move(d, h, to)
	move(d, cpuprof.Hot{User: source.Place{Func: "g", File: "x.go", Line: 8}, Category: stack.User, Share: 0.3}, to) // not there
	if len(d.Lines) != 2 || d.Lines[1].Place != to || d.Lines[1].Share != 0.3 || d.Lines[1].By[stack.User] != 0.3 {
		t.Fatalf("lines %+v, want 0.3 on line 7", d.Lines)
	}
	if l := d.Lines[0]; l.Share < 0.29 || l.Share > 0.31 || l.By[stack.Alloc] != 0.1 {
		t.Errorf("%+v, want 0.3 left on line 8", l)
	}
}

// An atomic that is inlined belongs to the nearest function of the user that it
// was inlined into, and not to a dependency between them.
func TestWritten(t *testing.T) {
	g := &gathering{}
	near := source.Place{Func: "example.com/m.words", File: "/m/x.go", Line: 8}
	atomic := source.Place{Func: "sync/atomic.(*Int32).Add", File: "/go/src/sync/atomic/type.go", Line: 100}
	other := source.Place{Func: "example.com/d.Add", File: "/go/pkg/mod/example.com/d@v1.0.0/d.go", Line: 3}
	retain := source.Place{Func: "example.com/m.(*document).retain", File: "/m/x.go", Line: 9}
	loop := source.Place{Func: "example.com/m.read", File: "/m/x.go", Line: 20}
	if got := g.written([]source.Place{atomic, other, retain, loop}, near); got != retain {
		t.Errorf("%v, want %v", got, retain)
	}
	for _, frames := range [][]source.Place{nil, {atomic}, {atomic, other}} {
		if got := g.written(frames, near); got != near {
			t.Errorf("%v of %v, want %v", got, frames, near)
		}
	}
}
