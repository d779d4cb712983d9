package hotcode

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

type shares = map[stack.Category]float64

// TestSelects: a select has as many cases as wait; the innermost counts.
func TestSelects(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.go")
	src := `package x

func f(a, b, c chan int) {
	select {
	case <-a:
		select {
		case <-b:
		case c <- 1:
		case <-c:
		default:
		}
	case b <- 1:
	}
	reflect.Select(nil)
	a <- 1
}
`
	if err := os.WriteFile(name, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	set := &evidence.Set{CPU: &cpuprof.Digest{}}
	for _, line := range []int{4, 6, 7, 14, 15} {
		set.CPU.Lines = append(set.CPU.Lines, cpuprof.Line{Place: source.Place{File: name, Line: line}, By: shares{stack.Select: 0.2}})
	}
	set.CPU.Lines = append(set.CPU.Lines, cpuprof.Line{Place: source.Place{File: "gone.go", Line: 1}, By: shares{stack.Select: 0.2}}, cpuprof.Line{Place: source.Place{File: name, Line: 4}, By: shares{stack.Chan: 0.2}})
	want := []evidence.Select{{Place: source.Place{File: name, Line: 4}, Cases: 2}, {Place: source.Place{File: name, Line: 6}, Cases: 3}, {Place: source.Place{File: name, Line: 7}, Cases: 3}, {Place: source.Place{File: name, Line: 14}, Cases: 0}}
	if got := new(Files).selects(set); !slices.Equal(got, want) {
		t.Errorf("selects = %+v, want %+v", got, want)
	}
}
