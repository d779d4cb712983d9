package service

import (
	"cmp"
	"fmt"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// A Leg is what an operation does at one place, however often. Legs are in the order
// in which they began.
type Leg struct {
	What exectrace.Part `json:"what"`
	NS   float64        `json:"ns"`
	N    int            `json:"n"`             // stretches
	At   source.Place   `json:"at,omitzero"`   // where it waits, or up to where it runs
	By   source.Place   `json:"by,omitzero"`   // what ended the wait
	For  *Meanwhile     `json:"for,omitempty"` // what it waits for; nil: not known
}

// Meanwhile is what the goroutine does that is waited for; of a chain of waits, the
// last one.
type Meanwhile struct {
	Start string         `json:"start"` // the function that it starts with
	What  exectrace.Part `json:"what"`
	At    source.Place   `json:"at,omitzero"`
}

func path(p *exectrace.Path) (out []Leg) {
	if p == nil {
		return nil
	}
	for _, l := range p.Legs {
		x := Leg{What: l.What, NS: l.Time, N: l.N, At: l.At, By: l.By}
		if l.Does != "" {
			x.For = &Meanwhile{l.Start.Func, l.Does, l.There}
		}
		out = append(out, x)
	}
	return out
}

// where is the place at which a slow operation does something for longest; zero where it
// has none, such as that of being ready.
func (s *Slow) where(what exectrace.Part) (at source.Place) {
	most := 0.0
	for _, l := range s.Path {
		if l.What == what && l.NS > most {
			at, most = l.At, l.NS
		}
	}
	return at
}

// String says it in words, without its time.
func (l Leg) String() string {
	s := string(l.What) + at(l.What, l.At)
	if !l.By.IsZero() {
		s += ", until " + l.By.String()
	}
	if l.N > 1 {
		s += fmt.Sprintf(" (%d times)", l.N)
	}
	if m := l.For; m != nil {
		holder := cmp.Or(m.Start, "a goroutine")
		switch m.What {
		case exectrace.PartRuns, exectrace.PartAssist:
			s += fmt.Sprintf(", while %s %s%s", holder, m.What, at(m.What, m.At))
		case exectrace.PartReady:
			s += fmt.Sprintf(", while %s is %s", holder, m.What)
		default:
			s += fmt.Sprintf(", while %s waits: %s%s", holder, m.What, at(m.What, m.At))
		}
	}
	return s
}

func at(what exectrace.Part, p source.Place) string {
	switch {
	case p.IsZero():
		return ""
	case what == exectrace.PartRuns:
		return ", up to " + p.String()
	}
	return " at " + p.String()
}
