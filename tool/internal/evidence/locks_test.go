package evidence

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// contended is a mutex or block profile with one sample for each stack, leaf
// first, on line 7 of its file.
func contended(t *testing.T, samples map[string][2]int64) io.Reader {
	t.Helper()
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "contentions", Unit: "count"}, {Type: "delay", Unit: "nanoseconds"}}, PeriodType: &profile.ValueType{}}
	for stack, values := range samples {
		s := &profile.Sample{Value: values[:]}
		for _, name := range strings.Fields(stack) {
			id := uint64(len(p.Function) + 1)
			fn := &profile.Function{ID: id, Name: name, Filename: "/src/" + name + ".go"}
			loc := &profile.Location{ID: id, Line: []profile.Line{{Function: fn, Line: 7}}}
			p.Function, p.Location = append(p.Function, fn), append(p.Location, loc)
			s.Location = append(s.Location, loc)
		}
		p.Sample = append(p.Sample, s)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return &b
}

func TestReadLocks(t *testing.T) {
	user := func(fn, _ string) bool { return strings.HasPrefix(fn, "main.") }
	now := map[string][2]int64{
		"sync.(*Mutex).Unlock main.put main.work": {30, 3000},
		"sync.(*Mutex).Unlock main.get main.work": {5, 9000},
		"sync.(*Mutex).Unlock main.setup":         {8, 80000},
		"runtime.chanrecv1 runtime.main":          {1, 10},
	}
	before := map[string][2]int64{"sync.(*Mutex).Unlock main.setup": {8, 80000}, "sync.(*Mutex).Unlock main.put main.work": {10, 1000}}
	got, err := ReadLocks("mutex", contended(t, now), contended(t, before), user)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		fn    string
		n     int64
		delay float64
	}{{"main.get", 5, 9000}, {"main.put", 20, 2000}, {"runtime.chanrecv1", 1, 10}}
	if len(got) != len(want) {
		t.Fatalf("%+v, want %+v", got, want)
	}
	for i, w := range want {
		if l := got[i]; l.Site.Func != w.fn || l.N != w.n || l.Delay != w.delay || l.Profile != "mutex" || l.Site.Line != 7 {
			t.Errorf("%+v, want %+v", l, w)
		}
	}
	if got[0].Call != "sync.(*Mutex).Unlock" {
		t.Errorf("%s was called, want sync.(*Mutex).Unlock", got[0].Call)
	}

	for name, in := range map[string][2]io.Reader{
		"no profile":        {strings.NewReader("x"), contended(t, before)},
		"no profile before": {contended(t, now), strings.NewReader("")},
	} {
		if got, err := ReadLocks("mutex", in[0], in[1], user); err == nil {
			t.Errorf("%s: %v, want an error", name, got)
		}
	}
	cpu := &profile.Profile{SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}}, PeriodType: &profile.ValueType{}}
	var b bytes.Buffer
	if err := cpu.Write(&b); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadLocks("mutex", &b, contended(t, nil), user); err == nil || !strings.Contains(err.Error(), "another kind of profile") {
		t.Errorf("a CPU profile: %v, %v", got, err)
	}
}
