package main

import (
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/gopayoff/payoff/tool/vet"
)

// vettool is payoff as the program of go vet -vettool and go fix -fixtool, which
// ask it for its version and its flags and then call it with the description of
// a package. It returns if it is called as something else.
//
//	-V=full   -flags   [-heat.run=file] [-hotslot] … dir/vet.cfg
func vettool(args []string) {
	if len(args) < 2 {
		return
	}
	if args[1] == "-V=full" || args[1] == "-flags" || strings.HasSuffix(args[len(args)-1], ".cfg") {
		unitchecker.Main(vet.Tool()...) // it exits
	}
}
