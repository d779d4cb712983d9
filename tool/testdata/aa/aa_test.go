package aa

import "testing"

func BenchmarkAA(b *testing.B) {
	for _, k := range kinds() {
		for _, v := range []string{"a", "b"} {
			b.Run("kind="+k.name+"/variant="+v, func(b *testing.B) {
				for b.Loop() {
					k.run()
				}
			})
		}
	}
}

// BenchmarkPlanted differs by known amounts of the same work.
func BenchmarkPlanted(b *testing.B) {
	for _, v := range []struct {
		name string
		n    int
	}{{"base", 100_000}, {"plus5", 105_000}, {"plus10", 110_000}, {"plus30", 130_000}} {
		b.Run("variant="+v.name, func(b *testing.B) {
			for b.Loop() {
				sink += spin(v.n)
			}
		})
	}
}
