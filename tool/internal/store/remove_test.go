package store

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/evidence"
)

// TestRemove: of a run only what payoff wrote goes. What else is there stays, and is
// named; what links lead to stays.
func TestRemove(t *testing.T) {
	outside := t.TempDir()
	precious := filepath.Join(outside, "samples.jsonl")
	writeFile(t, precious, "precious")
	dir := filepath.Join(t.TempDir(), "run")
	for _, name := range []string{"run.json", "fix.patch", "progress.json.new", "run.json.0123456789abcdef.new", "01-m/series.json", "01-m/samples.jsonl.gz", "01-m/evidence/001-A-2.cpu.pprof", "01-m/evidence/again2-001-A-2.trace",
		"notes.txt", "01-m/evidence/mine.txt", "02-n/series.json", "src/run.json"} {
		writeFile(t, filepath.Join(dir, name), "x")
	}
	links := []string{"03-link", "02-n/evidence"}
	for _, name := range links {
		if err := os.Symlink(outside, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	left, err := Remove(dir)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, name := range append(links, "notes.txt", "01-m/evidence/mine.txt", "src") {
		want = append(want, filepath.Join(dir, name))
	}
	slices.Sort(left)
	slices.Sort(want)
	if !slices.Equal(left, want) {
		t.Errorf("left = %q, want %q", left, want)
	}
	for _, name := range want {
		if _, err := os.Lstat(name); err != nil {
			t.Error(err)
		}
	}
	if data, err := os.ReadFile(precious); string(data) != "precious" {
		t.Errorf("what a link leads to: %q, %v", data, err)
	}
	for _, name := range []string{"run.json", "01-m/series.json", "02-n/series.json", "01-m/evidence/001-A-2.cpu.pprof"} {
		if exists(filepath.Join(dir, name)) {
			t.Errorf("%s is still there", name)
		}
	}

	// A link for a run is no run; what payoff alone wrote goes whole.
	link := filepath.Join(t.TempDir(), "run")
	if err := os.Symlink(outside, link); err != nil {
		t.Fatal(err)
	}
	if left, err := Remove(link); len(left) != 1 || err != nil || !exists(precious) {
		t.Errorf("Remove of a link = %q, %v, want the link left", left, err)
	}
	d, err := Create(filepath.Join(t.TempDir(), "run"))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Put(plan); err != nil {
		t.Fatal(err)
	}
	recorded(t, d, "example.com/m")
	if left, err := Remove(d.Path); len(left) > 0 || err != nil || exists(d.Path) {
		t.Errorf("Remove of a run = %q, %v, want nothing left", left, err)
	}
}

// TestReopenForeign: nothing is written through a link or into a second name.
func TestReopenForeign(t *testing.T) {
	precious := filepath.Join(t.TempDir(), "precious")
	writeFile(t, precious, "precious")
	for name, link := range map[string]func(string, string) error{"symbolic": os.Symlink, "hard": os.Link} {
		d, err := Create(filepath.Join(t.TempDir(), "run"))
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Put(plan); err != nil {
			t.Fatal(err)
		}
		recorded(t, d, "example.com/m")
		if _, _, _, err := Reopen(d.Path); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(d.Path, "01-m", "bench.txt")
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if err := link(precious, file); err != nil {
			t.Skip(err)
		}
		if _, _, _, err := Reopen(d.Path); err == nil {
			t.Errorf("Reopen with a %s link for bench.txt: no error", name)
		}
	}
}

// TestCreateForeign: nor does a new run, in a folder that somebody else prepared.
func TestCreateForeign(t *testing.T) {
	outside := t.TempDir()
	precious := filepath.Join(outside, "precious")
	for _, name := range []string{"run.json", "progress.json", "01-m", "01-m/series.json", "01-m/samples.jsonl", "01-m/evidence.jsonl", "01-m/evidence", "01-m/bench.txt", "run.json.new", "01-m/series.json.new"} {
		for _, to := range []string{precious, outside, filepath.Join(outside, "none")} {
			writeFile(t, precious, "precious")
			dir := filepath.Join(t.TempDir(), "run")
			file := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(to, file); err != nil {
				t.Skip(err)
			}
			if d, err := Create(dir); err == nil { // and what of it goes on until an error
				d.Progress(Progress{Step: "begin"})
				if err = d.Put(plan); err == nil {
					s := newSeries("example.com/m")
					if p, err := d.Package(plan, s); err == nil {
						p.EvidenceFile("x.trace", []byte("x"))
						p.Evidence(&evidence.Set{Bench: "BenchmarkA/variant=x", Procs: 2})
						p.Close(s)
					}
				}
			}
			entries, err := os.ReadDir(outside)
			if data, e := os.ReadFile(precious); err != nil || e != nil || len(entries) != 1 || string(data) != "precious" {
				t.Errorf("a link to %s for %s: there is %v, and %q", to, name, entries, data)
				os.RemoveAll(outside)
			}
		}
	}
}
