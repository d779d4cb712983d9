package local

import (
	"strings"
	"testing"
)

func TestOutput(t *testing.T) {
	for _, size := range []int{1, 7, 100, 5000} {
		b := &output{max: 100}
		all := "start\npanic: first\n\ngoroutine 1 [running]:\n" + strings.Repeat("frame\n", 500) + "panic: later\nlast"
		for rest := all; rest != ""; {
			n := min(size, len(rest))
			b.Write([]byte(rest[:n]))
			rest = rest[n:]
		}
		got := string(b.bytes())
		if len(got) != 100 || !strings.HasSuffix(all, got) {
			t.Errorf("in pieces of %d: kept %q", size, got)
		}
		if line := b.death(); line != "panic: first" {
			t.Errorf("in pieces of %d: death %q, want the first", size, line)
		}
	}
}

// TestOutputKept: what fits is kept whole, and of more the last.
func TestOutputKept(t *testing.T) {
	for n, want := range map[int]int{0: 0, 9: 9, 10: 10, 11: 10, 20: 10, 21: 10, 1000: 10} {
		b := &output{max: 10}
		all := strings.Repeat("x\n", n)[:n]
		if got, err := b.Write([]byte(all)); got != n || err != nil {
			t.Errorf("Write of %d = %d, %v", n, got, err)
		}
		if got := string(b.bytes()); got != all[n-want:] || len(b.buf) > 2*b.max+1 {
			t.Errorf("of %d bytes: %q, want the last %d", n, got, want)
		}
	}
}

func TestDeath(t *testing.T) {
	for output, want := range map[string]string{
		"":                 "",
		"no panic: here\n": "",
		"panic: boom\n\ngoroutine 7 [running]:\n":                                                                          "panic: boom",
		"x\nfatal error: concurrent map writes\n\ngoroutine 7 [running]:\n":                                                "fatal error: concurrent map writes",
		"work...panic: torn\n\ngoroutine 7 [running]:\n":                                                                   "panic: torn",
		"work...panic: torn [recovered]\n\tpanic: again\n[signal SIGSEGV: segmentation violation]\n\ngoroutine 7 [running": "panic: torn [recovered]",
		"panic: " + strings.Repeat("x", 193) + "\n":                                                                        "panic: " + strings.Repeat("x", 193),
		"panic: " + strings.Repeat("x", 194) + "\n":                                                                        "panic: " + strings.Repeat("x", 193) + "…",
		"panic: " + strings.Repeat("x", 192) + "é\n":                                                                       "panic: " + strings.Repeat("x", 192) + "…",
		"panic: " + strings.Repeat("x", 300) + "\n":                                                                        "panic: " + strings.Repeat("x", 193) + "…",
	} {
		if got := death([]byte(output)); got != want {
			t.Errorf("death(%q) = %q, want %q", output, got, want)
		}
	}
}

func TestCompilerSays(t *testing.T) {
	const said = "# example.com/m [example.com/m.test]\n./a.go:1:2: one\n./a.go:2:2: two\n\t./a.go:2:3: more of two\n./a.go:3:2: three\n./a.go:4:2: four\nFAIL\texample.com/m [build failed]\n"
	if got, want := compilerSays(said), "./a.go:1:2: one; ./a.go:2:2: two; ./a.go:2:3: more of two; and 2 more lines"; got != want {
		t.Errorf("compilerSays = %s, want %s", got, want)
	}
}
