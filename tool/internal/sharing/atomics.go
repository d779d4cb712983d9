package sharing

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// method reports whether sel selects a method of a value.
func (s *source) method(sel *ast.SelectorExpr) bool {
	sn := s.TypesInfo.Selections[sel]
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
func (s *source) writes(sel *ast.SelectorExpr) bool {
	f, ok := s.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "sync/atomic":
		sn := s.TypesInfo.Selections[sel]
		return !strings.HasPrefix(f.Name(), "Load") && (sn == nil || sn.Kind() == types.MethodVal)
	case "sync":
		if !s.method(sel) {
			return false
		}
		recv, ok := types.Unalias(deref(f.Signature().Recv().Type())).(*types.Named)
		return ok && slices.Contains(locks[recv.Obj().Name()], f.Name())
	}
	return false
}

// loads reports whether sel names a function of sync/atomic that loads, a
// method of its types, or the check of a sync.Once.
func (s *source) loads(sel *ast.SelectorExpr) bool {
	f, ok := s.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil {
		return false
	}
	sn := s.TypesInfo.Selections[sel]
	switch f.Pkg().Path() {
	case "sync/atomic":
		return strings.HasPrefix(f.Name(), "Load") && (sn == nil || sn.Kind() == types.MethodVal)
	case "sync":
		return s.method(sel) && f.Name() == "Do"
	}
	return false
}

// promoted returns the fields between sel.X and the receiver of the method, as
// in ".a.b", and the receiver's type. It fails if they cannot be written down.
func (s *source) promoted(sel *ast.SelectorExpr) (path string, typ types.Type, ok bool) {
	sn := s.TypesInfo.Selections[sel]
	typ = sn.Recv()
	for _, i := range sn.Index()[:len(sn.Index())-1] {
		st, isStruct := deref(typ).Underlying().(*types.Struct)
		if !isStruct {
			return "", nil, false
		}
		f := st.Field(i)
		if !f.Exported() && f.Pkg() != s.Types {
			return "", nil, false
		}
		path += "." + f.Name()
		typ = f.Type()
	}
	_, isInterface := typ.Underlying().(*types.Interface)
	return path, typ, !isInterface
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
