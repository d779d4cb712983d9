package discover

import (
	"strings"
	"testing"
)

// TestBounds: what a loop that starts goroutines counts up to is a number of them, whatever
// it is called.
func TestBounds(t *testing.T) {
	const code = `
type crew struct{ hands int }
func (c *crew) run() { for i := 0; i < c.hands; i++ { go sum() } }
func paint(w, h, painters int) { for range painters { go sum() } }
func wide(w int) { for range w { sum() } }
func tall(h int) { for i := 0; i < h; i++ { sum() } }
func each(n int) { for i := range n { go sum() } }
func sum() {}
func BenchmarkX(b *testing.B) { b.Run(name(), func(b *testing.B) { for b.Loop() { paint(1, 1, 1); new(crew).run() } }) }`
	for _, tt := range []struct{ names, want string }{
		{"X/painters-1 X/painters-4", "X/painters-1<X/painters-4"},
		{"X/1hands X/8hands", "X/1hands<X/8hands"},
		{"X/fast-1hands X/fast-8hands", "X/fast-1hands<X/fast-8hands"},
		{"X/plain X/crew/hands=1 X/crew/hands=8", "X/plain<X/crew/hands=1,X/crew/hands=8"},
		{"X/w1 X/w8", "X/w1 X/w8"}, // sizes
		{"X/h1 X/h8", "X/h1 X/h8"},
		{"X/n1 X/n8", "X/n1 X/n8"},
		{"X/painters-2 X/painters-4", "X/painters-2 X/painters-4"},
	} {
		names, starts := strings.Fields(tt.names), map[string]bool{}
		for i, n := range names {
			names[i] = "Benchmark" + n
			starts[names[i]] = strings.Contains(n, "/crew/")
		}
		if got := draw(Families(names, Hints{Funcs: sourceOf(t, code), Starts: starts})); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.names, got, tt.want)
		}
	}
}

// TestBoundsFlow: so is what that value comes from, here people.
func TestBoundsFlow(t *testing.T) {
	const crew = "; type crew struct{ hands int }; func (c *crew) run() { for range c.hands { go sum() } }"
	for _, tt := range []struct {
		what, code string
		counts     bool
	}{
		{"a parameter", "func run(people int) { for range people { go sum() } }", true},
		{"what it does not reach", "func other(people int) { for range people { go sum() } }", false},
		{"of a loop that starts none", "func run(people int) { for range people { sum() } }", false},
		{"a field", "func hire(people int) *crew { return &crew{hands: people} }" + crew, true},
		{"another field", "func hire(people int) *crew { return &crew{old: people} }" + strings.Replace(crew, "int }", "int; old int }", 1), false},
		{"what is assigned", "func (c *crew) hire(people int) { c.hands = people }" + crew, true},
		{"what is declared", "func run(people int) { var k = people; for range k { go sum() } }", true},
		{"an argument", "func all(people int) { run(1, people) }; func run(a, k int) { for range k { go sum() } }", true},
		{"another argument", "func all(people int) { run(people, 1) }; func run(a, k int) { for range k { go sum() } }", false},
		{"one for each of n", "func all(people int) { run(people) }; func run(n int) { for range n { go sum() } }", false},
		{"a result", "var people int; func hands() int { return people }; func run() { for range hands() { go sum() } }", true},
		{"a result with a name", "var people int; func hands() (k int) { k = people; return }; func run() { for range hands() { go sum() } }", false},
		{"a field of another package", "func run(c other.Crew) { for range c.People { go sum() } }", true},
		{"a type of another package", "func run(people other.Count) { for range people { go sum() } }", true},
		{"a result of a function within", "var people int; func hands() int { f := func() int { return people }; f(); return 1 }; func run() { for range hands() { go sum() } }", false},
		{"at least one", "func run(people int) { for range max(int(people), 1) { go sum() } }", true},
		{"at most ten", "func run(people int) { for range min((people), 10) { go sum() } }", true},
		{"the caller is one of them", "func run(people int) { for range people - 1 { go sum() } }", true},
		{"several each", "func run(people int) { for range people * 2 { go sum() } }", true},
		{"what is left of it", "func run(people, left int) { for range people - left { go sum() } }", false},
		{"a share", "func run(people int) { per := (100 + people - 1) / people; for i := 0; i < 100; i += per { go sum() } }", true},
		{"a share and more", "func run(people int) { for i := 0; i < 100; i += max((100/people)+1, 1) { go sum() } }", true},
		{"from the end", "func run(people int) { per := 100 / people; for i := 100; i > 0; i -= per { go sum() } }", true},
		{"a share of no loop", "func run(people int) { mean := 100 / people; go use(mean) }", false},
		{"a length of shares", "func run(people int) { for i := 0; i < 100; i += people { go sum() } }", false},
		{"what is multiplied", "func run(people int) { for i := 0; i < 100; i += 2*people { go sum() } }", false},
		{"a semaphore", "func run(people int) { room := make(chan bool, people); room <- true; go func() { sum(); <-room }() }", true},
		{"a semaphore that is left late", "func run(people int) { room := make(chan bool, people); room <- true; defer func() { <-room }() }", true},
		{"a channel of no room", "func run(people int) { room := make(chan bool); go func() { <-room }() }", false},
		{"what is received is used", "func run(people int) { in := make(chan int, people); in <- 1; go func() { x := <-in; _ = x }() }", false},
		{"goroutines are awaited", "func run(people int) { done := make(chan bool, people); go func() { done <- true }(); <-done }", false},
		{"a limit", "func run(people int) { var g errgroup.Group; g.SetLimit(people) }", true},
		{"a weight", "func run(people int) { room := semaphore.NewWeighted(int64(people)); room.Release(1) }", true},
		{"its own SetLimit", "type rate int; func (r rate) SetLimit(people int) {}; func run(people int) { rate(1).SetLimit(people) }", false},
		{"no limit", "func run(people int) { var g errgroup.Group; g.SetName(people) }", false},
		{"a list of them", "func run(people int) { sums := make([]int, people); for i := range len(sums) { go sum() } }", true},
		{"its elements", "func run(people int) { sums := make([]int, people); for range sums { go sum() } }", true},
		{"a list that is made otherwise", "func run(people int) { sums := cut(1, people); for range sums { go sum() } }; func cut(a, b int) []int { return nil }", false},
		{"a list of work", "func run(people []int) { for range people { go sum() } }", false},
		{"a type", "type people int; func (k people) run() { for range k { go sum() } }", true},
		{"a receiver", "type hands int; func (k hands) run() { for range k { go sum() } }; func hire(people int) { hands(people).run() }", true},
	} {
		calls := ""
		for what, call := range map[string]string{"func run(": "_ = run", "func hire(": "_ = hire", "func all(": "_ = all", "c *crew) hire(": "new(crew).hire(1)", "c *crew) run(": "new(crew).run()", "type people ": "_ = people(4).run"} {
			if strings.Contains(tt.code, what) {
				calls += call + "; "
			}
		}
		funcs := sourceOf(t, tt.code+"; func sum() {}; func BenchmarkX(b *testing.B) { for range b.N { go sum() }; "+calls+"}")
		for _, names := range [][]string{{"BenchmarkX/people=1", "BenchmarkX/people=4"}, {"BenchmarkX/1Person", "BenchmarkX/4Persons"}, {"BenchmarkX/int1", "BenchmarkX/int4"}, {"BenchmarkX/n=1", "BenchmarkX/n=4"}} {
			want := tt.counts && strings.Contains(names[0], "people")
			if got := len(Families(names, Hints{Funcs: funcs})) == 1; got != want {
				t.Errorf("%s: %s are a pair: %t, want %t", tt.what, names, got, want)
			}
		}
	}
}
