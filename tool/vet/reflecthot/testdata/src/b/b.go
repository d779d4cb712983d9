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
	fmt.Fprintf(b, "a%d", next(b))    // want "fmt.Fprintf" // refuse "typed: a call among its arguments would come between"
	fmt.Fprintf(b, "a%s", p)          // want "fmt.Fprintf" // refuse "typed: p may lie in what is written to"
	fmt.Fprintf(w, "a%d", n)          // want "fmt.Fprintf" // refuse "typed: it writes to what may tell one write from several"
	n, err = fmt.Fprintf(b, "a%d", n) // want "fmt.Fprintf" // refuse "typed: its results are used"
	return n, errors.Join(err, errors.New("x"))
}

type own struct{ n int }

func (o *own) MarshalJSON() ([]byte, error) { return []byte("1"), nil }

type holder struct{ O [2]own }

func pointers(h holder, m map[int]holder, p *holder) {
	json.Marshal(h)        // want "json.Marshal" // refuse "pointer: b.own.MarshalJSON has a pointer receiver"
	json.Marshal(m[0])     // want "json.Marshal" // refuse "pointer: its argument has no address"
	json.Marshal(*p)       // want "json.Marshal" // refuse "pointer: it may panic on nil"
	json.Marshal(p)        // want "json.Marshal" // refuse "typed: an encoder for the type"
	json.Unmarshal(nil, p) // want "json.Unmarshal" // refuse "typed: a decoder for the type"
}

func params[T any](x struct{ F T }) {
	json.Marshal(x) // want "json.Marshal" // refuse "pointer: a method of the type parameter, perhaps, has"
}

func encoders(hs []holder) {
	for _, h := range hs {
		json.NewEncoder(os.Stdout).Encode(h) // want "Encode" // refuse "hoist: an encoder keeps an error"
		var b bytes.Buffer
		json.NewEncoder(&b).Encode(h) // want "Encode" // refuse "hoist: what it writes to may be another"
	}
	enc := json.NewEncoder(os.Stdout)
	for _, h := range hs {
		enc.Encode(h) // want "Encode" // refuse "typed: an encoder"
	}
}

func reflecting(a, b []int) bool {
	return reflect.DeepEqual(a, b) // want "reflect.DeepEqual walks the types" // refuse "typed: what to call instead"
}

// The arguments are evaluated where the statement stands, and what they point to
// may change before the call.
func deferred(b *bytes.Buffer, w io.Writer, m []int) {
	defer b.WriteString(fmt.Sprintf("%v", m)) // want "fmt.Sprintf" // refuse "direct: it would be formatted when the call runs" // refuse "typed: m is not formatted"
	go w.Write([]byte(fmt.Sprintf("%v", m)))  // want "fmt.Sprintf" // refuse "direct: it would be formatted when the call runs" // refuse "typed: m is not formatted"
	m[0] = 9
}
