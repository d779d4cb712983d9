package html

import (
	"bytes"
	"strings"
	"testing"
)

// What a program is named cannot become markup, in no part of the page. The
// test of the browser sees what it does there; this one needs none.
func TestEscaped(t *testing.T) {
	const evil = `</title></script><img src=x onerror=alert(1)>`
	d := docs(t)["fix-falseshare"]
	d.Summary, d.Next, d.Record, d.Environment.CPU = evil, evil, evil, evil
	d.Warnings = append(d.Warnings, evil)
	d.Packages[0].Package += evil
	for i := range d.Comparisons {
		c := &d.Comparisons[i]
		c.Variant, c.Benchmark, c.Name = c.Variant+evil, c.Benchmark+evil, c.Name+evil
		for j := range c.Causes {
			c.Causes[j].Title = evil
		}
	}
	var b bytes.Buffer
	if err := Write(&b, d, Options{Bench: []byte(evil), Home: "/"}); err != nil {
		t.Fatal(err)
	}
	if i := strings.Index(b.String(), "<img"); i >= 0 {
		t.Errorf("a name is markup: …%s…", b.String()[max(0, i-80):i+40])
	}
}
