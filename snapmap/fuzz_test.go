package snapmap_test

import (
	"maps"
	"testing"

	"github.com/gopayoff/payoff/snapmap"
)

// FuzzMap does what the bytes say to a Map and to a built-in map: operations, and
// snapshots of snapshots, and compares them in the end.
func FuzzMap(f *testing.F) {
	f.Add(uint8(0), []byte("\x00\x01\x02\x30\x41\x52\x63\x74\x85"))
	f.Add(uint8(1), []byte("aaaabbbbccccddddeeeeffff0000111122223333"))
	f.Add(uint8(2), []byte("\x08\x01\x09\x01\x0a\x01\x0b\x01\x0c\x01\x0d\x01\x0e\x01\x0f\x01"))
	f.Fuzz(func(t *testing.T, which uint8, script []byte) {
		h := hashes[int(which)%len(hashes)]
		defer snapmap.SetHash(h.mask)()
		defer snapmap.SetFlat(h.flat)()
		m, want := new(snapmap.Map[int, int]), map[int]int{}
		var views []frozenPair
		for i := 0; i+1 < len(script); i += 2 {
			act, k := script[i], int(script[i+1])
			switch act % 12 {
			case 0, 1:
				m.Store(k, i)
				want[k] = i
			case 2:
				// Many, so that pages are divided.
				for j := k; j < k+60; j++ {
					m.Store(j, i)
					want[j] = i
				}
			case 3:
				for j := k; j < k+60; j++ {
					m.Delete(j)
					delete(want, j)
				}
			case 4, 5:
				if v, ok := m.LoadAndDelete(k); v != want[k] || ok && v == 0 && want[k] != 0 {
					t.Fatalf("LoadAndDelete(%d) = %d, %t, want %d", k, v, ok, want[k])
				}
				delete(want, k)
			case 6, 7:
				views = append(views, frozenPair{m.Snapshot(), maps.Clone(want)})
			case 8:
				if len(views) > 0 {
					v := views[k%len(views)]
					m, want = v.view.Map(), maps.Clone(v.has)
				}
			case 9:
				snapmap.Grow(m)
			case 10:
				snapmap.Shrink(m)
			case 11:
				if k == 0 {
					m.Clear()
					clear(want)
				}
			}
		}
		if err := snapmap.Check(m); err != nil {
			t.Fatal(err)
		}
		views = append(views, frozenPair{m.Snapshot(), want})
		for i, v := range views {
			equal(t, "a view", v.view, v.has)
			differ(t, views[len(views)-1], v)
			differ(t, v, views[i/2])
		}
	})
}
