package main

import (
	"slices"
	"strings"
	"testing"
)

// Of a command line payoff reads what comes before -args.
func TestCutArgs(t *testing.T) {
	for _, tt := range []struct{ line, own, rest string }{
		{"payoff run ./...", "payoff run ./...", "none"},
		{"payoff run ./... -args -size 3", "payoff run ./...", "-size 3"},
		{"payoff run --args -args x", "payoff run", "-args x"},
		{"payoff compare main -- ./a -args", "payoff compare main -- ./a", ""},
	} {
		own, rest := cutArgs(strings.Fields(tt.line))
		if want := strings.Fields(tt.rest); !slices.Equal(own, strings.Fields(tt.own)) || (rest == nil) != (tt.rest == "none") || rest != nil && !slices.Equal(rest, want) {
			t.Errorf("cutArgs(%s) = %q, %q, want %q, %q", tt.line, own, rest, tt.own, tt.rest)
		}
	}
}
