package session

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/report/text"
)

var update = flag.Bool("update", false, "write what the tests got into testdata")

// recorded are runs whose reports differ in kind.
var recorded = []string{
	"2026-11-21-epyc-2cpu/causes-unseen", "2026-11-21-epyc-2cpu/counter", "2026-11-21-epyc-2cpu/modcache", "2026-11-21-epyc-2cpu/one",
	"2026-11-21-epyc-2cpu/session", "2026-11-21-epyc-2cpu/strings", "2026-11-21-epyc-2cpu/sync", "2026-11-21-epyc-2cpu/two",
	"2026-11-22-epyc-2cpu/causes-foreign", "2026-11-22-epyc-2cpu/session", "2026-11-22-epyc-2cpu/twins-short1",
}

// TestReadBack: the JSON of a recorded run has all that its texts say. A Doc
// read from it is written byte for byte as the one that was made.
func TestReadBack(t *testing.T) {
	for _, run := range recorded {
		for _, causes := range []Causes{Wanted, All} {
			end := last(t, Plan{From: filepath.Join("../../../record", run), Causes: causes})
			if end.Err != nil {
				t.Fatal(end.Err)
			}
			made := end.Doc
			o := text.Options{Colours: true, All: true}
			var doc bytes.Buffer
			if err := made.JSON(&doc); err != nil {
				t.Fatal(err)
			}
			read := new(report.Doc)
			if err := json.Unmarshal(doc.Bytes(), read); err != nil {
				t.Fatal(err)
			}
			if got, want := texts(t, read, o), texts(t, made, o); got != want {
				t.Errorf("%s, read back:\n%s\nwant\n%s", run, got, want)
			}
			for _, c := range made.Comparisons {
				const most = 7 << 10 // a report of 300 benchmarks can be read
				if page, err := json.Marshal(c.Page); err != nil || len(page) > most {
					t.Errorf("%s, %s at %d: a page of %d bytes, %v; want %d at most", run, c.Name, c.Procs, len(page), err, most)
				}
			}
		}
	}
}

// last carries out a plan and returns its end.
func last(t *testing.T, p Plan) (end End) {
	t.Helper()
	n := 0
	for e := range Run(t.Context(), p) {
		if x, ok := e.(End); ok {
			end = x
			n++
		} else if n > 0 {
			t.Errorf("%v after the end", e)
		}
	}
	if n != 1 {
		t.Fatalf("%d ends", n)
	}
	return end
}

// texts is all that is written of d for a person.
func texts(t *testing.T, d *report.Doc, o text.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := text.Report(&b, d, o); err != nil {
		t.Fatal(err)
	}
	if err := text.Why(&b, d, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestWidth: what is written of recorded runs keeps to the width of the
// terminal, but for single words and for what is to be copied, and is what
// testdata holds of some of them.
func TestWidth(t *testing.T) {
	shown := []string{"2026-11-22-epyc-2cpu/session", "2026-11-21-epyc-2cpu/sync", "2026-11-21-epyc-2cpu/modcache"} // of the first, one variant
	for _, run := range recorded {
		end := last(t, Plan{From: filepath.Join("../../../record", run), Causes: Wanted})
		if end.Err != nil {
			t.Fatal(end.Err)
		}
		end.Doc.Record = "record/" + run // not where the test lies
		if run == shown[0] {
			end.Doc.Keep(func(name string) bool { return name == "BenchmarkSum/variant=packed/n=1000000" })
		}
		for _, width := range []int{80, 120} {
			got := texts(t, end.Doc, text.Options{Width: width})
			for line := range strings.Lines(got) {
				line = strings.TrimRight(line, "\n")
				if utf8.RuneCountInString(line) > width && strings.Contains(strings.TrimLeft(line, " "), " ") && !strings.HasPrefix(line, "next: ") && !strings.HasPrefix(line, "raw results: ") {
					t.Errorf("%s at %d columns: a line of %d: %s", run, width, utf8.RuneCountInString(line), line)
				}
			}
			if !slices.Contains(shown, run) {
				continue
			}
			file := filepath.Join("testdata", fmt.Sprintf("%s-%d.txt", filepath.Base(run), width))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(file); err != nil || string(want) != got {
				t.Errorf("%s (%v): got\n%s\nwrite it with go test ./tool/internal/session -run Width -update", file, err, got)
			}
		}
	}
}
