package edit

import (
	"strings"
	"testing"
)

// Texts nest by the nodes that they belong to, whoever enters them first.
func TestNesting(t *testing.T) {
	const src = "x.n = f(y)"
	whole := func(f *File) { f.Around(0, len(src), "{ ", " }") }
	left := func(f *File) { f.Around(0, 3, "*p(", ")") }
	variable := func(f *File) { f.Around(0, 1, "<", ">") }
	selector := func(f *File) { f.Insert(3, ".v") }
	right := func(f *File) { f.Around(6, 10, "w(", ")") }
	after := func(f *File) { f.After(0, len(src), "; done()") }
	name := func(f *File) { f.Replace(6, 7, "g") }
	for _, test := range []struct {
		want string
		with []func(f *File)
	}{
		{"{ x.n = f(y) }", []func(*File){whole}},
		{"{ *p(<x>.n.v) = w(g(y)) }", []func(*File){whole, left, variable, selector, right, name}},
		{"*p(x.n) = w(f(y)); done()", []func(*File){left, right, after}},
	} {
		for range test.with { // each order that turning gives
			test.with = append(test.with[1:], test.with[0])
			var e Draft
			f := e.File("/m/x.go", []byte(src))
			for _, enter := range test.with {
				enter(f)
			}
			o, err := e.Overlay()
			if got := string(o["/m/x.go"]); err != nil || got != test.want {
				t.Errorf("%q, %v, want %q", got, err, test.want)
			}
		}
	}
}

// The same stretch: the first is the outer one.
func TestSameStretch(t *testing.T) {
	var e Draft
	f := e.File("/m/x.go", []byte("x"))
	f.Around(0, 1, "a(", ")a")
	f.Around(0, 1, "b(", ")b")
	if o, err := e.Overlay(); err != nil || string(o["/m/x.go"]) != "a(b(x)b)a" {
		t.Errorf("%q, %v", o["/m/x.go"], err)
	}
}

func TestOverlay(t *testing.T) {
	var e Draft
	e.File("/m/same.go", []byte("package m\n"))
	e.File("/m/x.go", []byte("package m\n")).Insert(9, "; var x int")
	if e.File("/m/x.go", []byte("package m\n")) != e.File("/m/x.go", nil) {
		t.Error("File returns another file the second time")
	}
	e.Add("/m/new.go", []byte("package m\n\nvar y int\n"))
	o, err := e.Overlay()
	if err != nil || len(o) != 2 || string(o["/m/x.go"]) != "package m; var x int\n" || string(o["/m/new.go"]) != "package m\n\nvar y int\n" {
		t.Errorf("%q, %v, want what has changed and what was added", o, err)
	}
	if o, err := new(Draft).Overlay(); err != nil || len(o) > 0 {
		t.Errorf("the zero Draft: %q, %v", o, err)
	}
}

// A file has the line ends that it had, in what is put into it too.
func TestLineEnds(t *testing.T) {
	for _, test := range []struct{ src, text, want string }{
		{"a\nb\n", "x\ny", "ax\ny\nb\n"},
		{"a\r\nb\r\n", "x\ny", "ax\r\ny\r\nb\r\n"},
		{"a\r\nb\r\n", "x\r\ny", "ax\r\ny\r\nb\r\n"},
	} {
		var e Draft
		e.File("x.go", []byte(test.src)).Insert(1, test.text)
		if o, err := e.Overlay(); err != nil || string(o["x.go"]) != test.want {
			t.Errorf("%q into %q: %q, %v, want %q", test.text, test.src, o["x.go"], err, test.want)
		}
	}
}

// Two texts for one place are refused, not mixed.
func TestOverlap(t *testing.T) {
	for _, enter := range []func(f *File){
		func(f *File) { f.Replace(0, 5, "a"); f.Replace(3, 7, "b") },
		func(f *File) { f.Replace(0, 5, "a"); f.Insert(2, "b") },
		func(f *File) { f.Replace(8, 11, "a") },
	} {
		var e Draft
		enter(e.File("/m/x.go", []byte("0123456789")))
		if o, err := e.Overlay(); err == nil || !strings.Contains(err.Error(), "/m/x.go") {
			t.Errorf("%q, %v, want an error that names the file", o, err)
		}
	}
}
