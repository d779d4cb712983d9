package pointers

import (
	"reflect"
	"testing"
	"unsafe"
)

func TestIn(t *testing.T) {
	tests := map[any]bool{
		false: false, 1: false, uint8(1): false, 1.0: false, 1i: false, uintptr(1): false,
		[2]int{}: false, [0]*int{}: false, struct{}{}: false,
		struct {
			a int
			b [3]float32
		}{}: false,
		"": true, new(int): true, [2]*int{}: true, make(chan int): true, unsafe.Pointer(nil): true,
		struct {
			a int
			b [1]struct{ c any }
		}{}: true,
	}
	for v, want := range tests {
		if got := In(reflect.TypeOf(v)); got != want {
			t.Errorf("In(%T) = %t, want %t", v, got, want)
		}
	}
	for _, v := range []any{[]int{}, map[int]int{}, func() {}} {
		if !In(reflect.TypeOf(v)) {
			t.Errorf("In(%T) = false, want true", v)
		}
	}
}
