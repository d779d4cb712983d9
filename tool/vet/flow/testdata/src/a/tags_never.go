//go:build never

package a

func tagged() { global++ }
