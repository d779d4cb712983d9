package goroutine

import "testing"

// A key is its caller's from Begin to End, and no other's.
func TestKeys(t *testing.T) {
	if !Known {
		t.Skip("goroutines are not known")
	}
	var k Keys[string]
	check := func(when, key string, want bool) {
		t.Helper()
		if got := k.Mine(key); got != want {
			t.Errorf("%s: Mine(%q) = %t, want %t", when, key, got, want)
		}
	}
	check("at first", "a", false)
	a := k.Begin("a")
	check("in a", "a", true)
	check("in a", "b", false)
	b, inner := k.Begin("b"), k.Begin("a")
	done := make(chan bool)
	go func() {
		defer close(done)
		check("in another goroutine", "a", false)
		c := k.Begin("c")
		check("in another goroutine", "c", true)
		k.End(c)
	}()
	<-done
	check("another goroutine's", "c", false)
	k.End(a)
	check("in a again", "a", true)
	k.End(inner)
	check("after a", "a", false)
	check("after a", "b", true)
	k.End(b)
	check("after all", "b", false)
	if k.calls.Load() != nil {
		t.Error("calls that ended are kept")
	}
}
