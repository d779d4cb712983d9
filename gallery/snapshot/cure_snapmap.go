package snapshot

import "github.com/gopayoff/payoff/snapmap"

// pages is a map of pages with some tens of entries each.
type pages struct{ snapmap.Map[int, int] }

// NewSnapmap returns a Table whose snapshot is a look at each shard's lock. What stores
// afterwards copies the page that it changes.
func NewSnapmap() Table { return new(pages) }

func (t *pages) Snapshot() View { return t.Map.Snapshot() }
