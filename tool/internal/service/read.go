package service

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// A Source is an input that can be read from its beginning more than once.
type Source struct {
	Name string
	Size int64 // 0: not known
	Open func() (io.ReadCloser, error)
}

// Options say how to read.
type Options struct {
	Func     string // the function whose calls are the operations; "": as [exectrace.Find] says
	Progress func(format string, args ...any)
	Payoff   string   // version
	Overhead string   // what taking the inputs cost
	Again    []string // the arguments that name the inputs
	Command  func(args ...string) string
}

// evidences are what the inputs hold, pooled.
type evidences struct {
	doc      *Doc
	trace    *exectrace.Facts // nil: none
	work     exectrace.Work   // what counts as an operation in all of them
	traces   int
	profiles []*profile.Profile
	sampled  []*profile.Profile // out of traces
	locks    []evidence.Lock
}

// ErrNoTrace is the error of inputs that do not say what goroutines waited for.
var ErrNoTrace = errors.New("no execution trace: profiles alone do not say when processors were idle, nor for what: take one as well, as curl -o trace 'http://HOST/debug/pprof/trace?seconds=2', or with payoff trace -from")

// Explain reads inputs and says what they come to. The document is nil where nothing
// can be said; it may be there beside an error.
func Explain(in []Source, o Options) (*Doc, error) {
	if o.Progress == nil {
		o.Progress = func(string, ...any) {}
	}
	e := &evidences{doc: &Doc{Schema: 1, Payoff: o.Payoff, Overhead: o.Overhead}}
	for _, s := range in {
		if err := e.read(s, o); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	if len(e.profiles) == 0 && e.trace == nil && len(e.locks) == 0 && len(e.doc.Leaks) == 0 {
		return nil, errors.New("the inputs hold nothing: take them while the program works")
	}
	if err := e.account(o); err != nil {
		return nil, err
	}
	if e.trace == nil {
		return e.doc, ErrNoTrace
	}
	return e.doc, nil
}

// read reads one input.
func (e *evidences) read(s Source, o Options) error {
	f, err := s.Open()
	if err != nil {
		return err
	}
	defer f.Close()
	br := bufio.NewReader(f)
	head, err := br.Peek(5)
	switch {
	case len(head) == 0 && err != nil && !errors.Is(err, io.EOF):
		return err
	case len(head) == 0:
		return errors.New("0 bytes: the program has to reach trace.Stop, or pprof.StopCPUProfile, before the file is read")
	case string(head) == "go 1.":
		return e.readTrace(s, o)
	}
	if s.zipped(br) { // a trace that was compressed to be sent; profiles are as well
		return e.readTrace(Source{Name: s.Name, Open: s.unzip}, o)
	}
	data, err := s.all()
	if err != nil {
		return err
	}
	p, err := profile.ParseData(data)
	if err != nil || len(p.SampleType) == 0 {
		return fmt.Errorf("neither an execution trace nor a profile (it begins with %.16q): give a file of runtime/trace, of runtime/pprof, or of /debug/pprof without debug=1", data[:min(16, len(data))])
	}
	return e.readProfile(s.Name, p, int64(len(data)))
}

// all is what a source holds that is no trace.
func (s Source) all() ([]byte, error) {
	f, err := s.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	const most = 256 << 20
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && len(data) > most {
		err = fmt.Errorf("neither an execution trace nor a profile, which has less than %d MB", most>>20)
	}
	return data, err
}

// readTrace reads an execution trace, and adds it to those before.
func (e *evidences) readTrace(s Source, o Options) error {
	work, err := e.operations(s, o)
	if err != nil {
		return err
	}
	f, err := s.Open()
	if err != nil {
		return err
	}
	defer f.Close()
	opt := exectrace.Options{Serve: true, Ops: work, Func: o.Func, Place: stack.Edited, Length: 1e9}
	opt.Progress = func(n int64) {
		if s.Size > 0 {
			o.Progress("%s: %d of %d MB (%d%%)", s.Name, n>>20, s.Size>>20, 100*n/s.Size)
		} else {
			o.Progress("%s: %d MB", s.Name, n>>20)
		}
	}
	facts, err := exectrace.Read(f, opt)
	in := Input{Name: s.Name, Kind: Trace, Bytes: facts.Bytes}
	if err != nil {
		if !facts.Damaged || facts.Window <= 0 || facts.Events < 100 {
			return err
		}
		in.Broken = err.Error()
		e.doc.Missing = append(e.doc.Missing, fmt.Sprintf("what %s has after its first %.3gs: %v", s.Name, facts.Window/1e9, err))
	}
	e.doc.Inputs = append(e.doc.Inputs, in)
	if facts.Samples != nil {
		e.sampled = append(e.sampled, facts.Samples)
	}
	if e.traces++; e.trace == nil {
		e.trace = facts
	} else {
		e.trace = e.trace.And(facts)
	}
	return nil
}

// operations says what counts as an operation: the same in all traces.
func (e *evidences) operations(s Source, o Options) (exectrace.Work, error) {
	switch {
	case o.Func != "":
		return exectrace.Calls, nil
	case e.trace != nil:
		return e.work, nil
	}
	f, err := s.Open()
	if err != nil {
		return "", err
	}
	defer f.Close()
	e.work, _ = exectrace.Find(f) // Read says what is wrong, and what is whole
	return e.work, nil
}

// readProfile reads a profile of any kind.
func (e *evidences) readProfile(name string, p *profile.Profile, size int64) error {
	in := Input{Name: name, Bytes: size}
	of := func(i int) string { return p.SampleType[i].Type + "/" + p.SampleType[i].Unit }
	switch last := of(len(p.SampleType) - 1); {
	case last == "cpu/nanoseconds":
		in.Kind = CPU
		e.profiles = append(e.profiles, p)
	case len(p.SampleType) == 2 && of(0) == "contentions/count":
		in.Kind = Mutex // a block profile has the same types: its stacks wait, those of a mutex profile give back
		if waits(p) {
			in.Kind = Block
		}
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			return err
		}
		locks, err := evidence.ReadLocks(string(in.Kind), &b, nil, nil)
		if err != nil {
			return err
		}
		e.locks = append(e.locks, locks...)
	case last == "goroutineleak/count":
		in.Kind = Leaks
		e.leaks(p)
	case last == "goroutine/count":
		return errors.New("a profile of all goroutines: give that of goroutines that wait for ever, goroutineleak (Go 1.27), and a trace")
	default:
		return fmt.Errorf("a profile of %s: give one of cpu, mutex, block or goroutineleak, and a trace", last)
	}
	e.doc.Inputs = append(e.doc.Inputs, in)
	return nil
}

// waits reports whether the stacks of a profile of contentions wait.
func waits(p *profile.Profile) bool {
	var frames []source.Place
	give, wait := 0, 0
	for _, s := range p.Sample {
		frames = stack.Of(s, frames[:0])
		if len(frames) == 0 {
			continue
		}
		switch frames[0].Func {
		case "sync.(*Mutex).Unlock", "sync.(*RWMutex).Unlock", "sync.(*RWMutex).RUnlock", "internal/sync.(*Mutex).Unlock", "runtime.unlock", "runtime._LostContendedRuntimeLock":
			give++
		default:
			wait++
		}
	}
	return wait > give
}

// leaks are the goroutines that wait for what nothing will bring, by where they wait.
func (e *evidences) leaks(p *profile.Profile) {
	stacks := stack.NewReader(nil, stack.Edited)
	by := map[Leak]int{}
	var frames []source.Place
	for _, s := range p.Sample {
		frames = stack.Of(s, frames[:0])
		if len(frames) == 0 || len(s.Value) == 0 {
			continue
		}
		nearest, shown := stacks.Mine(frames)
		l := Leak{Began: frames[len(frames)-1].Spot()}
		if below := stack.Below(frames, nearest); len(below) > 0 {
			l.Call = below[len(below)-1].Func
		}
		if shown >= 0 {
			l.Waits = frames[shown]
		}
		by[l] += int(s.Value[0])
	}
	for l, n := range by {
		l.N = n
		e.doc.Leaks = append(e.doc.Leaks, l)
	}
	slices.SortFunc(e.doc.Leaks, func(a, b Leak) int { return cmp.Or(cmp.Compare(b.N, a.N), a.Waits.Compare(b.Waits)) })
	e.doc.Leaks = e.doc.Leaks[:min(len(e.doc.Leaks), 8)]
}

// cpu is the profile of processor time: of the profiles, or else of the samples that
// the traces hold.
func (e *evidences) cpu() (all *cpuprof.Digest, parts []evidence.Profile, err error) {
	from := e.profiles
	if len(from) == 0 {
		from = e.sampled
	}
	if len(from) == 0 {
		return nil, nil, nil
	}
	for _, p := range from {
		d, err := digest(p)
		if errors.Is(err, cpuprof.ErrNoSamples) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		parts = append(parts, evidence.Profile{Samples: d.Samples, Share: d.Share})
		all = d
	}
	if len(parts) < 2 {
		return all, parts, nil
	}
	merged, err := profile.Merge(from)
	if err != nil {
		return nil, nil, fmt.Errorf("profiles of different programs: %w: give those of one", err)
	}
	all, err = digest(merged)
	return all, parts, err
}

func digest(p *profile.Profile) (*cpuprof.Digest, error) {
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		return nil, err
	}
	return cpuprof.Read(&b, cpuprof.Options{Place: stack.Edited})
}
