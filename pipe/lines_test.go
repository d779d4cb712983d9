package pipe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/internal/stress"
)

// linesOf are the lines of text.
func linesOf(text string) (lines []string) {
	for line := range strings.Lines(text) {
		lines = append(lines, strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
	}
	return lines
}

// Lines of all lengths come as they are, whatever a reader gives at a time.
func TestLines(t *testing.T) {
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	lengths := []int{0, 0, 1, lineEach - 1, lineEach, lineEach + 1, lineShare - 1, lineShare, lineShare + 1, lineBuffer - 1, lineBuffer, 3 * lineBuffer}
	texts := []string{"", "\n", "a", "a\n", "\r\n", "a\r\nb\r", "\n\n\n", "\r"}
	for range 20 {
		var b strings.Builder
		for range 1 + rnd.IntN(300) {
			n := lengths[rnd.IntN(len(lengths))]
			if n > lineShare+1 && rnd.IntN(8) > 0 {
				n = rnd.IntN(200)
			}
			b.WriteString(strings.Repeat(string(rune('a'+rnd.IntN(26))), n))
			b.WriteString([]string{"\n", "\n", "\r\n"}[rnd.IntN(3)])
		}
		texts = append(texts, b.String(), b.String()+"the last one")
	}
	for _, text := range texts {
		want := linesOf(text)
		for name, reader := range map[string]io.Reader{
			"memory":     strings.NewReader(text),
			"reader":     struct{ io.Reader }{strings.NewReader(text)},
			"halves":     iotest.HalfReader(strings.NewReader(text)),
			"with error": iotest.DataErrReader(strings.NewReader(text)),
		} {
			same := func(s string) string { return s }
			got, err := Map(Lines(reader), same).Collect(context.Background())
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, %.40q…: %d lines, %v, want %d", name, text, len(got), err, len(want))
			}
		}
	}
	text := strings.Repeat("one\r\ntwo\n\n", 50) + "end"
	if got, err := Lines(iotest.OneByteReader(strings.NewReader(text))).Collect(context.Background()); err != nil || !slices.Equal(got, linesOf(text)) {
		t.Errorf("byte by byte: %d lines, %v, want %d", len(got), err, len(linesOf(text)))
	}
}

// An error of the reader comes after the lines before it, and names how many there were.
func TestLinesFail(t *testing.T) {
	failed := errors.New("failed")
	for _, c := range []struct {
		name string
		r    io.Reader
		err  error
	}{
		{"error", io.MultiReader(strings.NewReader("a\nb\nc"), iotest.ErrReader(failed)), failed},
		{"no progress", io.MultiReader(strings.NewReader("a\nb\nc"), idle{}), io.ErrNoProgress},
	} {
		got, err := Lines(c.r).Collect(context.Background())
		var e *Error
		if !errors.As(err, &e) || e.Index != 3 || e.Stage != "Lines" || !errors.Is(err, c.err) || !slices.Equal(got, []string{"a", "b", "c"}) {
			t.Errorf("%s: %q, %v, want 3 lines and %v of item 3", c.name, got, err, c.err)
		}
	}
}

// idle is a reader that gives nothing.
type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// A line allocates a part of a string, and keeps few others.
func TestLinesMemory(t *testing.T) {
	defer force.Set(force.Set(force.Auto)) // parts that are spread allocate
	const n = 80_000
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "%0100d\n", i)
	}
	text := b.Bytes()
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	allocs := testing.AllocsPerRun(1, func() {
		if err := Lines(bytes.NewReader(text)).Drain(context.Background()); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > n/5 {
		t.Errorf("%v allocations for %d lines, want %d at most", allocs, n, n/5)
	}
	kept, i := []string(nil), 0
	if err := Lines(bytes.NewReader(text)).ForEach(context.Background(), func(line string) error {
		if i++; i%200 == 0 {
			kept = append(kept, line)
		}
		return nil
	}); err != nil || len(kept) != n/200 {
		t.Fatalf("%d lines are kept, %v, want %d", len(kept), err, n/200)
	}
	if after := heap(); after > before+2<<20 {
		t.Errorf("%d lines keep %d bytes, want 2 MiB at most", len(kept), after-before)
	}
	runtime.KeepAlive(kept)
	runtime.KeepAlive(text)
}

// Only what does not wait is read while lines are worked on.
func TestPrompt(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lines")
	if err := os.WriteFile(name, []byte("a\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer out.Close()
	for _, c := range []struct {
		name string
		r    io.Reader
		want bool
	}{
		{"a file", file, true}, {"a pipe", in, false}, {"no file", (*os.File)(nil), false},
		{"bytes", bytes.NewReader(nil), true}, {"a buffer", new(bytes.Buffer), true}, {"a string", strings.NewReader(""), true},
		{"another reader", struct{ io.Reader }{strings.NewReader("")}, false},
	} {
		if got := prompt(c.r); got != c.want {
			t.Errorf("prompt(%s) = %t, want %t", c.name, got, c.want)
		}
	}
}
