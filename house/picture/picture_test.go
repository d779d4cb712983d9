package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

// TestCommitted: the picture in the repository is what the record makes.
func TestCommitted(t *testing.T) {
	root := os.DirFS("../..")
	want, err := picture(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../" + file)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what docs/start.md and the record make (%v): go run ./house/picture", file, err)
	}
	const most = 60 << 10
	if len(want) > most {
		t.Errorf("%s has %d bytes, want %d at most", file, len(want), most)
	}
	for d := xml.NewDecoder(bytes.NewReader(want)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "script" {
			t.Error("the picture has a script")
		}
	}
}

const (
	ranPage = "x\n```\n$ payoff run -o first\n```\n<!-- from record/r/start-run.txt -->\n```\n$ payoff fix\n```\nmore\n<!-- from record/r/start-fix.txt -->\n"
	ran     = `Concurrency does not pay at 2 processors; parallel loses

p

  Total
  variant   procs  time/op  vs serial  interval        verdict  vs 1 proc  verdict  = cores/(ovh×infl)
  serial        1  843.4µs
                2  844.1µs                                          1.00x  even     1.01/1.01
  parallel      1  934.3µs     0.898x  [0.822, 0.976]  loses                        1.00/(1.11×1.00)
  few pairs make wide intervals

  why parallel at 2: 90% false sharing of a cache line (falseshare)
      the same code takes 923.9µs
      do: Sum
  why parallel at 1: 9.8%
      it takes 936.1µs
  percentages are shares

next: payoff fix
`
	fixed = `An edit pays: Total/parallel is 4.08x as fast

CONFIRMED readings.go:30: totals[g] (hotslot)
    evidence: 74 %
    keep totals[g]
      --- a/readings.go
      +++ b/readings.go
      @@ -26,9 +26,11 @@
           for g := range goroutines {
      +        own := 0

               for range readings {
      -            totals[g] += a && "<b>" != "a string that is longer than the line"
               }
           wg.Wait()
      Total/parallel  at 2: 4.08x [3.53, 4.53]
    passed: build
    tried, and not kept:
      pad

next: payoff fix -apply
`
)

// TestScenes: what is shown of the reports, and in which parts.
func TestScenes(t *testing.T) {
	for _, c := range []struct {
		parts  func([]string) ([][]string, error)
		report string
		want   [][]string
	}{
		{run, ran, [][]string{
			{"Concurrency does not pay at 2 processors; parallel loses"},
			{
				"variant   procs  time/op  vs serial  interval        verdict",
				"serial        1  843.4µs",
				"              2  844.1µs",
				"parallel      1  934.3µs     0.898x  [0.822, 0.976]  loses",
			},
			{
				"why parallel at 2: 90% false sharing of a cache line",
				"    (falseshare)",
				"    the same code takes 923.9µs",
				"    do: Sum",
			},
			{"next: payoff fix"},
		}},
		{fix, fixed, [][]string{
			{"An edit pays: Total/parallel is 4.08x as fast"},
			{
				"CONFIRMED readings.go:30: totals[g] (hotslot)",
				"    evidence: 74 %",
				"    keep totals[g]",
				"  +        own := 0",
				"           for range readings {",
				"  -            totals[g] += a && \"<b>\" != \"a string that is…",
			},
			{"  Total/parallel  at 2: 4.08x [3.53, 4.53]", "passed: build"},
			{"next: payoff fix -apply"},
		}},
	} {
		got, err := c.parts(strings.Split(strings.TrimRight(c.report, "\n"), "\n"))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("parts = %q, %v, want\n%q", got, err, c.want)
		}
	}
	for _, report := range []string{"nothing", strings.Replace(fixed, "CONFIRMED", "SUSPECTED", 1), strings.Replace(ran, "  why ", "  how ", 2)} {
		lines := strings.Split(report, "\n")
		if _, err := run(lines); err == nil {
			t.Errorf("run of %.20q: no error", report)
		}
		if _, err := fix(lines); err == nil {
			t.Errorf("fix of %.20q: no error", report)
		}
	}
}

// TestPicture: commands are the page's, text is escaped, and what does not fit is told.
func TestPicture(t *testing.T) {
	tree := fstest.MapFS{
		page:                     {Data: []byte(ranPage)},
		"record/r/start-run.txt": {Data: []byte(ran)},
		"record/r/start-fix.txt": {Data: []byte(fixed)},
	}
	svg, err := picture(tree)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"payoff run -o first, then payoff fix", "&amp;&amp; &#34;&lt;b&gt;", `<tspan class="b r">loses</tspan>`, `<tspan class="g">+ `, `textLength="67.2">do: Sum<`} {
		if !bytes.Contains(svg, []byte(want)) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	tree["record/r/start-run.txt"].Data = []byte(strings.Replace(ran, "      do: Sum\n", strings.Repeat("      do: Sum\n", 30), 1))
	if _, err := picture(tree); err == nil || !strings.Contains(err.Error(), "want 26 at most") {
		t.Errorf("a report of too many lines: %v", err)
	}
	tree["record/r/start-run.txt"].Data = []byte(ran)
	tree[page].Data = []byte(strings.Replace(ranPage, "start-fix", "start-mend", 1))
	if _, err := picture(tree); err == nil || !strings.Contains(err.Error(), "no step fix") {
		t.Errorf("a page without the step: %v", err)
	}
}
