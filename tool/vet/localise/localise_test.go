package localise

import (
	"bytes"
	"go/token"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/internal/stress"
)

// some returns edits of a file that do not overlap.
func some(r *rand.Rand, f *token.File) (edits []analysis.TextEdit) {
	var at []int
	for range 2 * r.IntN(4) {
		at = append(at, r.IntN(f.Size()+1))
	}
	slices.Sort(at)
	for ; len(at) > 0; at = at[2:] {
		if len(edits) > 0 && edits[len(edits)-1].End == f.Pos(at[0]) {
			continue // which of them is first is for the one that makes both to say
		}
		text := bytes.Repeat([]byte{"xyz"[r.IntN(3)]}, r.IntN(4))
		edits = append(edits, analysis.TextEdit{Pos: f.Pos(at[0]), End: f.Pos(at[1]), NewText: text})
	}
	return edits
}

// Edits of what edits have made are edits of what was there before.
func TestWith(t *testing.T) {
	seed := stress.Seed(t)
	for i := range 3000 {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		fset := token.NewFileSet()
		src := []byte("0123456789abcdefghij")[:1+r.IntN(20)]
		file := fset.AddFile("a.go", -1, len(src))
		first := newEdited(file, src, some(r, file))
		if len(first.src) == 0 {
			continue
		}
		first.now = fset.AddFile("a.go", -1, len(first.src))
		then := some(r, first.now)
		want := newEdited(first.now, first.src, then).src
		both := newEdited(file, src, []analysis.TextEdit{first.with(src, then)})
		if both == nil {
			t.Fatalf("PAYOFF_SEED=%d, %d: the edits overlap", seed, i)
		}
		if !bytes.Equal(both.src, want) {
			t.Fatalf("PAYOFF_SEED=%d, %d: of %s, made %s, then %v: %s, want %s", seed, i, src, first.src, then, both.src, want)
		}
	}
}
