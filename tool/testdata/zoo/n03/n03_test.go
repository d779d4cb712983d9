package n03

import "testing"

var (
	tree    = grow(16)
	byDepth = summer{depth: 2}
)

func BenchmarkSemaphore(b *testing.B) {
	for b.Loop() {
		summer{slots: make(chan struct{}, 4)}.bySemaphore(tree)
	}
}

func BenchmarkN03(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			sum(tree)
		}
	})
	b.Run("variant=atonce", func(b *testing.B) {
		for b.Loop() {
			byDepth.byField(tree, 0)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := byDepth.byField(tree, 0), sum(tree); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
