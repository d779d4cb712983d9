package uses

import (
	"go/types"
	"iter"
)

// LeadsTo are the type t and those of what its values hold or lead to, without
// pointers: elements, keys and fields. Each comes once, and none that is more than
// so many away. The types of a large program lead to each other by more ways than
// can be counted.
func LeadsTo(t types.Type, away int) iter.Seq[types.Type] {
	return func(yield func(types.Type) bool) {
		seen := map[types.Type]bool{}
		for next := []types.Type{t}; len(next) > 0 && away >= 0; away-- {
			now := next
			next = nil
			for _, t := range now {
				if t == nil {
					continue
				}
				if t = Deref(t); seen[t] {
					continue
				}
				seen[t] = true
				if !yield(t) {
					return
				}
				switch u := t.Underlying().(type) {
				case *types.Slice:
					next = append(next, u.Elem())
				case *types.Array:
					next = append(next, u.Elem())
				case *types.Map:
					next = append(next, u.Key(), u.Elem())
				case *types.Struct:
					for f := range u.Fields() {
						next = append(next, f.Type())
					}
				}
			}
		}
	}
}
