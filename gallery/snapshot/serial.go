package snapshot

import (
	"iter"
	"maps"
)

// A Table maps numbers to numbers, and tells what it has at one moment.
type Table interface {
	Store(key, value int)

	// Snapshot returns what the Table has now. No later Store changes that.
	Snapshot() View
}

// A View is what a Table had at one moment.
type View interface {
	Load(key int) (value int, ok bool)
	All() iter.Seq2[int, int]
}

// plain is the built-in map. It is for one goroutine.
type plain map[int]int

// NewSerial returns a Table that one goroutine uses alone.
func NewSerial() Table { return plain{} }

func (t plain) Store(key, value int) { t[key] = value }

// Snapshot copies all entries.
func (t plain) Snapshot() View { return maps.Clone(t) }

func (t plain) Load(key int) (value int, ok bool) {
	value, ok = t[key]
	return value, ok
}

func (t plain) All() iter.Seq2[int, int] { return maps.All(t) }
