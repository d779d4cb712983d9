package exectrace

import (
	"errors"
	"fmt"
	"io"

	"github.com/google/pprof/profile"
	"golang.org/x/exp/trace"
)

// Samples returns the CPU samples of the timed windows of a trace that was
// recorded beside a CPU profile, as such a profile. It is for programs that
// stop and start their timer too often for profiles of their own: a profile
// does not say when its samples were taken. Without marks all samples count.
func Samples(r io.Reader) (p *profile.Profile, err error) {
	defer func() {
		if x := recover(); x != nil { // the decoder trusts what it reads
			p, err = nil, fmt.Errorf("trace is damaged: %v: record it again", x)
		}
	}()
	in, err := trace.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("no execution trace: %w: record it again", err)
	}
	s := newSampler()
	for {
		e, err := in.ReadEvent()
		if errors.Is(err, io.EOF) {
			return s.profile, nil
		}
		if err != nil {
			return nil, fmt.Errorf("trace is damaged: %w: record it again", err)
		}
		s.event(&e)
	}
}

// A sampler keeps the samples of windows.
type sampler struct {
	profile      *profile.Profile
	locations    map[trace.StackFrame]*profile.Location
	functions    map[[2]string]*profile.Function
	marked, open bool
	from         int // samples before the window that is open
}

func newSampler() *sampler {
	const period = 1e9 / 500 // ns; shares are what counts
	return &sampler{
		profile: &profile.Profile{
			SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
			PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: period,
		},
		locations: map[trace.StackFrame]*profile.Location{}, functions: map[[2]string]*profile.Function{},
	}
}

// event takes the next event.
func (s *sampler) event(e *trace.Event) {
	switch e.Kind() {
	case trace.EventStackSample:
		if s.open || !s.marked {
			s.add(e.Stack())
		}
	case trace.EventLog:
		l := e.Log()
		if l.Category != "payoff" {
			return
		}
		if !s.marked {
			s.profile.Sample = nil
		}
		s.marked = true
		switch {
		case l.Message == "start", l.Message == "reset" && s.open:
			if s.open { // set-up was measured so far
				s.profile.Sample = s.profile.Sample[:s.from]
			}
			s.open, s.from = true, len(s.profile.Sample)
		case l.Message == "stop":
			s.open = false
		}
	}
}

func (s *sampler) add(stack trace.Stack) {
	sample := &profile.Sample{Value: []int64{1, s.profile.Period}}
	for f := range stack.Frames() {
		loc := s.locations[f]
		if loc == nil {
			key := [2]string{f.Func, f.File}
			fn := s.functions[key]
			if fn == nil {
				fn = &profile.Function{ID: uint64(len(s.functions) + 1), Name: f.Func, Filename: f.File}
				s.functions[key] = fn
				s.profile.Function = append(s.profile.Function, fn)
			}
			loc = &profile.Location{ID: uint64(len(s.locations) + 1), Address: f.PC, Line: []profile.Line{{Function: fn, Line: int64(f.Line)}}}
			s.locations[f] = loc
			s.profile.Location = append(s.profile.Location, loc)
		}
		sample.Location = append(sample.Location, loc)
	}
	if len(sample.Location) > 0 {
		s.profile.Sample = append(s.profile.Sample, sample)
	}
}
