package main

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
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
		tool := vet.Tool()
		if fixes, chosen := toolFlags(args[1:]); fixes {
			tool = vet.Fixer(chosen)
		}
		unitchecker.Main(tool...) // it exits
	}
}

// toolFlags says of the flags of a vet tool whether edits are to be made, and which
// checks run: those that are named, or all but those that are switched off.
func toolFlags(args []string) (fixes bool, chosen func(name string) bool) {
	on, off := map[string]bool{}, map[string]bool{}
	for _, arg := range args {
		name, value, set := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		yes, err := strconv.ParseBool(value)
		yes = yes && err == nil || !set
		switch {
		case !strings.HasPrefix(arg, "-"):
		case name == "fix":
			fixes = yes
		case yes:
			on[name] = true
		default:
			off[name] = true
		}
	}
	only := slices.ContainsFunc(vet.All(), func(a *analysis.Analyzer) bool { return on[a.Name] })
	return fixes, func(name string) bool { return on[name] || !only && !off[name] }
}
