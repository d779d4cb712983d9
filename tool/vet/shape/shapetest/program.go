package shapetest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/internal/stress"
)

// Program runs the program in the folder, like testdata/src/run, as it is and
// with all edits of each name, of the first value of each, and reports to t
// where these print something else or do not end. With PAYOFF_LONG in the
// environment it also runs them with the race detector.
func Program(t *testing.T, a *analysis.Analyzer, folder string) {
	t.Helper()
	pkgs := load(t, "", "./"+filepath.ToSlash(folder))
	p := pkgs[len(pkgs)-1]
	here := beside(t, folder)
	write := func(name string, files map[string][]byte) {
		if err := os.Mkdir(filepath.Join(here, name), 0o755); err != nil {
			t.Fatal(err)
		}
		for file, src := range files {
			if err := os.WriteFile(filepath.Join(here, name, file), src, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	names := []string{"original"}
	write("original", sources(t, p))
	made := map[string]bool{}
	for _, e := range of(find(t, a, pkgs)[p]) {
		if e.all && !made[e.fix] {
			made[e.fix] = true
			files, _ := e.result(t, p)
			write(e.name, files)
			names = append(names, e.name)
		}
	}
	if len(names) == 1 {
		t.Fatalf("%s has nothing to edit", folder)
	}
	prints(t, here, names)
	if stress.Long() {
		prints(t, here, names, "-race")
	}
}

// prints builds the programs and compares what they print with the first.
func prints(t *testing.T, here string, names []string, flags ...string) {
	t.Helper()
	bin := t.TempDir() + string(filepath.Separator)
	args := append([]string{"build", "-o", bin}, flags...)
	for _, name := range names {
		args = append(args, "./"+filepath.ToSlash(filepath.Join(here, name)))
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
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
