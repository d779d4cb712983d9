package plain

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
)

// JSON writes v indented, as package json does, and escapes what [Clean] would:
// package json lets the control characters above ASCII and those that change
// the direction of writing through, and JSON is shown on terminals as well, and
// read by systems that take ##[name] for a command wherever it stands. None of its
// lines begins as the commands do that have to. What a reader decodes is v as it was.
func JSON(w io.Writer, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, r := range strings.ReplaceAll(string(data), "##", `#\u0023`) { // outside of strings all can be printed
		switch {
		case r == '\n' || strconv.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('\n')
	_, err = io.WriteString(w, b.String())
	return err
}
