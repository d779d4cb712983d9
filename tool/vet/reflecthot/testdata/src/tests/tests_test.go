package tests

import (
	"fmt"
	"testing"
)

// What a benchmark does stays, and so does what gets one; other functions of its file are as
// good as any.

func BenchmarkName(b *testing.B) {
	for i := range b.N {
		_ = fmt.Sprintf("%d", i) // want "fmt.Sprintf" // refuse "typed: a test is to call what it tests"
	}
}

func names(tb testing.TB, n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("%d", i)) // want "fmt.Sprintf" // refuse "typed: a test is to call what it tests"
	}
	return all
}

func helper(n int) string { return fmt.Sprintf("%d", n) } // want "fmt.Sprintf"
