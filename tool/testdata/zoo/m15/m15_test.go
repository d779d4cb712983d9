package m15

import "testing"

var players = func() []player {
	ps := make([]player, 5000)
	for i := range ps {
		ps[i] = player{"p", (i*7919 + 13) % 10007}
	}
	return ps
}()

func BenchmarkM15(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			ranked(players)
		}
	})
	b.Run("variant=slice", func(b *testing.B) {
		for b.Loop() {
			rankedSlice(players)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := rankedSlice(players), ranked(players); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
