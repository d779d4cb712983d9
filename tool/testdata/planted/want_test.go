package planted

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/catalog"
)

// Each benchmark of the sets is in its want.json once per processor count, and
// each cause there is a known one.
func TestWant(t *testing.T) {
	for _, dir := range []string{".", "unseen", "strangers", "readers", "mechanisms", "mechanisms/native", "foreign", "spins"} {
		t.Run(dir, func(t *testing.T) { checkWant(t, dir) })
	}
}

func checkWant(t *testing.T, dir string) {
	data, err := os.ReadFile(filepath.Join(dir, "want.json"))
	if err != nil {
		t.Fatal(err)
	}
	var wants []struct {
		Benchmark, Variant, First, Note string
		Procs                           []int
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&wants); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	left := make(map[string][]int)
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func (Benchmark\w+)\(`).FindAllSubmatch(src, -1) {
			left[string(m[1])] = []int{1, 2}
		}
	}
	for _, w := range wants {
		if w.Variant == "" || w.Note == "" {
			t.Errorf("%s: variant %q, note %q, want both", w.Benchmark, w.Variant, w.Note)
		}
		for _, p := range w.Procs {
			i := slices.Index(left[w.Benchmark], p)
			if i < 0 {
				t.Errorf("%s, procs %d: no such benchmark, or wanted twice", w.Benchmark, p)
				continue
			}
			left[w.Benchmark] = slices.Delete(left[w.Benchmark], i, i+1)
		}
		for _, s := range strings.Split(w.First, "|") {
			if _, ok := catalog.Find(s); !ok && s != "none" {
				t.Errorf("%s: unknown cause %q", w.Benchmark, s)
			}
		}
	}
	if len(left) == 0 || len(wants) == 0 {
		t.Errorf("%d benchmarks, %d wants", len(left), len(wants))
	}
	for name, procs := range left {
		if len(procs) > 0 {
			t.Errorf("%s: nothing wanted for procs %v", name, procs)
		}
	}
}
