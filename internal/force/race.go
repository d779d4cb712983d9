//go:build race

package force

import "runtime"

const usual = Spread

// quiet has the detector take no account of what orders goroutines here, or do so
// again.
func quiet(yes bool) {
	if yes {
		runtime.RaceDisable()
	} else {
		runtime.RaceEnable()
	}
}
