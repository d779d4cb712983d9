package gallery

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

var verdicts = []string{"pays", "even", "loses", "cannot say"}

// checkWant adds what is wrong with the want.json of a case.
func checkWant(p *problems, c Case, tab *table) {
	w := c.Want
	problem := func(format string, args ...any) { p.add("want.json", format, args...) }
	if w.Case != c.Name {
		problem("case is %q, want the name of the directory", w.Case)
	}
	if w.Kind == "case" && !slices.Contains(causes, w.Cause) {
		problem("cause is %q, want one of %v", w.Cause, causes)
	}
	if w.Kind == "experiment" && w.Cause != "" {
		problem("cause is %q, but nothing was planted in an experiment", w.Cause)
	}
	if w.Source == "" {
		problem("source is empty")
	}
	if len(w.Comparisons) == 0 {
		problem("no comparisons")
	}

	unjudged := maps.Clone(tab.variants)
	seen := make(map[Claim]bool)
	check := func(list string, i int, c Claim) {
		at := fmt.Sprintf("%s[%d]", list, i)
		for _, v := range []string{c.Variant, c.Base} {
			if !tab.variants[v] {
				problem("%s: no variant %q in case_test.go", at, v)
			}
		}
		if c.Variant == c.Base {
			problem("%s: %q is compared with itself", at, c.Variant)
		}
		if !slices.Contains(w.Procs, c.Procs) {
			problem("%s: procs is %d, want one of %d", at, c.Procs, w.Procs)
		}
		if err := tab.has(c.At); err != nil {
			problem("%s: %v", at, err)
		}
		for v := range strings.SplitSeq(c.Verdict, "|") {
			if !slices.Contains(verdicts, v) {
				problem("%s: verdict %q, want some of %q", at, v, verdicts)
			}
		}
		if !slices.ContainsFunc(verdicts, func(v string) bool { return !slices.Contains(strings.Split(c.Verdict, "|"), v) }) {
			problem("%s: any verdict will do: a variant of which nothing is claimed is one of those in unclaimed", at)
		}
		switch {
		case w.Kind == "experiment":
			if c.Cause != "" {
				problem("%s: an experiment claims no cause", at)
			}
		case c.Cause == "":
			if c.Verdict == "loses" {
				problem("%s: loses without a cause", at)
			}
		default:
			for s := range strings.SplitSeq(c.Cause, "|") {
				if !slices.Contains(causes, s) {
					problem("%s: cause %q, want some of %q", at, s, causes)
				}
			}
		}
		key := Claim{Variant: c.Variant, Base: c.Base, Procs: c.Procs, At: c.At}
		if seen[key] {
			problem("%s: claimed twice", at)
		}
		seen[key] = true
	}
	for i, c := range w.Comparisons {
		check("comparisons", i, c)
		if base := w.Comparisons[0].Base; c.Base != base {
			problem("comparisons[%d]: base is %q, want %q as before it", i, c.Base, base)
		}
		delete(unjudged, c.Variant)
		delete(unjudged, c.Base)
	}
	for i, c := range w.Pairs {
		check("pairs", i, c)
	}
	for i, v := range w.Unclaimed {
		if !unjudged[v] {
			problem("unclaimed[%d]: %q is no variant, or it is claimed", i, v)
		}
		delete(unjudged, v)
	}
	for _, v := range slices.Sorted(maps.Keys(unjudged)) {
		problem("comparisons: nothing is said of variant %q", v)
	}
}

// then is a sound then.json of the cases in tests.
const then = `{"article":"a","lines":[],"conclusions":[{"says":"It is so.","variant":"%s","base":"%s","procs":1,"at":"","direction":"loses"}]}`

// Every rule of checkWant finds its fault in a case that is sound otherwise.
func TestCheckCase(t *testing.T) {
	const (
		test = `package grain
import ("fmt"; "testing")
var variants = []struct { name string; f func() }{{"serial", nil}, {"bad", nil}, {"good", nil}}
var mixes = []string{"90", "50"}
func TestX(t *testing.T) { _ = 77 }
func BenchmarkX(b *testing.B) {
	for _, n := range []int{1_000} { b.Run(fmt.Sprintf("variant=%s/n=%d", "", n), nil) }
}
func BenchmarkY(b *testing.B) { bench(b, mixes) }
func bench(b *testing.B, mixes []string) { b.Run(fmt.Sprintf("variant=%s/mix=%s/goroutines=%d", "", "", 4), nil) }`
		wants = `{"case":"grain","cause":"grain","source":"s","comparisons":[
{"variant":"bad","base":"serial","procs":1,"at":"","verdict":"loses","cause":"grain"},
{"variant":"good","base":"serial","procs":2,"at":"n=1000","verdict":"pays|even"}],
"pairs":[{"variant":"good","base":"bad","procs":2,"at":"Y/mix=90/goroutines=4","verdict":"pays"}]}`
	)
	sound := map[string]string{
		"doc.go": "// Package grain is a case.\npackage grain", "serial.go": "", "disease.go": "", "cure_good.go": "",
		"case_test.go": test, "want.json": wants, "then.json": fmt.Sprintf(then, "bad", "serial"),
	}

	findsFaults(t, sound, []fault{
		{"want.json", "s", "s", ""},
		{"doc.go", "", "", "grain/doc.go: missing"},
		{"doc.go", "// Package grain is a case.\n", "", "grain/doc.go: no package comment"},
		{"serial.go", "", "", "grain/serial.go: missing"},
		{"disease.go", "", "", "grain/disease.go: missing"},
		{"cure_good.go", "", "", "grain/cure_*.go: missing"},
		{"case_test.go", "", "", "grain/case_test.go: missing"},
		{"want.json", "", "", "grain/want.json: missing"},
		{"then.json", "", "", "grain/then.json: missing"},
		{"case_test.go", "package", "pakcage", "grain/case_test.go: "},
		{"case_test.go", "variants", "versions", "no table variants"},
		{"case_test.go", `"bad"`, `"good"`, `"good" again`},
		{"case_test.go", "variant=%s/n=%d", "variant=%s/%d", "benchmark named variant=%s/%d"},
		{"case_test.go", "variant=%s", "v=%s", "no benchmark named variant=%s"},
		{"case_test.go", `{"good", nil}`, `{"good", nil}, {"new", nil}`, `nothing is said of variant "new"`},
		{"want.json", `"source"`, `"sauce"`, `unknown field "sauce"`},
		{"want.json", `"pairs"`, `"pears"`, `unknown field "pears"`},
		{"want.json", "]}", "]} {}", "more than one JSON value"},
		{"want.json", `"case":"grain"`, `"case":"grane"`, "name of the directory"},
		{"want.json", `"cause":"grain","source"`, `"cause":"grane","source"`, "cause is"},
		{"want.json", `"source":"s"`, `"source":""`, "source is empty"},
		{"want.json", `"good","base":"bad"`, `"goods","base":"bad"`, `pairs[0]: no variant "goods"`},
		{"want.json", `"good","base":"bad"`, `"bad","base":"bad"`, "compared with itself"},
		{"want.json", `"good","base":"serial"`, `"good","base":"bad"`, `comparisons[1]: base is "bad"`},
		{"want.json", `"procs":1`, `"procs":4`, "procs is 4, want one of [1 2]"},
		{"want.json", `"source"`, `"procs":[1,2],"source"`, ""},
		{"want.json", `"source"`, `"procs":[],"source"`, "procs is empty"},
		{"want.json", `"source"`, `"param":"m","source"`, `unknown field "param"`},
		{"want.json", `"source"`, `"kind":"case","source"`, ""},
		{"want.json", `"source"`, `"kind":"cases","procs":[1],"source"`, `kind is "cases"`},
		{"want.json", `"comparisons"`, `"comparisions"`, `unknown field "comparisions"`},
		{"want.json", `n=1000`, `n=1_000`, `no benchmark has "1_000"`},
		{"want.json", `n=1000`, `n=77`, `no benchmark has "77"`},
		{"want.json", `n=1000`, `m=1000`, `no benchmark has a part m=`},
		{"want.json", `"Y/mix`, `"Z/mix`, `no function BenchmarkZ`},
		{"want.json", `"Y/mix=90/goroutines=4"`, `"mix=90/Y"`, `no part KEY=VALUE: "Y"`},
		{"want.json", "mix=90", "mix=70", `no benchmark has "70"`},
		{"want.json", "pays|even", "pays|evens", `verdict "evens"`},
		{"want.json", `pays|even`, `cannot say|pays|loses|even`, "any verdict will do"},
		{"want.json", `"source"`, `"unclaimed":["good"],"source"`, `unclaimed[0]: "good" is no variant, or it is claimed`},
		{"want.json", `"source"`, `"unclaimed":["new"],"source"`, `unclaimed[0]: "new" is no variant`},
		{"want.json", `,"cause":"grain"}`, `}`, "loses without a cause"},
		{"want.json", `"cause":"grain"}`, `"cause":"grain|grane"}`, `cause "grane"`},
		{"want.json", `"verdict":"pays"}]`, `"verdict":"pays"},{"variant":"good","base":"bad","procs":2,"at":"Y/mix=90/goroutines=4","verdict":"even"}]`, "pairs[1]: claimed twice"},
	})
}

// The same for an experiment.
func TestCheckExperiment(t *testing.T) {
	sound := map[string]string{
		"doc.go":    "// Package grain asks.\npackage grain",
		"then.json": fmt.Sprintf(then, "other", "direct"),
		"case_test.go": `package grain
import ("fmt"; "testing")
var variants = []struct { name string; f func() }{{"direct", nil}, {"other", nil}}
func BenchmarkX(b *testing.B) {
	for _, n := range []int{8} { b.Run(fmt.Sprintf("variant=%s/depth=%d", "", n), nil) }
}`,
		"want.json": `{"kind":"experiment","case":"grain","source":"s","procs":[1,8],"comparisons":[
{"variant":"other","base":"direct","procs":8,"at":"depth=8","verdict":"loses"}],"pairs":[]}`,
	}
	findsFaults(t, sound, []fault{
		{"want.json", "s", "s", ""},
		{"doc.go", "", "", "grain/doc.go: missing"},
		{"case_test.go", "", "", "grain/case_test.go: missing"},
		{"want.json", `depth=8`, `depth=9`, `no benchmark has "9"`},
		{"want.json", `"procs":[1,8],`, ``, "procs is empty"},
		{"want.json", `"procs":8`, `"procs":2`, "procs is 2, want one of [1 8]"},
		{"want.json", `"source"`, `"cause":"grain","source"`, "nothing was planted"},
		{"want.json", `"loses"`, `"loses","cause":"grain"`, "an experiment claims no cause"},
		{"case_test.go", `{"other", nil}`, `{"other", nil}, {"new", nil}`, `nothing is said of variant "new"`},
	})
	sound["case_test.go"] = strings.Replace(sound["case_test.go"], `{"other", nil}`, `{"other", nil}, {"new", nil}`, 1)
	sound["want.json"] = strings.Replace(sound["want.json"], `"source"`, `"unclaimed":["new"],"source"`, 1)
	findsFaults(t, sound, []fault{{"want.json", "s", "s", ""}, {"want.json", `["new"]`, `[]`, `nothing is said of variant "new"`}})
}

func TestAt(t *testing.T) {
	for _, tt := range []struct {
		place, family string
		want          bool
	}{
		{"", "Sum/n=1000", true},
		{"n=1000", "Sum/n=1000", true},
		{"n=100", "Sum/n=1000", false},
		{"Sum", "Sum/n=1000", true},
		{"Sum/n=1000", "Sum/n=1000", true},
		{"Su", "Sum/n=1000", false},
		{"mix=90/goroutines=4", "Match/goroutines=4/mix=90", true},
		{"mix=90/goroutines=4", "Match/goroutines=8/mix=90", false},
	} {
		if got := At(tt.place, tt.family); got != tt.want {
			t.Errorf("At(%q, %q) = %t", tt.place, tt.family, got)
		}
	}
}
