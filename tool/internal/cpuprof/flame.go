package cpuprof

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// A Frame is a function on the stacks of a profile, called by the frame before it
// that is one less deep.
type Frame struct {
	Depth int     `json:"depth"` // 0: a goroutine began with it
	Func  string  `json:"func"`
	Share float64 `json:"share"` // of Digest.Total, with what it called
}

// As many frames as a digest holds, how deep they are, and how small.
const (
	maxFrames = 100
	maxDepth  = 48
	minShare  = 0.005
)

// A call is a function below those that led to it.
type call struct {
	ns    float64
	calls map[string]*call
}

// add adds a stack, leaf first.
func (c *call) add(stack []source.Place, ns float64) {
	for depth, f := range slices.Backward(stack) {
		if len(stack)-depth > maxDepth {
			return
		}
		below := c.calls[f.Func]
		if below == nil {
			below = &call{}
			if c.calls == nil {
				c.calls = map[string]*call{}
			}
			c.calls[f.Func] = below
		}
		below.ns += ns
		c = below
	}
}

// frames are the calls with most of the time, each before what it called.
func (c *call) frames(total float64) (all []Frame) {
	var times []float64
	c.walk(0, 0, func(_ int, _ string, ns float64) { times = append(times, ns) })
	slices.Sort(times)
	least := minShare * total
	if n := len(times); n > maxFrames {
		least = max(least, times[n-maxFrames-1])
	}
	// Who called has at least the time of what it called, so no frame is left alone.
	c.walk(0, least, func(depth int, fn string, ns float64) {
		all = append(all, Frame{depth, fn, math.Round(1e4*ns/total) / 1e4})
	})
	return all
}

// walk visits what has more than least, most time first.
func (c *call) walk(depth int, least float64, visit func(depth int, fn string, ns float64)) {
	for _, fn := range slices.SortedFunc(maps.Keys(c.calls), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.calls[b].ns, c.calls[a].ns), cmp.Compare(a, b))
	}) {
		if below := c.calls[fn]; below.ns > least {
			visit(depth, fn, below.ns)
			below.walk(depth+1, least, visit)
		}
	}
}
