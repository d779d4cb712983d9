//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/internal/serve"
)

// A pipe, wherever it stands among runs, holds up no command: neither the server,
// whose other runs are there all the same, nor those that read a record.
func TestPipes(t *testing.T) {
	record := filepath.Join("..", "..", "..", "record", "2026-11-23-epyc-2cpu", "gallery-sort")
	const sound, spoiled = "20261123-100000", "20261123-110000"
	packages, err := filepath.Glob(filepath.Join(record, "*", "series.json"))
	if err != nil || len(packages) == 0 {
		t.Fatal(packages, err)
	}
	pkg := filepath.Base(filepath.Dir(packages[0]))
	for _, name := range []string{"run.json", "progress.json", "tune.json", filepath.Join(pkg, "series.json"), filepath.Join(pkg, "samples.jsonl"), filepath.Join(pkg, "evidence.jsonl"), filepath.Join(pkg, "fix.json"), ".", "index", "home"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			home := filepath.Join(dir, "runs")
			for _, id := range []string{sound, spoiled} {
				if err := os.CopyFS(filepath.Join(home, id), os.DirFS(record)); err != nil {
					t.Fatal(err)
				}
			}
			pipe := filepath.Join(home, spoiled, name)
			switch name {
			case "index":
				pipe = home + ".jsonl"
			case "home":
				pipe = home
			}
			if err := os.RemoveAll(pipe); err != nil {
				t.Fatal(err)
			}
			os.RemoveAll(pipe + ".gz")
			if err := syscall.Mkfifo(pipe, 0o644); err != nil {
				t.Skip(err)
			}
			running := stress.Running()
			stress.Within(t, time.Minute, "the server with a pipe for "+name, func() {
				l := library{homes: []string{home}, stderr: io.Discard, shown: &shownGallery{}}
				l.Now()
				runs, err := l.Runs(t.Context())
				if name == "home" {
					if err == nil {
						t.Error("a pipe for the folder of runs: no error")
					}
					// It keeps the runs in another folder from nobody.
					other := filepath.Join(dir, "other")
					if err := os.CopyFS(filepath.Join(other, sound), os.DirFS(record)); err != nil {
						t.Fatal(err)
					}
					l.homes = append(l.homes, other)
					if runs, err := l.Runs(t.Context()); err != nil || indexOf(runs, sound) < 0 {
						t.Errorf("the runs in another folder are %+v, %v, want %s among them", runs, err, sound)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				i := indexOf(runs, sound)
				if i < 0 || runs[i].Problem != "" || len(runs[i].Packages) == 0 {
					t.Errorf("the runs are %+v, want %s among them, whole", runs, sound)
				}
				if doc, _, err := l.Report(t.Context(), sound); doc == nil || err != nil {
					t.Errorf("the report of %s: %v, %v", sound, doc, err)
				}
				l.Report(t.Context(), spoiled) // what there is of it
				if _, err := l.Trends(t.Context()); err != nil {
					t.Error(err)
				}
				if _, err := l.Gallery(t.Context()); err != nil {
					t.Error(err)
				}
			})
			stress.Within(t, time.Minute, "commands with a pipe for "+name, func() {
				for _, line := range [][]string{{"replay"}, {"why", "-from"}, {"fix", "-from"}, {"fix", "-undo"}, {"tune", "-from"}} {
					var out, errs bytes.Buffer
					run(append(append([]string{"payoff"}, line...), filepath.Join(home, spoiled)), &out, &errs)
				}
			})
			if left := running.Left(); left != "" {
				t.Errorf("goroutines are left:\n%s", left)
			}
		})
	}
}

func indexOf(runs []serve.Run, id string) int {
	for i, r := range runs {
		if r.ID == id {
			return i
		}
	}
	return -1
}
