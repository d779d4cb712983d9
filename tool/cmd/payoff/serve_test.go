package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/store"
)

// What the server shows is what recorded runs say, and how far one is that goes on.
func TestServed(t *testing.T) {
	home := filepath.Join(t.TempDir(), "runs")
	for id, of := range map[string]string{"20261123-100000": "fix-falseshare", "20261123-110000": "gallery-sort", "20261123-120000": "gallery-sort"} {
		if err := os.CopyFS(filepath.Join(home, id), os.DirFS(filepath.Join("..", "..", "..", "record", "2026-11-23-epyc-2cpu", of))); err != nil {
			t.Fatal(err)
		}
	}
	l := library{homes: []string{home, filepath.Join(home, "nosuch")}, stderr: io.Discard, shown: &shownGallery{}}
	before := l.Now()
	runs, err := l.Runs(t.Context())
	if err != nil || len(runs) != 3 || runs[0].ID != "20261123-120000" || runs[0].Verdicts.Pays == 0 || runs[2].Commit == "" || len(runs[2].Packages) == 0 || runs[1].Problem != "" {
		t.Fatalf("%+v, %v", runs, err)
	}
	doc, o, err := l.Report(t.Context(), runs[2].ID)
	if err != nil || len(doc.Fixes) == 0 || len(o.Bench) == 0 || len(o.Strips) == 0 {
		t.Error(doc, err)
	}
	if _, _, err := l.Report(t.Context(), ".."); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder above: %v", err)
	}
	trends, err := l.Trends(t.Context())
	if err != nil || len(trends) == 0 || len(trends[0].Points) != 2 || trends[0].Points[0].Run != "20261123-110000" || trends[0].Points[0].Ratio == 0 {
		t.Errorf("%+v, %v", trends, err)
	}
	g, err := l.Gallery(t.Context())
	if err != nil || len(g.Articles) == 0 || len(g.Articles[0].Conclusions) == 0 || g.Articles[0].Conclusions[0].Now == "not measured" {
		t.Errorf("%+v, %v", g, err)
	}
	if before.Line != "" {
		t.Errorf("nothing goes on, and the server says %q", before.Line)
	}
	(&store.Dir{Path: filepath.Join(home, runs[0].ID)}).Progress(store.Progress{Rounds: &measure.Progress{Package: "example.com/m", Round: 3, Rounds: 9}})
	now := l.Now()
	if want := roundLine(measure.Progress{Package: "example.com/m", Round: 3, Rounds: 9}); now.Line != want || now.Runs == before.Runs {
		t.Errorf("%+v, want %q", now, want)
	}
	if runs, err := l.Runs(t.Context()); err != nil || runs[0].Problem != "is being written" {
		t.Errorf("%+v, %v", runs[0], err)
	}
}
