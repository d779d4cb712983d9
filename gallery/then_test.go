package gallery

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

// checkThen adds what is wrong with the then.json of a case.
func checkThen(p *problems, c Case, tab *table, articles []Article) {
	problem := func(format string, args ...any) { p.add("then.json", format, args...) }
	if i := slices.IndexFunc(articles, func(a Article) bool { return a.Key == c.Then.Article }); i < 0 {
		problem("article %q is not in articles.json", c.Then.Article)
	} else if !slices.Contains(articles[i].Cases, c.Name) {
		problem("article %s does not have this case among those in articles.json", c.Then.Article)
	}
	for i, l := range c.Then.Lines {
		at := fmt.Sprintf("lines[%d]", i)
		size, ok := Units[l.Unit]
		switch {
		case l.Name == "":
			problem("%s: no name", at)
		case l.Procs < 1:
			problem("%s: procs is %d, want 1 or more", at, l.Procs)
		case !ok:
			problem("%s: unit %q, want one of those in Units", at, l.Unit)
		case l.Value < 0 || l.Value == 0 && size > 0:
			problem("%s: value is %v", at, l.Value)
		case (l.Unit == "%") != (l.Func != ""):
			problem("%s: lines in %%, and no others, name a function", at)
		case l.Variant == "" && l.Why == "":
			problem("%s: no variant measures the same, and it does not say why", at)
		case l.Variant == "" && l.At != "":
			problem("%s: at %q without a variant", at, l.At)
		case l.Times < 0 || l.Times > 0 && l.Unit == "%":
			problem("%s: times is %d, in %s", at, l.Times, l.Unit)
		case l.Variant != "" && !tab.variants[l.Variant]:
			problem("%s: no variant %q in case_test.go", at, l.Variant)
		}
		if err := tab.has(l.At); err != nil {
			problem("%s: %v", at, err)
		}
	}
	if len(c.Then.Conclusions) == 0 {
		problem("no conclusions")
	}
	for i, x := range c.Then.Conclusions {
		at := fmt.Sprintf("conclusions[%d]", i)
		for _, v := range []string{x.Variant, x.Base} {
			if !tab.variants[v] {
				problem("%s: no variant %q in case_test.go", at, v)
			}
		}
		if err := tab.has(x.At); err != nil {
			problem("%s: %v", at, err)
		}
		switch r := c.Then.Ratio(x); {
		case x.Says == "" || !strings.HasSuffix(x.Says, "."):
			problem("%s: says %q, want a sentence", at, x.Says)
		case x.Procs < 1:
			problem("%s: procs is %d, want 1 or more", at, x.Procs)
		case x.BaseProcs == x.Procs || x.BaseProcs < 0:
			problem("%s: base_procs is %d; leave it out where it is that of the variant", at, x.BaseProcs)
		case x.Variant == x.Base && x.BaseProcs == 0:
			problem("%s: %q is compared with itself", at, x.Variant)
		case !slices.ContainsFunc(c.Then.Lines, func(l Line) bool { return strings.HasSuffix(l.Name, x.Of) }) && x.Of != "":
			problem("%s: no line of %q", at, x.Of)
		case x.Speed < 0:
			problem("%s: then is %v, want the speed relative to the base", at, x.Speed)
		case !slices.Contains([]string{"", "pays", "even", "loses", "even|loses", "even|pays"}, x.Direction):
			problem("%s: direction %q, want pays, even or loses, even|loses or even|pays", at, x.Direction)
		case c.Then.Toward(x) == "":
			problem("%s: no figures in lines, no then and no direction", at)
		case r > 1 && x.Direction == "loses" || r != 0 && r < 1 && x.Direction == "pays":
			problem("%s: direction is %s, and its figure %.3g", at, x.Direction, r)
		}
		for status, why := range x.Why {
			if !slices.Contains(Statuses, status) {
				problem("%s: why of %q, want of some of %q", at, status, Statuses)
			} else if !strings.HasSuffix(why, ".") {
				problem("%s: why of %q is %q, want a sentence", at, status, why)
			}
		}
	}
}

// Every rule of checkThen finds its fault.
func TestCheckThen(t *testing.T) {
	sound := map[string]string{
		"doc.go":     "// Package grain is a case.\npackage grain",
		"serial.go":  "",
		"disease.go": "", "cure_a.go": "",
		"case_test.go": `package grain
import ("fmt"; "testing")
var variants = []struct { name string; f func() }{{"serial", nil}, {"bad", nil}}
func BenchmarkX(b *testing.B) { b.Run(fmt.Sprintf("variant=%s/n=%d", "", 8), nil) }`,
		"want.json": `{"case":"grain","cause":"grain","source":"s","comparisons":[{"variant":"bad","base":"serial","procs":1,"at":"","verdict":"loses","cause":"grain"}],"pairs":[]}`,
		"then.json": `{"article":"a","lines":[
{"name":"A","procs":1,"value":2,"unit":"ms","variant":"serial","at":"n=8"},
{"name":"B","procs":1,"value":4,"unit":"ms","variant":"bad","at":"n=8"},
{"name":"C","procs":1,"value":9,"unit":"%","func":"f","why":"Not here."}],
"conclusions":[{"says":"B is slow.","variant":"bad","base":"serial","procs":1,"at":"n=8","why":{"holds weaker":"It is faster."}},
{"says":"B does not scale.","variant":"bad","base":"bad","procs":8,"base_procs":1,"at":"n=8","direction":"even"}]}`,
	}
	findsFaults(t, sound, []fault{
		{"then.json", "s", "s", ""},
		{"then.json", `"article":"a"`, `"article":"b"`, `article "b"`},
		{"then.json", `"article":"a"`, `"article":"b2"`, "does not have this case"},
		{"then.json", `"lines"`, `"line"`, `unknown field "line"`},
		{"then.json", `"A"`, `""`, "lines[0]: no name"},
		{"then.json", `"C","procs":1`, `"C","procs":0`, "lines[2]: procs is 0"},
		{"then.json", `9,"unit":"%"`, `9,"unit":"percent"`, `lines[2]: unit "percent"`},
		{"then.json", `"value":9`, `"value":-9`, "lines[2]: value is -9"},
		{"then.json", `"func":"f",`, "", "lines[2]: lines in %"},
		{"then.json", `"C","procs":1,"value":9,"unit":"%"`, `"C","procs":1,"value":9,"unit":"s"`, "lines[2]: lines in %"},
		{"then.json", `,"why":"Not here."`, "", "lines[2]: no variant measures the same"},
		{"then.json", `"why":"Not here."`, `"at":"n=8","why":"Not here."`, `lines[2]: at "n=8" without a variant`},
		{"then.json", `"variant":"serial","at"`, `"times":1000,"variant":"serial","at"`, ""},
		{"then.json", `"variant":"serial","at"`, `"times":-1,"variant":"serial","at"`, "lines[0]: times is -1"},
		{"then.json", `"func":"f"`, `"func":"f","times":2`, "lines[2]: times is 2"},
		{"then.json", `"why":"Not here."`, `"variant":"c"`, `lines[2]: no variant "c"`},
		{"then.json", `"direction":"even"`, `"at":"n=9","direction":"even"`, `conclusions[1]: at "n=9"`},
		{"then.json", `"B is slow."`, `""`, "conclusions[0]: says"},
		{"then.json", `"B is slow."`, `"B is slow"`, "conclusions[0]: says"},
		{"then.json", `"procs":8`, `"procs":-8`, "conclusions[1]: procs is -8"},
		{"then.json", `"base_procs":1`, `"base_procs":8`, "conclusions[1]: base_procs is 8"},
		{"then.json", `"base_procs":1,`, ``, `conclusions[1]: "bad" is compared with itself`},
		{"then.json", `"direction":"even"`, `"then":-2`, "conclusions[1]: then is -2"},
		{"then.json", `"direction":"even"`, `"direction":"even|loses"`, ""},
		{"then.json", `"direction":"even"`, `"of":"(later)","direction":"even"`, `conclusions[1]: no line of "(later)"`},
		{"then.json", `"direction":"even"`, `"direction":"up"`, `conclusions[1]: direction "up"`},
		{"then.json", `,"direction":"even"`, ``, "conclusions[1]: no figures"},
		{"then.json", `"direction":"even"`, `"then":2,"direction":"loses"`, "conclusions[1]: direction is loses, and its figure 2"},
		{"then.json", `"holds weaker"`, `"weaker"`, `conclusions[0]: why of "weaker"`},
		{"then.json", `"It is faster."`, `""`, `conclusions[0]: why of "holds weaker" is ""`},
		{"then.json", `"variant":"bad","base":"bad"`, `"variant":"bud","base":"bad"`, `conclusions[1]: no variant "bud"`},
	})
}

func TestOps(t *testing.T) {
	then := Then{Lines: []Line{{Variant: "a", At: "n=8", Times: 1000}, {Variant: "b"}}}
	for c, want := range map[[3]string]int{{"a", "c", "n=8"}: 1000, {"c", "a", "n=8"}: 1000, {"a", "b", ""}: 1, {"c", "b", "n=8"}: 1000, {"a", "b", "n=9"}: 1000} {
		if got := then.Ops(Conclusion{Variant: c[0], Base: c[1], At: c[2]}); got != want {
			t.Errorf("Ops of %v = %d, want %d", c, got, want)
		}
	}
}

func TestRatio(t *testing.T) {
	then := Then{Lines: []Line{
		{Name: "A", Procs: 1, Value: 2, Unit: "ms", Variant: "a"},
		{Name: "A", Procs: 1, Value: 7, Unit: "B/op", Variant: "a"},
		{Name: "A", Procs: 8, Value: 1, Unit: "ms", Variant: "a"},
		{Name: "B, first", Procs: 1, Value: 9, Unit: "ns/op", Variant: "b", Again: true},
		{Name: "B", Procs: 1, Value: 1e6, Unit: "ns/op", Variant: "b"},
		{Name: "B", Procs: 1, Value: 3e6, Unit: "ns/op", Variant: "b", At: "n=8"},
		{Name: "C", Procs: 1, Value: 1.02, Unit: "ms", Variant: "c"},
		{Name: "D", Procs: 1, Value: 1, Unit: "ms", Variant: "d"},
		{Name: "D (later)", Procs: 1, Value: 4, Unit: "ms", Variant: "d"},
		{Name: "B (later)", Procs: 1, Value: 2, Unit: "ms", Variant: "b"},
	}}
	for _, tt := range []struct {
		c      Conclusion
		ratio  float64
		toward string
	}{
		{Conclusion{Variant: "a", Base: "b", Procs: 1}, 0.5, "loses"},
		{Conclusion{Variant: "b", Base: "a", Procs: 1}, 2, "pays"},
		{Conclusion{Variant: "b", Base: "a", Procs: 1, Speed: 1.9}, 1.9, "pays"},
		{Conclusion{Variant: "b", Base: "a", Procs: 1, Direction: "even"}, 2, "even"},
		{Conclusion{Variant: "c", Base: "b", Procs: 1}, 1 / 1.02, "even"},
		{Conclusion{Variant: "a", Base: "a", Procs: 8, BaseProcs: 1}, 2, "pays"},
		{Conclusion{Variant: "d", Base: "b", Procs: 1}, 1, "even"},
		{Conclusion{Variant: "d", Base: "b", Procs: 1, Of: "(later)"}, 0.5, "loses"},
		{Conclusion{Variant: "b", Base: "a", Procs: 1, At: "n=8"}, 0, ""},
		{Conclusion{Variant: "b", Base: "a", Procs: 8}, 0, ""},
		{Conclusion{Variant: "b", Base: "a", Procs: 8, Direction: "loses"}, 0, "loses"},
	} {
		if got := then.Ratio(tt.c); math.Abs(got-tt.ratio) > 1e-9 || then.Toward(tt.c) != tt.toward {
			t.Errorf("%+v: ratio %v toward %q, want %v, %q", tt.c, got, then.Toward(tt.c), tt.ratio, tt.toward)
		}
	}
}

// TestArticles: the cases have every line of the tables of their articles, once.
func TestArticles(t *testing.T) {
	root := os.DirFS(".")
	articles, err := readArticles(root)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := readCases(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range articles {
		where := map[[2]string]string{} // case of a line, by its name and unit
		names := map[string]bool{}
		for _, name := range a.Cases {
			if !slices.ContainsFunc(cases, func(c Case) bool { return c.Name == name && c.Then.Article == a.Key }) {
				t.Errorf("article %s names a case %s, and there is none of it", a.Key, name)
			}
		}
		for _, c := range cases {
			if c.Then.Article != a.Key {
				continue
			}
			for _, l := range c.Then.Lines {
				line := [2]string{l.Name, l.Unit}
				if before, ok := where[line]; ok {
					t.Errorf("%s: %s, %s, is in %s as well", c.Name, l.Name, l.Unit, before)
				}
				where[line] = c.Name
				names[l.Name] = true
			}
		}
		if n := len(names); n != a.Lines {
			t.Errorf("article %s has %d lines, and its cases have %d of them", a.Key, a.Lines, n)
		}
	}
}
