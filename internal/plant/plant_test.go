package plant

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// program has a function of each shape. It prints a line for each.
const program = `package main

import "fmt"

type pair[K comparable, V any] struct {
	k K
	v V
}

func (p *pair[K, V]) key() K { return p.k }

func (pair[_, _]) size(_ int, xs ...int) (n int) {
	defer func() { n++ }()
	return len(xs)
}

func second[A, B any](a A, b B) B { return b }

func count(int, string) int { return 1 }

func rescue(out *string) {
	if v := recover(); v != nil {
		*out = fmt.Sprint("rescued ", v)
	}
}

func fall() (out string) {
	defer rescue(&out)
	panic("it")
}

//go:noinline
func loop(n int) (sum int) {
next:
	for i := range n {
		if i == 2 {
			continue next
		}
		sum += i
	}
	return sum
}

func main() {
	p := &pair[string, int]{"k", 7}
	fmt.Println(p.key(), p.size(0, 1, 2), second(1, "b"), count(0, ""), fall(), loop(4))
}
`

// other is a file that changes together with it.
const other = `package main

func twice(n int) int { return 2 * n }
`

// TestMerge: a program is what each fault makes of it, and as it was without one.
func TestMerge(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := t.TempDir()
	file := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file("go.mod", "module planted\n\ngo 1.26\n")
	a, b := file("main.go", program), file("other.go", other)
	cases := []struct {
		changes []Change
		want    string
	}{
		{nil, "k 3 b 1 rescued it 4"},
		{[]Change{{a, "return p.k }", "var none K; return none }"}}, " 3 b 1 rescued it 4"},
		{[]Change{{a, "n++", "n += 10"}}, "k 12 b 1 rescued it 4"},
		{[]Change{{a, "{ return b }", "{ var none B; return none }"}}, "k 3  1 rescued it 4"},
		{[]Change{{a, "{ return 1 }", "{ return 5 }"}}, "k 3 b 5 rescued it 4"},
		{[]Change{{a, "\"rescued \"", "\"lost \""}}, "k 3 b 1 lost it 4"},
		{[]Change{{a, "v != nil", "v == nil"}}, "k 3 b 1  4"},
		{[]Change{{a, "continue next", "break next"}}, "k 3 b 1 rescued it 1"},
		{[]Change{{a, "sum += i", "sum -= i"}, {a, "return sum\n", "return tenfold(sum)\n"},
			{a, "func main", "func tenfold(n int) int { return 10 * n }\n\nfunc main"}}, "k 3 b 1 rescued it -40"},
		{[]Change{{a, "return sum\n", "return twice(sum)\n"}, {b, "2 * n", "3 * n"}}, "k 3 b 1 rescued it 12"},
		{[]Change{{a, "v V", "v, w V"}}, "apart: it changes what is no function"},
		{[]Change{{a, "func count(int, string)", "func count(...any)"}}, "apart: it changes a signature"},
		{[]Change{{a, "type pair", "// A pair is two.\ntype pair"}}, "apart: it changes no function"},
	}
	var faults [][]Change
	for _, c := range cases {
		faults = append(faults, c.changes)
	}
	faults[0] = []Change{{b, "2 * n", "4 * n"}} // which nothing calls
	sources, apart, err := Merge(os.ReadFile, faults)
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range sources {
		file(filepath.Base(path), string(text))
	}
	build := exec.Command("go", "build", "-o", "planted", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, sources[a])
	}
	run := func(env ...string) string {
		cmd := exec.Command(filepath.Join(dir, "planted"))
		cmd.Env = append(os.Environ(), env...)
		out, _ := cmd.CombinedOutput()
		first, _, _ := strings.Cut(string(out), "\n")
		return first
	}
	if got := run(); got != cases[0].want {
		t.Errorf("without a fault it says %q, want %q", got, cases[0].want)
	}
	for i, c := range cases {
		got := run(fmt.Sprint(Env, "=", i))
		if why, ok := apart[i]; ok {
			if got != cases[0].want {
				t.Errorf("with %v, which is left out, it says %q, want %q", faults[i], got, cases[0].want)
			}
			got = "apart: " + why
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("with %v it says %q, want %q", faults[i], got, c.want)
		}
	}
}

// TestOutOfDate: a fault whose text is not there, or there twice, is an error.
func TestOutOfDate(t *testing.T) {
	read := func(string) ([]byte, error) { return []byte("package p\n\nfunc f() { g(); g() }\n"), nil }
	for _, old := range []string{"h()", "g()"} {
		if _, _, err := Merge(read, [][]Change{{{"p.go", old, ""}}}); err == nil || !strings.Contains(err.Error(), "want once") {
			t.Errorf("of %q comes error %v", old, err)
		}
	}
}
