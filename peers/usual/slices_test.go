package usual

import (
	"sync"

	"github.com/gopayoff/payoff/recycle"
)

func slicesLoads() []load {
	return []load{{"Slices", "/size=1024", buffers, 10}}
}

// buffers take a slice of 1 KiB, use it and give it back.
func buffers() []variant {
	const size = 1024
	use := func(b []byte, i int) int {
		b[i%size] = byte(i)
		return int(b[i%size])
	}
	return []variant{
		{name: "syncpool", do: func(n int) (sum int) {
			p := sync.Pool{New: func() any { b := make([]byte, size); return &b }}
			for i := range n {
				b := p.Get().(*[]byte)
				sum += use(*b, i)
				p.Put(b)
			}
			return sum
		}},
		{name: "alloc", do: func(n int) (sum int) {
			for i := range n {
				kept = make([]byte, size)
				sum += use(kept, i)
			}
			return sum
		}},
		{name: "payoff", do: func(n int) (sum int) {
			var p recycle.Slices[byte]
			for i := range n {
				b := p.Get(size)[:size]
				sum += use(b, i)
				p.Put(b)
			}
			return sum
		}},
	}
}

var kept []byte
