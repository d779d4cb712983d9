package twin

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/maphash"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// A shower writes values so that those of two forms are the same text if they
// hold the same: addresses, room between fields, and who keeps a number do not
// show.
type shower struct {
	b    strings.Builder
	bag  bool // elements are in no order
	held bool // some lock is
	on   []uintptr

	apart map[reflect.Type]bool // types that do not show
}

func (s *shower) String() string { return s.b.String() }

// name begins a line.
func (s *shower) name(format string, a ...any) {
	s.b.WriteByte('\n')
	fmt.Fprintf(&s.b, format, a...)
	s.b.WriteByte(':')
}

// whole shows an argument, with what lies behind the end of a slice.
func (s *shower) whole(v reflect.Value) {
	if v.Kind() == reflect.Slice {
		s.show(v)
		v = v.Slice(v.Len(), v.Cap())
		s.b.WriteString(" and")
	}
	s.show(v)
}

func (s *shower) word(x any) { fmt.Fprintf(&s.b, " %v", x) }

// aside returns what f shows, alone.
func (s *shower) aside(f func(*shower)) string {
	t := &shower{bag: s.bag, on: s.on, apart: s.apart}
	f(t)
	s.held = s.held || t.held
	return t.String()
}

func (s *shower) show(v reflect.Value) {
	if !v.IsValid() {
		s.word("nil")
		return
	}
	if !v.CanAddr() {
		w := reflect.New(v.Type()).Elem()
		w.Set(v)
		v = w
	}
	v = free(v)
	t := v.Type()
	if s.apart[t] {
		return
	}
	p := v.Addr().Interface()
	switch x := p.(type) {
	case *atomic.Int32:
		s.word(x.Load())
	case *atomic.Int64:
		s.word(x.Load())
	case *atomic.Uint32:
		s.word(x.Load())
	case *atomic.Uint64:
		s.word(x.Load())
	case *atomic.Uintptr:
		s.word(x.Load())
	case *atomic.Bool:
		s.word(x.Load())
	case *bytes.Buffer:
		s.word(strconv.Quote(x.String()))
	case *strings.Builder:
		s.word(strconv.Quote(x.String()))
	case *bufio.Writer:
		x.Flush()
		s.show(v.FieldByName("wr"))
	case *time.Time:
		s.word(x.UnixNano())
	case *maphash.Seed:
		s.word("seed")
	case *sync.Mutex:
		if x.TryLock() {
			x.Unlock()
		} else {
			s.held = true
		}
	case *sync.RWMutex:
		if x.TryLock() {
			x.Unlock()
		} else {
			s.held = true
		}
	case *httptest.ResponseRecorder:
		s.word(x.Code)
		s.word(strconv.Quote(x.Body.String()))
		return
	}
	if whole(p) || silent(p) {
		return
	}
	if _, ok := snapshot(t); ok {
		s.deref(free(v.Field(0)).Addr().MethodByName("Load").Call(nil)[0], true)
		return
	}
	if _, ok := inner(t); ok {
		s.deref(v.Addr().MethodByName("Load").Call(nil)[0], false)
		return
	}
	switch t.Kind() {
	case reflect.String:
		s.word(strconv.Quote(v.String()))
	case reflect.Slice:
		if v.IsNil() {
			s.word("nil")
			return
		}
		s.elements(v)
	case reflect.Array:
		s.elements(v)
	case reflect.Map:
		if v.IsNil() {
			s.word("nil")
			return
		}
		var all []string
		for it := v.MapRange(); it.Next(); {
			all = append(all, s.aside(func(s *shower) { s.show(it.Key()); s.b.WriteByte(':'); s.show(it.Value()) }))
		}
		slices.Sort(all)
		s.list("map[", all)
	case reflect.Pointer:
		s.deref(v, false)
	case reflect.Interface:
		if v.IsNil() {
			s.word("nil")
			return
		}
		s.b.WriteByte(' ')
		s.b.WriteString(v.Elem().Type().String())
		if err, ok := v.Interface().(error); ok {
			s.word(strconv.Quote(err.Error()))
			return
		}
		if own(v.Elem().Type()) || v.Elem().Kind() != reflect.Struct {
			s.show(v.Elem())
		}
	case reflect.Struct:
		if !own(t) {
			return
		}
		for i := range t.NumField() {
			if silent(reflect.New(t.Field(i).Type).Interface()) {
				s.show(v.Field(i)) // is it held?
			}
		}
		all := fields(t)
		if len(all) == 1 {
			s.show(v.Field(all[0]))
			return
		}
		s.b.WriteString(" {")
		for _, i := range all {
			s.word(t.Field(i).Name + ":")
			s.show(v.Field(i))
		}
		s.b.WriteString(" }")
	case reflect.Chan:
		s.channel(v)
	case reflect.Func:
		s.word(map[bool]string{true: "nil", false: "func"}[v.IsNil()])
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		s.word(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		s.word(v.Uint())
	case reflect.UnsafePointer:
	default:
		s.word(v.Interface())
	}
}

func (s *shower) elements(v reflect.Value) {
	if v.Len() > 0 && v.Index(0).Kind() == reflect.Uint8 {
		s.word(strconv.Quote(string(bytesOf(v))))
		return
	}
	all := make([]string, v.Len())
	for i := range all {
		all[i] = s.aside(func(s *shower) { s.show(v.Index(i)) })
	}
	if s.bag {
		slices.Sort(all)
	}
	s.list("[", all)
}

func bytesOf(v reflect.Value) []byte {
	out := make([]byte, v.Len())
	for i := range out {
		out[i] = byte(v.Index(i).Uint())
	}
	return out
}

func (s *shower) list(open string, all []string) {
	s.b.WriteByte(' ')
	s.b.WriteString(open)
	for _, e := range all {
		s.b.WriteString(e)
	}
	s.b.WriteString(" ]")
}

// deref shows what a pointer points to; plainly where it only stands for that.
func (s *shower) deref(v reflect.Value, plainly bool) {
	if v.IsNil() {
		if plainly {
			s.show(reflect.Zero(v.Type().Elem()))
		} else {
			s.word("nil")
		}
		return
	}
	if i := slices.Index(s.on, v.Pointer()); i >= 0 {
		fmt.Fprintf(&s.b, " ^%d", len(s.on)-i)
		return
	}
	s.on = append(s.on, v.Pointer())
	s.show(v.Elem())
	s.on = s.on[:len(s.on)-1]
}

// channel shows what is in a channel, and takes it out.
func (s *shower) channel(v reflect.Value) {
	if v.IsNil() {
		s.word("nil")
		return
	}
	both := reflect.ChanOf(reflect.BothDir, v.Type().Elem())
	v = reflect.NewAt(both, unsafe.Pointer(v.UnsafeAddr())).Elem()
	s.b.WriteString(" chan[")
	for range v.Len() {
		if x, ok := v.TryRecv(); ok {
			s.show(x)
		}
	}
	s.b.WriteString(" ]")
}
