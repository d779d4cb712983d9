package m15

import "testing"

var players = func() []player {
	ps := make([]player, 5000)
	for i := range ps {
		ps[i] = player{"p", (i*7919 + 13) % 10007}
	}
	return ps
}()

func BenchmarkSerial(b *testing.B) {
	for b.Loop() {
		ranked(players)
	}
}

func BenchmarkSlice(b *testing.B) {
	for b.Loop() {
		rankedSlice(players)
	}
}

func TestSame(t *testing.T) {
	if got, want := rankedSlice(players), ranked(players); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
