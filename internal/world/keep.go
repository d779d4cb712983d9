package world

import "reflect"

// Keep names variables that are put back before each run of an [Explorer], with
// what they point to. It is called when packages begin.
func Keep(ptrs ...any) { kept = append(kept, ptrs...) }

var (
	kept []any
	back []func()
)

// keep notes what the variables are.
func keep() {
	back = nil
	seen := map[any]bool{}
	for _, p := range kept {
		keepAt(reflect.ValueOf(p), seen)
	}
}

// restore puts back what they were.
func restore() {
	for _, f := range back {
		f()
	}
}

// keepAt keeps what p points to, and what that points to.
func keepAt(p reflect.Value, seen map[any]bool) {
	if p.IsNil() || seen[p.UnsafePointer()] {
		return
	}
	seen[p.UnsafePointer()] = true
	v := reflect.NewAt(p.Type().Elem(), p.UnsafePointer()).Elem()
	was := reflect.New(v.Type()).Elem()
	was.Set(v)
	back = append(back, func() { v.Set(was) })
	keepIn(v, seen)
}

func keepIn(v reflect.Value, seen map[any]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		keepAt(reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem(), seen)
	case reflect.Struct:
		for i := range v.NumField() {
			keepIn(v.Field(i), seen)
		}
	case reflect.Array:
		if hasPointers(v.Type().Elem()) {
			for i := range v.Len() {
				keepIn(v.Index(i), seen)
			}
		}
	case reflect.Slice:
		if v.Len() == 0 || seen[v.UnsafePointer()] {
			return
		}
		seen[v.UnsafePointer()] = true
		all := reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
		was := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(was, all)
		all = all.Slice(0, v.Len())
		back = append(back, func() { reflect.Copy(all, was) })
		for i := range v.Len() {
			keepIn(v.Index(i), seen)
		}
	}
}

func hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Struct:
		return true
	case reflect.Array:
		return hasPointers(t.Elem())
	}
	return false
}
