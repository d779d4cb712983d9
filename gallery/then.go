package gallery

import (
	"slices"
	"strings"
)

// A Then is the content of a then.json: what an article measured of what the
// case measures, and what it concluded.
type Then struct {
	Article string `json:"article"` // its key in articles.json
	// Scale says where the case does less than the article, so that times are not
	// those of the same work: "1,000,000 numbers; the article 10,000,000,000".
	Scale       string       `json:"scale,omitempty"`
	Lines       []Line       `json:"lines"`
	Conclusions []Conclusion `json:"conclusions"`
}

// A Line is one figure of the article's tables. Variant and At name the
// benchmark here that measures the same; a line without a variant has none, and
// Why says so.
type Line struct {
	Name    string  `json:"name"` // as the article prints it
	Procs   int     `json:"procs"`
	Value   float64 `json:"value"`
	Unit    string  `json:"unit"` // one of [Units]
	Variant string  `json:"variant"`
	At      string  `json:"at"`
	// Times is how many of the article's operations are one of that benchmark. 0: one.
	Times int `json:"times,omitempty"`
	// Func is the function of whose share in a CPU profile the line is. Its unit is %.
	Func string `json:"func,omitempty"`
	// Again says that another line is the article's figure of the same, which its
	// conclusions rest on.
	Again bool   `json:"again,omitempty"`
	Why   string `json:"why,omitempty"`
}

// Units are those of figures, with their size in nanoseconds; 0: not a time.
var Units = map[string]float64{"ns/op": 1, "ms": 1e6, "s": 1e9, "B/op": 0, "allocs/op": 0, "%": 0}

// A Conclusion is a sentence that the article concludes from its figures, as a
// comparison: Variant at Procs against Base at BaseProcs.
type Conclusion struct {
	Says    string `json:"says"`
	Variant string `json:"variant"`
	Base    string `json:"base"`
	Procs   int    `json:"procs"`
	// BaseProcs is another number of processors than Procs, in a conclusion about
	// scaling. 0: the same.
	BaseProcs int    `json:"base_procs,omitempty"`
	At        string `json:"at"`
	// Of says which of the article's tables it is of, where several have lines of the
	// same: the names of these lines end in it.
	Of string `json:"of,omitempty"`
	// Speed is that of Variant relative to Base, as the article has it. 0: as its
	// lines have it, or else there is only the direction.
	Speed float64 `json:"then,omitempty"`
	// Direction is pays, even or loses, or alternatives separated by |: "does not
	// make it faster" is even|loses. Default: as the speed has it.
	Direction string `json:"direction,omitempty"`
	// Why has, for a status it may have today, a sentence that says why.
	Why map[Status]string `json:"why,omitempty"`
}

// A Status says what has become of a conclusion.
type Status string

const (
	Holds     Status = "holds"
	Weaker    Status = "holds weaker"
	NoLonger  Status = "no longer holds"
	CannotSay Status = "cannot say"
)

// Statuses are all of them.
var Statuses = []Status{Holds, Weaker, NoLonger, CannotSay}

// Ratio is the article's speed of the conclusion's variant relative to its base;
// 0 where the article has no figure of it.
func (t Then) Ratio(c Conclusion) float64 {
	if c.Speed != 0 {
		return c.Speed
	}
	variant, base := t.Times(c)
	if variant == 0 || base == 0 {
		return 0
	}
	return base / variant
}

// Times are the article's figures of both sides of a conclusion, in nanoseconds;
// 0 where its lines have none.
func (t Then) Times(c Conclusion) (variant, base float64) {
	return t.time(c.Of, c.Variant, c.At, c.Procs), t.time(c.Of, c.Base, c.At, c.BasedAt())
}

// Ops is how many of the article's operations one operation of the conclusion's
// benchmarks is.
func (t Then) Ops(c Conclusion) int {
	there, any := 0, 1
	for _, l := range t.Lines {
		any = max(any, l.Times)
		if l.At == c.At && (l.Variant == c.Variant || l.Variant == c.Base) {
			there = max(there, l.Times, 1)
		}
	}
	if there == 0 { // no line is of these: one of the others has it
		return any
	}
	return there
}

// BasedAt is the number of processors of the base.
func (c Conclusion) BasedAt() int {
	if c.BaseProcs != 0 {
		return c.BaseProcs
	}
	return c.Procs
}

// time is the article's figure in nanoseconds in the table of, 0 if it has none.
func (t Then) time(of, variant, at string, procs int) float64 {
	i := slices.IndexFunc(t.Lines, func(l Line) bool {
		return !l.Again && strings.HasSuffix(l.Name, of) && l.Variant == variant && l.At == at && l.Procs == procs && Units[l.Unit] > 0
	})
	if i < 0 {
		return 0
	}
	return t.Lines[i].Value * Units[t.Lines[i].Unit]
}

// Even is the speed up to which figures of articles, which show single runs, are
// even.
const Even = 1.05

// Toward is the direction that the article concludes: pays, even or loses; "" if
// it has neither a direction nor a figure.
func (t Then) Toward(c Conclusion) string {
	switch r := t.Ratio(c); {
	case c.Direction != "":
		return c.Direction
	case r == 0:
		return ""
	case r > Even:
		return "pays"
	case r < 1/Even:
		return "loses"
	}
	return "even"
}
