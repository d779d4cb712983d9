// Command payoff finds out whether concurrency pays in Go code.
//
// It measures the benchmarks of a package over processors and variants. For
// each it says pays, even, loses or cannot say, with the interval behind the
// word. It changes a file of the package only where -apply asks for it.
package main

import "os"

func main() {
	vettool(os.Args)
	os.Exit(run(os.Args, os.Stdout, os.Stderr))
}
