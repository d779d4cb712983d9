// Package b formats and encodes in ways that stay.
package b

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"time"
)

type named int

func (named) String() string { return "named" }

func methods(n named, err error, d time.Duration, x any) (s string) {
	s += fmt.Sprintf("%v", n)   // want "fmt.Sprintf" // refuse "typed: n is not formatted by strconv: its type has methods"
	s += fmt.Sprintf("%s", err) // want "fmt.Sprintf" // refuse "typed: err is not formatted by strconv: its type has methods"
	s += fmt.Sprintf("%v", d)   // want "fmt.Sprintf" // refuse "typed: d is not"
	s += fmt.Sprintf("%v", x)   // want "fmt.Sprintf" // refuse "typed: x is not formatted by strconv: it is no basic type"
	return s
}

func generic[T ~int](x T) string {
	return fmt.Sprintf("%d", x) // want "fmt.Sprintf" // refuse "typed: x is not formatted by strconv: it is of a type parameter"
}

func formats(n int, s string, args []any) {
	_ = fmt.Sprintf(s, n)            // want "fmt.Sprintf" // refuse "typed: its format is no constant"
	_ = fmt.Sprintf("%03d", n)       // want "fmt.Sprintf" // refuse "typed: its format has flags"
	_ = fmt.Sprintf("%[1]d", n)      // want "fmt.Sprintf" // refuse "typed: its format has flags"
	_ = fmt.Sprintf("%T", n)         // want "fmt.Sprintf" // refuse "typed: its format has flags"
	_ = fmt.Sprintf("%d", args...)   // want "fmt.Sprintf" // refuse "typed: its arguments come as a slice"
	_ = fmt.Sprint(n, n)             // want "fmt.Sprint" // refuse "typed: its arguments are not those"
	_ = fmt.Sprintf("%d", n /* n */) // want "fmt.Sprintf" // refuse "typed: a comment stands in it"
}

func shadow(n int32) string {
	int64 := 1
	_ = int64
	return fmt.Sprintf("%d", n) // want "fmt.Sprintf" // refuse "typed: n is not formatted by strconv: a predeclared name"
}

func next(b *bytes.Buffer) int { b.WriteByte('x'); return b.Len() }

func between(b *bytes.Buffer, w io.Writer, p []byte) (n int, err error) {
	fmt.Fprintf(b, "a%d", next(b))    // want "fmt.Fprintf" // refuse "typed: what is written may have to do with next"
	fmt.Fprintf(b, "a%s", p)          // want "fmt.Fprintf" // refuse "typed: what is written may have to do with p"
	fmt.Fprintf(w, "a%d", n)          // want "fmt.Fprintf" // refuse "typed: it writes to what may tell one write from several"
	n, err = fmt.Fprintf(b, "a%d", n) // want "fmt.Fprintf" // refuse "typed: it is no statement"
	return n, errors.Join(err, errors.New("x"))
}

type holder struct{ O [2]int }

func pointers(h holder, p *holder) {
	json.Marshal(h)        // want "json.Marshal" // refuse "typed: an encoder for the type"
	json.Unmarshal(nil, p) // want "json.Unmarshal" // refuse "typed: a decoder for the type"
}

func encoders(hs []holder) {
	for _, h := range hs {
		json.NewEncoder(os.Stdout).Encode(h) // want "Encode" // refuse "typed: an encoder"
		var b bytes.Buffer
		json.NewEncoder(&b).Encode(h) // want "Encode" // refuse "typed: an encoder"
	}
	enc := json.NewEncoder(os.Stdout)
	for _, h := range hs {
		enc.Encode(h) // want "Encode" // refuse "typed: an encoder"
	}
}

func reflecting(a, b any) bool {
	return reflect.DeepEqual(a, b) // want "reflect.DeepEqual walks the types" // refuse "typed: it has floats in a slice or map, interfaces"
}

type list struct {
	n    int
	next *list
}

type hole struct {
	n int
	_ int
}

func holding(a, b *list, f, g [][]float64, h, i hole, t time.Time) bool {
	return reflect.DeepEqual(a, b) && // want "reflect.DeepEqual" // refuse "typed: there is too much in it"
		reflect.DeepEqual(f, g) && // want "reflect.DeepEqual" // refuse "typed: it has floats in a slice"
		reflect.DeepEqual(h, i) && // want "reflect.DeepEqual" // refuse "typed: a field of it cannot be named"
		reflect.DeepEqual(t, t) && // want "reflect.DeepEqual" // refuse "typed: a field of it cannot be named"
		reflect.DeepEqual(a, h) // want "reflect.DeepEqual" // refuse "typed: its arguments are of two types"
}

func locally(x, y int) bool {
	type own struct{ n int }
	return reflect.DeepEqual(own{x}, own{y}) // want "reflect.DeepEqual" // refuse "typed: the type has no name outside"
}

// The arguments are evaluated where the statement stands, and what they point to
// may change before the call.
func deferred(b *bytes.Buffer, w io.Writer, m []int) {
	defer b.WriteString(fmt.Sprintf("%v", m)) // want "fmt.Sprintf" // refuse "direct: it would be formatted when the call runs" // refuse "typed: m is not formatted"
	go w.Write([]byte(fmt.Sprintf("%v", m)))  // want "fmt.Sprintf" // refuse "direct: it would be formatted when the call runs" // refuse "typed: m is not formatted"
	m[0] = 9
}

type said struct{ N int }

func (s said) String() string { return "said" }

type pointed struct{ N int }

func (p *pointed) Error() string { return "pointed" }

type (
	saying struct{ S said }
	holds  struct{ P *int }
	mixed  struct {
		A, B int
		_    int
	}
	embeds struct{ named }
	pair   struct{ A, B int8 }
)

func one() int8 { return 1 }

func structs(s said, p *pair, pt pointed, n uint, m map[int]pair) (out []string) {
	return append(out,
		fmt.Sprintf("%v", s),                  // want "fmt.Sprintf" // refuse "typed: s is not formatted by strconv: its type has methods"
		fmt.Sprintf("%v", &pt),                // want "fmt.Sprintf" // refuse "typed: &pt is not formatted by strconv: its type has methods"
		fmt.Sprintf("%v", &s),                 // want "fmt.Sprintf" // refuse "typed: &s is not formatted by strconv: its type has methods"
		fmt.Sprintf("%v", p),                  // want "fmt.Sprintf" // refuse "typed: p is not formatted by strconv: it is no basic type"
		fmt.Sprintf("%v", *p),                 // want "fmt.Sprintf" // refuse "typed: .*: it is neither"
		fmt.Sprintf("%v", m[1]),               // want "fmt.Sprintf" // refuse "typed: .*: it is neither"
		fmt.Sprintf("%v", struct{}{}),         // want "fmt.Sprintf" // refuse "typed: .*: it is neither"
		fmt.Sprintf("%v", pair{A: 1}),         // want "fmt.Sprintf" // refuse "typed: .*: it is neither"
		fmt.Sprintf("%v", pair{B: 1, A: 2}),   // want "fmt.Sprintf" // refuse "typed: .*: its fields are more"
		fmt.Sprintf("%v", pair{1, 1 << n}),    // want "fmt.Sprintf" // refuse "typed: .*: its fields are more"
		fmt.Sprintf("%v", pair{one(), one()}), // want "fmt.Sprintf" // refuse "typed: .*: its fields are more"
		fmt.Sprintf("%v", saying{s}),          // want "fmt.Sprintf" // refuse "typed: .*: its field S: its type has methods"
		fmt.Sprintf("%v", holds{nil}),         // want "fmt.Sprintf" // refuse "typed: .*: its field P: it is no basic type"
		fmt.Sprintf("%v", mixed{}),            // want "fmt.Sprintf" // refuse "typed: .*: it is neither"
		fmt.Sprintf("%v", embeds{}),           // want "fmt.Sprintf" // refuse "typed: .*: its type has methods"
		fmt.Sprintf("%s", pair{}),             // want "fmt.Sprintf" // refuse "typed: .*: it is no basic type"
		fmt.Sprintf("%#v", pair{}),            // want "fmt.Sprintf" // refuse "typed: its format has flags"
		fmt.Sprintf("%+d", n),                 // want "fmt.Sprintf" // refuse "typed: its format has flags"
	)
}

// The call may change what is printed before and after it.
func between2(p pair, x mixed, f func() int) string {
	_ = fmt.Sprintf("%v %d", p, f()) // want "fmt.Sprintf" // refuse "typed: a call beside it may change p"
	return fmt.Sprintf("%v", x)      // want "fmt.Sprintf" // refuse "typed: .*: a field of it cannot be named"
}

type bytesOf []byte

func appends(b bytesOf, buf []byte, n int) (bytesOf, []byte) {
	b = fmt.Appendf(b, "%d", n)  // want "fmt.Appendf" // refuse "typed: what it appends to is no"
	buf = fmt.Appendf(buf, "%d", // want "fmt.Appendf" // refuse "typed: a comment stands in it"
		n) // n
	{
		append := func(b []byte, s string) []byte { return b }
		buf = fmt.Appendf(append(buf, ""), "%d%d", n, n) // want "fmt.Appendf" // refuse "typed: a predeclared name"
	}
	return b, buf
}

func (p *pair) next() int8 {
	p.A++
	return p.A
}

func steps(p *pair, buf []byte, ch chan int, f func([]byte) int) []string {
	return []string{
		fmt.Sprintf("%d %d", p.A, p.next()), // want "fmt.Sprintf" // refuse "typed: a call beside it may change p.A"
		fmt.Sprintf("%x %d", buf, f(buf)),   // want "fmt.Sprintf" // refuse "typed: a call beside it may change buf"
		fmt.Sprintf("%d %d", cap(ch), <-ch), // want "fmt.Sprintf" // refuse "typed: a call beside it may change cap"
	}
}

// An expression is no statement.
func unused(buf []byte, s string) {
	defer fmt.Sprint(s)       // want "fmt.Sprint" // refuse "typed: its result is not used"
	fmt.Appendf(buf, "%s", s) // want "fmt.Appendf" // refuse "typed: its result is not used"
}
