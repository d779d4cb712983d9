// Package history knows the runs that are kept: what each was, and what it found.
//
// The folders of the runs are the truth. What they say is kept besides in an index, a
// file of lines beside the folder of the runs, so that nobody has to judge ten
// thousand runs again to list them. The index can be deleted at any time: it is made
// again. A run whose run.json is not what it was is read again.
package history

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/outfile"
	"github.com/gopayoff/payoff/tool/internal/record"
	"github.com/gopayoff/payoff/tool/internal/report"
)

// A Run is a kept run.
type Run struct {
	Dir      string    `json:"-"`
	ID       string    `json:"id"` // the name of its folder
	When     time.Time `json:"when"`
	Commit   string    `json:"commit,omitempty"`
	Dirty    bool      `json:"dirty,omitempty"`
	Command  string    `json:"command"`
	Packages []string  `json:"packages"`
	Machine  string    `json:"machine"` // in words
	Kind     string    `json:"kind"`    // of it, as [machine.Env.Kind]
	Go       string    `json:"go"`
	Summary  string    `json:"summary"`
	Points   []Point   `json:"points"`
	Compared bool      `json:"compared,omitempty"` // its points are of two states of the code: the new one against the old
	Taken    []string  `json:"taken,omitempty"`    // runs whose samples it says it has
	Problem  string    `json:"problem,omitempty"`  // why it is not whole
	Writing  bool      `json:"-"`                  // it is being written: nothing but ID and Dir is known
}

// A Point is what a run says of one comparison. Ratio and bounds are nil where they
// are not known.
type Point struct {
	Package   string     `json:"package"`
	Name      string     `json:"name"`
	Base      string     `json:"base"`
	Procs     int        `json:"procs"`
	BaseProcs int        `json:"baseProcs"`
	Verdict   judge.Word `json:"verdict"`
	Ratio     *float64   `json:"ratio"`
	Low       *float64   `json:"low"`
	High      *float64   `json:"high"`
	NS        *float64   `json:"ns"`
}

// Verdicts are how many comparisons of a run have which.
func (r *Run) Verdicts() map[judge.Word]int {
	n := map[judge.Word]int{}
	for _, p := range r.Points {
		n[p.Verdict]++
	}
	return n
}

// A Reader reads runs.
type Reader struct {
	// Report reports what a run says; an error beside a report says what of it
	// could not be read. It may be called at once.
	Report func(ctx context.Context, dir string) (*report.Doc, error)
	// Writing says whether a run is being written.
	Writing func(dir string) bool
	// Version tells apart tools that might judge otherwise: what another has
	// judged is judged again.
	Version string
	// Most is how many of the newest runs are to be described, if the index does not
	// know them; 0 is all. Of the others ID and Dir are known alone.
	Most int
	// Anew reads all runs and believes no index: for what acts on what runs say.
	Anew bool
	// Tell, if not nil, hears how many of how many runs have been read that the
	// index does not know.
	Tell func(done, of int)
}

// Runs returns the runs in a folder, newest first: by their names, which are times. There may be no such folder.
// noted says why the index could not be kept, in which case the next call takes as
// long as this one.
func (r Reader) Runs(ctx context.Context, dir string) (runs []Run, noted error, err error) {
	entries, err := record.Folder(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	x := r.open(dir + ".jsonl")
	var found []line
	var fresh []int // of found, that the index does not have
	for _, e := range slices.Backward(entries) {
		if !e.IsDir() {
			continue
		}
		l := line{Run: Run{ID: e.Name(), Dir: filepath.Join(dir, e.Name())}}
		about, err := os.Stat(filepath.Join(l.Dir, "run.json"))
		switch {
		case r.Writing(l.Dir):
			l.Writing = true
		case errors.Is(err, fs.ErrNotExist):
			continue // begun and never described, or of payoff tune, or somebody else's
		case err != nil:
			l.Problem = err.Error()
		default:
			l.Size, l.Time, l.Version = about.Size(), about.ModTime(), r.Version
			if known, ok := x.lines[l.ID]; ok && known.is(l) {
				known.Dir = l.Dir
				l = known
			} else if r.Most == 0 || len(found) < r.Most {
				fresh = append(fresh, len(found))
			} else {
				l.unread = true
			}
		}
		found = append(found, l)
	}
	if err := r.read(ctx, found, fresh); err != nil {
		return nil, nil, err
	}
	noted = x.keep(found, fresh)
	for _, l := range found {
		runs = append(runs, l.Run)
	}
	return runs, noted, nil
}

// read reads the runs, as many at once as there are processors.
func (r Reader) read(ctx context.Context, found []line, fresh []int) error {
	var wg sync.WaitGroup
	var mu sync.Mutex
	next, done := 0, 0
	for range min(runtime.GOMAXPROCS(0), len(fresh)) {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(fresh) || ctx.Err() != nil {
					return
				}
				l := &found[fresh[i]]
				doc, err := r.Report(ctx, l.Dir)
				l.describe(doc, err)
				mu.Lock()
				if done++; r.Tell != nil {
					r.Tell(done, len(fresh))
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// describe makes the run what its report says.
func (r *Run) describe(doc *report.Doc, err error) {
	if err != nil {
		r.Problem = err.Error()
	}
	if doc == nil {
		return
	}
	e := doc.Environment
	r.When, r.Commit, r.Dirty, r.Machine, r.Kind, r.Go, r.Summary = e.Time, e.Commit, e.Dirty, e.String(), e.Kind(), e.Go, doc.Summary
	if doc.Asked != nil {
		r.Command = doc.Again()
	}
	r.Compared = doc.Compared != nil
	for _, p := range doc.Packages {
		r.Packages = append(r.Packages, p.Package)
	}
	for i := range doc.Comparisons {
		c := &doc.Comparisons[i]
		r.Points = append(r.Points, Point{c.Package, c.Name, c.BaseName, c.Procs, c.BaseProcs, c.Verdict, c.Ratio, c.Low, c.High, c.Wall})
	}
	for _, f := range doc.Fixes {
		if f.Taken != "" {
			r.Taken = append(r.Taken, filepath.Base(f.Taken))
		}
	}
}

// A line of the index is a run, and what its run.json was when it was read.
type line struct {
	Size    int64     `json:"size"`
	Time    time.Time `json:"time"`
	Version string    `json:"version"`
	unread  bool      // nothing of Run is known but ID and Dir
	Run
}

func (l line) is(m line) bool {
	return l.Size == m.Size && l.Time.Equal(m.Time) && l.Version == m.Version && l.Kind != ""
}

// An index is what the file says: of each run the last line.
type index struct {
	file    string
	lines   map[string]line
	dead    int  // lines that another has taken the place of, or that are damaged
	useless bool // it is no file of lines, or not one for us: another takes its place
}

func (r Reader) open(file string) *index {
	x := &index{file: file, lines: map[string]line{}}
	if about, err := os.Lstat(file); err == nil && !about.Mode().IsRegular() { // nothing is written through a link
		x.useless = true
		return x
	}
	if r.Anew {
		x.useless = true
		return x
	}
	var data [][]byte
	in := new(record.Reader)
	length, objects := 0, 0
	if _, err := in.Lines(file, func(_ int, b []byte) error {
		length, objects = length+len(b), objects+bytes.Count(b, []byte("{"))
		if length > mostBytes || objects > mostObjects {
			return errLong
		}
		data = append(data, bytes.Clone(b))
		return nil
	}); err != nil {
		// Not there, or no index: all is read again, and what is written takes its place.
		x.useless = !errors.Is(err, fs.ErrNotExist)
		return x
	}
	lines := make([]line, len(data))
	var wg sync.WaitGroup
	for chunk := range slices.Chunk(numbered(len(data)), max(1, (len(data)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))) {
		wg.Go(func() {
			for _, i := range chunk {
				if json.Unmarshal(data[i], &lines[i]) != nil {
					lines[i] = line{}
				}
			}
		})
	}
	wg.Wait()
	for _, l := range lines {
		if _, again := x.lines[l.ID]; again || l.ID == "" {
			x.dead++
		}
		if l.ID != "" {
			x.lines[l.ID] = l
		}
	}
	return x
}

// What is read of an index, which anybody may have written: a hundred comparisons in each
// of ten thousand runs. A longer one is none.
const (
	mostBytes   = 256 << 20
	mostObjects = 2 << 20
)

var errLong = errors.New("history: the index is longer than any of payoff's")

func numbered(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// keep writes what is new behind the old, or all anew where much is dead.
func (x *index) keep(found []line, fresh []int) error {
	live := map[string]bool{}
	for _, l := range found {
		live[l.ID] = true
	}
	dead := x.dead
	for id := range x.lines {
		if !live[id] {
			dead++
		}
	}
	if len(fresh) == 0 && dead <= len(found)+100 && !x.useless {
		return nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	write := func(l line) error {
		// What was in the way may be gone the next time.
		if l.Writing || l.unread || l.Problem != "" {
			return nil
		}
		return e.Encode(l)
	}
	if dead > len(found)+100 || x.useless {
		for _, l := range found {
			if err := write(l); err != nil {
				return err
			}
		}
		// Nobody named this file: what is in its way, a link or a pipe, goes.
		if about, err := os.Lstat(x.file); err == nil && !about.Mode().IsRegular() && !about.IsDir() {
			if err := os.Remove(x.file); err != nil {
				return err
			}
		}
		return outfile.String(x.file, b.String())
	}
	for _, i := range fresh {
		if err := write(found[i]); err != nil {
			return err
		}
	}
	f, err := outfile.Open(x.file, os.O_RDWR|os.O_APPEND)
	if err != nil {
		return err
	}
	// Behind half a line stands a whole one.
	if end, err := f.Seek(0, io.SeekEnd); err == nil && end > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, end-1); err == nil && last[0] != '\n' {
			b = *bytes.NewBuffer(append([]byte("\n"), b.Bytes()...))
		}
	}
	_, err = f.Write(b.Bytes())
	return errors.Join(err, f.Close())
}

// Find returns the run that somebody names: by the whole of its ID or its beginning,
// or by at least six letters of its commit, of which it is the newest run. runs are
// newest first.
func Find(runs []Run, name string) (Run, error) {
	var of []Run
	for _, r := range runs {
		switch {
		case r.ID == name:
			return r, nil
		case strings.HasPrefix(r.ID, name):
			of = append(of, r)
		}
	}
	switch {
	case len(of) == 1:
		return of[0], nil
	case len(of) > 1 && name != "":
		return Run{}, fmt.Errorf("%d runs begin with %s, %s and %s among them: name more of it", len(of), name, of[0].ID, of[1].ID)
	}
	if len(name) >= 6 {
		for _, r := range runs {
			if strings.HasPrefix(r.Commit, strings.ToLower(name)) {
				return r, nil
			}
		}
	}
	return Run{}, fmt.Errorf("no run that is kept is %q: payoff log lists them", name)
}

// Old returns the runs that can be given up: all but the newest keep, and of those
// the ones that were made before. A run that is being written, or whose samples
// another says it has, is none of them; nor is one whose age is not known, if age
// counts. runs are newest first; the oldest of those returned is the first.
func Old(runs []Run, keep int, before time.Time) (old []Run) {
	needed := map[string]bool{}
	for _, r := range runs {
		for _, id := range r.Taken {
			needed[id] = true
		}
	}
	for i, r := range runs {
		if i >= keep && !r.Writing && !needed[r.ID] && (before.IsZero() || !r.When.IsZero() && r.When.Before(before)) {
			old = append(old, r)
		}
	}
	slices.Reverse(old)
	return old
}

// A Trend is one comparison over the runs that have it.
type Trend struct {
	Package, Name, Base string
	Procs, BaseProcs    int
	Of                  []At // oldest first
}

// At is a point of a trend.
type At struct {
	Run *Run
	Point
}

// Trends returns the comparisons of the runs, those of the newest run first. runs are
// newest first.
func Trends(runs []Run) (all []*Trend) {
	type key struct {
		pkg, name, base  string
		procs, baseProcs int
	}
	by := map[key]*Trend{}
	for i := range runs {
		for _, p := range runs[i].Points {
			k := key{p.Package, p.Name, p.Base, p.Procs, p.BaseProcs}
			t := by[k]
			if t == nil {
				t = &Trend{Package: p.Package, Name: p.Name, Base: p.Base, Procs: p.Procs, BaseProcs: p.BaseProcs}
				by[k] = t
				all = append(all, t)
			}
			t.Of = append(t.Of, At{&runs[i], p})
		}
	}
	for _, t := range all {
		slices.Reverse(t.Of)
	}
	return all
}
