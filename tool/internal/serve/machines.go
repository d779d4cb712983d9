package serve

import (
	"net/http"
	"slices"
)

// A grid has what was compared on several kinds of machines, a column for each.
type grid struct {
	list[row]
	Names []string // of the machines
}

// A row is one variant against its base.
type row struct {
	Package, Name, Base string
	Cells               []cell // as many as there are machines
	Pays, Of            int    // of how many it pays on how many
}

// A cell is the newest point of one kind of machine, at the most processors that it has
// of the row; its Trend is "" where it has none.
type cell struct {
	Point
	Procs int
	Trend string
}

func (s *Server) machines(r *http.Request) (*content, error) {
	all, err := s.source.Trends(r.Context())
	if err != nil {
		return nil, err
	}
	return &content{Title: "Machines", Kind: "machines", Data: gridOf(all)}, nil
}

// gridOf leaves out what one kind of machine alone has compared, and what is compared
// with itself: that is another question on each machine.
func gridOf(all []Trend) *grid {
	g := &grid{}
	var kinds []string
	var rows []row
	for _, t := range all {
		if t.Base == t.Name {
			continue
		}
		i := slices.IndexFunc(rows, func(r row) bool { return r.Package == t.Package && r.Name == t.Name && r.Base == t.Base })
		if i < 0 {
			i = len(rows)
			rows = append(rows, row{Package: t.Package, Name: t.Name, Base: t.Base})
		}
		for _, p := range t.Points {
			k := slices.Index(kinds, p.Kind)
			if k < 0 {
				k = len(kinds)
				kinds, g.Names = append(kinds, p.Kind), append(g.Names, p.Machine)
			}
			for len(rows[i].Cells) <= k {
				rows[i].Cells = append(rows[i].Cells, cell{})
			}
			c := &rows[i].Cells[k]
			if c.Trend == "" || t.Procs > c.Procs || t.Procs == c.Procs && p.When.After(c.When) {
				*c = cell{p, t.Procs, t.Key()}
			}
		}
	}
	used := make([]bool, len(kinds))
	rows = slices.DeleteFunc(rows, func(r row) bool {
		of := 0
		for _, c := range r.Cells {
			if c.Trend != "" {
				of++
			}
		}
		if of >= 2 {
			for k, c := range r.Cells {
				used[k] = used[k] || c.Trend != ""
			}
		}
		return of < 2
	})
	g.Names = keep(g.Names, used)
	for i := range rows {
		r := &rows[i]
		r.Cells = keep(append(r.Cells, make([]cell, len(kinds)-len(r.Cells))...), used)
		for _, c := range r.Cells {
			if c.Trend == "" {
				continue
			}
			r.Of++
			if c.Verdict == "pays" {
				r.Pays++
			}
		}
	}
	g.list = some(rows)
	return g
}

// keep is what of all is used.
func keep[T any](all []T, used []bool) (kept []T) {
	for i, x := range all {
		if used[i] {
			kept = append(kept, x)
		}
	}
	return kept
}
