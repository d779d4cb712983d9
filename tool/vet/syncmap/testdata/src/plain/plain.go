// Package plain has maps that only one goroutine has.
package plain

import "sync"

func open(logins []int) (n int) {
	var open sync.Map
	for i, l := range logins {
		open.Store(l, i) // want `open is a sync.Map`
		if i >= 2 {
			if _, ok := open.LoadAndDelete(logins[i-2]); ok {
				n++
			}
		}
	}
	return n
}

// In a goroutine, with the values.
func rounds(names []string) (n int64) {
	got := make(chan int64)
	go func() {
		var seen sync.Map
		defer seen.Clear() // want `seen is a sync.Map`
		for i, name := range names {
			if _, again := seen.LoadOrStore(name, int64(i)); again {
				seen.Delete(name)
			}
		}
		seen.Range(func(k, v any) bool {
			n += v.(int64)
			return k.(string) != ""
		})
		v, _ := seen.Load("a")
		n, _ := v.(int64)
		got <- n
	}()
	return n + <-got
}
