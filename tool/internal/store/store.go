// Package store keeps runs as folders of plain files and reads them back.
//
//	run.json            what ran, where, under which rule
//	NN-name/series.json one package: its benchmarks, problems, cost
//	NN-name/samples.jsonl  every sample, kept or dropped, a line each, block by block;
//	                       gzip may pack it afterwards
//	NN-name/bench.txt   the kept samples in Go's benchmark format, for benchstat
//	NN-name/evidence.jsonl  what profiles, traces and experiments said, a line
//	                       for each benchmark at each GOMAXPROCS; may be packed, too
//	NN-name/evidence/   the profiles and traces themselves; no reader of verdicts needs them
//	NN-name/heat.json   what the evidence says of lines of source, for package vet
//	NN-name/fix.json    the edits that were tried, and what became of them
//	NN-name/fix.patch   those that pay
//	progress.json       how far the run is, while it is being written
//
// samples.jsonl is written as the run goes, so a run that dies leaves all
// but its last block; the other files can be made again from it and series.json.
package store

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/outfile"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/record"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// Schema is the version of the files. A reader refuses a newer one.
const Schema = 1

// A Run is what run.json holds.
type Run struct {
	Schema   int                `json:"schema"`
	Payoff   string             `json:"payoff"` // version of the tool
	Command  []string           `json:"command"`
	Asked    *cmdline.Asked     `json:"asked,omitempty"` // nil: older runs have the command alone
	Env      machine.Env        `json:"environment"`
	Capacity []machine.Capacity `json:"capacity"`
	Prices   machine.Prices     `json:"prices"`
	Rule     stats.Rule         `json:"rule"`
	Bounds   stats.Bounds       `json:"bounds"`
	Budget   time.Duration      `json:"budgetNs"`
	Seed     uint64             `json:"seed"`
	Problems []problem.Problem  `json:"problems,omitempty"` // of packages that were not measured at all
	Elapsed  time.Duration      `json:"elapsedNs,omitempty"`
	// Codes are the two states of the code that payoff compare measured.
	Codes *discover.Compared `json:"codes,omitempty"`
}

// Tell lets s know what the machine of the run gave, and its budget.
func (r Run) Tell(s *measure.Series) {
	s.Usable, s.Cores, s.Cache = r.Env.UsableCPUs, r.Env.UsableCores, r.Env.Cache
	s.Budget = cmp.Or(s.Budget, r.Budget) // older records have that of the run alone
	s.Given = map[int]float64{}
	for _, c := range r.Capacity {
		s.Given[c.Procs] = c.Cores
	}
}

// A Dir is a run being written.
type Dir struct {
	Path string
	n    int               // of the last package
	have map[string]string // folders of packages that are there already; of a run that goes on
}

// Reopen reads a run back so that it can go on: a package that is in it already
// is continued by [Dir.Package]. What is damaged cannot be continued.
func Reopen(dir string) (*Dir, Run, []*measure.Series, error) {
	r, all, err := Load(dir)
	if err != nil {
		return nil, r, all, err
	}
	if err := record.Own(dir); err != nil {
		return nil, r, all, err
	}
	paths, err := packageDirs(dir)
	if err != nil {
		return nil, r, all, err
	}
	d := &Dir{Path: dir, have: map[string]string{}}
	for _, p := range paths {
		d.n, _ = number(p)
		var about series
		if err := readJSON(new(record.Reader), filepath.Join(p, "series.json"), &about); err == nil {
			d.have[about.Package] = p
		}
		for _, file := range []string{samplesFile, evidenceFile} {
			if packed := filepath.Join(p, file+".gz"); exists(packed) {
				return nil, r, all, fmt.Errorf("%s is packed: gunzip it to continue the run", packed)
			}
		}
	}
	return d, r, all, nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// whole cuts off what a crash left of a last line.
func whole(f *os.File) error {
	const most = 1 << 20 // bytes of a line
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return err
	}
	from := max(0, size-most)
	tail := make([]byte, size-from)
	if _, err := f.ReadAt(tail, from); err != nil {
		return err
	}
	end := from + int64(bytes.LastIndexByte(tail, '\n')+1)
	if err := f.Truncate(end); err != nil {
		return err
	}
	_, err = f.Seek(end, io.SeekStart)
	return err
}

// Create makes the folder of a new run. It must not hold a run already, nor
// packages of one.
func Create(dir string) (*Dir, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("%w: name a folder that can be written with -o", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "run.json")); err == nil {
		return nil, fmt.Errorf("%s holds a run already: name another folder with -o", dir)
	}
	packages, err := packageDirs(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: name another folder with -o", err)
	}
	for _, p := range packages {
		if _, err := os.Stat(filepath.Join(p, "series.json")); err == nil {
			return nil, fmt.Errorf("%s holds a part of a run already (%s): name another folder with -o", dir, filepath.Base(p))
		}
	}
	return &Dir{Path: dir}, nil
}

// packageDirs returns the folders of packages in a run, in the order they
// were measured.
func packageDirs(dir string) ([]string, error) {
	entries, err := record.Folder(dir)
	if err != nil {
		return nil, err
	}
	type numbered struct {
		n    int
		path string
	}
	var found []numbered
	for _, e := range entries {
		if n, ok := number(e.Name()); ok && e.IsDir() {
			found = append(found, numbered{n, filepath.Join(dir, e.Name())})
		}
	}
	slices.SortStableFunc(found, func(a, b numbered) int { return a.n - b.n })
	var out []string
	for _, f := range found {
		out = append(out, f.path)
	}
	return out, nil
}

// Packages returns the import paths of the packages of a run, without their
// samples. What is damaged has none.
func Packages(dir string) (paths []string) {
	dirs, _ := packageDirs(dir)
	in := new(record.Reader)
	for _, d := range dirs {
		var about struct{ Package string }
		if readJSON(in, filepath.Join(d, "series.json"), &about) == nil && about.Package != "" {
			paths = append(paths, about.Package)
		}
	}
	return paths
}

// number is that of the package in a folder.
func number(dir string) (n int, ok bool) {
	digits, _, ok := strings.Cut(filepath.Base(dir), "-")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil
}

// Put writes run.json.
func (d *Dir) Put(r Run) error {
	r.Schema = Schema
	return writeJSON(filepath.Join(d.Path, "run.json"), r)
}

// series is what series.json holds.
type series struct {
	Package  string                  `json:"package"`
	Binary   string                  `json:"binary,omitempty"`
	Procs    []int                   `json:"procs"`
	Families []discover.Family       `json:"families"`
	Listed   []measure.Listed        `json:"listed,omitempty"`
	Problems []problem.Problem       `json:"problems,omitempty"`
	Missing  []string                `json:"missing,omitempty"`
	End      measure.End             `json:"end,omitempty"` // "" while it runs
	Cost     measure.Cost            `json:"cost"`
	Budget   time.Duration           `json:"budgetNs,omitempty"` // that its samples were taken with; 0 in older records
	Needs    time.Duration           `json:"needsNs,omitempty"`  // the budget that would decide what is open
	Taken    string                  `json:"taken,omitempty"`    // the run that its samples were taken in, if another
	Gone     []string                `json:"gone,omitempty"`     // benchmarks of one state of the code alone
	Added    []string                `json:"added,omitempty"`
	Places   map[string]source.Place `json:"places,omitempty"`
}

// A Package is one package of a run being written.
type Package struct {
	dir string
	run Run
	f   *os.File
}

// Package opens the next package of the run, whose description stands in s, or
// goes on with one that is there. Until [Package.Close] it has no end.
func (d *Dir) Package(r Run, s *measure.Series) (*Package, error) {
	if dir, ok := d.have[s.Package]; ok {
		return reopen(dir, r, s)
	}
	d.n++
	dir := filepath.Join(d.Path, fmt.Sprintf("%02d-%s", d.n, path.Base(s.Package)))
	if err := folder(dir); err != nil {
		return nil, err
	}
	p := &Package{dir: dir, run: r}
	if err := p.begin(s); err != nil {
		return nil, err
	}
	f, err := outfile.Open(filepath.Join(dir, samplesFile), os.O_RDWR)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(0); err != nil {
		f.Close()
		return nil, err
	}
	p.f = f
	return p, nil
}

// folder makes a folder of the run, whose own may be one that others can write to.
func folder(dir string) error {
	if err := os.Mkdir(dir, 0o755); !errors.Is(err, fs.ErrExist) {
		return err
	}
	if about, err := os.Lstat(dir); err != nil || about.IsDir() {
		return err
	}
	return fmt.Errorf("%s is a link or no folder: name another folder with -o", dir)
}

func reopen(dir string, r Run, s *measure.Series) (*Package, error) {
	p := &Package{dir: dir, run: r}
	f, err := outfile.Open(filepath.Join(dir, samplesFile), os.O_RDWR)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(whole(f), p.begin(s)); err != nil {
		f.Close()
		return nil, err
	}
	p.f = f
	return p, nil
}

// begin describes s as it is until it is closed: without an end, so that what
// is killed can go on.
func (p *Package) begin(s *measure.Series) error {
	open := *s
	open.End = ""
	return p.describe(&open)
}

func (p *Package) describe(s *measure.Series) error {
	return writeJSON(filepath.Join(p.dir, "series.json"), series{s.Package, s.Binary, s.Procs, s.Families, s.Listed, s.Problems, s.Missing, s.End, s.Cost, s.Budget, s.Needs, s.Taken, s.Gone, s.Added, s.Places})
}

// Sample appends one sample; drop is "" for one that is kept.
func (p *Package) Sample(c measure.Cell, s measure.Sample, drop string) error {
	data, err := json.Marshal(toLine(c, s, drop))
	if err != nil {
		return err
	}
	_, err = p.f.Write(append(data, '\n'))
	return err
}

// EvidenceFile keeps a file of evidence, a profile or a trace. One of that name
// that a run before left stays.
func (p *Package) EvidenceFile(name string, data []byte) error {
	if err := folder(p.evidenceDir()); err != nil {
		return err
	}
	file := filepath.Join(p.evidenceDir(), name)
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	for i := 2; errors.Is(err, os.ErrExist); i++ {
		file = filepath.Join(p.evidenceDir(), fmt.Sprintf("again%d-%s", i, name))
		f, err = os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

func (p *Package) evidenceDir() string { return filepath.Join(p.dir, "evidence") }

// Evidence appends one set of evidence. It replaces an earlier one on its cell.
func (p *Package) Evidence(set *evidence.Set) error {
	data, err := json.Marshal(set)
	if err != nil {
		return err
	}
	f, err := outfile.Open(filepath.Join(p.dir, evidenceFile), os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	return errors.Join(err, f.Close())
}

const (
	samplesFile  = "samples.jsonl"
	evidenceFile = "evidence.jsonl"
)

// Close completes the package's files from the finished series.
func (p *Package) Close(s *measure.Series) error {
	var err error
	if p.f != nil { // not of a package that was adopted
		err = p.f.Close()
	}
	if e := p.describe(s); err == nil {
		err = e
	}
	// They all fail of the same: the first is told.
	return cmp.Or(err, outfile.Write(filepath.Join(p.dir, "bench.txt"), func(f io.Writer) error {
		w := bufio.NewWriter(f)
		return cmp.Or(WriteBench(w, p.run, s), w.Flush())
	}))
}

func writeJSON(file string, v any) error {
	data, err := json.MarshalIndent(v, "", "\t")
	if err != nil {
		return err
	}
	return outfile.String(file, string(data)+"\n")
}

// A line is one sample in samples.jsonl. Pointers are nil for what could not
// be measured.
type line struct {
	Bench  string   `json:"b"`
	Procs  int      `json:"p"`
	Twin   bool     `json:"twin,omitempty"`
	Drop   string   `json:"drop,omitempty"`
	Round  int32    `json:"r"`
	Again  int32    `json:"again,omitempty"` // which attempt of the round, from 0
	Layout int32    `json:"layout,omitempty"`
	N      int64    `json:"n"`
	Wall   float64  `json:"wall"` // ns/op, like those that follow where a time
	CPU    *float64 `json:"cpu,omitempty"`

	Goroutines *num               `json:"goroutines,omitempty"`
	Allocs     *num               `json:"allocs,omitempty"`
	Bytes      *num               `json:"bytes,omitempty"`
	Voluntary  *num               `json:"voluntary,omitempty"`
	Preempted  *num               `json:"preempted,omitempty"`
	MutexWait  *num               `json:"mutexWait,omitempty"`
	GC         *num               `json:"gc,omitempty"`
	System     *num               `json:"system,omitempty"`
	Faults     *num               `json:"faults,omitempty"`
	Live       *num               `json:"live,omitempty"` // bytes, not per operation
	Child      *num               `json:"child,omitempty"`
	Got        num                `json:"got"`
	Others     *num               `json:"others,omitempty"`
	Steal      num                `json:"steal,omitempty"`
	Whole      num                `json:"whole,omitempty"` // wall with what is not timed, if the timer stops in the loop
	First      num                `json:"first,omitempty"` // ns of a run of one operation before
	SetBytes   num                `json:"setBytes,omitempty"`
	Extra      map[string]float64 `json:"extra,omitempty"`
}

// num is a float32 of a sample: written as short as it can be read back
// unchanged, so that a replayed run gives the same report to the last digit.
type num float64

func (n num) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(n), 'g', -1, 32), nil
}

func toLine(c measure.Cell, s measure.Sample, drop string) line {
	known := func(v float64) *num {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		n := num(v)
		return &n
	}
	var cpu *float64
	if known(s.CPU) != nil {
		cpu = &s.CPU
	}
	return line{
		Bench: c.Bench, Procs: c.Procs, Twin: c.Twin, Drop: drop, Round: s.Round, Again: s.Attempt, Layout: s.Layout, N: s.N, Wall: s.Wall, CPU: cpu,
		Goroutines: known(float64(s.Goroutines)), Allocs: known(float64(s.Allocs)), Bytes: known(float64(s.Bytes)),
		Voluntary: known(float64(s.Voluntary)), Preempted: known(float64(s.Preempted)), MutexWait: known(float64(s.MutexWait)),
		GC: known(float64(s.GC)), System: known(float64(s.System)), Faults: known(float64(s.Faults)), Live: known(float64(s.Live)), Child: known(float64(s.Child)), Got: num(s.Got), Others: known(float64(s.Others)), Steal: num(s.Steal), Whole: num(s.Whole), First: num(s.First), SetBytes: num(s.SetBytes), Extra: finite(s.Extra),
	}
}

func finite(extra map[string]float64) map[string]float64 {
	var out map[string]float64
	for unit, v := range extra {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			if out == nil {
				out = map[string]float64{}
			}
			out[unit] = v
		}
	}
	return out
}

func (l *line) sample() measure.Sample {
	or := func(n *num) float64 {
		if n == nil {
			return math.NaN()
		}
		return float64(*n)
	}
	cpu := math.NaN()
	if l.CPU != nil {
		cpu = *l.CPU
	}
	return measure.Sample{
		Round: l.Round, Attempt: l.Again, Layout: l.Layout, N: l.N, Wall: l.Wall, CPU: cpu, Goroutines: float32(or(l.Goroutines)), Allocs: float32(or(l.Allocs)),
		Bytes: float32(or(l.Bytes)), Voluntary: float32(or(l.Voluntary)), Preempted: float32(or(l.Preempted)), MutexWait: float32(or(l.MutexWait)),
		GC: float32(or(l.GC)), System: float32(or(l.System)), Faults: float32(or(l.Faults)), Live: float32(or(l.Live)), Child: float32(or(l.Child)), Got: float32(l.Got), Others: float32(or(l.Others)), Steal: float32(l.Steal), Whole: float32(l.Whole), First: float32(l.First), SetBytes: float32(l.SetBytes),
		ActualProcs: int32(l.Procs), Extra: l.Extra,
	}
}

// About reads what a run is, without its samples.
func About(dir string) (Run, error) {
	var r Run
	if err := readJSON(new(record.Reader), filepath.Join(dir, "run.json"), &r); err != nil {
		if st, e := os.Stat(dir); errors.Is(err, os.ErrNotExist) || e == nil && !st.IsDir() {
			return r, fmt.Errorf("%s is no recorded run (it has no run.json): name a folder that payoff run wrote, like .payoff/runs/…", dir)
		}
		return r, err
	}
	if r.Schema > Schema {
		return r, fmt.Errorf("%s was written by a newer payoff (schema %d, this one reads %d): update payoff", dir, r.Schema, Schema)
	}
	return r, nil
}

// Load reads a run back. What is damaged is an error that names the file, the
// line and what to do; what could be read is returned with it.
func Load(dir string) (Run, []*measure.Series, error) { return load(dir, true) }

// LoadSamples is [Load] without the evidence, of which verdicts need nothing.
func LoadSamples(dir string) (Run, []*measure.Series, error) { return load(dir, false) }

func load(dir string, evidence bool) (Run, []*measure.Series, error) {
	r, err := About(dir)
	if err != nil {
		return r, nil, err
	}
	if !r.Rule.Whole() {
		return r, nil, fmt.Errorf("%s: no usable rule in it: the file is damaged; measure again with payoff run", filepath.Join(dir, "run.json"))
	}
	dirs, err := packageDirs(dir)
	if err != nil {
		return r, nil, err
	}
	var all []*measure.Series
	var damage []error
	in := new(record.Reader)
	for _, d := range dirs {
		s, err := loadPackage(in, d, evidence)
		if s != nil {
			r.Tell(s)
			all = append(all, s)
		}
		if err != nil {
			damage = append(damage, err)
		}
	}
	return r, all, errors.Join(damage...)
}

func readJSON(in *record.Reader, file string, v any) error {
	data, err := in.ReadFile(file)
	if err != nil {
		return err
	}
	if err := in.Unmarshal(file, data, v); err != nil {
		return fmt.Errorf("%s is damaged (%w): %s", file, err, mend)
	}
	return nil
}

const mend = "restore it, or measure again with payoff run"

func loadPackage(in *record.Reader, dir string, withEvidence bool) (*measure.Series, error) {
	var d series
	about := filepath.Join(dir, "series.json")
	if err := readJSON(in, about, &d); errors.Is(err, os.ErrNotExist) {
		known := func(e os.DirEntry) bool {
			return e.Name() == filepath.Base(about) || outfile.Unfinished(e.Name()) != filepath.Base(about)
		}
		if entries, err := record.Folder(dir); err == nil && !slices.ContainsFunc(entries, known) {
			return nil, nil // it stopped before anything was known of the package
		}
		return nil, fmt.Errorf("%s is missing: %s", about, mend)
	} else if err != nil {
		return nil, err
	}
	s := &measure.Series{
		Package: d.Package, Binary: d.Binary, Procs: d.Procs, Families: d.Families, Listed: d.Listed, Problems: d.Problems, Missing: d.Missing, End: d.End, Cost: d.Cost, Budget: d.Budget, Needs: d.Needs, Taken: d.Taken, Gone: d.Gone, Added: d.Added, Places: d.Places,
		Dropped: map[string]int{}, Samples: map[measure.Cell][]measure.Sample{},
	}
	if len(d.Procs) == 0 || d.Package == "" {
		return nil, fmt.Errorf("%s is damaged (no package or no processor counts in it): %s", about, mend)
	}
	known := map[string]string{} // one copy of each name
	for _, f := range s.Families {
		if f.Base >= len(f.Members) {
			return nil, fmt.Errorf("%s is damaged (base %d of %d members): %s", about, f.Base, len(f.Members), mend)
		}
		for _, m := range f.Members {
			known[m.Bench] = m.Bench
		}
	}
	if s.End == "" {
		s.End = measure.Interrupted
	}
	var l line
	damage := eachLine(in, dir, samplesFile, func(data []byte) error {
		l = line{}
		if err := in.Unmarshal(samplesFile, data, &l); err != nil {
			return err
		}
		if !(l.Wall > 0 && l.Procs > 0 && known[l.Bench] != "") {
			return errors.New("no sample of this package")
		}
		c := measure.Cell{Bench: known[l.Bench], Procs: l.Procs, Twin: l.Twin}
		switch {
		case l.Drop == "":
			s.Add(c, l.sample())
		case l.Drop == measure.Calibration:
			s.Calibrate(c, l.sample())
		default:
			s.Dropped[l.Drop]++
			s.Spoil(c, l.sample())
		}
		return nil
	})
	if !withEvidence {
		return s, damage
	}
	return s, errors.Join(damage, eachLine(in, dir, evidenceFile, func(data []byte) error {
		set := new(evidence.Set)
		if err := in.Unmarshal(evidenceFile, data, set); err != nil {
			return err
		}
		if set.Procs < 1 || known[set.Bench] == "" {
			return errors.New("no evidence on this package")
		}
		if err := set.Sound(); err != nil {
			return err
		}
		if s.Evidence == nil {
			s.Evidence = map[measure.Cell]*evidence.Set{}
		}
		s.Evidence[measure.Cell{Bench: known[set.Bench], Procs: set.Procs}] = set
		return nil
	}))
}

// eachLine hands the lines of a file that grows line by line to take. A file
// that is missing has none: the run stopped before the first. A line that take
// refuses is passed over and told of.
func eachLine(in *record.Reader, dir, name string, take func([]byte) error) error {
	var damage error // of the first damaged line; the others are read
	more := 0
	file := filepath.Join(dir, name)
	at, err := in.Lines(file, func(n int, data []byte) error {
		var over *record.LimitError
		switch err := take(data); {
		case err == nil:
		case errors.As(err, &over):
			return err
		case damage == nil:
			// The file may be the packed one, whose name is known at the end.
			damage = fmt.Errorf("%d is damaged (%w): take the line out, or measure again with payoff run", n, err)
		default:
			more++
		}
		return nil
	})
	if damage != nil {
		damage = fmt.Errorf("%s:%w", at, damage)
	}
	if more > 0 {
		damage = fmt.Errorf("%w; %d more lines are damaged", damage, more)
	}
	var over *record.LimitError
	switch {
	case err == nil || errors.Is(err, os.ErrNotExist):
		return damage
	case errors.As(err, &over) || errors.Is(err, record.ErrIrregular) || errors.Is(err, os.ErrPermission):
		return errors.Join(damage, err)
	}
	return errors.Join(damage, fmt.Errorf("%s is damaged (%w): %s", at, err, mend))
}

// WriteBench writes the kept samples of a series in Go's benchmark format.
// Names and units are written as [plain.Clean] shows them: a line has to stay one.
func WriteBench(w io.Writer, r Run, s *measure.Series) error {
	out := benchfmt.NewWriter(w)
	type entry struct {
		cell measure.Cell
		i    int
	}
	var order []entry
	for c, samples := range s.Samples {
		if !c.Twin {
			for i := range samples {
				order = append(order, entry{c, i})
			}
		}
	}
	slices.SortFunc(order, func(a, b entry) int {
		return cmp.Or(cmp.Compare(s.Samples[a.cell][a.i].Round, s.Samples[b.cell][b.i].Round),
			strings.Compare(a.cell.Bench, b.cell.Bench), cmp.Compare(a.cell.Procs, b.cell.Procs), cmp.Compare(a.i, b.i))
	})
	config := []benchfmt.Config{}
	for _, kv := range [][2]string{{"goos", r.Env.OS}, {"goarch", r.Env.Arch}, {"pkg", s.Package}, {"cpu", r.Env.CPU}, {"toolchain", r.Env.Go}, {"commit", r.Env.Commit}} {
		if kv[1] != "" {
			config = append(config, benchfmt.Config{Key: kv[0], Value: []byte(plain.Clean(kv[1])), File: true})
		}
	}
	for _, e := range order {
		x := s.Samples[e.cell][e.i]
		name := plain.Clean(strings.TrimPrefix(e.cell.Bench, "Benchmark"))
		if e.cell.Procs != 1 {
			name = fmt.Sprintf("%s-%d", name, e.cell.Procs)
		}
		res := &benchfmt.Result{Config: config, Name: benchfmt.Name(name), Iters: int(x.N)}
		add := func(v float64, unit string) {
			if !math.IsNaN(v) {
				res.Values = append(res.Values, benchfmt.Value{Value: v, Unit: unit})
			}
		}
		add(x.Wall, "ns/op")
		if x.SetBytes > 0 {
			add(float64(x.SetBytes)/x.Wall*1e3, "MB/s")
		}
		add(float64(x.Bytes), "B/op")
		add(float64(x.Allocs), "allocs/op")
		add(x.CPU, "cpu-ns/op")
		add(x.Cores(), "cores")
		add(float64(x.Goroutines), "goroutines/op")
		add(float64(x.Voluntary), "ctxsw/op")
		add(float64(x.Preempted), "preempt/op")
		add(float64(x.MutexWait), "mutex-wait-ns/op")
		add(float64(x.GC), "gc/op")
		for _, unit := range slices.Sorted(maps.Keys(x.Extra)) {
			add(x.Extra[unit], plain.Clean(unit))
		}
		if err := out.Write(res); err != nil {
			return err
		}
	}
	return nil
}
