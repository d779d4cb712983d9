package a

import "reflect"

type object struct {
	Name string
	Size int
	Tags []int
}

type nested struct {
	at    *object
	of    []object
	named map[string][]string
	x     float64
	key   [2]key
}

type key struct{ lo, hi int }

// same says in how many ways they are.
func same(a, b *object, c, d nested, xs, ys []string, k, l key) (n int) {
	if reflect.DeepEqual(a, b) { // want "reflect.DeepEqual walks the types of both values"
		n++
	}
	if reflect.DeepEqual(c, d) { // want "reflect.DeepEqual"
		n += 2
	}
	if reflect.DeepEqual(xs, ys) { // want "reflect.DeepEqual"
		n += 4
	}
	if reflect.DeepEqual(k, l) { // want "reflect.DeepEqual"
		n += 8
	}
	if reflect.DeepEqual(&c, &d) { // want "reflect.DeepEqual"
		n += 16
	}
	return n
}

func pairs2(all []object) (n int) {
	equalNested := 0
	for i := 1; i < len(all); i++ {
		if reflect.DeepEqual(&all[i-1], &all[i]) { // want "reflect.DeepEqual"
			n++
		}
	}
	return n + equalNested
}
