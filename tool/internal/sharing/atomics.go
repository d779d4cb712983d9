package sharing

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/program"
)

// method reports whether sel selects a method of a value.
func (t *toucher) method(sel *ast.SelectorExpr) bool {
	sn := t.TypesInfo.Selections[sel]
	return sn != nil && sn.Kind() == types.MethodVal
}

// locks are the methods of package sync that write to their receiver.
var locks = map[string][]string{
	"Mutex":     {"Lock", "TryLock", "Unlock"},
	"RWMutex":   {"Lock", "TryLock", "Unlock", "RLock", "TryRLock", "RUnlock"},
	"WaitGroup": {"Add", "Done"},
}

// writes reports whether sel names a function of sync/atomic, a method of its
// types or of locks that writes. One that fails to compare and swap takes the
// line all the same.
func (t *toucher) writes(sel *ast.SelectorExpr) bool {
	f, ok := t.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "sync/atomic":
		sn := t.TypesInfo.Selections[sel]
		return !strings.HasPrefix(f.Name(), "Load") && (sn == nil || sn.Kind() == types.MethodVal)
	case "sync":
		if !t.method(sel) {
			return false
		}
		recv, ok := types.Unalias(program.Deref(f.Signature().Recv().Type())).(*types.Named)
		return ok && slices.Contains(locks[recv.Obj().Name()], f.Name())
	}
	return false
}

// locks reports whether sel, which writes, names a method of a mutex.
func (t *toucher) locks(sel *ast.SelectorExpr) bool {
	f := t.TypesInfo.Uses[sel.Sel].(*types.Func)
	if f.Pkg().Path() != "sync" {
		return false
	}
	recv := types.Unalias(program.Deref(f.Signature().Recv().Type())).(*types.Named)
	return recv.Obj().Name() != "WaitGroup"
}

// loads reports whether sel names a function of sync/atomic that loads, a
// method of its types, or the check of a sync.Once.
func (t *toucher) loads(sel *ast.SelectorExpr) bool {
	f, ok := t.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil {
		return false
	}
	sn := t.TypesInfo.Selections[sel]
	switch f.Pkg().Path() {
	case "sync/atomic":
		return strings.HasPrefix(f.Name(), "Load") && (sn == nil || sn.Kind() == types.MethodVal)
	case "sync":
		return t.method(sel) && f.Name() == "Do"
	}
	return false
}

// promoted returns the fields between sel.X and the receiver of the method, as
// in ".a.b", and the receiver's type. It fails if they cannot be written down.
func (t *toucher) promoted(sel *ast.SelectorExpr) (path string, typ types.Type, ok bool) {
	sn := t.TypesInfo.Selections[sel]
	typ = sn.Recv()
	for _, i := range sn.Index()[:len(sn.Index())-1] {
		st, isStruct := program.Deref(typ).Underlying().(*types.Struct)
		if !isStruct {
			return "", nil, false
		}
		f := st.Field(i)
		if !f.Exported() && f.Pkg() != t.Types {
			return "", nil, false
		}
		path += "." + f.Name()
		typ = f.Type()
	}
	_, isInterface := typ.Underlying().(*types.Interface)
	return path, typ, !isInterface
}

func isPointer(typ types.Type) bool {
	_, ok := typ.Underlying().(*types.Pointer)
	return ok
}
