package order

import (
	"cmp"
	"reflect"
	"slices"
	"unsafe"

	"github.com/gopayoff/payoff/internal/force"
)

// SortBy sorts x by the keys of its elements, in stable order. It calls key once
// for each, before it changes x.
func SortBy[E any, K cmp.Ordered](x []E, key func(E) K) {
	const few = 16
	switch {
	case len(x) < 2:
	case len(x) <= few && force.Current() != force.Spread:
		var keys [few]K
		for i, v := range x {
			keys[i] = key(v)
		}
		insertBy(x, keys[:len(x)])
	case uint64(len(x)) > most:
		slices.SortStableFunc(x, func(a, b E) int { return cmp.Compare(key(a), key(b)) })
	default:
		sortBy(x, key)
	}
}

// insertBy sorts x by keys, which it sorts too.
func insertBy[E any, K cmp.Ordered](x []E, keys []K) {
	for i, k := range keys {
		v, j := x[i], i
		for j > 0 && cmp.Less(k, keys[j-1]) {
			keys[j], x[j] = keys[j-1], x[j-1]
			j--
		}
		keys[j], x[j] = k, v
	}
}

// sortBy is SortBy for more than a few elements.
func sortBy[E any, K cmp.Ordered](x []E, key func(E) K) {
	var p, q []pair
	if len(x) <= len(pairRoom{})/2 {
		r := pairRooms.Get().(*pairRoom)
		defer pairRooms.Put(r)
		p, q = r[:len(x)], r[len(r)/2:][:len(x)]
	} else {
		p, q = make([]pair, len(x)), make([]pair, len(x))
	}
	switch k := reflect.TypeFor[K]().Kind(); k {
	case reflect.String:
		keys := make([]string, len(x))
		run(code(key)+forKeys, len(x), func(lo, hi int) bool {
			for i, v := range x[lo:hi] {
				k := key(v)
				keys[lo+i] = *(*string)(unsafe.Pointer(&k))
			}
			return true
		})
		if !isOrdered(keys) {
			rank(keys, p, q)
			arrange(x, p)
		}
		return
	case reflect.Uint8, reflect.Int8:
		setKeys(p, x, key, orderOf[uint8](k))
	case reflect.Uint16, reflect.Int16:
		setKeys(p, x, key, orderOf[uint16](k))
	case reflect.Uint32, reflect.Int32, reflect.Float32:
		setKeys(p, x, key, orderOf[uint32](k))
	case reflect.Uint64, reflect.Int64, reflect.Float64:
		setKeys(p, x, key, orderOf[uint64](k))
	default: // int, uint, uintptr
		if unsafe.Sizeof(uintptr(0)) == 4 {
			setKeys(p, x, key, orderOf[uint32](k))
		} else {
			setKeys(p, x, key, orderOf[uint64](k))
		}
	}
	if !arrangedPairs(x, p) {
		rankPairs(p, q)
		arrange(x, p)
	}
}

// arrangedPairs reports whether p is sorted; it reverses x where each key is
// less than the one before.
func arrangedPairs[E any](x []E, p []pair) bool {
	i := 1
	for i < len(p) && p[i-1].key <= p[i].key {
		i++
	}
	if i == 1 {
		for i < len(p) && p[i-1].key > p[i].key {
			i++
		}
		if i == len(p) {
			slices.Reverse(x)
		}
	}
	return i == len(p)
}

// rankPairs sorts p by key, in stable order. q is room for as many.
func rankPairs(p, q []pair) {
	if len(p) <= cached {
		r := rooms.Get().(*room)
		sortPairs(p, q, false, r.counts[:])
		rooms.Put(r)
	} else {
		spreadPairs(p, q, func(_, _ int) {})
	}
}

// setKeys puts the keys of x into p. K's representation is U.
func setKeys[E any, K cmp.Ordered, U word](p []pair, x []E, key func(E) K, o order[U]) {
	run(code(key)+forKeys, len(x), func(lo, hi int) bool {
		for i, v := range x[lo:hi] {
			k := key(v)
			p[lo+i] = pair{uint64(o.rank(*(*U)(unsafe.Pointer(&k)))), uint32(lo + i)}
		}
		return true
	})
}
