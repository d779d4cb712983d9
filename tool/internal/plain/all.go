package plain

import (
	"fmt"
	"reflect"
)

// All returns a copy of v, which is plain data, in which every string is
// cleaned: a renderer that takes the copy shows nothing else, and finds names
// as long as they will be shown. The copy shares nothing with v but what lies
// in unexported fields, which stay as they are.
//
// It panics if v holds a channel or a function.
func All[T any](v T) T {
	var out T
	cleanInto(reflect.ValueOf(&out).Elem(), reflect.ValueOf(&v).Elem())
	return out
}

// cleanInto sets to, which is zero, to a clean copy of from.
func cleanInto(to, from reflect.Value) {
	switch from.Kind() {
	case reflect.String:
		to.SetString(Clean(from.String()))
	case reflect.Pointer:
		if !from.IsNil() {
			to.Set(reflect.New(from.Type().Elem()))
			cleanInto(to.Elem(), from.Elem())
		}
	case reflect.Interface:
		if !from.IsNil() {
			c := reflect.New(from.Elem().Type()).Elem()
			cleanInto(c, from.Elem())
			to.Set(c)
		}
	case reflect.Slice:
		if !from.IsNil() {
			to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
			for i := range from.Len() {
				cleanInto(to.Index(i), from.Index(i))
			}
		}
	case reflect.Array:
		for i := range from.Len() {
			cleanInto(to.Index(i), from.Index(i))
		}
	case reflect.Map:
		if !from.IsNil() {
			to.Set(reflect.MakeMapWithSize(from.Type(), from.Len()))
			for k, v := range from.Seq2() {
				key, value := reflect.New(k.Type()).Elem(), reflect.New(v.Type()).Elem()
				cleanInto(key, k)
				cleanInto(value, v)
				to.SetMapIndex(key, value)
			}
		}
	case reflect.Struct:
		to.Set(from)
		for i := range from.NumField() {
			if to.Type().Field(i).IsExported() {
				to.Field(i).SetZero()
				cleanInto(to.Field(i), from.Field(i))
			}
		}
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		panic(fmt.Sprintf("plain.All: %s is no plain data", from.Type()))
	default: // numbers and bools
		to.Set(from)
	}
}
