package padding

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/gocmd/gocmdtest"
	"github.com/gopayoff/payoff/tool/internal/program"
	"github.com/gopayoff/payoff/tool/internal/sharing"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// site is where text first writes the expression, or calls a method of it.
func site(t *testing.T, file, text, expr string) sharing.Watched {
	t.Helper()
	m := regexp.MustCompile(`[\s&](` + regexp.QuoteMeta(expr) + `)(\+\+|\.[A-Z]| \+= | = |, 1\))`).FindStringSubmatchIndex(text)
	if m == nil {
		t.Fatalf("%s does not write %s", file, expr)
	}
	before := text[:m[2]]
	line := strings.Count(before, "\n") + 1
	at := sharing.Site{Expr: expr, Place: source.Place{File: file, Line: line}, Column: m[2] - strings.LastIndexByte(before, '\n')}
	return sharing.Watched{Site: at}
}

// One module has every kind of variable. Padded, they lie apart and the tests
// of the module pass as before; the same tests without padding show that the
// distances are padding's. Line ends of Windows stay as they are.
func TestApart(t *testing.T) {
	for name, ends := range map[string]string{"lf": "\n", "crlf": "\r\n"} {
		t.Run(name, func(t *testing.T) { testApart(t, ends) })
	}
}

func testApart(t *testing.T, ends string) {
	files := map[string]string{}
	for _, name := range []string{"go.mod", "pads.go", "pads_test.go", "address.go"} {
		// Templates end in .txt, so that nothing else takes them for Go.
		text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = strings.ReplaceAll(string(text), "\n", ends)
	}
	dir, tc := gocmdtest.Module(t, files)
	var sites []sharing.Watched
	for _, expr := range []string{
		"c.hits", "c.misses", "p.a", "l.mu", "t.shards[w].n", "t.sums[w]", "directs[w]", "sums[w]",
		"plain[w%len(plain)]", "ys[i]", "into[0]", "hits", "misses", "n", "total", "other", "started",
	} {
		s := site(t, filepath.Join(dir, "pads.go"), files["pads.go"], expr)
		s.Expr = strings.ReplaceAll(s.Expr, "%", " % ") // as go/types writes it
		sites = append(sites, s)
	}
	e, err := Apart(context.Background(), tc, "example.com/pads", sites, All)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Leaves) > 0 || len(e.Does) != len(sites) {
		t.Errorf("Apart does %v and leaves %v; want all of them padded", e.Does, e.Leaves)
	}
	o, err := e.Overlay()
	if err != nil {
		t.Fatal(err)
	}
	for file, padded := range o {
		now, err := os.ReadFile(file)
		if err != nil {
			continue // added
		}
		if string(now) != files[filepath.Base(file)] {
			t.Errorf("%s of the user has changed", file)
		}
		if strings.Count(string(padded), "\n") != strings.Count(string(now), ends) || strings.Count(string(padded), ends) != strings.Count(string(now), ends) {
			t.Errorf("%s has lines moved, or other line ends than %q", file, ends)
		}
	}
	index, err := o.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	plain, padded := distances(t, dir), distances(t, dir, "-overlay", index)
	if len(padded) != 12 || len(plain) != len(padded) {
		t.Errorf("%d and %d distances, want 12", len(plain), len(padded))
	}
	for name, d := range padded {
		if d < 128 {
			t.Errorf("%s lie %d bytes apart, want at least 128", name, d)
		}
		if plain[name] >= 128 && name != "single" && name != "globals" {
			t.Errorf("%s lie %d bytes apart without padding: this proves nothing", name, plain[name])
		}
	}
	if t.Failed() {
		for file, text := range o {
			t.Logf("%s:\n%s", file, text)
		}
	}
}

// distances runs the tests in dir, vet included, for what they print.
func distances(t *testing.T, dir string, flags ...string) map[string]int {
	t.Helper()
	cmd := exec.Command("go", append(append([]string{"test", "-count=1", "-v"}, flags...), ".")...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go test %v: %v\n%s", flags, err, out)
	}
	found := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^apart (\w+) (\d+)$`).FindAllSubmatch(out, -1) {
		found[string(m[1])], err = strconv.Atoi(string(m[2]))
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

const refusals = `package p

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type unkeyed struct{ a, b int }
type embeds struct { sync.Mutex; n int }
type Counts []int64
type named struct{ xs Counts; out []int64; kept []int64; lent []int64; rows [][]int64 }

var _ = unkeyed{1, 2}

func give() []int64 { return nil }
func lend(xs ...int64) {}
func lose(to **atomic.Int64) {}

func (n *named) leak() []int64 { return n.out }

func f(u *unkeyed, l *low, n *named, s *embeds, p *int64, q *atomic.Int64, par int) func() {
	from := give()
	two, _ := give(), 1
	lend(n.lent...)
	array := [4]int64{}
	whole := &array
	value := func(called []int64) { called[0]++ }
	value(nil)
	sent := make([]int64, 4)
	fmt.Println(sent)
	some := new(atomic.Int64)
	lost := new(atomic.Int64)
	lose(&lost)
	return func() {
		u.a++
		l.a++
		n.xs[0]++
		n.out[0]++
		n.kept[0]++
		n.lent[0]++
		n.rows[0][0]++
		s.Mutex.Lock()
		from[0]++
		two[1]++
		*p++
		q.Add(1)
		some.Add(1)
		lost.Add(1)
		par++
		whole[0]++
		array[1]++
		sent[0]++
		give()[0]++
	}
}
`

const low = `package p

import "unsafe"

type low struct{ a, b int }

var _ = (*low)(unsafe.Pointer(new(int)))
`

func TestLeaves(t *testing.T) {
	dir, tc := gocmdtest.Module(t, map[string]string{
		"go.mod": "module example.com/p\n\ngo 1.22\n", "p.go": refusals, "low.go": low, "x_test.go": "package p_test\n",
	})
	file := filepath.Join(dir, "p.go")
	prog, err := program.List(context.Background(), tc, "example.com/p")
	if err != nil {
		t.Fatal(err)
	}
	pkgs, err := prog.Typed(prog.Editable())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ expr, want, reason string }{
		{"u.a", "literal without field names", "unkeyed{1, 2}"},
		{"l.a", "beside package unsafe", "type low struct"},
		{"n.xs[0]", "Counts is not written as a slice", "xs Counts"},
		{"n.out[0]", "it is used as a whole", "return n.out"},
		{"n.lent[0]", "not written as a slice", "func lend(xs"},
		{"called[0]", "function value", "func(called"},
		{"sent[0]", "it is handed to fmt.Println", "fmt.Println(sent"},
		{"n.rows[0][0]", "no variable is written there", ""},
		{"s.Mutex", "it is embedded", ""},
		{"from[0]", "come from give()", "from := "},
		{"two[1]", "come from give()", "two, _ := "},
		{"*p", "known by its address alone", ""},
		{"q", "known by its address alone", ""},
		{"some", "known by its address alone", ""},
		{"lost", "known by its address alone", ""},
		{"par", "parameter or a result", "func f(u"},
		{"whole[0]", "come from &array", "whole := "},
		{"array[1]", "it is used as a whole", "&array"},
		{"give()[0]", "no variable is written there", ""},
	} {
		at := site(t, file, refusals, test.expr)
		at.Address = test.expr == "q" || test.expr == "some" || test.expr == "lost"
		e := pad(pkgs, []sharing.Watched{at}, All)
		if len(e.Does) > 0 || len(e.Leaves) != 1 || !strings.Contains(e.Leaves[0].Says, test.want) {
			t.Errorf("padding %s: does %v, leaves %v; want it left: %s", test.expr, e.Does, e.Leaves, test.want)
			continue
		}
		want := source.Place{}
		for name, text := range map[string]string{"p.go": refusals, "low.go": low} {
			if before, _, ok := strings.Cut(text, test.reason); ok && test.reason != "" {
				want = source.Place{File: filepath.Join(dir, name), Line: strings.Count(before, "\n") + 1}
			}
		}
		if got := e.Leaves[0].Reason; got != want {
			t.Errorf("padding %s: the reason is at %v, want %v", test.expr, got, want)
		}
		if o, err := e.Overlay(); err != nil || len(o) > 0 {
			t.Errorf("padding %s left it, and the edit is %v, %v", test.expr, o, err)
		}
	}

	// What can be padded is, and the rest is named; each once.
	sites := []sharing.Watched{site(t, file, refusals, "u.a"), site(t, file, refusals, "n.kept[0]"), site(t, file, refusals, "n.kept[0]")}
	e, err := Apart(context.Background(), tc, "example.com/p", sites, All)
	if err != nil || len(e.Does) != 1 || len(e.Leaves) != 1 || e.Does[0] != (edit.Note{What: "elements of kept", At: source.Place{File: file, Line: 12}, Says: "have room around them"}) {
		t.Fatalf("Apart = %+v, %v, want the elements of kept and the reason for u.a", e, err)
	}

	// A file that is not the one that was watched, and one that nobody may change.
	moved := site(t, file, refusals, "u.a")
	moved.Column++
	std := sharing.Watched{Site: sharing.Site{Expr: "x", Place: source.Place{File: filepath.Join(tc.Root, "src", "strings", "strings.go"), Line: 600}, Column: 2}}
	e, err = Apart(context.Background(), tc, "example.com/p", []sharing.Watched{moved, std}, All)
	if err != nil || len(e.Does) > 0 || len(e.Leaves) != 2 || !strings.Contains(e.Leaves[1].Says, "main module") {
		t.Errorf("Apart of what is not there = %+v, %v", e, err)
	}

	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("enough"))
	if _, err := Apart(ctx, tc, "example.com/p", sites, All); err == nil || !strings.Contains(err.Error(), "enough") {
		t.Errorf("Apart after cancel = %v, want its cause", err)
	}
}

// What a pointer is set to by address is what moves, never the pointer.
func TestPointsTo(t *testing.T) {
	const text = `package p

import "sync/atomic"

type s struct{ hits, misses atomic.Int64 }

func f(x *s, w int) func() {
	other := [2]atomic.Int64{}
	var c *atomic.Int64
	c, n := &x.hits, int64(1)
	if w == 1 {
		c = &other[1]
	}
	return func() { c.Add(n) }
}
`
	dir, tc := gocmdtest.Module(t, map[string]string{"go.mod": "module example.com/p\n\ngo 1.22\n", "p.go": text, "p_test.go": "package p\n"})
	at := site(t, filepath.Join(dir, "p.go"), text, "c")
	at.Expr, at.Line, at.Column, at.Address = "c", 14, 18, true
	e, err := Apart(context.Background(), tc, "example.com/p", []sharing.Watched{at, at}, All)
	if err != nil {
		t.Fatal(err)
	}
	var does []string
	for _, n := range e.Does {
		does = append(does, n.What)
	}
	if got := strings.Join(does, ", "); got != "field hits, elements of other" || len(e.Leaves) > 0 {
		t.Errorf("does %v, leaves %v, want hits and other", e.Does, e.Leaves)
	}
}

// A field gets room where it is declared, which may be another package, unless
// one that uses it relies on what lies where.
func TestElsewhere(t *testing.T) {
	const (
		text = "package p\n\ntype S struct{ Hits, Misses int }\n\nvar Total int\n\nvar Sums [4]int\n\ntype Low struct{ Hits, Misses int }\n"
		low  = "package p_test\n\nimport (\n\t\"unsafe\"\n\n\t\"example.com/p\"\n)\n\nfunc g(l *p.Low) uintptr {\n\tl.Hits++\n\treturn unsafe.Offsetof(l.Misses)\n}\n"
		test = "package p_test\n\nimport \"example.com/p\"\n\nfunc f(s *p.S) {\n\ts.Hits++\n\tp.Total++\n\tp.Sums[0]++\n}\n"
	)
	dir, tc := gocmdtest.Module(t, map[string]string{"go.mod": "module example.com/p\n\ngo 1.22\n", "p.go": text, "p_test.go": test, "low_test.go": low})
	sites := []sharing.Watched{site(t, filepath.Join(dir, "low_test.go"), low, "l.Hits")}
	for _, expr := range []string{"s.Hits", "p.Total", "p.Sums[0]"} {
		sites = append(sites, site(t, filepath.Join(dir, "p_test.go"), test, expr))
	}
	e, err := Apart(context.Background(), tc, "example.com/p", sites, All)
	if err != nil {
		t.Fatal(err)
	}
	want := source.Place{File: filepath.Join(dir, "p.go"), Line: 3}
	if len(e.Does) != 1 || e.Does[0].What != "field Hits" || e.Does[0].At != want || len(e.Leaves) != 3 ||
		!strings.Contains(e.Leaves[0].Says, "its struct type is used beside package unsafe") || !strings.Contains(e.Leaves[1].Says, "declared in package example.com/p") {
		t.Errorf("does %v, leaves %v; want room around Hits at %v alone", e.Does, e.Leaves, want)
	}
}

// What does not compile with room is an error that says where.
func TestDoesNotCompile(t *testing.T) {
	const text = `package p

type twin struct{ a, b int }
type s struct{ a, b int }

func f(x *s) twin {
	x.a++
	return twin(*x)
}
`
	dir, tc := gocmdtest.Module(t, map[string]string{"go.mod": "module example.com/p\n\ngo 1.22\n", "p.go": text, "p_test.go": "package p\n"})
	sites := []sharing.Watched{site(t, filepath.Join(dir, "p.go"), text, "x.a")}
	if e, err := Apart(context.Background(), tc, "example.com/p", sites, All); err == nil || !strings.Contains(err.Error(), "does not compile") || !strings.Contains(err.Error(), "p.go:8") {
		t.Errorf("Apart of what is converted = %+v, %v, want an error that says where", e, err)
	}
}
