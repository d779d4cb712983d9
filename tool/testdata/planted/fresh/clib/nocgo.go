//go:build !cgo

// Package clib is a small library in C, and the same in Go where there is no cgo.
package clib

// Mixed hashes x in steps.
func Mixed(x uint32, steps int) uint32 { return GoMixed(x, steps) }

// Weight hashes s, which must not be empty.
func Weight(s []byte) uint32 { return GoWeight(s) }
