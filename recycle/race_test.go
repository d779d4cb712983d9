//go:build race

package recycle

import "testing"

// With -race, who still uses a slice after Put sees it.
func TestPoison(t *testing.T) {
	type pair struct {
		a uint8
		b uint16
	}
	var p Slices[pair]
	s := p.Get(100)[:100]
	all := s[:cap(s)]
	p.Put(s[:0])
	for i, v := range all {
		if v != (pair{0xdb, 0xdbdb}) {
			t.Fatalf("element %d = %v after Put, want bytes of 0xdb", i, v)
		}
	}
	new(Slices[struct{}]).Put(make([]struct{}, 1000))
}
