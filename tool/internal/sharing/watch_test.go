package sharing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/gocmd/gocmdtest"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// The goroutines of the watched tests take turns by channels and the one
// window stays open, so what is seen does not hang on time.
func TestWatch(t *testing.T) {
	files := templates(t, "watched")
	dir, tc := gocmdtest.Module(t, files)
	place := func(name, words string) source.Place {
		return at(filepath.Join(dir, filepath.FromSlash(name)), lineOf(t, files[name], words))
	}
	w, err := Watch(context.Background(), tc, "example.com/watched", []source.Place{
		place("watched.go", "*p += 1"), place("watched_test.go", "sum.Add(1)"), place("x_test.go", "outside.b++"), place("far/far.go", "c.n++"), place("watched_test.go", "twins.Sum()"),
		place("watched.go", "total += x + i"), // what it calls is hot, too
		place("watched_test.go", "sum += j.out"), place("watched_test.go", "sum += config"), place("watched_test.go", "sum += s.misses"),
		place("watched_test.go", "sums[w][0] += s.misses"), place("watched_test.go", "sum += l"), place("watched_test.go", "sum += f"),
	})
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range w.Overlay {
		old, ok := files[filepath.ToSlash(strings.TrimPrefix(file, dir+string(filepath.Separator)))]
		if ok && strings.Count(old, "\n") != bytes.Count(text, []byte("\n")) {
			t.Errorf("%s has lines moved:\n%s", file, text)
		}
		if filepath.Base(file) == "record.go" {
			forever := bytes.Replace(text, []byte("recordSpan   = 5 * time.Millisecond"), []byte("recordSpan   = time.Hour"), 1)
			if bytes.Equal(forever, text) {
				t.Fatal("record.go has no recordSpan to change")
			}
			w.Overlay[file] = forever
		}
	}
	index, err := w.Overlay.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "watched.test")
	if err := tc.BuildTest(context.Background(), "example.com/watched", bin, index, 0); err != nil {
		for file, text := range w.Overlay {
			t.Logf("%s:\n%s", file, text)
		}
		t.Fatal(err)
	}
	for _, test := range []struct{ name, cpu, kind, site string }{
		{"PackedAtomics", "2", "false", "sums[w]"},
		{"OneAtomic", "2", "true", "sum"},
		{"OneAtomic", "1", "none", ""},
		{"Padded", "2", "none", ""},
		{"ForkJoin", "2", "none", ""},
		{"TwoFields", "2", "false", "s.misses"},
		{"Captured", "2", "true", "n"},
		{"CapturedArray", "2", "false", "n[w]"},
		{"Condition", "2", "true", "s.hits"},
		{"Locks", "2", "false", "locks[w]"},
		{"PromotedLock", "2", "true", "s.Mutex"},
		{"Generic", "2", "false", "*p"},
		{"Far", "2", "false", "c.n"},
		{"Wide", "2", "true", "s.wide"},
		{"Handed", "2", "none", ""},
		{"HandedNext", "2", "false", "s.hits"},
		{"ReadSame", "2", "true", "config"},
		{"ReadNext", "2", "false", "s.misses"},
		{"ReadOnly", "2", "none", ""},
		{"Loads", "2", "true", "stop"},
		{"Range", "2", "false", "x.limits[…]"},
		{"RangeSlice", "2", "false", "flags[:2][…]"},
		{"GenericSwap", "2", "true", "i.n"},
		{"Accessor", "2", "false", "c.m"},
		{"External", "2", "false", "outside.a"},
		{"Tricky", "2", "none", ""},
	} {
		t.Run(test.name+"-"+test.cpu, func(t *testing.T) {
			seen := run(t, bin, test.name, test.cpu)
			if seen == nil {
				if test.kind != "none" {
					t.Fatal("nothing was written down")
				}
				return
			}
			kind, share := seen.Verdict()
			if kind != test.kind || kind != "none" && share < 0.9 {
				t.Fatalf("%s %.2f, want %s: %+v", kind, share, test.kind, seen)
			}
			for _, p := range seen.Pairs {
				if lock := strings.HasPrefix(p.A.Expr, "locks[") || strings.HasSuffix(p.A.Expr, ".Mutex"); p.A.Lock != lock {
					t.Errorf("%v is a lock: %t, want %t", p.A, p.A.Lock, lock)
				}
			}
			if want := map[string]int{"Locks": 2, "PromotedLock": 1}[test.name]; seen.Locks != want {
				t.Errorf("%d mutexes in use, want %d", seen.Locks, want)
			}
			if test.cpu == "1" && seen.Writes > 0 {
				t.Errorf("%d writes recorded on one processor", seen.Writes)
			}
			if met := w.Met(seen, kind); test.site != "" && !strings.Contains(names(met[:min(2, len(met))]), test.site+" ") {
				t.Errorf("%v met, want %s: %+v", met, test.site, seen)
			}
		})
	}
	for _, want := range []string{
		"xs[2] at ", "written by a range clause",
		"xs[1] at ", "no room for a second statement",
		"n.Add at ", "taken as a value",
		"nosplit at ", "may not grow the stack",
	} {
		if !strings.Contains(strings.Join(w.Refused, "\n"), want) {
			t.Errorf("refused %q, want %q among them", w.Refused, want)
		}
	}
}

// A site tells a variable from a pointer to what is accessed.
func TestAddress(t *testing.T) {
	const text = `package p

import "sync/atomic"

type s struct {
	n atomic.Int64
	m int64
	p *atomic.Int64
}

func f(x *s, c *atomic.Int64, to *int64) {
	x.n.Add(1)
	atomic.AddInt64(&x.m, 1)
	c.Add(1)
	x.p.Add(1)
	atomic.AddInt64(to, 1)
	x.p = c
}
`
	dir, tc := gocmdtest.Module(t, map[string]string{"go.mod": "module example.com/p\n\ngo 1.22\n", "p.go": text, "p_test.go": "package p\n"})
	w, err := Watch(context.Background(), tc, "example.com/p", []source.Place{at(filepath.Join(dir, "p.go"), lineOf(t, text, "c.Add"))})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range w.Sites {
		if !x.Read {
			got = append(got, fmt.Sprint(x.Expr, " ", x.Address))
		}
	}
	slices.Sort(got)
	if want := []string{"c true", "to true", "x.m false", "x.n false", "x.p false", "x.p true"}; !slices.Equal(got, want) {
		t.Errorf("watched are %q, want %q", got, want)
	}
}

// Line ends of Windows change nothing: the same is watched at the same places,
// and the rewritten files have them too.
func TestLineEnds(t *testing.T) {
	var watchers [2]*Watcher
	var dirs [2]string
	for i, ends := range []string{"\n", "\r\n"} {
		files := templates(t, "watched")
		line := lineOf(t, files["watched.go"], "total += x + i")
		for name, text := range files {
			files[name] = strings.ReplaceAll(text, "\n", ends)
		}
		dir, tc := gocmdtest.Module(t, files)
		w, err := Watch(context.Background(), tc, "example.com/watched", []source.Place{at(filepath.Join(dir, "watched.go"), line)})
		if err != nil {
			t.Fatal(err)
		}
		rewritten := 0
		for file, text := range w.Overlay {
			if old, err := os.ReadFile(file); err == nil {
				rewritten++
				if n := bytes.Count(text, []byte(ends)); n != bytes.Count(text, []byte("\n")) || n != bytes.Count(old, []byte("\n")) {
					t.Errorf("%s has lines moved, or other line ends than %q:\n%s", file, ends, text)
				}
			}
		}
		if rewritten == 0 {
			t.Errorf("no file with line ends %q is rewritten", ends)
		}
		watchers[i], dirs[i] = w, dir
	}
	lf, crlf := watchers[0], watchers[1]
	for i := range lf.Sites {
		lf.Sites[i].File = strings.Replace(lf.Sites[i].File, dirs[0], dirs[1], 1)
	}
	if !slices.Equal(lf.Sites, crlf.Sites) || len(lf.Refused) != len(crlf.Refused) {
		t.Errorf("watched are %v, refused %q; with line ends of Windows %v, %q", lf.Sites, lf.Refused, crlf.Sites, crlf.Refused)
	}
}

// run runs one test of the watched binary, and returns what was seen, or nil.
func run(t *testing.T, bin, name, cpu string) *Seen {
	t.Helper()
	file := filepath.Join(t.TempDir(), "summary")
	cmd := exec.Command(bin, "-test.run=^Test"+name+"$", "-test.v", "-test.cpu="+cpu)
	cmd.Env = append(os.Environ(), Env+"="+file, "GOMAXPROCS="+cpu)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Fatalf("Test%s: %v\n%s", name, err, out)
	}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	seen, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return seen
}

func names(sites []Watched) string {
	var b strings.Builder
	for _, s := range sites {
		b.WriteString(s.Expr + " ")
	}
	return b.String()
}

func TestWatchRefuses(t *testing.T) {
	const text = `package p

import "strings"

func f() int {
	n := 1
	n++ // nobody else sees it
	return len(strings.Repeat("x", n))
}

var v int
`
	dir, tc := gocmdtest.Module(t, map[string]string{
		"go.mod": "module example.com/p\n\ngo 1.22\n", "p.go": text, "p_test.go": "package p\n",
		"old/go.mod": "module example.com/old\n\ngo 1.17\n", "old/p.go": text, "old/p_test.go": "package p\n",
	})
	for _, test := range []struct {
		place source.Place
		want  string
	}{
		{at(filepath.Join(tc.Root, "src", "strings", "strings.go"), 600), "is in no module"},
		{at(filepath.Join(dir, "absent.go"), 1), "no file of the test binary"},
		{at(filepath.Join(dir, "p.go"), 99), "no function"},
		{at(filepath.Join(dir, "p.go"), lineOf(t, text, "n++")), ""},
	} {
		w, err := Watch(context.Background(), tc, "example.com/p", []source.Place{test.place})
		if err != nil {
			t.Errorf("Watch(%v) = %v", test.place, err)
			continue
		}
		if len(w.Sites) > 0 || len(w.Overlay) > 0 || !strings.Contains(strings.Join(w.Refused, " "), test.want) {
			t.Errorf("Watch(%v) = %+v, want nothing watched and refused: %s", test.place, w, test.want)
		}
	}
	old, err := gocmd.Find(context.Background(), filepath.Join(dir, "old"), "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := Watch(context.Background(), old, "example.com/old", []source.Place{at(filepath.Join(dir, "old", "p.go"), lineOf(t, text, "n++"))})
	if err != nil || len(w.Sites) > 0 || !strings.Contains(strings.Join(w.Refused, " "), "raise go in its go.mod") {
		t.Errorf("Watch of a module without generics = %+v, %v; want it refused", w, err)
	}
	if _, err := Watch(context.Background(), tc, "example.com/p", nil); err == nil || !strings.Contains(err.Error(), "profile it first") {
		t.Errorf("Watch of no places = %v", err)
	}
	if _, err := Watch(context.Background(), tc, "example.com/absent", []source.Place{at(filepath.Join(dir, "p.go"), 1)}); err == nil {
		t.Error("Watch of an absent package = nil error")
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("enough"))
	if _, err := Watch(ctx, tc, "example.com/p", []source.Place{at(filepath.Join(dir, "p.go"), 1)}); err == nil || !strings.Contains(err.Error(), "enough") {
		t.Errorf("Watch after cancel = %v, want its cause", err)
	}
}
