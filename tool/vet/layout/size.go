package layout

import "go/types"

// Sized reports whether t has a size that no type parameter decides: the sizes
// of package types are for such types alone, and panic for others.
func Sized(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return Sized(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if !Sized(f.Type()) {
				return false
			}
		}
	}
	return true // of the rest each has a size of its own, whatever it refers to
}
