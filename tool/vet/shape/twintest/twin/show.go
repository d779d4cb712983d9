package twin

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/maphash"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A shower writes values so that those of two forms are the same text if they
// hold the same: addresses, room between fields, and what keeps a number do not
// show.
type shower struct {
	strings.Builder
	bag   bool // elements are in no order
	held  bool // some lock is
	on    []uintptr
	apart map[reflect.Type]bool // types that do not show
}

// name begins a line.
func (s *shower) name(format string, a ...any) {
	fmt.Fprintf(s, "\n"+format+":", a...)
}

func (s *shower) word(x any) { fmt.Fprintf(s, " %v", x) }

func (s *shower) quote(x string) { s.word(strconv.Quote(x)) }

// whole shows an argument, with what lies behind the end of a slice.
func (s *shower) whole(v reflect.Value) {
	s.show(v)
	if v.Kind() == reflect.Slice {
		s.word("and")
		s.show(v.Slice(v.Len(), v.Cap()))
	}
}

// aside returns what shows of values, alone.
func (s *shower) aside(all ...reflect.Value) string {
	t := &shower{bag: s.bag, on: s.on, apart: s.apart}
	for _, v := range all {
		t.show(v)
	}
	s.held = s.held || t.held
	return t.String()
}

func (s *shower) show(v reflect.Value) {
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
	if _, ok := cell(t); ok {
		s.show(v.Addr().MethodByName("Load").Call(nil)[0])
		return
	}
	p := v.Addr().Interface()
	switch x := p.(type) {
	case *bytes.Buffer:
		s.quote(x.String())
	case *strings.Builder:
		s.quote(x.String())
	case *bufio.Writer:
		x.Flush()
		s.show(v.FieldByName("wr"))
	case *time.Time:
		s.word(x.UnixNano())
	case *maphash.Seed:
		s.word("seed")
	}
	if whole(p) {
		return
	}
	if silent(t) {
		if l, ok := p.(interface{ TryLock() bool }); ok && !l.TryLock() {
			s.held = true
		} else if ok {
			p.(sync.Locker).Unlock()
		}
		return
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface, reflect.Chan, reflect.Func:
		if v.IsNil() {
			s.word("nil")
			return
		}
	}
	switch t.Kind() {
	case reflect.String:
		s.quote(v.String())
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 && v.Len() > 0 {
			s.quote(string(v.Bytes()))
			return
		}
		var all []string
		for _, e := range v.Seq2() {
			all = append(all, s.aside(e))
		}
		s.list(all, s.bag)
	case reflect.Map:
		var all []string
		for k, e := range v.Seq2() {
			all = append(all, s.aside(k, e))
		}
		s.list(all, true)
	case reflect.Pointer:
		if i := slices.Index(s.on, v.Pointer()); i >= 0 {
			s.word(i - len(s.on))
			return
		}
		s.on = append(s.on, v.Pointer())
		s.show(v.Elem())
		s.on = s.on[:len(s.on)-1]
	case reflect.Interface:
		s.word(v.Elem().Type())
		if err, ok := v.Interface().(error); ok {
			s.quote(err.Error())
		} else if own(v.Elem().Type()) || v.Elem().Kind() != reflect.Struct {
			s.show(v.Elem())
		}
	case reflect.Struct:
		if !own(t) {
			return
		}
		for i := range t.NumField() {
			if silent(t.Field(i).Type) {
				s.show(v.Field(i)) // is it held?
			}
		}
		all := fields(t)
		if len(all) == 1 {
			s.show(v.Field(all[0]))
			return
		}
		s.word("{")
		for _, i := range all {
			s.word(t.Field(i).Name + ":")
			s.show(v.Field(i))
		}
		s.word("}")
	case reflect.Chan: // what is in it, which it takes out
		both := reflect.ChanOf(reflect.BothDir, t.Elem())
		v = reflect.NewAt(both, v.Addr().UnsafePointer()).Elem()
		s.word("chan[")
		for range v.Len() {
			if x, ok := v.TryRecv(); ok {
				s.show(x)
			}
		}
		s.word("]")
	case reflect.Func:
		s.word("func")
	case reflect.UnsafePointer:
	default:
		var x any = v.Interface()
		if v.CanInt() {
			x = v.Int()
		} else if v.CanUint() {
			x = v.Uint()
		}
		s.word(x)
	}
}

func (s *shower) list(all []string, sorted bool) {
	if sorted {
		slices.Sort(all)
	}
	s.word("[" + strings.Join(all, "") + " ]")
}
