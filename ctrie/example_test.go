package ctrie_test

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/gopayoff/payoff/ctrie"
)

func Example() {
	var m ctrie.Map[string, int]
	m.Store("a", 1)
	before := m.Snapshot()
	m.Store("b", 2)
	fmt.Println(before.Len(), m.Len())
	fmt.Println(before.Load("b"))
	// Output:
	// 1 2
	// 0 false
}

// A leaderboard that many write to, and whose page shows one moment.
func ExampleMap_Snapshot() {
	var points ctrie.Map[string, int]
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
	points.Clear() // the next round begins; the board stays
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

// What a server knows can be tried out: the Map of a View is one of its own.
func ExampleView_Map() {
	var routes ctrie.Map[string, string]
	routes.Store("/", "home")
	trial := routes.Snapshot().Map()
	trial.Store("/new", "page")
	fmt.Println(routes.Len(), trial.Len())
	// Output: 1 2
}
