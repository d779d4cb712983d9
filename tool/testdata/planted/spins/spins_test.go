package spins

import (
	"sync/atomic"
	"testing"
)

// A program is a serial function and one variant of it, which must give the
// same answer.
type program struct {
	serial     func() int
	name       string
	concurrent func() int
}

var sink int // keeps results alive

func (p program) bench(b *testing.B) {
	b.Helper()
	for _, v := range []struct {
		name string
		f    func() int
	}{{"serial", p.serial}, {p.name, p.concurrent}} {
		b.Run("variant="+v.name, func(b *testing.B) {
			for b.Loop() {
				sink = v.f()
			}
		})
	}
}

var programs = map[string]program{
	"Turns":  {turnsSerial, "patient", turnsPatient},
	"Answer": {answerSerial, "bare", answerBare},
	"Pass":   {passSerial, "ring", passRing},
	"Words":  {func() int { return wordsSerial(words) }, "parts", func() int { return wordsParts(words) }},
	"Find":   {func() int { return findSerial(table) }, "front", func() int { return findFront(table) }},
}

var (
	words = makeWords(500_000)
	table = numbered(8000)
)

// numbered returns words that hold their own places.
func numbered(n int) []atomic.Int64 {
	table := make([]atomic.Int64, n)
	for i := range table {
		table[i].Store(int64(i))
	}
	return table
}

func BenchmarkTurns(b *testing.B)  { programs["Turns"].bench(b) }
func BenchmarkAnswer(b *testing.B) { programs["Answer"].bench(b) }
func BenchmarkPass(b *testing.B)   { programs["Pass"].bench(b) }
func BenchmarkWords(b *testing.B)  { programs["Words"].bench(b) }
func BenchmarkFind(b *testing.B)   { programs["Find"].bench(b) }

func TestPrograms(t *testing.T) {
	for name, p := range programs {
		t.Run(name, func(t *testing.T) {
			want := p.serial()
			for range 3 {
				if got := p.concurrent(); got != want {
					t.Errorf("%s = %d, want %d as serial", p.name, got, want)
				}
			}
		})
	}
}
