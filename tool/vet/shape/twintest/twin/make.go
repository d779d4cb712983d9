package twin

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/gopayoff/payoff/internal/stress"
)

// A maker makes inputs of one form. From the same numbers those of two forms
// make the same, also where a field is kept otherwise: what a value is depends on
// its place, and not on what was made before.
type maker struct {
	form  Form
	makes map[reflect.Type][]string // functions that return a type
	apart map[reflect.Type]bool     // types that are not alike in both forms

	// Of a case:
	seed  uint64
	small bool                             // numbers are small, and nothing is empty
	open  bool                             // no channel is closed
	n     int                              // length of many slices
	pool  map[reflect.Type][]reflect.Value // slices and pointers: some share memory
	tells *trace
}

// A trace is what the functions among the inputs were called with.
type trace struct {
	mu  sync.Mutex
	all []string
}

func newMaker(f Form) maker {
	m := maker{form: f, makes: map[reflect.Type][]string{}, apart: map[reflect.Type]bool{}}
	for name, fn := range f.Funcs {
		t := reflect.TypeOf(fn)
		if t.NumOut() != 1 || strings.HasPrefix(name, "(") || !named(t.Out(0)) {
			continue
		}
		ok := true
		for i := range t.NumIn() {
			ok = ok && m.why(t.In(i)) == "" && t.In(i) != t.Out(0)
		}
		if ok {
			m.makes[t.Out(0)] = append(m.makes[t.Out(0)], name)
		}
	}
	for _, names := range m.makes {
		slices.Sort(names)
	}
	return m
}

// named reports whether the type, or what it points to, is declared in the package.
func named(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.PkgPath() != "" && own(t)
}

func (m *maker) start(r *rand.Rand, tame int) {
	m.seed, m.small, m.open, m.pool, m.tells = r.Uint64(), tame > 0, tame > 1, map[reflect.Type][]reflect.Value{}, new(trace)
	switch k := r.IntN(16); {
	case m.small:
		m.n = 1 + r.IntN(12)
	case k < 2:
		m.n = k
	case k < 11:
		m.n = 2 + r.IntN(11)
	case k < 15:
		m.n = 13 + r.IntN(50)
	default:
		m.n = 200 + r.IntN(100)
	}
}

// told says what functions were called with, in order if that is certain.
func (m *maker) told(ordered bool) string {
	if !ordered {
		slices.Sort(m.tells.all)
	}
	return strings.Join(m.tells.all, "")
}

// kinds of interfaces, and what is made for them.
var kinds = map[reflect.Type]func(*rand.Rand) any{
	reflect.TypeFor[any](): func(r *rand.Rand) any {
		return []any{nil, word(r), r.IntN(9), []int{r.IntN(9), 1}, map[string]int{word(r): 1}, 0.5, true}[r.IntN(7)]
	},
	reflect.TypeFor[fmt.Stringer](): func(r *rand.Rand) any { return time.Duration(r.IntN(5000)) },
	reflect.TypeFor[io.Reader]():    func(r *rand.Rand) any { return strings.NewReader(text(r, 60)) },
	reflect.TypeFor[io.Writer]():    func(r *rand.Rand) any { return bytes.NewBufferString(text(r, 3)) },
	reflect.TypeFor[context.Context](): func(r *rand.Rand) any {
		if r.IntN(4) > 0 {
			return context.Background()
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		return ctx
	},
}

// whole are pointers to what is made, and shown, as a whole.
func whole(p any) bool {
	switch p.(type) {
	case *bytes.Buffer, *strings.Builder, *bufio.Writer, *time.Time, *maphash.Seed:
		return true
	}
	return false
}

// silent reports whether a type has nothing to show, and is zero at first.
func silent(t reflect.Type) bool { return t.PkgPath() == "sync" && t.Kind() == reflect.Struct }

// own reports whether a type is one of the packages that are compared, or has no
// name.
func own(t reflect.Type) bool {
	return t.PkgPath() == "" || strings.Contains(t.PkgPath(), "/twins/")
}

// fields are those of a struct that tell something.
func fields(t reflect.Type) (all []int) {
	for i := range t.NumField() {
		if f := t.Field(i); f.Name != "_" && !silent(f.Type) {
			all = append(all, i)
		}
	}
	return all
}

// cell returns the type of what an atomic variable holds.
func cell(t reflect.Type) (reflect.Type, bool) {
	if t.PkgPath() != "sync/atomic" || t.Name() == "Value" {
		return nil, false
	}
	load, _ := reflect.PointerTo(t).MethodByName("Load")
	return load.Type.Out(0), true
}

// why says why no value of the type can be made.
func (m *maker) why(t reflect.Type) string {
	if _, ok := cell(t); ok || whole(reflect.New(t).Interface()) || silent(t) || kinds[t] != nil {
		return ""
	}
	switch t.Kind() {
	case reflect.UnsafePointer, reflect.Uintptr:
		return "an address"
	case reflect.Interface:
		return "values of " + t.String()
	case reflect.Struct:
		if !own(t) {
			return "a " + t.String()
		}
	case reflect.Map:
		return m.why(t.Key()) + m.why(t.Elem())
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
		return m.why(t.Elem())
	case reflect.Func:
		for out := range t.Outs() {
			if s := m.why(out); s != "" {
				return s
			}
		}
		for in := range t.Ins() {
			if in.Kind() == reflect.Func {
				for given := range in.Ins() {
					if s := m.why(given); s != "" {
						return s
					}
				}
			}
		}
	}
	return ""
}

// shape says what is made for a type. It is the same for a number and an atomic
// one, and for a struct and the same with room between its fields.
func shape(t reflect.Type) string { return shapeIn(t, nil) }

func shapeIn(t reflect.Type, within []reflect.Type) string {
	if slices.Contains(within, t) {
		return "^"
	}
	within = append(slices.Clip(within), t)
	if e, ok := cell(t); ok {
		return shapeIn(e, within)
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return "int"
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan, reflect.Map:
		return strings.TrimSuffix(t.String(), t.Elem().String()) + shapeIn(t.Elem(), within)
	case reflect.Struct:
		if !own(t) {
			break
		}
		all := fields(t)
		if len(all) == 1 {
			return shapeIn(t.Field(all[0]).Type, within)
		}
		s := "struct{"
		for _, i := range all {
			s += t.Field(i).Name + " " + shapeIn(t.Field(i).Type, within) + ";"
		}
		return s + "}"
	}
	return t.String()
}

// resets reports whether a variable of the package is made anew for each case:
// not where it is a pool, or holds functions, or a large table.
func resets(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Func, reflect.Interface, reflect.Chan:
		return false
	case reflect.Array:
		return t.Len() <= 1000 && resets(t.Elem())
	case reflect.Slice:
		return resets(t.Elem())
	case reflect.Struct:
		_, ok := cell(t)
		return ok || own(t) || whole(reflect.New(t).Interface())
	}
	return true
}

// argument makes a value, by a function of the package where it has one for the
// type, or has to; with some, no nil pointer.
func (m *maker) argument(t reflect.Type, place uint64, some bool) reflect.Value {
	v := reflect.New(t).Elem()
	r := m.at(place + 1)
	if makes := m.makes[t]; len(makes) > 0 && (m.apart[t] || r.IntN(2) == 0) {
		if out, ok := m.construct(makes[r.IntN(len(makes))], place); ok {
			v.Set(out)
			return v
		}
	}
	switch {
	case !m.apart[t]:
		m.fill(v, place, 0)
		if t.Kind() == reflect.Pointer && v.IsNil() && some {
			v.Set(reflect.New(t.Elem()))
		}
	case t.Kind() == reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
	}
	return v
}

func (m *maker) construct(name string, place uint64) (out reflect.Value, ok bool) {
	defer func() { recover() }()
	f := reflect.ValueOf(m.form.Funcs[name])
	var in []reflect.Value
	for i := range f.Type().NumIn() {
		in = append(in, m.value(f.Type().In(i), place+uint64(2+i), 0))
	}
	return f.Call(in)[0], true
}

// at is the source of the numbers of a place.
func (m *maker) at(place uint64) *rand.Rand { return rand.New(rand.NewPCG(m.seed, place)) }

func (m *maker) number(r *rand.Rand, depth int) int64 {
	if m.small {
		return int64(r.IntN(m.n + 1))
	}
	switch k := r.IntN(12); {
	case k < 6:
		return int64(r.IntN(m.n+3)) - 1
	case k < 9:
		return int64(r.IntN(41)) - 20
	case k < 10:
		return int64(m.n)
	case k < 11 || depth == 0: // where it may bound a loop
		return int64(r.IntN(1000))
	}
	return []int64{math.MaxInt64, math.MinInt64, math.MaxInt32, 1 << 40, -1 << 33}[r.IntN(5)]
}

func (m *maker) float(r *rand.Rand) float64 {
	if r.IntN(40) == 0 {
		return []float64{math.Inf(1), math.Inf(-1), 0.1, 1e300, -1.5}[r.IntN(5)]
	}
	return float64(r.IntN(41) - 20)
}

var words = []string{"", "a", "b", "the", "the", "stop", "#x", "12", "-3", "007", "é", "\xff", "a b", "\"q\"", "user:1", "of a kind", "UPPER", "upper"}

func word(r *rand.Rand) string { return words[r.IntN(len(words))] }

func text(r *rand.Rand, most int) string {
	s := word(r)
	for range r.IntN(most + 1) {
		s += " " + word(r)
	}
	return s
}

// length of a slice or map that lies that deep.
func (m *maker) length(r *rand.Rand, depth int) int {
	switch {
	case m.small && depth <= 2: // none at all is what some recursions never come to
		return 1 + r.IntN(m.n)
	case depth == 0 && r.IntN(4) > 0:
		return m.n
	case depth == 0:
		return r.IntN(2*min(m.n, 20) + 2)
	case depth == 1 && m.n <= 16 && r.IntN(2) == 0:
		return m.n
	case depth <= 2:
		return r.IntN(6)
	case depth <= 6:
		return r.IntN(3)
	}
	return 0
}

// free returns v without the rule that only its package may set it.
func free(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

// value is a new one of the type.
func (m *maker) value(t reflect.Type, place uint64, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	m.fill(v, place, depth)
	return v
}

// fill sets v, which lies that deep in an argument.
func (m *maker) fill(v reflect.Value, place uint64, depth int) {
	t := v.Type()
	r := m.at(place)
	v = free(v)
	p := v.Addr().Interface()
	switch x := p.(type) {
	case *bytes.Buffer:
		x.Reset()
		x.WriteString(text(r, 3))
	case *strings.Builder:
		x.Reset()
		x.WriteString(text(r, 3))
	case *bufio.Writer:
		x.Reset(new(bytes.Buffer))
	case *time.Time:
		*x = time.Unix(int64(r.IntN(20)), 0)
	case *maphash.Seed:
		*x = seed
	}
	if whole(p) || silent(t) {
		return
	}
	if kind := kinds[t]; kind != nil {
		if x := kind(r); x != nil {
			v.Set(reflect.ValueOf(x))
		}
		return
	}
	if e, ok := cell(t); ok {
		v.Addr().MethodByName("Store").Call([]reflect.Value{m.value(e, place, depth)})
		return
	}
	down := func(i int) uint64 { return place*0x9e3779b97f4a7c15 + uint64(i) + 1 }
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(m.number(r, depth))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(uint64(m.number(r, depth)))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(m.float(r))
	case reflect.String:
		v.SetString(text(r, 2))
	case reflect.Slice:
		if m.shared(v, r) {
			return
		}
		if r.IntN(12) == 0 && !m.small {
			v.SetZero()
			return
		}
		n := m.length(r, depth)
		s := reflect.MakeSlice(t, n, n+r.IntN(4))
		for i := range s.Cap() {
			m.fill(s.Slice(0, s.Cap()).Index(i), down(i), depth+1)
		}
		v.Set(s)
		m.share(v)
	case reflect.Array:
		for i := range t.Len() {
			m.fill(v.Index(i), down(i), depth+1)
		}
	case reflect.Map:
		if r.IntN(12) == 0 {
			v.SetZero()
			return
		}
		v.Set(reflect.MakeMap(t))
		for i := range m.length(r, max(depth, 1)) {
			if k := m.value(t.Key(), down(2*i), depth+1); k.Comparable() {
				v.SetMapIndex(k, m.value(t.Elem(), down(2*i+1), depth+1))
			}
		}
	case reflect.Pointer:
		if m.shared(v, r) {
			return
		}
		if depth > 6 || r.IntN(10) == 0 || m.why(t) != "" {
			v.SetZero()
			return
		}
		x := reflect.New(t.Elem())
		m.fill(x.Elem(), down(0), depth+1)
		v.Set(x)
		m.share(v)
	case reflect.Struct:
		if !own(t) {
			return
		}
		all := fields(t)
		for _, i := range all {
			below := place // alone it is what the struct stands for
			d := depth
			if len(all) > 1 {
				below = place ^ hash(t.Field(i).Name)
				d++
			}
			m.fill(v.Field(i), below, d)
		}
	case reflect.Chan:
		v.Set(m.channel(t, r, down))
	case reflect.Func:
		if m.why(t) == "" {
			v.Set(m.function(t, r.Uint64()))
		}
	}
}

var seed = maphash.MakeSeed()

// shared makes v the same memory as another input, now and then.
func (m *maker) shared(v reflect.Value, r *rand.Rand) bool {
	all := m.pool[v.Type()]
	if r.IntN(12) > 0 || stress.Race || len(all) == 0 {
		return false
	}
	x := all[r.IntN(len(all))]
	if v.Kind() == reflect.Slice {
		x = x.Slice(0, x.Len()-r.IntN(x.Len()/2+1))
	}
	v.Set(x)
	return true
}

func (m *maker) share(v reflect.Value) {
	own := reflect.New(v.Type()).Elem() // v may be set, later
	own.Set(v)
	m.pool[v.Type()] = append(m.pool[v.Type()], own)
}

// channel makes a channel with values in it and room for more. What may receive
// from it finds it closed, mostly.
func (m *maker) channel(t reflect.Type, r *rand.Rand, down func(int) uint64) reflect.Value {
	n := min(m.n, 64)
	c := reflect.MakeChan(reflect.ChanOf(reflect.BothDir, t.Elem()), n+64)
	if t.ChanDir() != reflect.SendDir && (m.small || r.IntN(4) > 0) {
		for i := range n {
			c.Send(m.value(t.Elem(), down(i), 1))
		}
		if !m.open && (m.small || r.IntN(4) > 0) {
			c.Close()
		}
	}
	return c.Convert(t)
}

// function makes a function whose results follow from its arguments and, where it
// has none, from how often it was called. It calls those that it is given.
func (m *maker) function(t reflect.Type, key uint64) reflect.Value {
	var times atomic.Uint64
	return reflect.MakeFunc(t, func(in []reflect.Value) (out []reflect.Value) {
		s := &shower{}
		s.name("a function is called with")
		for _, v := range in {
			if v.Kind() == reflect.Func && !v.IsNil() {
				m.callBack(v, key)
			} else {
				s.show(v)
			}
		}
		says := hash(s.String()) ^ key
		if len(in) == 0 {
			says ^= times.Add(1) * 0x9e3779b97f4a7c15
		}
		if !stress.Race { // the lock would order what must be ordered without it
			m.tells.mu.Lock()
			m.tells.all = append(m.tells.all, s.String())
			m.tells.mu.Unlock()
		}
		for i := range t.NumOut() {
			out = append(out, m.value(t.Out(i), says+uint64(i), 1))
		}
		return out
	})
}

// callBack calls f some times.
func (m *maker) callBack(f reflect.Value, key uint64) {
	for k := range min(m.n, 5) {
		var in []reflect.Value
		for i := range f.Type().NumIn() {
			in = append(in, m.value(f.Type().In(i), key+uint64(10*k+i), 1))
		}
		call(f, in)
	}
}
