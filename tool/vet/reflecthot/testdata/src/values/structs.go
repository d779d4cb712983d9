package values

import (
	"bytes"
	"fmt"
	"strings"
)

type size uint16

type item struct {
	N    int
	name string
	On   bool
	Size size
	b    byte
	F    float32
}

func structs(n int, s string, z size, it item, p *item) []string {
	return []string{
		fmt.Sprintf("%v|%+v", it, it),                                // want "fmt.Sprintf"
		fmt.Sprintf("<%v %+v>", &it, item{n, s, n > 0, z, 'b', 0.5}), // want "fmt.Sprintf"
		fmt.Sprintf("%v", &item{n & 0xff, s + s, false, 3, 0, 1e6}),  // want "fmt.Sprintf"
		fmt.Sprint(it), // want "fmt.Sprint"
	}
}

type holder struct{ it item }

func writeStructs(h holder, p *holder) string {
	var b bytes.Buffer
	var sb strings.Builder
	fmt.Fprintf(&b, "%v,", h.it)                                           // want "fmt.Fprintf"
	fmt.Fprintf(&sb, "%+v", &p.it)                                         // want "fmt.Fprintf"
	return b.String() + sb.String() + string(fmt.Appendf(nil, "%v", h.it)) // want "fmt.Appendf"
}
