package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// reference is what the work of calibrate took on the machine of the budget, in
// seconds: there a unit is a second.
const reference = 0.34

// calibrate returns how many processor seconds a unit is on this machine. It
// does a fixed piece of work: parsing a made-up file, which allocates and
// branches as compilers and tests do. The median of several runs counts.
func calibrate() float64 {
	source := program(4000)
	var took []float64
	for range 5 {
		from := ownCPU()
		for range 8 {
			if _, err := parser.ParseFile(token.NewFileSet(), "made.go", source, parser.ParseComments); err != nil {
				panic("cost: " + err.Error()) // the source is ours
			}
		}
		took = append(took, ownCPU()-from)
	}
	slices.Sort(took)
	return took[len(took)/2] / reference
}

// program returns a Go file of n functions.
func program(n int) string {
	var s strings.Builder
	s.WriteString("// Package made is made up.\npackage made\n")
	for i := range n {
		fmt.Fprintf(&s, "\n// F%d computes.\nfunc F%d(xs []int, m map[string]int) (sum int) {\n\tfor i, x := range xs {\n\t\tif x > %d && i%%2 == 0 {\n\t\t\tsum += x*m[\"key%d\"] - i\n\t\t}\n\t}\n\treturn sum\n}\n", i, i, i, i)
	}
	return s.String()
}
