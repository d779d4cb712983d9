package values

import (
	"bytes"
	"fmt"
	"strings"
)

type inner struct {
	On  bool
	Tag string
}

// size counts, and says nothing of itself.
type size uint16

func (s size) half() size { return s / 2 }

type item struct {
	N    int
	name string
	In   inner
	Size size
	b    byte
	F    float32
}

func structs(i int, s string, n size, f float64, t bool, it item, p *item, its []item) []string {
	return []string{
		fmt.Sprintf("%v|%+v", it, it),                                            // want "fmt.Sprintf"
		fmt.Sprintf("%v|%+v", &it, &it),                                          // want "fmt.Sprintf"
		fmt.Sprintf("%v|%+v", *p, p.In),                                          // want "fmt.Sprintf"
		fmt.Sprintf("%+v", its[i&1]),                                             // want "fmt.Sprintf"
		fmt.Sprint(it.In),                                                        // want "fmt.Sprint"
		fmt.Sprintf("<%v %+v>", inner{t, s}, &inner{t, s}),                       // want "fmt.Sprintf"
		fmt.Sprintf("%+v", &item{N: i, F: float32(f), Size: n, name: s}),         // want "fmt.Sprintf"
		fmt.Sprintf("%+v", item{In: inner{Tag: s}, N: i + 1}),                    // want "fmt.Sprintf"
		fmt.Sprintf("%+v", item{-i, "x\"", it.In, 'a', byte(i), 1e6}),            // want "fmt.Sprintf"
		fmt.Sprintf("%v %d", struct{ f float64 }{f}, i),                          // want "fmt.Sprintf"
		fmt.Sprintf("%+v %+v %+v", i, f, s),                                      // want "fmt.Sprintf"
		fmt.Sprintf("%v%v", item{}, &struct{}{}),                                 // want "fmt.Sprintf"
		fmt.Sprintf("%+v", item{N: 2 - 3, name: "a" + "b", In: inner{On: true}}), // want "fmt.Sprintf"
	}
}

func appendStructs(xs []int, s string) (out string) {
	var buf []byte
	for _, x := range xs {
		buf = fmt.Appendf(buf[:0], "%+v;", &inner{x&1 > 0, s})   // want "fmt.Appendf"
		buf = fmt.Appendf(buf, "%d,%v", x, inner{Tag: s})        // want "fmt.Appendf"
		buf = append(buf, fmt.Sprintf("%v", inner{x > 0, s})...) // want "fmt.Sprintf"
		out += string(buf)
	}
	return out
}

// The array is known to others, or the buffer is not replaced.
func appendTo(full []byte, n int) (out, more []byte) {
	out = fmt.Appendf(full[:1], "%s%v", "y", inner{Tag: "z"}) // want "fmt.Appendf"
	more = fmt.Appendf(nil, "%d/%d", n, len(out))             // want "fmt.Appendf"
	return out, fmt.Appendf(more, "%d", n)                    // want "fmt.Appendf"
}

func writeStructs(i int, s string) string {
	var b bytes.Buffer
	var sb strings.Builder
	in := inner{i > 0, s}
	fmt.Fprintf(&b, "%v %+v", in, in)       // want "fmt.Fprintf"
	fmt.Fprintf(&sb, "%+v", &inner{Tag: s}) // want "fmt.Fprintf"
	return b.String() + sb.String()
}

// Nothing is written where it panics.
func panicStructs(b *bytes.Buffer, p *inner, its []item, i int) {
	defer func() { recover() }()
	if i == 0 {
		fmt.Fprintf(b, "p=%v", *p) // want "fmt.Fprintf"
	}
	fmt.Fprintf(b, "i=%v", its[i]) // want "fmt.Fprintf"
}
