package service

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/source"
)

func file(name string) Source {
	return Source{Name: name, Open: func() (io.ReadCloser, error) { return os.Open("testdata/" + name) }}
}

func services(t *testing.T) (all []recorded) {
	t.Helper()
	data, err := os.ReadFile(recordedFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestServices: of services with a planted cost the first cause is that one, and those
// without have none. The account of each adds up.
func TestServices(t *testing.T) {
	planted, over := 0, 0
	for _, r := range services(t) {
		t.Run(r.Name, func(t *testing.T) {
			d, err := Explain([]Source{file(r.Name + ".trace.gz"), file(r.Name + ".pprof")}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			adds(t, d)
			first := ""
			if len(d.Causes) > 0 {
				first = d.Causes[0].Slug
				if r.Gain > 0 {
					planted++
				}
				if r.Gain > d.Causes[0].AtMost {
					over++
					t.Logf("the cure brought %.3g times the operations, at most %.3g were told", r.Gain, d.Causes[0].AtMost)
				}
			}
			if first != r.Cause {
				t.Errorf("first cause %q, want %q: %q", first, r.Cause, d.Summary)
			}
			if r.Cause == "" {
				return
			}
			cured, err := Explain([]Source{file(r.Name + "-cured.trace.gz"), file(r.Name + "-cured.pprof")}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			adds(t, cured)
			if len(cured.Causes) > 0 && cured.Causes[0].Slug == r.Cause && cured.Causes[0].Share > 0.75*d.Causes[0].Share {
				t.Errorf("with its cure %s has %.0f%%, %.0f%% before", r.Cause, 100*cured.Causes[0].Share, 100*d.Causes[0].Share)
			}
		})
	}
	if 5*over > planted {
		t.Errorf("%d of %d cures brought more than was told to be the most, want one in five or fewer", over, planted)
	}
}

// adds checks that the shares of an account sum to 1.
func adds(t *testing.T, d *Doc) {
	t.Helper()
	sum := 0.0
	for _, i := range d.Account {
		sum += i.Share
	}
	if math.Abs(sum-1) > 1e-6 {
		t.Errorf("the account adds up to %.3f: %+v", sum, d.Account)
	}
}

// TestWhere: the place of what a slow operation does is where it does that, and not
// where it waits for anything else.
func TestWhere(t *testing.T) {
	at := func(line int) source.Place { return source.Place{File: "f.go", Line: line} }
	s := &Slow{Path: []Leg{{What: exectrace.PartLock, NS: 5, At: at(1)}, {What: exectrace.PartReady, NS: 9}, {What: exectrace.PartLock, NS: 7, At: at(2)}, {What: exectrace.PartNet, NS: 8, At: at(3)}}}
	for what, want := range map[exectrace.Part]source.Place{exectrace.PartLock: at(2), exectrace.PartReady: {}, exectrace.PartTimer: {}} {
		if got := s.where(what); got != want {
			t.Errorf("%s at %v, want %v", what, got, want)
		}
	}
}

// TestCounted: what counts as an operation is the same in all traces.
func TestCounted(t *testing.T) {
	e := &evidences{work: exectrace.Called, trace: &exectrace.Facts{Doing: exectrace.Items}}
	if w, err := e.operations(Source{}, Options{}); err != nil || w != exectrace.Called {
		t.Errorf("operations = %q, %v; want those of the first trace", w, err)
	}
}
