package exectrace

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/exp/trace"
)

// made is an event that [trace.MakeEvent] knows.
func made[T trace.EventDetails](t *testing.T, kind trace.EventKind, g trace.GoID, p trace.ProcID, stack trace.Stack, details T) *trace.Event {
	t.Helper()
	e, err := trace.MakeEvent(trace.EventConfig[T]{Kind: kind, Time: 5, Goroutine: g, Proc: p, Thread: 7, Stack: stack, Details: details})
	if err != nil {
		t.Fatal(err)
	}
	return &e
}

// TestSampler: samples count in windows; what comes before a window is opened anew does
// not, and before the first mark nothing does. Each function and each line is there once.
func TestSampler(t *testing.T) {
	for _, tt := range []struct{ events, want string }{
		{"", ""},
		{"a b", "a b"},                  // without marks
		{"a start b stop c", "b"},       // before and after
		{"start a stop start b", "a b"}, // windows add up
		{"start a stop start b start c stop", "a c"}, // opened anew: set-up
		{"start a stop start b reset c stop", "a c"},
		{"start a stop reset b", "a"}, // no window is open
		{"a stop b", ""},
		{"a other b", ""}, // a mark of another kind is one
		{"start start a", "a"},
		{"a user:start b", "a b"}, // another's
		{"start nothing a", "a"},  // a sample without a stack
	} {
		s := newSampler()
		for _, word := range strings.Fields(tt.events) {
			category, message, ok := strings.Cut(word, ":")
			switch {
			case ok:
			case len(word) == 1:
				s.event(made(t, trace.EventStackSample, 1, 0, stackOf(word+" main"), trace.StackSample{}))
				continue
			case word == "nothing":
				s.event(made(t, trace.EventStackSample, 1, 0, trace.NoStack, trace.StackSample{}))
				continue
			default:
				category, message = "payoff", word
			}
			s.event(made(t, trace.EventLog, 1, 0, trace.NoStack, trace.Log{Category: category, Message: message}))
		}
		var got []string
		for _, x := range s.profile.Sample {
			got = append(got, x.Location[0].Line[0].Function.Name)
			if len(x.Value) != 2 || x.Value[0] != 1 || x.Value[1] != 2e6 || s.profile.Period != 2e6 {
				t.Errorf("%q: value %v of period %d, want 1 of 2 ms", tt.events, x.Value, s.profile.Period)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q: %q, want %s", tt.events, got, tt.want)
		}
		if err := s.profile.CheckValid(); err != nil {
			t.Errorf("%q: %v", tt.events, err)
		}
	}
	s := newSampler()
	frame := func(pc uint64, fn, file string, line uint64) trace.StackFrame {
		return trace.StackFrame{PC: pc, Func: fn, File: file, Line: line}
	}
	leaf, main := frame(10, "f", "a.go", 3), frame(20, "main", "b.go", 4)
	for _, frames := range [][]trace.StackFrame{{leaf, main}, {leaf, main}, {frame(11, "f", "a.go", 5), main}, {frame(12, "f", "other.go", 5), main}} {
		s.event(made(t, trace.EventStackSample, 1, 0, trace.MakeStack(frames), trace.StackSample{}))
	}
	if p := s.profile; len(p.Sample) != 4 || len(p.Location) != 4 || len(p.Function) != 3 || p.CheckValid() != nil {
		t.Errorf("%d samples of %d lines in %d functions, %v; want 4 of 4 in 3", len(p.Sample), len(p.Location), len(p.Function), p.CheckValid())
	}
	at := s.profile.Sample[2].Location
	if f := at[0].Line[0]; len(at) != 2 || at[0].Address != 11 || f.Line != 5 || f.Function.Name != "f" || f.Function.Filename != "a.go" || at[1].Line[0].Function.Name != "main" {
		t.Errorf("%+v, want line 5 of f, called by main", at)
	}
}

// TestSamplesErrors: what is no trace, or is cut, is an error and no panic. A
// trace without samples gives a profile without.
func TestSamplesErrors(t *testing.T) {
	for _, name := range allRecorded(t) {
		data := recorded(t, name)
		if p, err := Samples(bytes.NewReader(data)); err != nil || len(p.Sample) != 0 {
			t.Errorf("%s: %v, %v; want no samples", name, p, err)
		}
		for _, n := range []int{0, 1, 10, 17, len(data) / 3} {
			Samples(bytes.NewReader(data[:n]))
		}
	}
	for _, text := range []string{"", "x"} {
		if p, err := Samples(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "record it again") {
			t.Errorf("Samples(%q) = %v, %v; want an error that says what to do", text, p, err)
		}
	}
}
