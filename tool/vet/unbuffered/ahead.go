package unbuffered

import (
	"fmt"
	"go/ast"
	"go/token"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// ahead reads blocks, and copies from the last one what lies in it. What a read
// returns is what it returned before, at the end of the file, too.
func (s *stream) ahead(fix *shape.Fix) (at token.Pos, why string) {
	pos, _, why := s.before()
	if why != "" {
		return pos, why
	}
	name := s.fresh("readAhead")
	fix.Says = "read a block at a time, and copy from it"
	fix.Edits = append(fix.Edits, rewrite.Insert(pos, fmt.Sprintf(`%[2]s := make([]byte, 4096) // %[4]s bytes of it are of the file, from %[3]s on
%[3]s, %[4]s := int64(0), 0
%[1]s := func(p []byte, off int64) (int, error) {
if n := off - %[3]s; n >= 0 && n+int64(len(p)) <= int64(%[4]s) {
return copy(p, %[2]s[n:]), nil
}
if len(p) > len(%[2]s) {
return %[5]s.ReadAt(p, off)
}
n, err := %[5]s.ReadAt(%[2]s, off)
%[3]s, %[4]s = off, n
if n = copy(p, %[2]s[:n]); n == len(p) {
err = nil
}
return n, err
}
`, name, s.fresh("block"), s.fresh("from"), s.fresh("have"), s.text(s.of))))
	for _, op := range s.ops {
		fix.Edits = append(fix.Edits, rewrite.Replace(op.Node().(*ast.CallExpr).Fun, name))
	}
	return 0, ""
}
