package order

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

// byField sorts x where cmp turns out to compare a field of the elements, and
// reports whether it did. Otherwise x is as it was.
//
// Most comparison functions compare a number or a string that lies in the
// elements, and that is sorted several times as fast by its bits. Which field it
// is, the function cannot tell; but a guess can be proved. What is sorted by the
// right field is sorted as cmp says, and that takes one call for each two
// neighbours to know. So the order that comes out is always cmp's own, and a
// wrong guess costs time alone.
//
// Only fields that lie in the elements themselves are looked at: all of an
// element is read when it is moved, so that this is no race with anybody.
func byField[E any](x []E, cmp func(a, b E) int, stable bool) bool {
	if len(x) < guessed || uint64(len(x)) > most {
		return false
	}
	f, ok := guessField(x, cmp)
	if !ok {
		return false
	}
	p := f.rank(unsafe.Pointer(&x[0]), unsafe.Sizeof(x[0]), len(x))
	y := make([]E, len(x))
	if !provesField(x, y, p, f, cmp, stable) {
		return false
	}
	s := newSplit(len(x))
	back := func(_, lo, hi int) { copy(x[lo:hi], y[lo:hi]) }
	s.each(code(back), back)
	return true
}

const (
	// guessed is the least length for which byField guesses.
	guessed = 1 << 9
	// guesses are the elements a guess is made from.
	guesses = 64
	// mostFields of a type are looked at.
	mostFields = 16
)

// A field is a number or a string that lies at the same place in each element.
type field struct {
	at   uintptr
	kind reflect.Kind
	down bool // the greatest comes first
}

// compare compares the field of the elements at a and b, whatever down says.
func (f field) compare(a, b unsafe.Pointer) int {
	a, b = unsafe.Add(a, f.at), unsafe.Add(b, f.at)
	switch f.kind {
	case reflect.String:
		return strings.Compare(*(*string)(a), *(*string)(b))
	case reflect.Uint8, reflect.Int8:
		return orderOf[uint8](f.kind).compare(*(*uint8)(a), *(*uint8)(b))
	case reflect.Uint16, reflect.Int16:
		return orderOf[uint16](f.kind).compare(*(*uint16)(a), *(*uint16)(b))
	case reflect.Uint32, reflect.Int32, reflect.Float32:
		return orderOf[uint32](f.kind).compare(*(*uint32)(a), *(*uint32)(b))
	default:
		return orderOf[uint64](f.kind).compare(*(*uint64)(a), *(*uint64)(b))
	}
}

// rank returns the order of n elements by the field; those with equal fields
// keep theirs.
func (f field) rank(base unsafe.Pointer, stride uintptr, n int) []pair {
	p, q := make([]pair, n), make([]pair, n)
	base = unsafe.Add(base, f.at)
	switch f.kind {
	case reflect.String:
		keys := make([]string, n)
		get := func(_, lo, hi int) {
			for i := lo; i < hi; i++ {
				keys[i] = *(*string)(unsafe.Add(base, uintptr(i)*stride))
			}
		}
		newSplit(n).each(code(get), get)
		rank(keys, p, q)
		if f.down {
			upsideDown(keys, p)
		}
		return p
	case reflect.Uint8, reflect.Int8:
		numberFields(p, base, stride, orderOf[uint8](f.kind), f.down)
	case reflect.Uint16, reflect.Int16:
		numberFields(p, base, stride, orderOf[uint16](f.kind), f.down)
	case reflect.Uint32, reflect.Int32, reflect.Float32:
		numberFields(p, base, stride, orderOf[uint32](f.kind), f.down)
	default:
		numberFields(p, base, stride, orderOf[uint64](f.kind), f.down)
	}
	rankPairs(p, q)
	return p
}

// numberFields puts the fields at base, base+stride, … into p.
func numberFields[U word](p []pair, base unsafe.Pointer, stride uintptr, o order[U], down bool) {
	var flip uint64
	if down {
		flip = ^flip
	}
	block := func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			v := *(*U)(unsafe.Add(base, uintptr(i)*stride))
			p[i] = pair{uint64(o.rank(v)) ^ flip, uint32(i)}
		}
	}
	newSplit(len(p)).each(code(block), block)
}

// upsideDown turns p, which is the order of keys, into that from the greatest
// down, in which equal keys are in the order they have.
func upsideDown(keys []string, p []pair) {
	slices.Reverse(p)
	for lo := 0; lo < len(p); {
		hi := lo + 1
		for hi < len(p) && keys[p[hi].i] == keys[p[lo].i] {
			hi++
		}
		slices.Reverse(p[lo:hi])
		lo = hi
	}
}

// guessField returns the field that cmp seems to compare, by what cmp says about
// some of the elements of x.
func guessField[E any](x []E, cmp func(a, b E) int) (f field, ok bool) {
	fields := fieldsOf(reflect.TypeFor[E]())
	if len(fields) == 0 {
		return f, false
	}
	sample := make([]E, guesses)
	stride := len(x) / guesses
	rnd := uint32(len(x))
	for i := range sample {
		rnd = rnd*1664525 + 1013904223
		sample[i] = x[i*stride+int(uint64(rnd)*uint64(stride)>>32)]
	}
	// A few suffice to refuse most fields.
	g := guess{fields: fields, alive: 1<<len(fields) - 1}
	see := func(a, b *E) bool {
		return g.see(unsafe.Pointer(a), unsafe.Pointer(b), cmp(*a, *b))
	}
	for i := 1; i < guesses/4; i += 2 {
		if !see(&sample[i-1], &sample[i]) {
			return f, false
		}
	}
	// The neighbours in the order of cmp are the hardest to tell apart.
	slices.SortFunc(sample, cmp)
	g.decided = [mostFields]uint8{}
	for i := range sample[1:] {
		if !see(&sample[i], &sample[i+1]) {
			return f, false
		}
	}
	return g.best()
}

// A guess is which fields agree with all that a comparison function has said.
type guess struct {
	fields  []field
	alive   uint             // bits for those that agree so far
	up      [mostFields]int8 // 1: as the field says, -1: the reverse, 0: not known
	decided [mostFields]uint8
}

// see is told what the function said about a and b, and reports whether there is
// a field left.
func (g *guess) see(a, b unsafe.Pointer, said int) bool {
	for i, f := range g.fields {
		if g.alive>>i&1 == 0 {
			continue
		}
		c := f.compare(a, b)
		if c == 0 {
			continue // the function may look at more
		}
		d := int8(0)
		switch {
		case said > 0:
			d = int8(c)
		case said < 0:
			d = -int8(c)
		}
		if g.up[i] == 0 {
			g.up[i] = d
		}
		if d == 0 || d != g.up[i] {
			g.alive &^= 1 << i
		}
		g.decided[i]++
	}
	return g.alive != 0
}

// best returns the field that told most elements of the sample apart, if those
// were enough to be worth it: by a field with few values hardly anything is
// sorted.
func (g *guess) best() (best field, ok bool) {
	most := uint8(guesses / 2)
	for i, f := range g.fields {
		if g.alive>>i&1 == 1 && g.decided[i] >= most {
			best, most, ok = f, g.decided[i]+1, true
			best.down = g.up[i] < 0
		}
	}
	return best, ok
}

// fieldsKnown has the fields of types.
var fieldsKnown sync.Map // of reflect.Type to []field

// fieldsOf returns the numbers and strings in a t, mostFields at most.
func fieldsOf(t reflect.Type) []field {
	if known, ok := fieldsKnown.Load(t); ok {
		return known.([]field)
	}
	fields := appendFields(nil, t, 0)
	fieldsKnown.Store(t, fields)
	return fields
}

func appendFields(fields []field, t reflect.Type, at uintptr) []field {
	k := t.Kind()
	switch k { // as what it is here
	case reflect.Int:
		k = map[uintptr]reflect.Kind{4: reflect.Int32, 8: reflect.Int64}[t.Size()]
	case reflect.Uint, reflect.Uintptr:
		k = map[uintptr]reflect.Kind{4: reflect.Uint32, 8: reflect.Uint64}[t.Size()]
	}
	switch k {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" {
				fields = appendFields(fields, f.Type, at+f.Offset)
			}
		}
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64, reflect.String:
		if len(fields) < mostFields {
			fields = append(fields, field{at: at, kind: k})
		}
	}
	return fields
}

// provesField puts the elements of x in the order of p, which is by field f, into
// y, and sorts by cmp those that are equal in the field. It reports whether y is
// sorted as cmp says. It calls cmp for elements of y only.
func provesField[E any](x, y []E, p []pair, f field, cmp func(a, b E) int, stable bool) bool {
	var ties, wrong atomic.Bool
	equal := func(i, j int) bool { return f.compare(unsafe.Pointer(&y[i]), unsafe.Pointer(&y[j])) == 0 }
	look := func(i int) {
		switch c := cmp(y[i], y[i+1]); {
		case c < 0 || c == 0 && !stable:
		case !equal(i, i+1):
			wrong.Store(true)
		case c > 0:
			ties.Store(true)
		}
	}
	s := newSplit(len(x))
	block := func(_, lo, hi int) {
		for i, p := range p[lo:hi] {
			y[lo+i] = x[p.i]
		}
		for i := lo; i < hi-1 && !wrong.Load(); i++ {
			look(i)
		}
	}
	s.key = code(cmp)
	s.each(code(block), block)
	for i := s.size; i < len(x) && !wrong.Load(); i += s.size {
		look(i - 1)
	}
	if wrong.Load() || !ties.Load() {
		return !wrong.Load()
	}
	// Some need another look, by what cmp compares next.
	var runs [][2]int
	for lo := 0; lo < len(y); {
		hi := lo + 1
		for hi < len(y) && equal(lo, hi) {
			hi++
		}
		if hi-lo > 1 {
			runs = append(runs, [2]int{lo, hi})
		}
		lo = hi
	}
	sort := SortFunc[E]
	if stable {
		sort = SortStableFunc[E]
	}
	run(code(cmp)+tieStep, len(runs), func(lo, hi int) bool {
		for _, r := range runs[lo:hi] {
			sort(y[r[0]:r[1]], cmp)
		}
		return true
	})
	for _, r := range runs {
		for _, i := range r {
			if i > 0 && i < len(y) {
				if c := cmp(y[i-1], y[i]); c > 0 || c == 0 && stable {
					return false
				}
			}
		}
	}
	return true
}
