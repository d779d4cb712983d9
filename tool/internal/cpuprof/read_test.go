package cpuprof

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

func read(t *testing.T, name string, o Options) *Digest {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d, err := Read(f, o)
	if err != nil {
		t.Fatalf("Read(%s): %v", name, err)
	}
	return d
}

// The profiles are recorded (testdata/record): what these programs spend their
// time on is known, and the functions of the runtime differ by release.
func TestRecorded(t *testing.T) {
	for _, program := range []struct {
		name  string
		want  stack.Category
		least float64
		with  stack.Category // what must come next, "" if that does not matter
	}{
		{"chan", stack.Chan, 0.6, ""},
		{"select", stack.Select, 0.8, ""},
		{"mutex", stack.Lock, 0.8, ""},
		{"rwmutex", stack.RWMutex, 0.9, ""},
		{"spawn", stack.Spawn, 0.6, ""},
		{"json", stack.Reflect, 0.7, stack.GC},
		{"sort", stack.Sort, 0.9, ""},
		{"write", stack.Syscall, 0.9, ""},
		{"alloc", stack.Alloc, 0.6, stack.GC},
		{"map", stack.Map, 0.55, stack.MapGrow},
		{"yield", stack.Yield, 0.4, stack.Idle},
		{"copy", stack.Copy, 0.95, ""},
		{"stack", stack.Stack, 0.8, stack.User},
		{"user", stack.User, 0.95, ""},
	} {
		for _, release := range []string{"go1.22.12", "go1.25.4", "go1.26.8", "go1.27.3"} {
			d := read(t, program.name+"-"+release+".pb.gz", Options{})
			if d.Share[program.want] < program.least {
				t.Errorf("%s, %s: %s is %.2f of the time, want at least %.2f: %v",
					program.name, release, program.want, d.Share[program.want], program.least, d.Share)
			}
			if program.with != "" {
				for c, share := range d.Share {
					if c != program.want && c != program.with && share > d.Share[program.with] {
						t.Errorf("%s, %s: %s comes before %s: %v", program.name, release, c, program.with, d.Share)
					}
				}
			}
			checkSums(t, d)
		}
	}
}

// checkSums holds what every digest promises.
func checkSums(t *testing.T, d *Digest) {
	t.Helper()
	sum := 0.0
	for _, s := range d.Share {
		sum += s
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the shares sum to %v, want 1", sum)
	}
	for i, l := range d.Lines {
		by := 0.0
		for _, s := range l.By {
			by += s
		}
		if math.Abs(by-l.Share) > 1e-9 || l.Func == "" {
			t.Errorf("line %+v: its parts sum to %v, want %v, and a name", l, by, l.Share)
		}
		if i > 0 && l.Share > d.Lines[i-1].Share {
			t.Errorf("line %d has a larger share than the one before", i)
		}
	}
	for i, h := range d.Hot {
		if i > 0 && h.Share > d.Hot[i-1].Share {
			t.Errorf("hot instruction %d has a larger share than the one before", i)
		}
	}
	if len(d.Lines) > maxLines || len(d.Hot) > maxHot {
		t.Errorf("%d lines and %d instructions, want at most %d and %d", len(d.Lines), len(d.Hot), maxLines, maxHot)
	}
}

func TestLines(t *testing.T) {
	d := read(t, "mutex-go1.26.8.pb.gz", Options{})
	top := d.Lines[0]
	if !strings.HasPrefix(top.Func, "main.mutex.func1") || filepath.Base(top.File) != "main.go" || top.By[stack.Lock] < 0.3 {
		t.Errorf("top line is %+v, want one in main.mutex.func1 that locks", top)
	}
	if d.Samples != 80 || d.Total != 800e6 || d.Period != 10e6 || d.Duration < 600e6 {
		t.Errorf("%d samples, %v ns in total, %v ns apart, over %v ns; want 80, 8e8, 1e7, above 6e8", d.Samples, d.Total, d.Period, d.Duration)
	}
	if got, want := d.NS(stack.Lock, 1000), 1000*d.Share[stack.Lock]; got != want {
		t.Errorf("NS(Lock, 1000) = %v, want %v", got, want)
	}
}

func TestHot(t *testing.T) {
	for _, c := range []struct {
		file       string
		start, end uint64 // of main.compute, by go tool nm; for pie less the 0x400000 that the linker added
	}{
		{"user-exe.pb.gz", 0x5090c0, 0x5090c0 + 143},
		{"user-pie.pb.gz", 0x109480, 0x109480 + 143},
	} {
		d := read(t, c.file, Options{})
		if len(d.Hot) == 0 {
			t.Errorf("%s: no hot instruction", c.file)
		}
		for _, h := range d.Hot {
			if h.User.Func == "main.compute" && h.Func == h.User.Func && (h.Addr < c.start || h.Addr >= c.end) {
				t.Errorf("%s: instruction of main.compute at %#x, want in [%#x, %#x)", c.file, h.Addr, c.start, c.end)
			}
		}
		if h := d.Hot[0]; h.Func != "main.compute" || h.Category != stack.User || h.Share < 0.3 {
			t.Errorf("%s: hottest instruction is %+v, want one of main.compute", c.file, h)
		}
	}
}

func TestHotOfLibrary(t *testing.T) {
	d := read(t, "rwmutex-go1.26.8.pb.gz", Options{})
	h := d.Hot[0]
	if h.Category != stack.RWMutex || h.Func == h.User.Func || !strings.HasPrefix(h.User.Func, "main.rwmutex") {
		t.Errorf("hottest instruction is %+v, want one of sync called by main.rwmutex", h)
	}
}

func TestUserOption(t *testing.T) {
	frames := []string{"runtime.mallocgc", "dep.org/x.New", "main.f"}
	mine := func(fn, _ string) bool { return strings.HasPrefix(fn, "main.") }
	for _, c := range []struct {
		user, place func(fn, file string) bool
		want        string
	}{
		{nil, nil, "dep.org/x.New"},
		{mine, nil, "main.f"},
		{nil, mine, "main.f"},
		{nil, func(string, string) bool { return false }, "dep.org/x.New"}, // better than none
	} {
		d, err := Read(encode(t, build(frames)), Options{User: c.user, Place: c.place})
		if err != nil {
			t.Fatal(err)
		}
		if d.Lines[0].Func != c.want || d.Share[stack.Alloc] != 1 {
			t.Errorf("%v is charged to %s with shares %v, want %s and alloc alone", frames, d.Lines[0].Func, d.Share, c.want)
		}
	}
}

// Who called is known of each stack that has a line of the user's, most time
// first, up to a bound; not what the sample is charged to, nor others' code.
func TestCallers(t *testing.T) {
	stacks := [][]string{
		{"runtime.mallocgc", "main.work", "main.stage", "sort.Sort", "dep.org/x.Each", "main.run"},
		{"main.work", "main.stage", "main.work", "main.run", "main.other"},
		{"main.rest", "main.stage", "main.more", "main.run", "main.other"},
		{"runtime.gcBgMarkWorker", "runtime.goexit"},
	}
	var all []*profile.Profile
	for _, s := range stacks {
		all = append(all, build(s))
	}
	p, err := profile.Merge(all)
	if err != nil {
		t.Fatal(err)
	}
	mine := func(fn, _ string) bool { return strings.HasPrefix(fn, "main.") }
	for _, c := range []struct {
		place func(fn, file string) bool
		want  string
	}{
		{nil, "main.stage:2 main.run:4 main.other:5 main.more:3 main.stage:3 main.work:3 dep.org/x.Each:5 main.run:6"},
		{mine, "main.stage:2 main.run:4 main.other:5 main.more:3 main.stage:3 main.work:3 main.run:6"},
	} {
		d, err := Read(encode(t, p), Options{Place: c.place})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, at := range d.Callers {
			got = append(got, fmt.Sprintf("%s:%d", at.Func, at.Line))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("callers %q, want %s", got, c.want)
		}
	}
	d, err := Read(encode(t, p), Options{Place: mine})
	if err != nil {
		t.Fatal(err)
	}
	var above []string
	for _, l := range d.Lines {
		s := l.Func + ":"
		for _, c := range l.Callers {
			s += fmt.Sprintf(" %s:%d %.2f %.2f", c.Func, c.Line, c.Share, c.Root)
		}
		above = append(above, s)
	}
	slices.Sort(above)
	const want = "main.rest: main.stage:2 0.25 0.00 main.more:3 0.25 0.00 main.run:4 0.25 0.00 main.other:5 0.25 0.25, " +
		"main.work: main.stage:2 0.25 0.00 main.work:3 0.25 0.00 main.run:4 0.25 0.00 main.other:5 0.25 0.25, " +
		"main.work: main.stage:3 0.25 0.00 main.run:6 0.25 0.25"
	if got := strings.Join(above, ", "); got != want {
		t.Errorf("callers by line %s, want %s", got, want)
	}
	deep := []string{"main.leaf"}
	for i := range 2 * maxCallers {
		deep = append(deep, fmt.Sprintf("main.f%d", i))
	}
	if d, err := Read(encode(t, build(deep)), Options{}); err != nil || len(d.Callers) != maxCallers || len(d.Lines[0].Callers) != maxAbove {
		t.Errorf("%d callers, %v of the line, %v; want %d and %d", len(d.Callers), d.Lines[0].Callers, err, maxCallers, maxAbove)
	}
}

// The goroutine of the benchmark is told from others, and functions in which
// both spend time from those of its own.
func TestOwn(t *testing.T) {
	bench := []string{"testing.(*B).runN", "testing.(*B).run1.func1", "runtime.goexit"}
	other := []string{"main.split.func1", "runtime.goexit"}
	p := build(append([]string{"main.half", "main.split"}, bench...))
	var more []*profile.Profile
	for _, stack := range [][]string{append([]string{"main.half"}, other...), append([]string{"main.merge", "main.split"}, bench...), append([]string{"runtime.mallocgc", "main.merge"}, bench...)} {
		more = append(more, build(stack))
	}
	all, err := profile.Merge(append(more, p))
	if err != nil {
		t.Fatal(err)
	}
	d, err := Read(encode(t, all), Options{})
	if err != nil || d.Own != 0.5 || d.Common != 0.25 {
		t.Errorf("Own, Common = %v, %v, %v; want half in user code of the benchmark, and half of that in common", d.Own, d.Common, err)
	}
}

func TestInlined(t *testing.T) {
	// One location with three lines, innermost first, as for inlined calls.
	p := build([]string{"sync/atomic.(*Int32).Add", "sync.(*RWMutex).RLock", "main.get"})
	loc := &profile.Location{ID: 1, Address: 0x401000}
	for _, l := range p.Location {
		loc.Line = append(loc.Line, l.Line...)
	}
	p.Location = []*profile.Location{loc}
	p.Sample[0].Location = p.Location
	d, err := Read(encode(t, p), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Hot{{
		Addr: 0x401000, Place: source.Place{Func: "sync/atomic.(*Int32).Add", File: "f.go", Line: 1}, Category: stack.RWMutex, Share: 1,
		User: source.Place{Func: "main.get", File: "f.go", Line: 3},
	}}
	if !reflect.DeepEqual(d.Hot, want) {
		t.Errorf("hot = %+v, want %+v", d.Hot, want)
	}
}

func TestMany(t *testing.T) {
	p := build([]string{"main.f"})
	for i := range 100 {
		fn := &profile.Function{ID: uint64(100 + i), Name: "main.f" + strings.Repeat("x", i), Filename: "f.go"}
		loc := &profile.Location{ID: uint64(100 + i), Address: uint64(100 + i), Line: []profile.Line{{Function: fn, Line: 7}}}
		p.Function, p.Location = append(p.Function, fn), append(p.Location, loc)
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{loc}, Value: []int64{1, int64(i)}})
	}
	d, err := Read(encode(t, p), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Lines) != maxLines || len(d.Hot) != maxHot {
		t.Errorf("%d lines and %d instructions, want %d and %d", len(d.Lines), len(d.Hot), maxLines, maxHot)
	}
	checkSums(t, d)
}

func TestJSON(t *testing.T) {
	d := read(t, "alloc-go1.26.8.pb.gz", Options{})
	b, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var back Digest
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(*d, back) {
		t.Errorf("after JSON: %+v, want %+v", back, *d)
	}
}

func TestReadErrors(t *testing.T) {
	sound, err := os.ReadFile("testdata/chan-go1.26.8.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	heap := build([]string{"main.f"})
	heap.SampleType = []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"}}
	negative := build([]string{"main.f"})
	negative.Sample[0].Value = []int64{-1, -10}
	none := build([]string{"main.f"})
	none.Sample = nil
	for _, c := range []struct {
		name string
		in   *bytes.Buffer
		want string
	}{
		{"empty", new(bytes.Buffer), "no profile"},
		{"text", bytes.NewBufferString("PASS\nok\n"), "no profile"},
		{"truncated", bytes.NewBuffer(sound[:len(sound)/2]), "no profile, or a damaged one"},
		{"heap", encode(t, heap), "a profile of alloc_objects/count, alloc_space/bytes, not of processor time"},
		{"difference", encode(t, negative), "negative sample"},
		{"no sample", encode(t, none), ErrNoSamples.Error()},
	} {
		d, err := Read(c.in, Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: Read = %v, %v, want an error with %q", c.name, d, err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"user-exe.pb.gz", "rwmutex-go1.26.8.pb.gz"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
		p, err := profile.ParseData(b)
		if err != nil {
			f.Fatal(err)
		}
		var plain bytes.Buffer
		if err := p.WriteUncompressed(&plain); err != nil {
			f.Fatal(err)
		}
		f.Add(plain.Bytes()) // a change here is not caught by gzip's checksum
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := Read(bytes.NewReader(b), Options{})
		if err != nil {
			return
		}
		if d.Samples < 0 || !(d.Total > 0) {
			t.Errorf("%d samples of %v ns, want positive numbers", d.Samples, d.Total)
		}
		if _, err := json.Marshal(d); err != nil {
			t.Error(err)
		}
	})
}

// build returns a profile of one sample with the functions given, leaf first,
// on line 1, 2, … of their file.
func build(stack []string) *profile.Profile {
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period:     10e6,
	}
	s := &profile.Sample{Value: []int64{1, 10e6}}
	for i, name := range stack {
		fn := &profile.Function{ID: uint64(i + 1), Name: name, Filename: "f.go"}
		loc := &profile.Location{ID: uint64(i + 1), Address: uint64(0x401000 + i), Line: []profile.Line{{Function: fn, Line: int64(i + 1)}}}
		p.Function, p.Location = append(p.Function, fn), append(p.Location, loc)
		s.Location = append(s.Location, loc)
	}
	p.Sample = []*profile.Sample{s}
	return p
}

func encode(t *testing.T, p *profile.Profile) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return &b
}

// Records have both places of an instruction flat.
func TestHotJSON(t *testing.T) {
	const text = `{"addr":4198400,"file":"f.go","line":1,"func":"sync.f","category":"rwmutex","share":0.5,"user_func":"main.get","user_file":"m.go","user_line":3}`
	want := Hot{
		Addr: 0x401000, Place: source.Place{Func: "sync.f", File: "f.go", Line: 1}, Category: stack.RWMutex, Share: 0.5,
		User: source.Place{Func: "main.get", File: "m.go", Line: 3},
	}
	var got Hot
	if err := json.Unmarshal([]byte(text), &got); err != nil || got != want {
		t.Errorf("Unmarshal = %+v, %v, want %+v", got, err, want)
	}
	if out, err := json.Marshal(want); err != nil || string(out) != text {
		t.Errorf("Marshal = %s, %v, want %s", out, err, text)
	}
}
