package timerloop

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// declaration is a context that sets its timer late: the type, the function, and the
// packages context, time and sync, and how it gets the end.
const declaration = `

// A %[1]s is a context with a deadline. It has no timer before something waits for it.
type %[1]s struct {
	%[3]s.Context
	end    %[4]s.Time
	mu     %[5]s.Mutex
	ended  error
	timed  %[3]s.Context // nil before something waits
	cancel %[3]s.CancelFunc
}

func %[2]s(ctx %[3]s.Context, %[6]s) (%[3]s.Context, %[3]s.CancelFunc) {
	%[7]sif at, ok := ctx.Deadline(); ok && at.Before(end) {
		end = at
	}
	l := &%[1]s{Context: ctx, end: end}
	return l, l.stop
}

func (l *%[1]s) Deadline() (%[4]s.Time, bool) { return l.end, true }

func (l *%[1]s) Done() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timed == nil {
		l.timed, l.cancel = %[3]s.WithDeadline(l.Context, l.end)
		if l.ended != nil {
			l.cancel()
		}
	}
	return l.timed.Done()
}

func (l *%[1]s) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.ended != nil:
	case l.timed != nil:
		l.ended = l.timed.Err()
	case l.Context.Err() != nil:
		l.ended = l.Context.Err()
	case !%[4]s.Now().Before(l.end):
		l.ended = %[3]s.DeadlineExceeded
	}
	return l.ended
}

func (l *%[1]s) stop() {
	err := l.Err()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		l.ended = %[3]s.Canceled
	}
	if l.cancel != nil {
		l.cancel()
	}
}
`

// late is the edit of a context with a deadline, whose type is declared in the file of home.
func (m *maker) late(home *maker) (edits []analysis.TextEdit, no *shape.Refusal) {
	file, pkg, typ, fn := rewrite.File(m.pass, home.call.Pos()), m.pass.Pkg, "lateDeadline", "withDeadline"
	clock, edits := rewrite.Import(pkg, file, "time", file.End())
	gets, first := "end "+clock+".Time", ""
	if m.call.Fun.(*ast.SelectorExpr).Sel.Name == "WithTimeout" {
		typ, fn, gets, first = "lateTimeout", "withTimeout", "d "+clock+".Duration", "end := "+clock+".Now().Add(d)\n"
	}
	made, _ := pkg.Scope().Lookup(typ).(*types.TypeName)
	_, at := pkg.Scope().Innermost(m.call.Pos()).LookupParent(fn, m.call.Pos())
	switch {
	case at == nil && made == nil:
		sync, more := rewrite.Import(pkg, file, "sync", file.End())
		edits = append(append(edits, more...), rewrite.Insert(file.FileEnd, fmt.Sprintf(declaration, typ, fn, home.pkg(), clock, sync, gets, first)))
	case at == nil || made == nil || at.Parent() != pkg.Scope() || types.NewMethodSet(types.NewPointer(made.Type())).Lookup(pkg, "stop") == nil:
		return nil, shape.No(m.call, "the names "+typ+" and "+fn+" are taken")
	}
	return append(edits, rewrite.Replace(m.call.Fun, fn)), nil
}
