package outfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func text(file string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// ways are the ways to write, each of which adds "new" or makes it all of the file.
var ways = map[string]func(file string) error{
	"Write": func(file string) error { return String(file, "new") },
	"Open": func(file string) error {
		f, err := Open(file, os.O_RDWR)
		if err != nil {
			return err
		}
		return errors.Join(f.Truncate(0), write(f))
	},
	"Open to add": func(file string) error {
		f, err := Open(file, os.O_WRONLY|os.O_APPEND)
		if err != nil {
			return err
		}
		return write(f)
	},
	"Append": func(file string) error {
		f, err := Append(file)
		if err != nil {
			return err
		}
		return write(f)
	},
}

func write(f *os.File) error {
	_, err := io.WriteString(f, "new")
	return errors.Join(err, f.Close())
}

// TestFile: a file that is there or not has what was written, and nothing is beside it.
func TestFile(t *testing.T) {
	for name, way := range ways {
		dir := t.TempDir()
		fresh, old := filepath.Join(dir, "fresh"), filepath.Join(dir, "old")
		put(t, old, "old,")
		for _, file := range []string{fresh, old} {
			if err := way(file); err != nil {
				t.Errorf("%s(%s): %v", name, file, err)
			}
		}
		want := "new"
		if strings.HasPrefix(name, "Append") || strings.HasSuffix(name, "add") {
			want = "old,new"
		}
		if text(fresh) != "new" || text(old) != want {
			t.Errorf("%s: %q and %q, want %q and %q", name, text(fresh), text(old), "new", want)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
			t.Errorf("%s: the folder has %v, %v, want two files", name, entries, err)
		}
		if err := way(dir); err == nil {
			t.Errorf("%s of a folder: no error", name)
		}
		if err := way(filepath.Join(dir, "none", "file")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s in a folder that is not there: %v", name, err)
		}
	}
}

// TestLink: nothing is written through a link, whatever it leads to, nor into a file
// that has a second name.
func TestLink(t *testing.T) {
	for name, way := range ways {
		dir := t.TempDir()
		mine, link := filepath.Join(dir, "mine"), filepath.Join(dir, "link")
		put(t, mine, "mine")
		for _, to := range []string{mine, filepath.Join(dir, "none"), dir, link} {
			if err := os.Symlink(to, link); err != nil {
				t.Skip(err)
			}
			if err := way(link); err == nil || to != dir && to != link && !strings.Contains(err.Error(), "link is a link: name the file itself") {
				t.Errorf("%s through a link to %s: %v, want it refused", name, to, err)
			}
			if about, err := os.Lstat(link); err != nil || about.Mode()&os.ModeSymlink == 0 {
				t.Errorf("%s: the link is %v, %v, want it as it was", name, about, err)
			}
			os.Remove(link)
		}
		if err := os.Link(mine, link); err != nil {
			t.Skip(err)
		}
		if err := way(link); (err == nil) != (name == "Write") {
			t.Errorf("%s of a second name: %v", name, err)
		}
		if text(mine) != "mine" {
			t.Errorf("%s: through a link or a second name the file became %q", name, text(mine))
		}
	}
}

// TestFails: where not all can be written, the file is what it was, and nothing is
// beside it.
func TestFails(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	full := errors.New("full")
	for _, was := range []string{"", "old"} {
		if was != "" {
			put(t, file, was)
		}
		err := Write(file, func(w io.Writer) error {
			io.WriteString(w, "half")
			return full
		})
		if !errors.Is(err, full) {
			t.Errorf("%v, want %v", err, full)
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != len(was)/3 || was != "" && text(file) != was {
			t.Errorf("the folder has %v, %v, want only what was there: %q", entries, err, was)
		}
	}
	// What is made while it is written takes its place; a folder does not go for it.
	way := filepath.Join(dir, "way")
	err := Write(way, func(io.Writer) error { return os.Mkdir(way, 0o755) })
	if entries, e := os.ReadDir(dir); err == nil || e != nil || len(entries) != 2 {
		t.Errorf("a folder came into the way: %v, %v, %v", err, entries, e)
	}
}

// TestSwapped: what takes the place of the name while the file is written is replaced,
// and what it leads to stays.
func TestSwapped(t *testing.T) {
	dir := t.TempDir()
	mine, file := filepath.Join(dir, "mine"), filepath.Join(dir, "file")
	put(t, mine, "mine")
	err := Write(file, func(w io.Writer) error {
		if err := os.Symlink(mine, file); err != nil {
			t.Skip(err)
		}
		_, err := io.WriteString(w, "new")
		return err
	})
	about, e := os.Lstat(file)
	if err != nil || e != nil || !about.Mode().IsRegular() || text(file) != "new" || text(mine) != "mine" {
		t.Errorf("%v, %v: the file has %q, behind the link is %q", err, e, text(file), text(mine))
	}
}

func TestUnfinished(t *testing.T) {
	dir := t.TempDir()
	var tmp string
	err := Write(filepath.Join(dir, "run.json"), func(w io.Writer) error {
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 1 {
			t.Fatal(entries, err)
		}
		tmp = entries[0].Name()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{tmp: "run.json", "run.json.new": "run.json", "run.json": "run.json", "new": "new", ".new": ".new", "x.0123.new": "x.0123"} {
		if got := Unfinished(name); got != want {
			t.Errorf("Unfinished(%q) = %q, want %q", name, got, want)
		}
	}
}
