//go:build never

package tags

var one = tally{1, 0}
