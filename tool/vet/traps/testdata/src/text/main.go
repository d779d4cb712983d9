// Package main formats, sorts and encodes what is not as plain as it looks.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
)

type celsius float64

func (c celsius) String() string { return "warm" }

type code int

func (c code) Error() string { return "code" }

type raw []byte

type level int

type name string

func (n *name) String() string { return "pointer" }

type hexed int

func (h hexed) Format(s fmt.State, verb rune) { fmt.Fprintf(s, "<%c>", verb) }

var nan = math.NaN()

// verbs formats one at a time in a loop.
func verbs(n int) (out []string) {
	var err error
	var none *int
	for i := range n {
		f := float64(i) / 3
		out = append(out,
			fmt.Sprintf("%d", i), fmt.Sprintf("%v", i), fmt.Sprintf("%v", -i), fmt.Sprintf("%x", i*16), fmt.Sprintf("%v", uint8(i)),
			fmt.Sprintf("%d", code(i)), fmt.Sprintf("%v", code(i)), fmt.Sprintf("%s", code(i)), fmt.Sprint(code(i)),
			fmt.Sprintf("%v", celsius(f)), fmt.Sprintf("%f", celsius(f)), fmt.Sprintf("%v", level(i)), fmt.Sprintf("%d", level(i)),
			fmt.Sprintf("%v", f), fmt.Sprintf("%v", float32(f)), fmt.Sprintf("%g", f*1e21), fmt.Sprintf("%v", f*1e20), fmt.Sprintf("%v", nan), fmt.Sprintf("%v", math.Copysign(0, -1)),
			fmt.Sprintf("%s", raw("ab")), fmt.Sprintf("%v", raw("ab")), fmt.Sprintf("%x", raw("ab")), fmt.Sprintf("%s", []byte(nil)),
			fmt.Sprintf("%v", name("n")), fmt.Sprintf("%s", name("n")), fmt.Sprintf("%q", "a\x00é"), fmt.Sprintf("%s", "a\xff"),
			fmt.Sprintf("%t", i%2 == 0), fmt.Sprintf("%v", i%2 == 0), fmt.Sprintf("%v", err), fmt.Sprintf("%v", none == nil),
			fmt.Sprintf("%c", 'a'+i), fmt.Sprintf("%v", 'a'+i), fmt.Sprintf("%d%%", i), fmt.Sprintf("%5d|%-3d|", i, i), fmt.Sprintf("%d %s", i, "x"),
			fmt.Sprintf("%v", hexed(i)), fmt.Sprintf("%d", hexed(i)), fmt.Sprintf("%[1]d", i), fmt.Sprintf("%+d", i), fmt.Sprintf("%s", errors.New("e")),
			fmt.Sprint(i, i+1), fmt.Sprint("a", "b", i), fmt.Sprint("a", i, "b"), fmt.Sprintln("a", i), fmt.Sprint(), fmt.Sprintf("%v%v", i, "x"),
			fmt.Sprintf("%v", int64(math.MinInt64)), fmt.Sprintf("%v", uint64(math.MaxUint64)), fmt.Sprintf("%v", uintptr(i)), fmt.Sprintf("%d", []int{i}))
	}
	return out
}

// wrong verbs show as such.
func wrong(n int) (out []string) {
	for i := range n {
		f := "%d"
		out = append(out, fmt.Sprintf(f, "x"), fmt.Sprintf(f), fmt.Sprintf(f, i, i), fmt.Sprintf(f, nil))
	}
	return out
}

// written writes to a buffer through fmt, in order.
func written(n int) string {
	var b bytes.Buffer
	next := func() int { fmt.Fprintf(&b, "<"); n--; return n }
	for range 3 {
		fmt.Fprintf(&b, "%d,%d", next(), next())
		fmt.Fprintf(&b, "%s", "x")
		fmt.Fprint(&b, n, "y")
		fmt.Fprintln(&b, n)
	}
	return b.String()
}

// sorts orders floats that are not numbers, and equal elements.
func sorts(n int) []float64 {
	fs := []float64{3, nan, 1, math.Inf(-1), nan, 0, math.Copysign(0, -1), 2}
	for range n {
		sort.Slice(fs, func(i, j int) bool { return fs[i] < fs[j] || fs[i] != fs[i] && fs[j] == fs[j] })
	}
	return fs
}

type person struct {
	name string
	age  int
	w    float64
}

type byAge []person

func (b byAge) Len() int           { return len(b) }
func (b byAge) Less(i, j int) bool { return b[i].age < b[j].age }
func (b byAge) Swap(i, j int)      { b[i], b[j] = b[j], b[i]; swaps++ }

var swaps int

type reversed struct{ byAge }

func (r reversed) Less(i, j int) bool { return r.byAge.Less(j, i) }

func people() (ps []person) {
	for i := range 40 {
		ps = append(ps, person{fmt.Sprint("p", i*17%40), i % 4, float64(i % 3)})
	}
	return ps
}

func sortsPeople() string {
	var b strings.Builder
	ps := people()
	sort.SliceStable(ps, func(i, j int) bool { return ps[i].age < ps[j].age })
	fmt.Fprint(&b, ps[0], ps[39])
	sort.Stable(byAge(ps))
	fmt.Fprint(&b, ps[0], ps[39])
	sort.Sort(reversed{byAge(ps)})
	fmt.Fprint(&b, ps[0].age, ps[39].age, swaps > 0)
	sort.Slice(ps, func(i, j int) bool { return ps[i].name > ps[j].name })
	fmt.Fprint(&b, ps[0], ps[39])
	other := people()
	sort.Slice(ps, func(i, j int) bool { return other[i].name < other[j].name })
	sort.Sort(sort.Reverse(byAge(ps)))
	n := 0
	sort.SliceStable(ps, func(i, j int) bool { n++; return ps[i].w < ps[j].w })
	fmt.Fprint(&b, ps[0].w, n > 0)
	i := sort.Search(len(ps), func(i int) bool { return ps[i].w >= 1 })
	fmt.Fprint(&b, i, sort.SliceIsSorted(ps, func(i, j int) bool { return ps[i].w < ps[j].w }))
	names := []name{"b", "a"}
	sort.Slice(names, func(i, j int) bool { return names[i] < names[j] })
	ptrs := []*person{{name: "z"}, {name: "y"}}
	sort.Slice(ptrs, func(i, j int) bool { return ptrs[i].name < ptrs[j].name })
	fmt.Fprint(&b, names, ptrs[0].name)
	m := map[string]int{"b": 2, "a": 1}
	keys := make([]string, 0)
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	sort.Slice(keys, func(a, b int) bool { return m[keys[a]] > m[keys[b]] })
	fmt.Fprint(&b, keys)
	return b.String()
}

type point struct {
	X, Y float64 `json:"x,omitempty"`
	Z    *int    `json:"z"`
	S    string  `json:"s"`
	in   int
}

// encoded encodes in a loop.
func encoded(n int) (out []string) {
	for i := range n {
		b, err := json.Marshal(point{X: float64(i) / 3, Y: 1e21, S: "<&>\u2028", in: i})
		out = append(out, string(b), fmt.Sprint(err))
		b, err = json.Marshal(struct{ F float64 }{nan})
		out = append(out, string(b), fmt.Sprint(err))
		var p point
		err = json.Unmarshal([]byte(`{"x":1,"X":2,"s":null}`), &p)
		out = append(out, fmt.Sprint(p, err))
	}
	return out
}

// built builds strings in loops.
func built(xs []string) (string, string, int) {
	s, rev := "", ""
	n := 0
	for i, x := range xs {
		s += x
		rev = x + rev
		if i%2 == 0 {
			n += len(s)
		}
		if s == "ab" {
			s += "!"
		}
	}
	return s, rev, n
}

// converted converts back and forth.
func converted(b []byte) (n int, s string) {
	for range 3 {
		s = string(b)
		b[0]++
		if string(b) == s {
			n++
		}
		if bytes.Equal([]byte(s), b) || strings.Contains(string(b), "b") {
			n += 10
		}
		m := map[string]int{string(b): 1}
		b[0]++
		n += m[s]
	}
	return n, s
}

func main() {
	fmt.Println(strings.Join(verbs(3), "\n"))
	fmt.Println(wrong(2))
	fmt.Println(written(9))
	fmt.Println(sorts(1))
	fmt.Println(sortsPeople())
	fmt.Println(encoded(2))
	fmt.Println(built([]string{"a", "b", "c", "d"}))
	fmt.Println(converted([]byte("abc")))
	fmt.Println(slices.Max([]int{1}))
}
