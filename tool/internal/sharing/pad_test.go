package sharing

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	src "github.com/gopayoff/payoff/tool/internal/source"
)

// One module has every kind of variable. Padded, they lie apart and the tests
// of the module pass as before; the same tests without padding show that the
// distances are padding's.
func TestPad(t *testing.T) {
	files := templates(t, "pads")
	dir, tc := module(t, files)
	w, err := Watch(context.Background(), tc, "example.com/pads", []src.Place{at(filepath.Join(dir, "pads.go"), lineOf(t, files["pads.go"], "c.hits++"))})
	if err != nil {
		t.Fatal(err)
	}
	if !w.Sites[0].Hot || w.Sites[0].Expr != "c.hits" || w.Sites[0].Type != "int64" || w.Sites[0].Size != 8 {
		t.Errorf("the first site is %+v, want the hot c.hits", w.Sites[0])
	}
	var sites []Watched
	for _, expr := range []string{
		"c.hits", "c.misses", "p.a", "l.Mutex", "t.shards[w].n", "t.sums[w]", "directs[w]", "sums[w]",
		"plain[w % len(plain)]", "to[i]", "hits", "misses", "n", "total", "other", "started",
	} {
		sites = append(sites, siteOn(t, w, expr))
	}
	o, how, err := Pad(context.Background(), tc, "example.com/pads", sites)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(how, "stays") {
		t.Errorf("Pad: %s; want all of them padded", how)
	}
	for file := range o {
		if _, err := os.Stat(file); err == nil {
			now, _ := os.ReadFile(file)
			if string(now) != files[filepath.Base(file)] {
				t.Errorf("%s of the user has changed", file)
			}
		}
	}
	index, err := o.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	plain, padded := distances(t, dir), distances(t, dir, "-overlay", index)
	if len(padded) != 11 || len(plain) != len(padded) {
		t.Errorf("%d and %d distances, want 11", len(plain), len(padded))
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

func TestPadRefuses(t *testing.T) {
	const text = `package p

import (
	"sync/atomic"
	"unsafe"
)

type unkeyed struct{ a, b int }
type converted struct{ a, b int }
type twin struct{ a, b int }
type measured struct{ a, b int }
type cast struct{ a, b int }
type outer struct{ m measured }
type Counts []int64
type named struct{ xs Counts; out []int64; kept []int64; lent []int64; rows [][]int64 }

var _ = unkeyed{1, 2}
var _ = twin(converted{})
var _ = unsafe.Sizeof(outer{})
var _ = (*cast)(unsafe.Pointer(new(int)))

func give() []int64 { return nil }
func lend(xs ...int64) {}

func (n *named) leak() []int64 { return n.out }

func f(u *unkeyed, c *converted, m *measured, k *cast, n *named, p *int64, q *atomic.Int64, par int) func() {
	from := give()
	two, _ := give(), 1
	lend(n.lent...)
	for i := 0; i < 3; i++ { // the compiler makes one for each turn
		defer func() { i++ }()
	}
	array := [4]int64{}
	whole := &array
	return func() {
		u.a++
		c.a++
		m.a++
		k.a++
		n.xs[0]++
		n.out[0]++
		n.kept[0]++
		n.lent[0]++
		n.rows[0][0]++
		from[0]++
		two[1]++
		*p++
		q.Add(1)
		par++
		whole[0]++
		array[1]++
		give()[0]++
	}
}
`
	dir, tc := module(t, map[string]string{"go.mod": "module example.com/p\n\ngo 1.22\n", "p.go": text,
		"x_test.go": "package p_test\n"})
	file := filepath.Join(dir, "p.go")
	w, err := Watch(context.Background(), tc, "example.com/p", []src.Place{at(file, lineOf(t, text, "u.a++"))})
	if err != nil {
		t.Fatal(err)
	}
	prog, err := list(context.Background(), tc, "example.com/p")
	if err != nil {
		t.Fatal(err)
	}
	sources, err := prog.typed(prog.mains())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ expr, want string }{
		{"u.a", "literal without field names"},
		{"c.a", "is converted"},
		{"m.a", "measured by package unsafe"},
		{"k.a", "is converted"},
		{"n.xs[0]", "Counts is not written as a slice"},
		{"n.out[0]", "a function returns it"},
		{"n.lent[0]", "handed to lend"},
		{"n.rows[0][0]", "which is no variable"},
		{"from[0]", "come from give()"},
		{"two[1]", "come from give()"},
		{"*p", "known by its address alone"},
		{"q", "parameter or a result"},
		{"par", "parameter or a result"},
		{"whole[0]", "come from &array"},
		{"array[1]", "its address is taken"},
		{"give()[0]", "which is no variable"},
	} {
		p := newPadder(sources)
		p.pad(siteOn(t, w, test.expr))
		if len(p.done) > 0 || len(p.refused) != 1 || !strings.Contains(p.refused[0], test.want) {
			t.Errorf("padding %s: done %q, refused %q; want it refused: %s", test.expr, p.done, p.refused, test.want)
		}
		for _, s := range sources {
			for _, f := range s.files {
				if len(f.edits) > 0 {
					t.Errorf("padding %s refused, and edits %v left", test.expr, f.edits)
				}
			}
		}
	}

	// What can be padded is, and the rest is named.
	o, how, err := Pad(context.Background(), tc, "example.com/p", []Watched{siteOn(t, w, "u.a"), siteOn(t, w, "n.kept[0]")})
	if err != nil || !strings.Contains(how, "elements of kept") || !strings.Contains(how, "u.a at") || !bytes.Contains(o[file], []byte("kept []payoffPadded[int64]")) {
		t.Errorf("Pad = %q, %v, with %s; want kept padded and u.a named", how, err, o[file])
	}
	if _, _, err := Pad(context.Background(), tc, "example.com/p", []Watched{siteOn(t, w, "u.a")}); err == nil || !strings.Contains(err.Error(), "literal without field names") {
		t.Errorf("Pad = %v, want why nothing can be padded", err)
	}
	gone := siteOn(t, w, "u.a")
	gone.Line = 1
	if _, _, err := Pad(context.Background(), tc, "example.com/p", []Watched{gone}); err == nil || !strings.Contains(err.Error(), "watch it again") {
		t.Errorf("Pad of a site that moved = %v", err)
	}
	if _, _, err := Pad(context.Background(), tc, "example.com/p", nil); err == nil {
		t.Error("Pad of no sites = nil error")
	}
}
