package session

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/report/text"
)

// TestReadBack: the JSON of a recorded run has all that its texts say. A Doc
// read from it is written byte for byte as the one that was made.
func TestReadBack(t *testing.T) {
	for _, run := range []string{
		"2026-11-21-epyc-2cpu/causes-unseen", "2026-11-21-epyc-2cpu/counter", "2026-11-21-epyc-2cpu/modcache", "2026-11-21-epyc-2cpu/one",
		"2026-11-21-epyc-2cpu/session", "2026-11-21-epyc-2cpu/strings", "2026-11-21-epyc-2cpu/sync", "2026-11-21-epyc-2cpu/two",
		"2026-11-22-epyc-2cpu/causes-foreign", "2026-11-22-epyc-2cpu/session", "2026-11-22-epyc-2cpu/twins-short1",
	} {
		for _, causes := range []Causes{Wanted, All} {
			end := last(t, Plan{From: filepath.Join("../../../record", run), Causes: causes})
			if end.Err != nil {
				t.Fatal(end.Err)
			}
			made := end.Doc
			var doc bytes.Buffer
			if err := made.JSON(&doc); err != nil {
				t.Fatal(err)
			}
			read := new(report.Doc)
			if err := json.Unmarshal(doc.Bytes(), read); err != nil {
				t.Fatal(err)
			}
			if got, want := texts(t, read), texts(t, made); got != want {
				t.Errorf("%s, read back:\n%s\nwant\n%s", run, got, want)
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
func texts(t *testing.T, d *report.Doc) string {
	t.Helper()
	var b bytes.Buffer
	o := text.Options{Colours: true, All: true}
	if err := text.Report(&b, d, o); err != nil {
		t.Fatal(err)
	}
	if err := text.Why(&b, d, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
