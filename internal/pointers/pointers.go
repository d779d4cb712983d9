// Package pointers tells which types have pointers: only values of these can keep
// others alive, or lead a comparison elsewhere.
package pointers

import "reflect"

// In reports whether values of type t have pointers.
func In(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Array:
		return t.Len() > 0 && In(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if In(t.Field(i).Type) {
				return true
			}
		}
		return false
	default:
		// The kinds up to here are the numbers and bool.
		return k > reflect.Complex128
	}
}
