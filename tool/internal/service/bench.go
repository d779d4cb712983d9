package service

import (
	"errors"
	"fmt"
	"go/format"
	"math"
	"strings"
	"unicode"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
)

// Loses is the operation that loses most time to anything but its own work and what
// it waits for outside; nil where none is known.
func (d *Doc) Loses() *Operation {
	var worst *Operation
	most := -1.0
	for i := range d.Operations {
		p := &d.Operations[i]
		if p.Place.Func == "" && d.Counted != exectrace.Calls {
			continue
		}
		lost := 0.0
		for _, x := range p.Parts {
			switch x.What {
			case exectrace.PartRuns, exectrace.PartNet, exectrace.PartTimer, exectrace.PartSyscall:
			default:
				lost += x.NS * float64(p.N)
			}
		}
		if lost > most {
			worst, most = p, lost
		}
	}
	return worst
}

// Benchmark is a file of a benchmark for the operation that loses most: a serial loop
// and as many at once as were in flight. What a call takes has to be filled in, since
// no trace has it.
func (d *Doc) Benchmark(command string) (string, error) {
	p := d.Loses()
	if p == nil {
		return "", errors.New("no operation is known by its function: name it with -op PACKAGE.FUNCTION")
	}
	fn := p.Place.Func
	if d.Counted == exectrace.Calls {
		fn = p.Name
	}
	pkg, name := cut(fn)
	if pkg == "" || name == "" {
		return "", fmt.Errorf("%s has no name that a benchmark could call: name another with -op PACKAGE.FUNCTION", fn)
	}
	atOnce := max(1, int(math.Ceil(p.Rate*p.Mean/1e9)))
	procs := max(1, d.Procs)
	each := max(1, (atOnce+procs-1)/procs)
	request := d.Counted == exectrace.Requests
	call, fill, imports := "", "", `"testing"`
	expr, callable := expression(name)
	switch {
	case !callable:
		call = "// The handler has no name: give the code of " + name + " one, and call it here."
		fill = fmt.Sprintf("b.Skip(%q)\n", "fill in the call")
	case request:
		imports = "\"net/http\"\n\"net/http/httptest\"\n\"testing\""
		call = fmt.Sprintf("handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(%q, %q, nil)) // fill in the request", "GET", "/")
		fill = fmt.Sprintf("var handler http.Handler = http.HandlerFunc(%s) // fill in what it needs\n", expr)
	default:
		call = fmt.Sprintf("%s // fill in the call", "_ = "+expr)
		fill = fmt.Sprintf("b.Skip(%q)\n", "fill in the call of "+name+", and delete this line")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n%s\n)\n\n", packageName(pkg), imports)
	fmt.Fprintf(&b, "// Benchmark%s does what %s does, which %s showed: %d processors,\n// %d operations at once, %.4g each second. What it is called with has to be filled in.\n// Then: payoff run -bench %s\nfunc Benchmark%s(b *testing.B) {\n%s", title(name), fn, command, procs, atOnce, p.Rate, title(name), title(name), fill)
	fmt.Fprintf(&b, "b.Run(\"variant=serial\", func(b *testing.B) {\nfor b.Loop() {\n%s\n}\n})\n", call)
	fmt.Fprintf(&b, "b.Run(\"variant=parallel\", func(b *testing.B) {\nb.SetParallelism(%d)\nb.RunParallel(func(pb *testing.PB) {\nfor pb.Next() {\n%s\n}\n})\n})\n}\n", each, call)
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		return "", fmt.Errorf("a benchmark of %s: %w: name another function with -op", fn, err)
	}
	return string(text), nil
}

// cut takes the name of a function apart: its package's path, and the rest.
func cut(fn string) (pkg, name string) {
	slash := strings.LastIndexByte(beforeAny(fn, "[("), '/') + 1
	pkg, name, ok := strings.Cut(fn[slash:], ".")
	if !ok {
		return "", ""
	}
	return fn[:slash] + pkg, strings.TrimSuffix(name, "[...]")
}

func beforeAny(s, chars string) string {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return s[:i]
	}
	return s
}

// packageName is the name that a package most likely has: the last element of its
// path that is no version.
func packageName(path string) string {
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if n := len(parts); n > 1 && len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		last = parts[n-2]
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' {
			return r
		}
		return '_'
	}, last)
}

// expression is how a function is called in its package; false where it has no name
// there: a closure, or one of several types.
func expression(name string) (string, bool) {
	if strings.Contains(name, ".func") || strings.Contains(name, "[") {
		return "", false
	}
	recv, method, ok := strings.Cut(name, ".")
	switch {
	case !ok:
		return name, true
	case strings.HasPrefix(recv, "(*") && strings.HasSuffix(recv, ")"):
		return "new(" + recv[2:len(recv)-1] + ")." + strings.TrimSuffix(method, "-fm"), true
	}
	return "(*new(" + recv + "))." + strings.TrimSuffix(method, "-fm"), true
}

// title is a name as a part of that of a benchmark.
func title(name string) string {
	var b strings.Builder
	up := true
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			up = true
		case up:
			b.WriteRune(unicode.ToUpper(r))
			up = false
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
