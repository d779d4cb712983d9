package snapshot

import "github.com/gopayoff/payoff/ctrie"

// trie is the article's structure: a lock-free hash trie.
type trie struct{ ctrie.Map[int, int] }

// NewCtrie returns a Table whose snapshot is one compare-and-swap. What stores
// afterwards copies the way from the root to what it changes.
func NewCtrie() Table { return new(trie) }

func (t *trie) Snapshot() View { return t.Map.Snapshot() }
