package twins

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

var numbers = func() []int {
	r := rand.New(rand.NewPCG(1, 1))
	xs := make([]int, 1000)
	for i := range xs {
		xs[i] = r.IntN(1000)
	}
	return xs
}()

// TestCopies: the copies are the functions of kernels.go, renamed.
func TestCopies(t *testing.T) {
	read := func(name string) string {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, code, _ := strings.Cut(string(b), "//go:noinline")
		return code
	}
	if base, copy := read("kernels.go"), read("copies.go"); strings.ReplaceAll(base, "Base(", "Copy(") != copy {
		t.Error("copies.go holds something else than kernels.go")
	}
	if len(kernels) < 20 {
		t.Errorf("%d kernels, want 20", len(kernels))
	}
	for _, k := range kernels {
		if a, b := k.base(numbers), k.copy(numbers); a != b {
			t.Errorf("%s: %d and %d", k.name, a, b)
		}
	}
}

func BenchmarkTwins(b *testing.B) {
	for _, k := range kernels {
		for _, v := range []struct {
			name string
			f    func([]int) int
		}{{"base", k.base}, {"copy", k.copy}} {
			b.Run("kernel="+k.name+"/variant="+v.name, func(b *testing.B) {
				for b.Loop() {
					v.f(numbers)
				}
			})
		}
	}
}
