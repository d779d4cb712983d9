//go:build race

package stress

// Race says that the race detector watches this program.
const Race = true
