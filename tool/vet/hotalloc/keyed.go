package hotalloc

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

// keyed are the edits that declare a function that makes a value by an expression of
// its parameter, once for each argument. A match has another parameter.
func (x *sharing) keyed(pos token.Pos, name, is string) (call string, edits []analysis.TextEdit) {
	n, file := x.call, x.file(x.at)
	t, expr, params, args := x.pass.TypesInfo.TypeOf(n), is, x.param+" string", x.text(x.key)
	results, zero, of, err, null := "%s", "made", "", "", ""
	if both, two := t.(*types.Tuple); two {
		t, results, err, null = both.At(0).Type(), "(%s, error)", ", err", ", nil"
	}
	if x.maker == match {
		fn := typeutil.StaticCallee(x.pass.TypesInfo, n)
		t, results, zero, of = types.NewPointer(fn.Pkg().Scope().Lookup("Regexp").Type()), "(bool, error)", "false", "."+fn.Name()+"(in)"
		pkg, more := rewrite.Import(x.pass.Pkg, file, "regexp", pos)
		expr, edits = pkg+".Compile("+x.param+")", more
		params += ", in " + fn.Signature().Params().At(1).Type().String()
		args += ", " + x.text(n.Args[1])
	}
	typ, _ := rewrite.Type(x.pass.Pkg, file, pos, t)
	if x.maker != match {
		results = fmt.Sprintf(results, typ)
	}
	sync, more := rewrite.Import(x.pass.Pkg, file, "sync", pos)
	atomic, imports := rewrite.Import(x.pass.Pkg, file, "sync/atomic", pos)
	fails := ""
	if err != "" {
		fails = "	if err != nil {\n		return " + zero + ", err\n	}\n"
	}
	return name + "(" + args + ")", append(append(append(edits, more...), imports...), rewrite.Insert(pos, fmt.Sprintf(`// %[1]s has what %[3]s made, and %[2]s says how many.
var (
	%[1]s %[4]s.Map
	%[2]s %[5]s.Int64
)

// %[3]s is %[6]s. It keeps what it made for up to 1000 keys.
func %[3]s(%[7]s) %[8]s {
	if made, ok := %[1]s.Load(%[9]s); ok {
		return made.(%[10]s)%[11]s
	}
	made%[12]s := %[13]s
%[14]s	if %[2]s.Add(1) <= 1000 {
		%[1]s.Store(%[9]s, made)
	}
	return made%[11]s
}

`, x.free(name+"Cache"), x.free(name+"Count"), name, sync, atomic, strings.Join(strings.Fields(is), " "), params, results, x.param, typ, of+null, err, expr, fails)))
}
