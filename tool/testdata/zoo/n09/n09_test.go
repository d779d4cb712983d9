package n09

import "testing"

var blocks = func() [][]byte {
	bs := make([][]byte, 64)
	for i := range bs {
		bs[i] = make([]byte, 1<<14)
		bs[i][i] = 1
	}
	return bs
}()

func BenchmarkN09(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			checksum(blocks)
		}
	})
	b.Run("variant=piped", func(b *testing.B) {
		for b.Loop() {
			checksumPiped(blocks)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := checksumPiped(blocks), checksum(blocks); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
