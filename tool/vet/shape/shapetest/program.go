package shapetest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

// Program runs the program in the folder, like testdata/src/run, as it is and
// with all edits of each name, of the first value of each. It reports to t
// where these print something else or do not end. With PAYOFF_LONG in the
// environment it also runs them with the race detector.
func Program(t *testing.T, a *analysis.Analyzer, folder string) {
	t.Helper()
	pkgs := load(t, "", "", "./"+filepath.ToSlash(folder))
	p := pkgs[len(pkgs)-1]
	made := map[string]bool{}
	edits := slices.DeleteFunc(of(find(t, a, pkgs)[p]), func(e edit) bool {
		again := made[e.fix]
		made[e.fix] = again || e.all
		return again || !e.all
	})
	if len(edits) == 0 {
		t.Fatalf("%s has nothing to edit", folder)
	}
	variants(t, p, edits)
}

// Traps does the same with the edits of several checks: each alone, those of one
// name together, and as many of all as fit.
func Traps(t *testing.T, all []*analysis.Analyzer, folder string) {
	t.Helper()
	pkgs := load(t, "", "", "./"+filepath.ToSlash(folder))
	p := pkgs[len(pkgs)-1]
	var edits []edit
	together := edit{name: "together", all: true}
	findings := 0
	for _, a := range all {
		found := find(t, a, pkgs)[p]
		findings += len(found)
		done := map[int]bool{} // edits of one finding are alternatives
		for _, e := range of(found) {
			e.name = a.Name + "-" + e.name
			edits = append(edits, e)
			if !e.all && !done[e.of] && !rewrite.Overlap(together.edits, e.edits) {
				done[e.of] = true
				together.edits = slices.Concat(together.edits, e.edits)
			}
		}
	}
	if findings == 0 {
		t.Fatalf("%s has nothing that looks hot", folder)
	}
	t.Logf("%d findings, %d edits", findings, len(edits))
	if len(edits) > 0 {
		variants(t, p, append([]edit{together}, edits...))
	}
}

// variants runs a program as it is and with each of the edits.
func variants(t *testing.T, p *packages.Package, edits []edit) {
	t.Helper()
	here := beside(t, p)
	names, raced := []string{"original"}, []string{"original"}
	put(t, here, "original", sources(t, p))
	seen := map[string]bool{} // one edit of a name is all of that name
	for _, e := range edits {
		files, _ := e.result(t, p)
		if text := fmt.Sprint(files); !seen[text] {
			seen[text] = true
			put(t, here, e.name, files)
			names = append(names, e.name)
			if len(edits) < 12 || e.all {
				raced = append(raced, e.name)
			}
		}
	}
	prints(t, here, names)
	if stress.Long() {
		prints(t, here, raced, "-race")
	}
}

// prints builds the programs of a module and compares what they print with the first.
func prints(t *testing.T, here string, names []string, flags ...string) {
	t.Helper()
	bin := t.TempDir() + string(filepath.Separator)
	args := append([]string{"build", "-ldflags=-s -w", "-o", bin}, flags...) // a quarter of the link goes into what nobody debugs
	for _, name := range names {
		args = append(args, "./"+name)
	}
	build := exec.Command("go", args...)
	build.Dir, build.Env = here, append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, out)
	}
	var want string
	for i, name := range names {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		out, err := exec.CommandContext(ctx, bin+name).CombinedOutput()
		cancel()
		switch {
		case err != nil:
			t.Errorf("%s%v: %v\n%s", name, flags, err, out)
		case i == 0:
			want = string(out)
		case string(out) != want:
			t.Errorf("with edit %s%v the program prints\n%swant\n%s", name, flags, out, want)
		}
	}
}
