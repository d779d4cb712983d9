package service

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// A recorded service has a trace and a profile in testdata, with its cost and with its
// cure.
type recorded struct {
	Name  string  `json:"name"`
	Cause string  `json:"cause"`          // planted; "" none
	Gain  float64 `json:"gain,omitempty"` // of the cure: the median of pairs of runs, one after the other; 0 where it is not known
}

const recordedFile = "testdata/services.json"

// windows of traces, so that none is larger than it has to be.
var windows = map[string]string{"pipeline": "6ms", "fanout": "25ms", "poller": "30ms", "audit": "50ms", "render": "60ms"}

// TestRecord records the services anew: PAYOFF_RECORD=1, on a machine that has nothing
// else to do. PAYOFF_RECORD=cache,hub records these alone.
func TestRecord(t *testing.T) {
	which := os.Getenv("PAYOFF_RECORD")
	if which == "" {
		t.Skip("PAYOFF_RECORD is not set")
	}
	bin := filepath.Join(t.TempDir(), "services")
	if out, err := exec.Command("go", "build", "-trimpath", "-o", bin, "../../testdata/services").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	run := func(args ...string) string {
		t.Helper()
		out, err := exec.Command(bin, args...).Output()
		if err != nil {
			t.Fatalf("services %v: %v", args, err)
		}
		return string(out)
	}
	old := map[string]recorded{}
	if data, err := os.ReadFile(recordedFile); err == nil {
		var all []recorded
		if err := json.Unmarshal(data, &all); err != nil {
			t.Fatal(err)
		}
		for _, r := range all {
			old[r.Name] = r
		}
	}
	var all []recorded
	for line := range strings.Lines(run("-list")) {
		name, cause, _ := strings.Cut(strings.TrimSpace(line), " ")
		r := recorded{Name: name, Cause: cause}
		if which != "1" && !slices.Contains(strings.Split(which, ","), name) {
			all = append(all, old[name])
			continue
		}
		forms := []string{""}
		if cause != "" {
			forms = []string{"", "-cured"}
			var gains []float64
			for range 3 {
				gains = append(gains, rate(t, run("-run", name, "-cured", "-for", "250ms"))/rate(t, run("-run", name, "-for", "250ms")))
			}
			slices.Sort(gains)
			r.Gain = float64(int(100*gains[1])) / 100
		}
		for _, form := range forms {
			window, ok := windows[name]
			if !ok || form != "" && name != "pipeline" {
				window = "120ms"
				if form != "" {
					window = "40ms"
				}
			}
			dir := t.TempDir()
			trace, cpu := filepath.Join(dir, "trace"), filepath.Join(dir, "cpu")
			args := []string{"-run", name, "-for", "800ms", "-window", window, "-trace", trace, "-cpu", cpu}
			if form != "" {
				args = append(args, form)
			}
			run(args...)
			keep(t, name+form, trace, cpu)
		}
		t.Log(r)
		all = append(all, r)
	}
	data, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(recordedFile, append(data, '\n'), 0o666); err != nil {
		t.Fatal(err)
	}
}

func rate(t *testing.T, out string) (r float64) {
	t.Helper()
	_, rest, _ := strings.Cut(out, ": ")
	if _, err := fmt.Sscan(rest, &r); err != nil || r <= 0 {
		t.Fatalf("services said %q", out)
	}
	return r
}

// keep writes a trace and a profile to testdata, without the name of the machine's
// folders.
func keep(t *testing.T, name, trace, cpu string) {
	t.Helper()
	data, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 300e3 {
		t.Errorf("%s: %d bytes of trace, compressed: give it a shorter window", name, b.Len())
	}
	if err := os.WriteFile("testdata/"+name+".trace.gz", b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	data, err = os.ReadFile(cpu)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range p.Mapping {
		m.File = "services"
	}
	b.Reset()
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("testdata/"+name+".pprof", b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}
