package topic_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	. "github.com/gopayoff/payoff/topic"
)

// TestCacheIsTried: a cache comes where subjects come again, stays while they do,
// and goes where they do not.
func TestCacheIsTried(t *testing.T) {
	ix := New[int](NATS)
	for i, p := range []string{"a.*.c", "a.b.*", "*.b.c", "a.>", "a.b.c"} {
		mustSubscribe(t, ix, p, i)
	}
	hot := func(i int) string { return fmt.Sprint("a.b.", i%100) }
	unique := func(i int) string { return fmt.Sprint("a.b.", i) }
	ask := func(n int, subject func(int) string, until bool) int {
		for i := range n {
			if ix.HasCache() == until {
				return i
			}
			ix.Has(subject(i))
		}
		return n
	}
	if n := ask(100_000, hot, true); n < 1000 || n == 100_000 {
		t.Fatalf("after %d subjects, there is a cache: %t; want one after some 16,000", n, ix.HasCache())
	}
	// It is looked at when it misses.
	some := func(i int) string {
		if i%16 == 0 {
			return unique(i)
		}
		return hot(i)
	}
	if n := ask(200_000, some, false); n != 200_000 {
		t.Errorf("the cache is gone after %d subjects, most of them hot", n)
	}
	if n := ask(100_000, unique, false); n == 100_000 {
		t.Errorf("the cache is there after %d subjects that came once", n)
	}
	// Another trial comes, but not soon.
	if n := ask(20_000, hot, true); n != 20_000 {
		t.Errorf("a cache is there again after %d subjects", n)
	}
	if n := ask(2_000_000, hot, true); n == 2_000_000 {
		t.Errorf("no cache after %d hot subjects", n)
	}
}

// TestCacheOfOneShape: finding a result takes less than taking the subject apart, so a
// cache pays for one shape, too, where subjects come again, and for none where they do not.
func TestCacheOfOneShape(t *testing.T) {
	for _, subjects := range []int{1, 100, 1 << 30} {
		ix := New[int](NATS)
		mustSubscribe(t, ix, "a.*", 1)
		for i := range 50_000 {
			ix.Has(fmt.Sprint("a.", i%subjects))
		}
		if want := subjects <= 100; ix.HasCache() != want {
			t.Errorf("%d subjects: there is a cache: %t, want %t", subjects, ix.HasCache(), want)
		}
	}
}

// TestResultsStay: a change leaves results that it does not concern, and those
// that it does are found anew.
func TestResultsStay(t *testing.T) {
	ix := New[int](NATS)
	ix.SetCache(true)
	for i, p := range []string{"a.*.c", "a.b.*", "*.b.c", "a.>", "a.b.c"} {
		mustSubscribe(t, ix, p, i)
	}
	ask := func(subject string, want ...int) {
		t.Helper()
		got := ix.AppendMatch(nil, subject)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("AppendMatch(%q) = %v, want %v", subject, got, want)
		}
	}
	// One after the other, since they may have the same door.
	for range 3 {
		ask("a.b.c", 0, 1, 2, 3, 4)
	}
	for range 3 {
		ask("x.b.c", 2)
	}
	if !ix.Kept("a.b.c") || !ix.Kept("x.b.c") {
		t.Fatal("no result is kept after three times")
	}
	stayed := 0
	const changes = 100
	for i := range changes {
		s := mustSubscribe(t, ix, "x.b.*", 7)
		if ix.Kept("x.b.c") {
			t.Fatal("a change left the result that it concerns")
		}
		ask("x.b.c", 2, 7)
		if !ix.Kept("x.b.c") {
			t.Error("the result is not kept at once where there was one before")
		}
		s.Unsubscribe()
		ask("x.b.c", 2)
		ask("a.b.c", 0, 1, 2, 3, 4) // its filter may take x.b.* for a key of its own, and then does each time
		s = mustSubscribe(t, ix, fmt.Sprint("*.y", i, ".z"), 8)
		if ix.Kept("a.b.c") {
			stayed++
		}
		ask("a.b.c", 0, 1, 2, 3, 4)
		s.Unsubscribe()
		ask("a.b.c", 0, 1, 2, 3, 4)
	}
	// The filter takes one change of a hundred for one that concerns a result.
	if stayed < changes*3/4 {
		t.Errorf("%d of %d changes took the result of another subject", changes-stayed, changes)
	}
	// A new shape begins a new cache.
	mustSubscribe(t, ix, "x.>", 8)
	ask("x.b.c", 2, 8)
	mustSubscribe(t, ix, "*.*.*", 9)
	ask("x.b.c", 2, 8, 9)

	// So do the first marks. Later ones concern all results.
	long := strings.Repeat("x.", 17) + "x"
	mustSubscribe(t, ix, long, 10)
	for range 3 {
		ask(long, 8, 10)
	}
	s := mustSubscribe(t, ix, strings.Repeat("*.", 17)+"x", 11)
	ask(long, 8, 10, 11)
	s.Unsubscribe()
	ask(long, 8, 10)
}
