package gather

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gopayoff/payoff/tool/internal/gocmd/gocmdtest"
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// TestEnter: samples at the first instruction of what was inlined from package testing
// are those of the store before it, and so the user's. Samples elsewhere, and without
// the binary, stay where they are.
func TestEnter(t *testing.T) {
	if runtime.GOARCH != "amd64" || runtime.GOOS != "linux" {
		t.Skip("needs debug information in a format that is read everywhere")
	}
	dir, _ := gocmdtest.Module(t, map[string]string{"go.mod": "module m\n\ngo 1.22\n", "main.go": `package main

import "testing"

var stored int

//go:noinline
func storeInTurns(pb *testing.PB, from *int) {
	for pb.Next() {
		stored = *from
	}
}

func main() { storeInTurns(new(testing.PB), new(int)) }
`})
	exe := filepath.Join(t.TempDir(), "m")
	cmd := exec.Command("go", "build", "-o", exe, ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	data, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	b, err := instr.Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	const fn, next = "main.storeInTurns", "testing.(*PB).Next"
	start, end, _ := b.Func(fn)
	var first, later uint64
	for a := start; a < end && later == 0; a++ {
		frames := b.Frames(a)
		if len(frames) != 2 || frames[0].Func != next || frames[1].Func != fn {
			continue
		}
		at, ok := b.Entry(a)
		switch {
		case ok && at == a:
			first = a
		case !ok && first != 0 && frames[0].Line > b.Frames(first)[0].Line:
			later = a
		}
	}
	if first == 0 || later == 0 {
		t.Fatalf("Next is entered at %#x and goes on at %#x, want both known", first, later)
	}
	sampled := func(addr uint64) *profile.Profile {
		p := &profile.Profile{
			SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		}
		loc := &profile.Location{ID: 1, Address: addr}
		for _, f := range b.Frames(addr) {
			loc.Line = append(loc.Line, profile.Line{Function: named(p, f), Line: int64(f.Line)})
		}
		p.Location = []*profile.Location{loc}
		p.Sample = []*profile.Sample{{Location: []*profile.Location{loc}, Value: []int64{1, 1e6}}}
		return p
	}
	for _, tt := range []struct {
		name string
		g    *gathering
		addr uint64
		want stack.Category
	}{
		{"first", &gathering{binary: b}, first, stack.User},
		{"later", &gathering{binary: b}, later, stack.Runtime},
		{"without a binary", &gathering{}, first, stack.Runtime},
	} {
		p := sampled(tt.addr)
		tt.g.enter(p)
		d, err := tt.g.digest(p)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if d.Share[tt.want] != 1 {
			t.Errorf("%s: %v, want all in %s", tt.name, d.Share, tt.want)
		}
		if tt.want != stack.User {
			continue
		}
		at := source.Place{}
		if len(d.Lines) == 1 {
			at = d.Lines[0].Place
		}
		file, err := os.ReadFile(at.File)
		if err != nil {
			t.Fatalf("%s: lines %v: %v", tt.name, d.Lines, err)
		}
		if line := strings.Split(string(file), "\n")[at.Line-1]; strings.TrimSpace(line) != "stored = *from" {
			t.Errorf("%s: at %v, %q; want the store", tt.name, at, line)
		}
		if h := d.Hot; len(h) != 1 || h[0].Addr != first {
			t.Errorf("%s: hot %+v, want the address of the sample, %#x", tt.name, h, first)
		}
	}
}
