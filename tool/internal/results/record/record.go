// Package record is the recorder of package results. It is compiled here for its
// tests, and results gives it, as a package of their module, to test binaries whose
// functions are watched: so it imports the standard library alone and needs no Go later
// than 1.22.
//
// Enter and Call.Leave cost what it costs to read all that a call is given; after a
// time they do nothing. Nothing else may import it.
package record

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"runtime"
	"runtime/pprof"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// Variables of the environment: the file that is written; functions, with a comma
// between them, that are not called with other inputs; whether maps are not read.
const (
	File    = "PAYOFF_RESULTS"
	Untried = "PAYOFF_RESULTS_UNTRIED"
	Careful = "PAYOFF_RESULTS_CAREFUL"
)

// Bounds on what is recorded.
const (
	mostTime   = 4 * time.Second        // that reading takes, in all
	mostEach   = 500 * time.Millisecond // likewise, of what a function is given
	mostCalls  = 20_000                 // of a function
	mostInputs = 400                    // of a function, distinct
	mostEnds   = 4                      // distinct outcomes of an input
	mostWords  = 1 << 18                // values within what a call is given
	mostVaried = 40                     // inputs of a function that others are made of
	variants   = 6                      // of such an input
	mostText   = 400                    // bytes of an input, as shown
	mostRoots  = 4096                   // places in memory that calls may share
)

// Marker begins the names that watched functions have now: a stack with one of them
// is within a watched call.
const Marker = "payoffIs_"

// A recorder writes what it has not seen before.
type recorder struct {
	off     atomic.Bool
	spent   atomic.Int64 // ns
	careful bool
	untried map[string]bool

	mu     sync.Mutex // of the rest
	to     *os.File
	funcs  map[string]*function
	active []*Call
}

type function struct {
	spent         atomic.Int64 // ns
	calls, varied int
	inputs        map[uint64]*input
	told          map[string]bool // why calls were not recorded
}

// An input is what came of calls with it.
type input struct {
	ends  map[uint64]int // calls, by outcome
	tries bool           // others were made of it
}

// Apart are types, as example.com/m.T, and fields, as example.com/m.T.f, that are not the
// same in both forms: their values are not looked into. The program sets it as it is initialized.
var Apart = map[string]bool{}

var the = open()

func open() *recorder {
	r := &recorder{funcs: map[string]*function{}, untried: map[string]bool{}, careful: os.Getenv(Careful) != ""}
	name := os.Getenv(File)
	if name == "" {
		r.off.Store(true)
		return r
	}
	for _, f := range strings.Split(os.Getenv(Untried), ",") {
		r.untried[f] = true
	}
	var err error
	if r.to, err = os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
		r.off.Store(true)
	}
	return r
}

// A Call is one of a watched function.
type Call struct {
	name     string
	fn       reflect.Value // that is called with other inputs; not valid: none
	in       []any         // pointers to what it is given, the variables of its package last
	args     int           // of in, that are arguments
	key      uint64
	blind    bool // it was given what cannot be read
	roots    map[uintptr]bool
	copies   []reflect.Value // of the arguments
	over     bool            // another call that shares memory with it was there meanwhile
	returned bool
}

// Enter begins a call of a function, which is given what in points to: args arguments,
// the receiver first, and then variables of its package. Where fn is not nil it is the
// function, which is called with other inputs as well unless it uses such variables. It
// returns nil where the call is not recorded: it is within another one.
func Enter(name string, fn any, args int, in ...any) *Call {
	if the.off.Load() {
		return nil
	}
	began := time.Now()
	the.mu.Lock()
	f := the.funcs[name]
	if f == nil {
		f = &function{inputs: map[uint64]*input{}, told: map[string]bool{}}
		the.funcs[name] = f
	}
	f.calls++
	over := f.calls > mostCalls || f.spent.Load() > int64(mostEach)
	the.mu.Unlock()
	if over {
		return nil
	}
	defer the.spend(f, began)
	if within() {
		return nil
	}
	c := &Call{name: name, in: in, args: args, roots: map[uintptr]bool{}}
	s := &reader{roots: c.roots}
	h, _ := s.all(in)
	if s.large {
		the.mu.Lock()
		the.left(f, name, "it is given too much to be read")
		the.mu.Unlock()
		return nil
	}
	if len(c.roots) > 0 && busy() { // what it is given may change meanwhile
		the.mu.Lock()
		the.left(f, name, "other goroutines are at work beside it, which may share what it is given")
		the.mu.Unlock()
		return nil
	}
	c.key, c.blind = h, s.blind
	the.mu.Lock()
	defer the.mu.Unlock()
	x := f.inputs[h]
	if x == nil {
		if len(f.inputs) >= mostInputs {
			return nil
		}
		x = &input{ends: map[uint64]int{}}
		f.inputs[h] = x
		the.write("C", name, hex(h), show(in, mostText))
	}
	if fn != nil && args == len(in) && !x.tries && !s.blind && f.varied < mostVaried && !the.untried[name] && plains(in) {
		x.tries = true
		f.varied++
		c.fn = reflect.ValueOf(fn)
		for _, p := range in[:args] {
			c.copies = append(c.copies, copied(reflect.ValueOf(p).Elem()))
		}
	}
	for _, other := range the.active {
		if shares(c.roots, other.roots) {
			c.over, other.over = true, true
		}
	}
	the.active = append(the.active, c)
	return c
}

// shares reports whether two calls can see one place in memory.
func shares(a, b map[uintptr]bool) bool {
	if len(b) < len(a) {
		a, b = b, a
	}
	for p := range a {
		if b[p] {
			return true
		}
	}
	return false
}

// busy reports whether other goroutines are at work. Those that wait are woken by the call
// alone, and then what they do is what comes of it.
func busy() bool {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	if len(buf) == cap(buf) {
		return true
	}
	for i, g := range strings.Split(string(buf), "\n\n") {
		_, state, _ := strings.Cut(g, "[")
		for _, s := range []string{"run", "preempted", "syscall", "sleep", "sync.Mutex", "sync.RWMutex", "semacquire"} {
			if i > 0 && strings.HasPrefix(state, s) {
				return true
			}
		}
	}
	return false
}

// within reports whether a watched function is on the stack, or made the goroutine.
func within() bool {
	buf := make([]byte, 16<<10)
	buf = buf[:runtime.Stack(buf, false)]
	if strings.Contains(string(buf), Marker) {
		return true
	}
	if len(buf) < cap(buf) {
		return false
	}
	buf = make([]byte, 1<<20)
	return strings.Contains(string(buf[:runtime.Stack(buf, false)]), Marker)
}

// Returned says that the function has returned.
func (c *Call) Returned() { c.returned = true }

// Leave ends a call with what out points to.
func (c *Call) Leave(out ...any) {
	began := time.Now()
	the.mu.Lock()
	for i, x := range the.active {
		if x == c {
			the.active = append(the.active[:i:i], the.active[i+1:]...)
			break
		}
	}
	f := the.funcs[c.name]
	if c.over {
		the.left(f, c.name, "several goroutines call it at once with what they share")
		the.mu.Unlock()
		return
	}
	the.mu.Unlock()
	if the.off.Load() {
		return
	}
	c.end(f, "r", out, c.in)
	the.spend(f, began)
	if c.fn.IsValid() {
		c.vary(f)
	}
}

// end records how a call ended.
func (c *Call) end(f *function, origin string, out, in []any) {
	s := &reader{}
	ordered, bag := uint64(1), uint64(1)
	if c.returned {
		o, b := s.all(out)
		i, _ := s.all(in) // a bag of what it was given is no order that may change
		ordered, bag = mix(o, i), mix(b, i)
	}
	if s.large {
		return
	}
	the.mu.Lock()
	defer the.mu.Unlock()
	x := f.inputs[c.key]
	x.ends[ordered]++
	n := x.ends[ordered]
	switch {
	case n == 1 && len(x.ends) <= mostEnds:
		blind := ""
		if c.blind || s.blind {
			blind = "b"
		}
		text, leaves := "it panics", ""
		if c.returned {
			text, leaves = show(out, mostText), show(in, mostText)
		}
		the.write("R", c.name, hex(c.key), hex(ordered), hex(bag), origin+blind, text, leaves)
	case n > 1 && n&(n-1) == 0:
		the.write("N", c.name, hex(c.key), hex(ordered), strconv.Itoa(n))
	}
}

// vary calls the function with inputs like those of a call: the same ones in each form,
// since they are made of the input alone.
func (c *Call) vary(f *function) {
	for i := uint64(0); i < variants && !the.off.Load(); i++ {
		began := time.Now()
		r := random(mix(c.key, i+1))
		var in []reflect.Value
		var given []any
		for _, x := range c.copies {
			p := reflect.New(x.Type())
			p.Elem().Set(copied(x))
			r.change(p.Elem())
			in, given = append(in, p.Elem()), append(given, p.Interface())
		}
		v := &Call{name: c.name, in: given, args: c.args}
		s := &reader{}
		v.key, _ = s.all(given)
		the.mu.Lock()
		x := f.inputs[v.key]
		if x == nil {
			x = &input{ends: map[uint64]int{}, tries: true}
			f.inputs[v.key] = x
		}
		known := len(x.ends) > 0
		if !known {
			the.write("V", v.name, hex(v.key), show(given, mostText))
		}
		the.mu.Unlock()
		the.spend(f, began)
		if known {
			continue
		}
		var out []any
		func() {
			defer func() { recover() }()
			var got []reflect.Value
			if c.fn.Type().IsVariadic() {
				got = c.fn.CallSlice(in)
			} else {
				got = c.fn.Call(in)
			}
			for _, g := range got {
				p := reflect.New(g.Type())
				p.Elem().Set(g)
				out = append(out, p.Interface())
			}
			v.returned = true
		}()
		began = time.Now()
		v.end(f, "v", out, given)
		the.spend(f, began)
	}
}

// spend accounts for what reading has taken.
func (r *recorder) spend(f *function, began time.Time) {
	d := int64(time.Since(began))
	f.spent.Add(d)
	if r.spent.Add(d) > int64(mostTime) {
		r.off.Store(true)
	}
}

// left notes once why calls of a function are not recorded; mu is held.
func (r *recorder) left(f *function, name, why string) {
	if !f.told[why] {
		f.told[why] = true
		r.write("U", name, why)
	}
}

// write writes a line, whose words have no tabs; mu is held.
func (r *recorder) write(words ...string) {
	for i, w := range words {
		words[i] = strings.NewReplacer("\t", `\t`, "\n", `\n`).Replace(w)
	}
	if _, err := r.to.WriteString(strings.Join(words, "\t") + "\n"); err != nil {
		r.off.Store(true)
	}
}

func hex(h uint64) string { return strconv.FormatUint(h, 16) }

func mix(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 + b + 0x632be59bd9b4e019
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	return x ^ x>>32
}

func hashText(s string) uint64 {
	h := uint64(len(s)) + 0xcbf29ce484222325
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	return mix(h, 7)
}

// A reader makes two numbers of a value: one in which the order of elements counts, and
// one in which it does not.
type reader struct {
	roots map[uintptr]bool
	on    []uintptr // pointers that it is within
	words int
	large bool // more than is read
	blind bool // there was something that cannot be read
}

func (s *reader) all(ptrs []any) (ordered, bag uint64) {
	ordered, bag = uint64(len(ptrs)), uint64(len(ptrs))
	for _, p := range ptrs {
		o, b := s.read(reflect.ValueOf(p).Elem())
		ordered, bag = mix(ordered, o), mix(bag, b)
	}
	return ordered, bag
}

// note notes a place in memory.
func (s *reader) note(p uintptr) {
	if s.roots != nil && len(s.roots) < mostRoots && p != 0 {
		s.roots[p] = true
	}
}

// silent are types whose values say nothing of what a function computes.
func silent(t reflect.Type) bool {
	switch t.PkgPath() {
	case "sync":
		switch t.Name() {
		case "Mutex", "RWMutex", "WaitGroup", "Pool", "Cond", "Once", "noCopy":
			return true
		}
	case "context", "internal/sync":
		return true
	}
	return false
}

// dark are types that cannot be read from outside.
func dark(t reflect.Type) bool {
	switch t.PkgPath() {
	case "sync":
		return t.Name() == "Map"
	case "os", "net", "testing", "reflect", "runtime", "unique", "weak", "internal/poll":
		return true
	}
	return false
}

func (s *reader) read(v reflect.Value) (ordered, bag uint64) {
	if s.words++; s.words > mostWords {
		s.large = true
		return 0, 0
	}
	t := v.Type()
	one := func(h uint64) (uint64, uint64) { return h, h }
	switch {
	case silent(t) || Apart[typeName(t)]:
		s.blind = s.blind || !silent(t)
		return one(3)
	case dark(t):
		s.blind = true
		return one(4)
	}
	if v.CanAddr() && t.PkgPath() == "sync/atomic" && strings.HasPrefix(t.Name(), "Pointer[") {
		if load := reflect.NewAt(t, unsafe.Pointer(v.UnsafeAddr())).MethodByName("Load"); load.IsValid() {
			return s.read(load.Call(nil)[0])
		}
	}
	switch t.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return one(11)
		}
		return one(12)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return one(mix(13, uint64(v.Int())))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return one(mix(14, v.Uint()))
	case reflect.Float32, reflect.Float64:
		return one(mix(15, bits(v.Float())))
	case reflect.Complex64, reflect.Complex128:
		return one(mix(mix(16, bits(real(v.Complex()))), bits(imag(v.Complex()))))
	case reflect.String:
		s.words += v.Len() / 8
		return one(hashText(v.String()))
	case reflect.Slice:
		if v.IsNil() {
			return one(17)
		}
		if v.Len() > 0 {
			s.note(v.Pointer())
			s.note(v.Index(v.Len() - 1).Addr().Pointer())
		}
		return s.elements(v, 18)
	case reflect.Array:
		return s.elements(v, 19)
	case reflect.Map:
		if v.IsNil() {
			return one(20)
		}
		s.note(v.Pointer())
		if the.careful {
			s.blind = true
			return one(21)
		}
		h, b := uint64(v.Len()), uint64(v.Len())
		for it := v.MapRange(); it.Next() && !s.large; {
			ko, kb := s.read(it.Key())
			eo, eb := s.read(it.Value())
			h, b = h+mix(ko, eo), b+mix(kb, eb)
		}
		return mix(21, h), mix(21, b)
	case reflect.Pointer:
		if v.IsNil() {
			return one(22)
		}
		p := v.Pointer()
		s.note(p)
		for i, q := range s.on {
			if p == q {
				return one(mix(23, uint64(len(s.on)-i)))
			}
		}
		s.on = append(s.on, p)
		o, b := s.read(v.Elem())
		s.on = s.on[:len(s.on)-1]
		return mix(24, o), mix(24, b)
	case reflect.Interface:
		if v.IsNil() {
			return one(25)
		}
		if text, ok := errorText(v); ok {
			return one(mix(26, hashText(text)))
		}
		name := hashText(v.Elem().Type().String())
		o, b := s.read(addressable(v.Elem()))
		return mix(name, o), mix(name, b)
	case reflect.Struct:
		o, b := uint64(27), uint64(27)
		for i := 0; i < v.NumField(); i++ {
			if f := t.Field(i).Name; f == "_" || Apart[typeName(t)+"."+f] {
				continue
			}
			fo, fb := s.read(v.Field(i))
			o, b = mix(o, fo), mix(b, fb)
		}
		return o, b
	case reflect.Func:
		if v.IsNil() {
			return one(28)
		}
		s.blind = true
		return one(mix(29, hashText(runtime.FuncForPC(v.Pointer()).Name())))
	}
	s.blind = true // a channel, an address
	return one(30)
}

func (s *reader) elements(v reflect.Value, kind uint64) (ordered, bag uint64) {
	ordered = mix(kind, uint64(v.Len()))
	bag = ordered
	for i := 0; i < v.Len() && !s.large; i++ {
		o, b := s.read(v.Index(i))
		ordered = mix(ordered, o)
		bag += mix(31, b)
	}
	return ordered, bag
}

// bits are those of a number; all that are none are one.
func bits(f float64) uint64 {
	if f != f {
		return 0x7ff8000000000001
	}
	return math.Float64bits(f)
}

// typeName is that of a type, without type arguments.
func typeName(t reflect.Type) string {
	name := t.Name()
	if i := strings.IndexByte(name, '['); i >= 0 {
		name = name[:i]
	}
	return t.PkgPath() + "." + name
}

// addressable returns v, or a copy of it that has an address.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() || !v.CanInterface() {
		return v
	}
	p := reflect.New(v.Type()).Elem()
	p.Set(v)
	return p
}

// errorText is what an error says.
func errorText(v reflect.Value) (text string, ok bool) {
	if !v.CanInterface() {
		if !v.CanAddr() {
			return "", false
		}
		v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	err, ok := v.Interface().(error)
	if !ok {
		return "", false
	}
	defer func() {
		if recover() != nil {
			text = "an error that cannot be asked"
		}
	}()
	return err.Error(), true
}

// plains reports whether all values are of kinds that can be copied and made up:
// numbers, words, and slices, arrays, maps and pointers of those.
func plains(ptrs []any) bool {
	for _, p := range ptrs {
		if !plain(reflect.TypeOf(p).Elem(), 0) {
			return false
		}
	}
	return true
}

func plain(t reflect.Type, deep int) bool {
	if deep > 6 {
		return false
	}
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128, reflect.String:
		return true
	case reflect.Slice, reflect.Array, reflect.Pointer:
		return plain(t.Elem(), deep+1)
	case reflect.Map:
		return plain(t.Key(), deep+1) && plain(t.Elem(), deep+1)
	case reflect.Struct: // what it keeps to itself may have to fit together
		for i := 0; i < t.NumField(); i++ {
			if !t.Field(i).IsExported() || !plain(t.Field(i).Type, deep+1) {
				return false
			}
		}
		return true
	}
	return false
}

// copied is a copy of a plain value that shares nothing with it.
func copied(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Slice:
		if !v.IsNil() {
			c.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := 0; i < v.Len(); i++ {
				c.Index(i).Set(copied(v.Index(i)))
			}
		}
	case reflect.Array:
		for i := 0; i < v.Len(); i++ {
			c.Index(i).Set(copied(v.Index(i)))
		}
	case reflect.Map:
		if !v.IsNil() {
			c.Set(reflect.MakeMap(v.Type()))
			for it := v.MapRange(); it.Next(); {
				c.SetMapIndex(copied(it.Key()), copied(it.Value()))
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			c.Set(reflect.New(v.Type().Elem()))
			c.Elem().Set(copied(v.Elem()))
		}
	case reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			c.Field(i).Set(copied(v.Field(i)))
		}
	default:
		c.Set(v)
	}
	return c
}

// random numbers.
type random uint64

func (r *random) below(n int) int {
	*r = random(mix(uint64(*r), 0x5851f42d4c957f2d))
	return int(uint64(*r) >> 1 % uint64(n))
}

// change makes another value of one: shorter, from elsewhere, with smaller numbers. It
// stays among values like it, since a function may be made for no others.
func (r *random) change(v reflect.Value) {
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if n := v.Int(); n > 0 && r.below(3) > 0 {
			v.SetInt(1 + int64(r.below(int(min64(n, 1<<31)))))
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if n := v.Uint(); n > 0 && r.below(3) > 0 {
			v.SetUint(1 + uint64(r.below(int(min64(int64(n>>1), 1<<31)+1))))
		}
	case reflect.String:
		if n := v.Len(); n > 0 && r.below(3) > 0 {
			from := r.below(n)
			v.SetString(v.String()[from : from+r.below(n-from+1)])
		}
	case reflect.Slice:
		if n := v.Len(); n > 0 {
			from := 0
			if r.below(2) > 0 {
				from = r.below(n)
			}
			v.Set(v.Slice(from, from+r.below(n-from+1)))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			r.change(v.Elem())
		}
	case reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			r.change(v.Field(i))
		}
	}
}

func min64(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}

// show is what pointers point to, in so many bytes.
func show(ptrs []any, most int) string {
	var all []string
	for _, p := range ptrs {
		w := &writer{most: most}
		w.write(reflect.ValueOf(p).Elem(), 0)
		all = append(all, w.b.String())
	}
	s := strings.Join(all, ", ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// A writer writes values for people.
type writer struct {
	b    strings.Builder
	most int
}

const mostElements = 12

func (w *writer) write(v reflect.Value, deep int) {
	t := v.Type()
	if w.b.Len() > w.most || deep > 8 {
		w.b.WriteString("…")
		return
	}
	if silent(t) || dark(t) || Apart[typeName(t)] {
		w.b.WriteString(t.String())
		return
	}
	list := func(open string, n int, element func(i int)) {
		w.b.WriteString(open)
		for i := 0; i < n; i++ {
			if i > 0 {
				w.b.WriteString(" ")
			}
			if i == mostElements && n > mostElements+1 {
				fmt.Fprintf(&w.b, "… %d in all", n)
				break
			}
			element(i)
		}
	}
	switch v.Kind() {
	case reflect.Bool:
		w.b.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.b.WriteString(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.b.WriteString(strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		w.b.WriteString(strconv.FormatFloat(v.Float(), 'g', -1, 64))
	case reflect.Complex64, reflect.Complex128:
		w.b.WriteString(strconv.FormatComplex(v.Complex(), 'g', -1, 128))
	case reflect.String:
		s := v.String()
		if len(s) > 60 {
			w.b.WriteString(strconv.Quote(strings.ToValidUTF8(s[:60], "")) + fmt.Sprintf("… %d bytes", len(s)))
			return
		}
		w.b.WriteString(strconv.Quote(s))
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			w.b.WriteString("nil")
			return
		}
		list("[", v.Len(), func(i int) { w.write(v.Index(i), deep+1) })
		w.b.WriteString("]")
	case reflect.Map:
		if v.IsNil() || the.careful {
			w.b.WriteString("a map")
			return
		}
		var all []string
		for it := v.MapRange(); it.Next() && len(all) < 1000; {
			x := &writer{most: w.most}
			x.write(it.Key(), deep+1)
			x.b.WriteString(":")
			x.write(it.Value(), deep+1)
			all = append(all, x.b.String())
		}
		sort.Strings(all)
		list("map[", len(all), func(i int) { w.b.WriteString(all[i]) })
		w.b.WriteString("]")
	case reflect.Pointer:
		if v.IsNil() {
			w.b.WriteString("nil")
			return
		}
		w.b.WriteString("&")
		w.write(v.Elem(), deep+1)
	case reflect.Interface:
		if v.IsNil() {
			w.b.WriteString("nil")
			return
		}
		if text, ok := errorText(v); ok {
			w.b.WriteString("error " + strconv.Quote(text))
			return
		}
		w.b.WriteString(v.Elem().Type().String() + " ")
		w.write(v.Elem(), deep+1)
	case reflect.Struct:
		w.b.WriteString("{")
		for i := 0; i < v.NumField(); i++ {
			if i > 0 {
				w.b.WriteString(" ")
			}
			w.b.WriteString(t.Field(i).Name + ":")
			w.write(v.Field(i), deep+1)
		}
		w.b.WriteString("}")
	default:
		w.b.WriteString("a " + v.Kind().String())
	}
}

// Left notes how many goroutines of a module are left after so many iterations of the
// benchmarks: those that nothing can wake, where the runtime tells, else all that are
// there once the others had time to end.
func Left(iterations int, module string) {
	if the.to == nil {
		return
	}
	n, at := 0, ""
	for tries := 0; tries < 50; tries++ {
		if n, at = left(module); n == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	the.mu.Lock()
	defer the.mu.Unlock()
	the.write("G", strconv.Itoa(iterations), strconv.Itoa(n), at)
}

// left counts them, and names a function in which one stands.
func left(module string) (n int, at string) {
	buf := make([]byte, 16<<20)
	text, leaks := string(buf[:runtime.Stack(buf, true)]), pprof.Lookup("goroutineleak")
	if leaks != nil {
		var b strings.Builder
		if err := leaks.WriteTo(&b, 2); err != nil {
			leaks = nil
		} else {
			text = b.String()
		}
	}
	for _, g := range strings.Split(text, "\n\n") {
		if leaks != nil && !strings.Contains(g, "leaked") || strings.Contains(g, "testing.(*B)") || strings.Contains(g, "testing.(*M)") {
			continue
		}
		for _, line := range strings.Split(g, "\n") {
			line = strings.TrimPrefix(line, "created by ")
			if strings.HasPrefix(line, module+".") || strings.HasPrefix(line, module+"/") {
				n++
				if i := strings.LastIndexAny(line, "("); i > 0 {
					line = line[:i]
				}
				at = strings.ReplaceAll(strings.TrimSpace(line), Marker, "")
				break
			}
		}
	}
	return n, at
}
