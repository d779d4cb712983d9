// Package started has a goroutine that init starts.
package started

import "sync"

var codes sync.Map

func init() {
	codes.Store("se", 46) // want `codes is a sync.Map` // refuse "plain: nothing proves that only one goroutine has it while one writes"
}

func init() { go looks() }

func looks() { codes.Load("se") }
