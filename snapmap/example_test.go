package snapmap_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/gopayoff/payoff/snapmap"
)

func Example() {
	var m snapmap.Map[string, int]
	m.Store("a", 1)
	before := m.Snapshot()
	m.Store("b", 2)
	fmt.Println(before.Len(), m.Len())
	for c := range m.Snapshot().Diff(before) {
		fmt.Println(c.Kind, c.Key, c.New)
	}
	// Output:
	// 1 2
	// added b 2
}

// A configuration that changes at any time: each request is served by one view, and
// who has to act on changes asks for these.
func ExampleView_Diff() {
	var config snapmap.Map[string, string]
	config.Store("level", "info")
	config.Store("cache", "on")
	applied := config.Snapshot()

	config.Store("level", "debug")
	config.Delete("cache")
	config.Store("limit", "100")

	now := config.Snapshot()
	changes := slices.SortedFunc(now.Diff(applied), func(a, b snapmap.Change[string, string]) int {
		return cmp.Compare(a.Key, b.Key)
	})
	for _, c := range changes {
		fmt.Printf("%s %s: %q, was %q\n", c.Key, c.Kind, c.New, c.Old)
	}
	// Output:
	// cache removed: "", was "on"
	// level changed: "debug", was "info"
	// limit added: "100", was ""
}

// A leaderboard that many write to, and whose page shows one moment.
func ExampleMap_Snapshot() {
	var points snapmap.Map[string, int]
	var players sync.WaitGroup
	for i, name := range []string{"Ada", "Bob", "Cyd"} {
		players.Go(func() {
			for range 100 * (i + 1) {
				points.Compute(name, func(n int, _ bool) (int, bool) { return n + 1, true })
			}
		})
	}
	players.Wait()
	board := points.Snapshot()
	points.Store("Dan", 1000) // the game goes on; the board stays
	names := slices.SortedFunc(maps.Keys(maps.Collect(board.All())), func(a, b string) int {
		x, _ := board.Load(a)
		y, _ := board.Load(b)
		return y - x
	})
	for _, name := range names {
		n, _ := board.Load(name)
		fmt.Println(name, n)
	}
	// Output:
	// Cyd 300
	// Bob 200
	// Ada 100
}

// Counters that are reported and begin again at 0: what Clear returns is what it has
// deleted, so each event is in one report.
func ExampleMap_Clear() {
	var hits snapmap.Map[string, int]
	var visitors sync.WaitGroup
	for range 4 {
		visitors.Go(func() {
			for range 250 {
				hits.Compute("/", func(n int, _ bool) (int, bool) { return n + 1, true })
			}
		})
	}
	sum := 0
	report := func() {
		for _, n := range hits.Clear().All() {
			sum += n
		}
	}
	report()
	visitors.Wait()
	report()
	fmt.Println(sum, hits.Len())
	// Output: 1000 0
}

// What a server knows can be tried out: the Map of a View is one of its own.
func ExampleView_Map() {
	var routes snapmap.Map[string, string]
	routes.Store("/", "home")
	trial := routes.Snapshot().Map()
	trial.Store("/new", "page")
	fmt.Println(routes.Len(), trial.Len())
	// Output: 1 2
}

// Many ask for one key at once, and what it takes to make its value is done once.
func ExampleMap_LoadOrStore_once() {
	var pages snapmap.Map[string, func() string]
	page := func(url string) string {
		get, _ := pages.LoadOrStore(url, sync.OnceValue(func() string {
			fmt.Println("fetching", url)
			return "<html>"
		}))
		return get() // outside of the map: others wait for this key alone
	}
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() { page("/index") })
	}
	wg.Wait()
	fmt.Println(page("/index"))
	// Output:
	// fetching /index
	// <html>
}
