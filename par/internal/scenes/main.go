// Scenes runs package par on a machine that is simulated, and prints what came of
// it. It is built by its tests; see package world.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/stage"
)

var (
	scene = flag.String("scene", "loop", "what runs: "+strings.Join(names(), " "))
	work  = flag.Duration("work", time.Millisecond, "of a call, on one processor")
	elem  = flag.Duration("elem", 100, "work of an element or leaf")
	calls = flag.Int("calls", 5, "one after the other")
	rest  = flag.Duration("rest", 2*time.Millisecond, "between calls")
	on    = flag.String("on", "", "beside busy processes: the processor of the machine that each of Go's is")
	hogs  = flag.String("hogs", "", "likewise of each busy process")
)

// scenes are what runs for a time. Each adds what came of it.
var scenes = map[string]func(r *stage.Machine){
	"loop":       func(r *stage.Machine) { timed(r, loop) },
	"reduce":     func(r *stage.Machine) { joined(r, reduce) },
	"fold":       func(r *stage.Machine) { joined(r, fold) },
	"tree":       func(r *stage.Machine) { timed(r, tree()) },
	"plain":      func(r *stage.Machine) { timed(r, plain) },
	"serial":     func(r *stage.Machine) { timed(r, func(v *visit) { v.work(*work) }) },
	"sleep":      sleeping,
	"callers":    callers,
	"tick":       func(r *stage.Machine) { beside(r, tick, loop) },
	"tickplain":  func(r *stage.Machine) { beside(r, tick, plain) },
	"busy":       func(r *stage.Machine) { beside(r, compute, loop) },
	"busyserial": func(r *stage.Machine) { beside(r, compute, func(v *visit) { v.work(*work) }) },
	"busyplain":  func(r *stage.Machine) { beside(r, compute, plain) },
	"brief":      brief,
}

func names() (all []string) {
	for name := range scenes {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

func main() {
	stage.Main(stage.Program{Scenes: explored, Procs: 3, Looks: []time.Duration{500 * time.Microsecond, 20 * time.Microsecond}, Timed: play})
}

// play runs a scene, and adds what the machine has seen.
func play(m *stage.Machine) {
	f := scenes[*scene]
	if f == nil {
		fmt.Fprintln(os.Stderr, "scenes: no such scene")
		os.Exit(2)
	}
	m.Add("scene", *scene)
	m.Add("work", *work)
	m.Add("elem", *elem)
	var ramp []time.Duration
	m.Run(func() { ramp = plainRamp() })
	best = bestOf(ramp, *work)
	m.Prices.Others = others(*on, *hogs)
	w := m.Run(func() { f(m) })
	m.Add("asks", w.Asks)
	m.Add("looks", w.Looks)
	m.Add("threads", w.Wakes)
	m.Add("spawns", w.Spawns)
	m.Add("parks", w.Parks)
	m.Add("busy", w.Busy())
}

// others is what flags say.
func others(on, busy string) *world.Others {
	if on == "" {
		return nil
	}
	numbers := func(list string) (all []int) {
		for s := range strings.SplitSeq(list, ",") {
			if n, err := strconv.Atoi(s); err == nil {
				all = append(all, n)
			}
		}
		return all
	}
	return &world.Others{On: numbers(on), Busy: numbers(busy)}
}
