package b

import "reflect"

// Types that lead to each other by more ways than can be written out.
type (
	dense  struct{ a, b, c, d, e, f *dense1 }
	dense1 struct{ a, b, c, d, e, f *dense2 }
	dense2 struct{ a, b, c, d, e, f *dense3 }
	dense3 struct{ xs []int }
)

func alike(x, y *dense) bool {
	return reflect.DeepEqual(x, y) // want "reflect.DeepEqual" // refuse "typed: there is too much in it to be written out"
}
