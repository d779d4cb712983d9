package discover

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/gocmd/gocmdtest"
)

func TestZZ2(t *testing.T) {
	dir := os.Getenv("ZZDIR")
	if dir == "" {
		t.Skip()
	}
	t.Setenv("GOWORK", "off")
	tc := gocmdtest.Find(t, dir)
	targets, _, err := Targets(t.Context(), tc, []string{"."}, ".")
	if err != nil {
		t.Fatal(err)
	}
	g := &grouper{names: strings.Fields(os.Getenv("ZZN")), hints: Hints{Funcs: targets[0].Funcs}}
	for elem := range 3 {
		for i := range g.names {
			if elem < len(elements(g.names[i])) {
				for _, p := range g.parts(i, elem) {
					fmt.Printf("%d %s: %v \n", elem, g.names[i], p.part.refers)
				}
			}
		}
	}
	fmt.Printf("%+v\n", g.likeness(0, 1, 0))
}
