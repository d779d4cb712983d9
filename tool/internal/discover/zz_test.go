package discover

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/gocmd/gocmdtest"
)

func TestZZ(t *testing.T) {
	root := os.Getenv("ZZ")
	if root == "" {
		t.Skip()
	}
	t.Setenv("GOWORK", "off")
	data, _ := os.ReadFile(root + "/answers.json")
	var ans []struct {
		Package string
		Pairs   []struct{ Base, New string }
	}
	if err := json.Unmarshal(data, &ans); err != nil {
		t.Fatal(err)
	}
	tot, made, extra := 0, 0, 0
	for _, a := range ans {
		if one := os.Getenv("ZZONE"); one != "" && one != a.Package {
			continue
		}
		names, starts := listed(root + "_out/" + a.Package)
		tc := gocmdtest.Find(t, root+"/"+a.Package)
		targets, _, err := Targets(t.Context(), tc, []string{"."}, ".")
		if err != nil {
			fmt.Println(a.Package, err)
			continue
		}
		fs, ps := Pair("p", names, Hints{Funcs: targets[0].Funcs, Starts: starts})
		got := map[[2]string]bool{}
		for _, f := range fs {
			for i, m := range f.Members {
				if f.Base >= 0 && i != f.Base {
					got[[2]string{f.Members[f.Base].Bench, m.Bench}] = true
				}
			}
		}
		for _, p := range a.Pairs {
			tot++
			k := [2]string{p.Base, p.New}
			if got[k] {
				made++
			} else {
				fmt.Println(a.Package, "MISSING", k)
			}
			delete(got, k)
		}
		for k := range got {
			extra++
			fmt.Println(a.Package, "EXTRA", k)
		}
		if os.Getenv("ZZONE") != "" {
			for _, p := range ps {
				fmt.Println(p.String())
			}
		}
	}
	fmt.Println("made", made, "of", tot, "extra", extra)
}

func listed(dir string) (names []string, starts map[string]bool) {
	starts = map[string]bool{}
	all, _ := filepath.Glob(dir + "/*/series.json")
	more, _ := filepath.Glob(dir + "/run/*/series.json")
	all = append(all, more...)
	for _, f := range all {
		data, _ := os.ReadFile(f)
		var s struct {
			Listed []struct {
				Name             string
				Starts, Parallel bool
			}
		}
		_ = json.Unmarshal(data, &s)
		for _, l := range s.Listed {
			if !slices.Contains(names, l.Name) && strings.HasPrefix(l.Name, "Benchmark") {
				names = append(names, l.Name)
				if l.Starts || l.Parallel {
					starts[l.Name] = true
				}
			}
		}
	}
	return
}
