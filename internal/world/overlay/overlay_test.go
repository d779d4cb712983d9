package overlay

import (
	"strings"
	"testing"
)

// TestRewrite: what a machine must know of is that of package shim, and what
// nothing stands for is refused.
func TestRewrite(t *testing.T) {
	const head = "package p; import shim_ \"" + shimPath + "\"\n\n"
	const none = "\nvar _ = shim_.Keep\n"
	for _, c := range []struct{ from, to string }{
		{"import \"sync/atomic\"\n\ntype t struct{ n atomic.Int64; p atomic.Pointer[t] }\n",
			"import _ \"sync/atomic\"\n\ntype t struct{ n shim_.Int64; p shim_.Pointer[t] }\n" + none},
		{"import \"time\"\n\nvar epoch = time.Now()\n\nconst ms = time.Millisecond\n",
			"import \"time\"\n\nvar epoch = shim_.Now()\n\nconst ms = time.Millisecond\n\nfunc init() { shim_.Keep(&epoch) }\n"},
		{"func f(n int) { go g(n) }\n", "func f(n int) { shim_.Go(func() { g(n) }) }\n" + none},
		{"func pause(n int) { for range n { } }\n", "func pause(n int) { shim_.Pause(int(n)) }\n" + none},
		{"import \"unsafe\"\n\nfunc home() uintptr { var here byte; return uintptr(unsafe.Pointer(&here)) >> 11 }\n",
			"import \"unsafe\"\n\nfunc home() uintptr { var here byte; return shim_.Stack(unsafe.Pointer(&here)) >> 11 }\n" + none},
		{"func f(c chan int) { c <- <-c; close(c) }\n",
			"func f(c chan int) { shim_.Sending(c) <- <-shim_.Receiving(c); close(shim_.Closing(c)) }\n" + none},
		{"func f(c, d chan int) {\n\tselect {\n\tcase v := <-c:\n\t\tg(v)\n\tcase d <- 1:\n\tcase <-f():\n\tdefault:\n\t}\n}\n",
			"func f(c, d chan int) {\n\tswitch shim_.Select(false, shim_.CanRecv(c), shim_.CanSend(d), shim_.CanRecv(f())) {\n\tcase 0: v := <-c;\n\t\tg(v)\n\tcase 1: d <- 1;\n\tcase 2: <-f();\n\tdefault:\n\t}\n}\n" + none},
		{"func f(c, d chan int) {\n\tselect {\n\tcase <-c:\n\tcase <-d:\n\t}\n}\n",
			"func f(c, d chan int) {\n\tswitch shim_.Select(true, shim_.CanRecv(c), shim_.CanRecv(d)) {\n\tcase 0: <-c;\n\tdefault: <-d;\n\t}\n}\n" + none},
	} {
		got, err := Rewrite("p.go", []byte("package p\n\n"+c.from))
		if want := head + c.to; err != nil || string(got) != want {
			t.Errorf("of\n%s\ncomes, with error %v,\n%s\nwant\n%s", c.from, err, got, want)
		}
	}
	const plain = "package p\n\nfunc f() {}\n"
	if got, err := Rewrite("p.go", []byte(plain)); err != nil || string(got) != plain {
		t.Errorf("of code without need comes %s, %v", got, err)
	}
	_, err := Rewrite("p.go", []byte("package p\n\nimport \"time\"\n\nfunc f() { <-time.After(1) }\n"))
	if err == nil || !strings.Contains(err.Error(), "time.After") {
		t.Errorf("of what nothing stands for comes error %v", err)
	}
}
