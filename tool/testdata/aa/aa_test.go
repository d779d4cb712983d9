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
