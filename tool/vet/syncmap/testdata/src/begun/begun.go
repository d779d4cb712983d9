// Package begun has a goroutine that a variable starts.
package begun

import "sync"

var codes sync.Map

func init() {
	codes.Store("se", 46) // want `codes is a sync.Map` // refuse "plain: nothing proves that only one goroutine has it while one writes"
}

var _ = begin()

func begin() bool {
	go looks()
	return true
}

func looks() { codes.Load("se") }
