package service

import (
	"cmp"
	"io"
	"math"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/plain"
)

// A Difference is what two documents say of two states of one program. It is no
// verdict: what else differed between the two, the load above all, is not known.
type Difference struct {
	Schema     int       `json:"schema"` // 1
	Old        Side      `json:"old"`
	New        Side      `json:"new"`
	Account    []Changed `json:"account"`    // shares of the processors' time
	Causes     []Changed `json:"causes"`     // the same, with bounds
	Operations []Latency `json:"operations"` // most time first
}

// A Side is one of two documents.
type Side struct {
	Name   string  `json:"name"`
	Window float64 `json:"window"`
	Procs  int     `json:"procs"`
}

// A Changed is a share before and after; 0 where there is none.
type Changed struct {
	What string  `json:"what"`
	Old  float64 `json:"old"`
	New  float64 `json:"new"`
	// Apart says that the intervals of both do not meet.
	Apart bool `json:"apart,omitempty"`
}

// A Latency is how operations of one name went, before and after; 0 where there are
// none.
type Latency struct {
	Name string `json:"name"`
	Old  Went   `json:"old"`
	New  Went   `json:"new"`
}

// A Went is how operations went.
type Went struct {
	Rate float64 `json:"rate"`
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	Ran  float64 `json:"ran"`
}

// JSON writes the difference.
func (d *Difference) JSON(w io.Writer) error { return plain.JSON(w, d) }

// Compare holds one document against another.
func Compare(old, now *Doc, oldName, newName string) *Difference {
	d := &Difference{Schema: 1, Old: Side{oldName, old.Window, old.Procs}, New: Side{newName, now.Window, now.Procs}}
	items := map[string]int{}
	for side, doc := range []*Doc{old, now} {
		for _, x := range doc.Account {
			put(&d.Account, items, x.What, side, x.Share)
		}
	}
	causes := map[string]int{}
	bounds := map[string][2][2]float64{}
	for side, doc := range []*Doc{old, now} {
		for _, x := range doc.Causes {
			put(&d.Causes, causes, x.Slug, side, x.Share)
			b := bounds[x.Slug]
			b[side] = [2]float64{x.Low, x.High}
			bounds[x.Slug] = b
		}
	}
	for i := range d.Causes {
		c := &d.Causes[i]
		a, b := bounds[c.What][0], bounds[c.What][1]
		known := a[1] > 0 && b[1] > 0
		c.Apart = known && (a[0] > b[1] || b[0] > a[1])
	}
	for _, list := range [][]Changed{d.Account, d.Causes} {
		slices.SortStableFunc(list, func(a, b Changed) int { return cmp.Compare(math.Abs(b.New-b.Old), math.Abs(a.New-a.Old)) })
	}
	at := map[string]int{}
	for side, doc := range []*Doc{old, now} {
		for _, p := range doc.Operations {
			i, ok := at[p.Name]
			if !ok {
				i = len(d.Operations)
				at[p.Name] = i
				d.Operations = append(d.Operations, Latency{Name: p.Name})
			}
			went := Went{p.Rate, p.P50, p.P99, p.Ran}
			if side == 0 {
				d.Operations[i].Old = went
			} else {
				d.Operations[i].New = went
			}
		}
	}
	return d
}

// put enters a share of one side.
func put(list *[]Changed, at map[string]int, what string, side int, share float64) {
	i, ok := at[what]
	if !ok {
		i = len(*list)
		at[what] = i
		*list = append(*list, Changed{What: what})
	}
	if side == 0 {
		(*list)[i].Old = share
	} else {
		(*list)[i].New = share
	}
}
