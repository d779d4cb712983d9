package tune

import (
	"fmt"
	"time"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// A Constant is what is tuned: a constant, or a variable that begins with a
// constant value.
type Constant struct {
	Name     string `json:"name"`    // Threshold, or Sort.threshold in a function
	Package  string `json:"package"` // import path
	Variable bool   `json:"variable,omitempty"`
	source.Place
	Present  int64 `json:"present"`
	Duration bool  `json:"duration,omitempty"` // values are in ns
	// Assigned is where a variable gets another value, if it does: then the one
	// that it begins with may not be what counts.
	Assigned source.Place `json:"assigned,omitzero"`

	// From and To are where the text of its value stands in the file, and Unit is
	// the name of package time where that text uses it.
	From int    `json:"from"`
	To   int    `json:"to"`
	Unit string `json:"unit,omitempty"`

	key string // names the object across packages
	src []byte // of the file
}

// Show writes a value as a person would.
func (c *Constant) Show(v int64) string {
	if c.Duration {
		return time.Duration(v).String()
	}
	return fmt.Sprint(v)
}

var units = []struct {
	name string
	ns   time.Duration
}{{"Hour", time.Hour}, {"Minute", time.Minute}, {"Second", time.Second}, {"Millisecond", time.Millisecond}, {"Microsecond", time.Microsecond}, {"Nanosecond", 1}}

// Text is the Go text of a value, to stand where the present one does.
func (c *Constant) Text(v int64) string {
	if c.Unit == "" || v == 0 {
		return fmt.Sprint(v)
	}
	for _, u := range units {
		if v%int64(u.ns) == 0 {
			return fmt.Sprintf("%d * %s.%s", v/int64(u.ns), c.Unit, u.name)
		}
	}
	panic("unreachable: a nanosecond divides all")
}

// Source is the file that it stands in.
func (c *Constant) Source() []byte { return c.src }

// Set enters a value into e.
func (c *Constant) Set(e *edit.Draft, v int64) {
	if v != c.Present {
		e.File(c.File, c.src).Replace(c.From, c.To, c.Text(v))
	}
}
