package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/gallery"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// An ill is a program with a disease that an edit can take away, beside the cure
// that somebody wrote by hand: variants of one family.
type ill struct {
	set, name     string
	pkg           string // folder, from the root of the repository
	bench         string // expression: base, disease and cure
	disease, cure string // variants
	cause         string // slugs that may be named
	procs         []int  // GOMAXPROCS at which it is ill
}

// file is where a record has what payoff fix did to it as it is now, or at first
// sight: before any edit was made or mended with the programs of its set.
func (x ill) file(when string) string { return filepath.Join(when+"-"+x.set, x.name+".json") }

const (
	presentFix = "fix"
	firstFix   = "first"
)

// A fixSet is of programs that have cures.
type fixSet struct {
	set, pkg, title string
	ills            []ill
	incurable       map[string]string // why no edit cures the others, by name
}

// fixSets are all of them: the planted ones by folder, and the cases of the gallery.
func fixSets(t *testing.T) []fixSet {
	t.Helper()
	all := []fixSet{
		{set: "planted", pkg: "tool/testdata/planted", title: "planted"},
		{set: "fresh", pkg: "tool/testdata/planted/fresh", title: "planted, of all causes of the catalogue"},
		{set: "strangers", pkg: "tool/testdata/planted/strangers", title: "planted without knowledge of the rules"},
	}
	for i := range all {
		all[i].ills, all[i].incurable = ills(t, all[i].set, all[i].pkg)
	}
	return append(all, fixSet{"gallery", "docs/gallery.md", "cases with a cure that is an edit", casesIll(), caseIncurable})
}

// fixCases are the cases of the gallery that have a cure which is an edit, with
// the standard library alone.
var fixCases = []struct{ name, bench, at, base, disease, cure, cause string }{
	{"falseshare-packed", "Sum", "n=1000000", "serial", "packed", "local", "falseshare"},
	{"falseshare-packedatomic", "Sum", "n=1000000", "serial", "packedatomic", "local", "rmw, falseshare"},
	{"falseshare-shared", "Sum", "n=1000000", "serial", "shared", "local", "rmw, trueshare"},
	{"ringspsc", "Pass", "work=0", "serial", "channel", "channelbatch", "handoff"},
	{"ringmpmc", "Pass", "sides=100/work=0", "serial", "channel", "channelbatch", "handoff"},
	{"ringreaders", "Readers", "work=0", "serial", "channel", "channelbatch", "handoff"},
	{"pipecpu", "Pow", "n=100000", "sequential", "pipelinebuffered", "channelbatch", "handoff"},
	{"affinity", "Play", "n=256/hogs=0", "serial", "pingpong", "batched", "handoff"},
	{"sieve", "Primes", "n=10000", "serial", "chain", "batched", "handoff"},
	{"pipeio", "Fetch", "n=100", "sequential", "pipeline", "fan", "waiting"},
	{"grain", "Sort", "n=10000", "sequential", "goroutineperhalf", "threshold2048", "grain"},
	{"deferloop", "Unlock", "n=1000", "baseline", "accumulated", "deferred", "a defer in a loop"},
}

// caseIncurable says why no edit makes the cure of the other cases of their disease.
var caseIncurable = map[string]string{
	"byvalue":     "to copy instead of to point to is another type",
	"dispatch":    "the interface is the experiment",
	"gcpool":      "its test holds it to an allocation for each request",
	"heapescape":  "to copy instead of to point to is another type",
	"jsonreflect": "a codec for the type in place of encoding/json is new code and not an edit",
	"padring":     "its test holds the ring to the layout that it has",
	"poolsize":    "the pool is the experiment, whose sizes are compared",
	"snapshot":    "the cure is another data structure",
	"sortiface":   "the cure keeps the elements in another type",
	"subject":     "the cure is another data structure",
}

// ills are the programs of a set that an edit can cure, and why none can cure the
// others, by name.
func ills(t *testing.T, set, pkg string) (all []ill, incurable map[string]string) {
	t.Helper()
	dir := filepath.Join("..", "..", "..", filepath.FromSlash(pkg))
	var want []planted
	why := map[string]string{}
	for name, to := range map[string]any{"want.json": &want, "incurable.json": &why} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			err = json.Unmarshal(data, to)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	incurable = map[string]string{}
	for _, p := range want {
		name := strings.TrimPrefix(p.Benchmark, "Benchmark")
		if strings.HasPrefix(p.First, "none") {
			continue
		}
		if w := why[p.Benchmark]; w != "" {
			incurable[name] = w
			continue
		}
		cause := strings.ReplaceAll(p.First, "|", " or ")
		i := slices.IndexFunc(all, func(x ill) bool { return x.name == name })
		if i < 0 {
			i = len(all)
			all = append(all, ill{set: set, name: name, pkg: pkg, bench: "^" + p.Benchmark + "$", disease: p.Variant, cure: "cure", cause: cause})
		} else {
			all[i].cause += ", " + cause
		}
		all[i].procs = append(all[i].procs, p.Procs...)
	}
	return all, incurable
}

// casesIll are the cases of the gallery.
func casesIll() (all []ill) {
	for _, c := range fixCases {
		folder, _, _ := strings.Cut(c.name, "-")
		bench := fmt.Sprintf("^Benchmark%s$/^variant=(%s|%s|%s)$", c.bench, c.base, c.disease, c.cure)
		for at := range strings.SplitSeq(c.at, "/") {
			bench += "/^" + at + "$"
		}
		all = append(all, ill{set: "gallery", name: c.name, pkg: "gallery/" + folder, bench: bench, disease: c.disease, cure: c.cure, cause: c.cause, procs: []int{1, 2}})
	}
	return all
}

// withdrawn are edits that are no longer offered, by the programs whose records have
// them: a recogniser of its own found each there, and nowhere else. What is
// recorded of them stays, and cures nothing.
var withdrawn = map[string]string{
	"fresh/Chunks":      "spinwait:group",
	"fresh/Bank":        "sharedacc:local",
	"fresh/Fetch":       "onestage:workers 4",
	"fresh/Filters":     "chanperitem:direct",
	"fresh/Fractal":     "staticsplit:dynamic 1",
	"fresh/Points":      "hotalloc:inline",
	"fresh/Routes":      "syncmap:plain",
	"fresh/Store":       "unbuffered:ahead",
	"fresh/Visitors":    "hotalloc:presize",
	"fresh/Words":       "syncmap:own 512",
	"gallery/ringspsc":  "chanperitem:batch 256",
	"gallery/sieve":     "chanperitem:buffer 64",
	"planted/Fetch":     "waitloop:together 64",
	"planted/Offered":   "chanperitem:batch 64",
	"planted/Pyramid":   "staticsplit:dynamic 1",
	"planted/Restack":   "staticsplit:dynamic 1",
	"planted/Sorted":    "sortiface:typed",
	"planted/Stack":     "hotalloc:slice",
	"planted/Tasks":     "staticsplit:dynamic 16",
	"planted/Write":     "unbuffered:once",
	"strangers/Filters": "spinwait:channel 64",
	"strangers/Tenants": "staticsplit:together",
	"strangers/Triples": "staticsplit:dynamic 1",
}

// A fixed is what payoff fix did to a program with a disease, as the record has
// it: of the report what is judged, and what became of every edit.
type fixed struct {
	Command []string  `json:"command"`
	Payoff  string    `json:"payoff"`
	Go      string    `json:"go"`
	CPU     string    `json:"cpu"`
	Time    time.Time `json:"time"`
	Seconds float64   `json:"seconds"`
	// Hand is how many times as fast the cure is as the disease before any edit, at
	// each GOMAXPROCS that was measured. Older records have those of the disease.
	Hand []at `json:"hand"`
	// Kept is what -apply would write of the disease; nil: nothing.
	Kept  *keptEdit `json:"kept,omitempty"`
	Tried []string  `json:"tried"` // every edit, and what became of it

	withdrawn bool // what it kept is no longer offered
}

// A keptEdit is an edit that pays, or several as one change.
type keptEdit struct {
	Says   string   `json:"says"`
	Edits  []string `json:"edits"` // check and kind
	Places []string `json:"places"`
	Gains  []at     `json:"gains"` // over the disease
	Serial []at     `json:"serial"`
	Cure   []at     `json:"cure"`
	Diff   string   `json:"diff"`
}

// An at is a ratio at a GOMAXPROCS.
type at struct {
	Procs int             `json:"procs"`
	Ratio report.Interval `json:"ratio"`
}

// export makes of a report what is recorded.
func export(doc *report.Doc, x ill) fixed {
	f := fixed{Payoff: doc.Payoff, Go: doc.Environment.Go, CPU: doc.Environment.CPU, Time: doc.Environment.Time, Seconds: doc.Seconds, Hand: []at{}, Tried: []string{}}
	of := func(variant string) func(name string) bool {
		is := regexp.MustCompile(`/variant=` + regexp.QuoteMeta(variant) + `(/|$)`)
		return is.MatchString
	}
	ill, cured := of(x.disease), of(x.cure)
	speed := func(is func(string) bool, procs int) float64 {
		for _, c := range doc.Comparisons {
			if c.Procs == procs && is(c.Name) && c.Wall != nil {
				return *c.Wall
			}
		}
		return 0
	}
	measured := map[int]bool{}
	for _, c := range doc.Comparisons {
		measured[c.Procs] = true
	}
	for _, procs := range slices.Sorted(maps.Keys(measured)) {
		if was, is := speed(ill, procs), speed(cured, procs); was > 0 && is > 0 {
			r := was / is
			f.Hand = append(f.Hand, at{procs, report.Interval{Value: &r}})
		}
	}
	for _, p := range doc.Fixes {
		all := map[string]report.Fix{}
		names := map[string]string{}
		places := map[string]string{}
		for _, y := range p.Findings {
			for _, e := range y.Fixes {
				all[e.ID], names[e.ID] = e, y.Check+":"+e.Label()
				places[e.ID] = fmt.Sprintf("%s:%d", filepath.ToSlash(y.File), y.Line)
				word := cmp.Or(string(e.Word), string(verify.NotTried))
				f.Tried = append(f.Tried, strings.TrimSuffix(names[e.ID]+": "+word+", "+e.Why, ", "))
			}
			for _, r := range y.Refused {
				said := y.Check + ":" + r.Name + ": refused, " + r.Why
				if r.Line > 0 {
					said += fmt.Sprintf(" (%s:%d)", path.Base(r.File), r.Line)
				}
				f.Tried = append(f.Tried, said)
			}
		}
		if p.Together != nil {
			all[p.Together.ID] = *p.Together
		}
		kept := func(id string) *keptEdit {
			e := all[id]
			k := &keptEdit{Says: e.Says, Diff: e.Diff, Gains: []at{}, Serial: []at{}, Cure: []at{}}
			for _, part := range append([]string{id}, e.Parts...) {
				if names[part] != "" && (part != id || len(e.Parts) == 0) && !slices.Contains(k.Edits, names[part]) {
					k.Edits, k.Places = append(k.Edits, names[part]), append(k.Places, places[part])
				}
			}
			for _, g := range e.Gains {
				if ill(g.Name) {
					k.Gains = append(k.Gains, at{g.Procs, g.Ratio})
				}
				for _, c := range e.Gains { // the edit is of code that the cure shares
					if ill(g.Name) && cured(c.Name) && g.Procs == c.Procs && g.Wall != nil && c.Was != nil {
						r := *c.Was / *g.Wall
						k.Cure = append(k.Cure, at{g.Procs, report.Interval{Value: &r}})
					}
				}
			}
			for _, a := range e.After {
				if ill(a.Name) {
					k.Serial = append(k.Serial, at{a.Procs, a.Ratio})
				}
			}
			for _, a := range e.Others {
				if ill(a.Name) && cured(a.Base) && a.BaseProcs == a.Procs {
					k.Cure = append(k.Cure, at{a.Procs, a.Ratio})
				}
			}
			return k
		}
		ids := slices.Clone(p.Kept)
		for _, id := range slices.Sorted(maps.Keys(all)) {
			if all[id].Word == verify.Kept {
				ids = append(ids, id)
			}
		}
		for _, id := range ids { // the first that cures what is ill: one of the cure alone does not
			if k := kept(id); f.Kept == nil && len(k.Gains) > 0 {
				f.Kept = k
			}
		}
	}
	return f
}

// worth is how many times as fast a cure has to be as the disease, at one
// GOMAXPROCS of the disease at least: one that is no faster shows nothing. One
// that is as much slower at another GOMAXPROCS is a trade, which payoff fix
// refuses.
const worth = 1.1

// reached is what of the speed of a cure an edit has to reach, at each GOMAXPROCS
// at which the program is ill.
const reached = 0.9

// leftOut says why the cure is not worth reaching on the machine of the record, ""
// if it is.
func (f *fixed) leftOut(x ill) string {
	faster := false
	var slower []string
	for _, a := range f.Hand {
		r := report.Number(a.Ratio.Value)
		faster = faster || r >= worth && slices.Contains(x.procs, a.Procs)
		if r < 1/worth {
			slower = append(slower, strconv.Itoa(a.Procs))
		}
	}
	switch {
	case !faster:
		return "the cure is no faster"
	case len(slower) > 0:
		return "the cure is a trade: slower at " + strings.Join(slower, ", ")
	}
	return ""
}

// reaches reports whether what was kept is as fast as the cure: nearly, or in the
// gallery so that it is not known to be slower.
func (f *fixed) reaches(x ill) bool {
	if f.Kept == nil || f.withdrawn {
		return false
	}
	for _, procs := range x.procs {
		i := slices.IndexFunc(f.Kept.Cure, func(a at) bool { return a.Procs == procs })
		if i < 0 {
			return false
		}
		r := f.Kept.Cure[i].Ratio
		if slower := r.High != nil && *r.High < 1; x.set == "gallery" && slower || x.set != "gallery" && !(report.Number(r.Value) >= reached) {
			return false
		}
	}
	return true
}

// recordedFix reads the newest record of a program, nil if there is none. What was
// not measured since it was first seen is as it was then.
func recordedFix(t *testing.T, x ill, when string) *fixed {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "record", "*", x.file(when)))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		if when == presentFix {
			return recordedFix(t, x, firstFix)
		}
		return nil
	}
	data, err := os.ReadFile(slices.Max(files))
	f := new(fixed)
	if err == nil {
		err = json.Unmarshal(data, f)
	}
	if err != nil {
		t.Fatal(err)
	}
	f.withdrawn = when == presentFix && f.Kept != nil && slices.Contains(f.Kept.Edits, withdrawn[x.set+"/"+x.name])
	return f
}

// speeds are ratios at each GOMAXPROCS, in a cell of a table.
func speeds(all []at) string {
	var cells []string
	for _, a := range all {
		s := figure.Ratio(report.Number(a.Ratio.Value))
		if a.Ratio.Low != nil && a.Ratio.High != nil {
			s += fmt.Sprintf(" [%s, %s]", figure.Ratio(*a.Ratio.Low), figure.Ratio(*a.Ratio.High))
		}
		cells = append(cells, fmt.Sprintf("%s at %d", s, a.Procs))
	}
	return strings.Join(cells, "; ")
}

// A tally counts programs: those whose cure is worth reaching, and those of them in
// which payoff fix reaches it. Of the others it has why not.
type tally struct {
	recorded, counted, good int
	others                  map[string]int
}

func (n tally) String() string {
	if n.counted == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d (%d %%)", n.good, n.counted, 100*n.good/n.counted)
}

// enter counts a program and says whether its cure is reached.
func (n *tally) enter(x ill, f *fixed) (word string) {
	n.recorded++
	if word = f.leftOut(x); word != "" {
		if n.others == nil {
			n.others = map[string]int{}
		}
		why, _, _ := strings.Cut(word, ":")
		n.others[why]++
		return word
	}
	n.counted++
	if f.reaches(x) {
		n.good++
		return "yes"
	}
	if f.withdrawn {
		return "no: only a recogniser of its own found it"
	}
	return "no"
}

// tallied counts programs, as they were at first sight or as they are now.
func tallied(all []ill, when string, recorded func(ill, string) *fixed) (n tally) {
	for _, x := range all {
		if f := recorded(x, when); f != nil {
			n.enter(x, f)
		}
	}
	return n
}

// fixTable has a line for each program that is recorded.
func fixTable(all []ill, recorded func(ill, string) *fixed) string {
	var b strings.Builder
	b.WriteString("| program | cause | edit | over the code without it | over serial code | over the cure | the cure over the code without it | reached |\n")
	b.WriteString("| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	var n tally
	var missed strings.Builder
	for _, x := range all {
		f := recorded(x, presentFix)
		if f == nil {
			continue
		}
		word := n.enter(x, f)
		k := f.Kept
		if k == nil {
			k = &keptEdit{Edits: []string{"none"}}
			why := "no check knows an edit for what is hot there"
			if len(f.Tried) > 0 {
				why = f.Tried[0]
			}
			if word == "no" {
				fmt.Fprintf(&missed, "- %s: %s\n", x.name, why)
			}
		}
		fmt.Fprintf(&b, "| %s/%s | %s | %s | %s | %s | %s | %s | %s |\n", x.name, x.disease, x.cause, strings.Join(k.Edits, ", "), speeds(k.Gains), speeds(k.Serial), speeds(k.Cure), speeds(f.Hand), word)
	}
	fmt.Fprintf(&b, "\nOf %d that an edit can cure %d are recorded.", len(all), n.recorded)
	for _, why := range slices.Sorted(maps.Keys(n.others)) {
		fmt.Fprintf(&b, " In %d %s.", n.others[why], why)
	}
	if n.counted > 0 {
		fmt.Fprintf(&b, " `payoff fix` reaches the cure of %s", n)
		if early := tallied(all, firstFix, recorded); early.counted > 0 {
			fmt.Fprintf(&b, "; at first sight of %s", early)
		}
		b.WriteString(".")
	}
	b.WriteString("\n")
	if missed.Len() > 0 {
		fmt.Fprintf(&b, "\nNothing is kept of these; the first of what was found, and what became of it:\n\n%s", missed.String())
	}
	return b.String()
}

// summary has a line for each set, and one for each cause: the first that a program
// is ill with.
func summary(sets []fixSet, recorded func(ill, string) *fixed) string {
	var b strings.Builder
	line := func(what string, all []ill) {
		is := tallied(all, presentFix, recorded)
		fmt.Fprintf(&b, "| %s | %d | %s | %s |\n", what, is.counted, tallied(all, firstFix, recorded), is)
	}
	b.WriteString("| set | programs | at first sight | now |\n| --- | --- | --- | --- |\n")
	causes := map[string][]ill{}
	var every []ill
	for _, s := range sets {
		line(s.set, s.ills)
		for _, x := range s.ills {
			cause, _, _ := strings.Cut(strings.ReplaceAll(x.cause, " or ", ","), ",")
			causes[cause] = append(causes[cause], x)
		}
		every = append(every, s.ills...)
	}
	line("all", every)
	b.WriteString("\n| cause | programs | at first sight | now |\n| --- | --- | --- | --- |\n")
	for _, cause := range slices.Sorted(maps.Keys(causes)) {
		if tallied(causes[cause], presentFix, recorded).counted > 0 {
			line(cause, causes[cause])
		}
	}
	return b.String()
}

// reasons lists why no edit cures what has them.
func reasons(incurable map[string]string) string {
	var b strings.Builder
	b.WriteString("No edit can cure:\n\n")
	for _, name := range slices.Sorted(maps.Keys(incurable)) {
		fmt.Fprintf(&b, "- %s: %s\n", name, incurable[name])
	}
	return b.String()
}

var (
	fixPlace     = regexp.MustCompile(`(?s)<!-- fixes -->\n.*?<!-- end -->`)
	summaryPlace = regexp.MustCompile(`(?s)<!-- summary -->\n.*?<!-- end -->`)
)

// TestFixes: docs/fix.md shows what of the planted diseases and of the gallery's
// payoff fix cures, by the newest record of each program. A program without a
// record has no line. go test ./cmd/payoff -run Fixes -update writes the tables.
func TestFixes(t *testing.T) {
	sets := fixSets(t)
	recorded := func(x ill, when string) *fixed { return recordedFix(t, x, when) }
	var b strings.Builder
	for i, s := range sets {
		if i > 0 {
			b.WriteString("\n")
		}
		link := "../" + s.pkg
		if s.set == "gallery" {
			link = path.Base(s.pkg)
		}
		fmt.Fprintf(&b, "### [%s](%s): %s\n\n%s\n%s", s.set, link, s.title, fixTable(s.ills, recorded), reasons(s.incurable))
	}
	doc := filepath.Join("..", "..", "..", "docs", "fix.md")
	old, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	got := fixPlace.ReplaceAllLiteralString(string(old), "<!-- fixes -->\n"+b.String()+"<!-- end -->")
	got = summaryPlace.ReplaceAllLiteralString(got, "<!-- summary -->\n"+summary(sets, recorded)+"<!-- end -->")
	switch {
	case !fixPlace.Match(old) || !summaryPlace.Match(old):
		t.Errorf("%s has no place for the tables", doc)
	case got == string(old):
	case *update:
		if err := os.WriteFile(doc, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s does not show what the record holds: go test ./cmd/payoff -run Fixes -update", doc)
	}
}

// The gallery has the variants of its cases that are compared here.
func TestFixCases(t *testing.T) {
	cases, err := gallery.Cases()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range casesIll() {
		i := slices.IndexFunc(cases, func(c gallery.Case) bool { return "gallery/"+c.Name == x.pkg })
		if i < 0 {
			t.Errorf("the gallery has no %s", x.pkg)
			continue
		}
		named := map[string]bool{}
		for _, c := range slices.Concat(cases[i].Want.Comparisons, cases[i].Want.Pairs) {
			named[c.Variant] = true
		}
		if !named[x.disease] || !named[x.cure] {
			t.Errorf("%s: %s claims nothing of %s or of %s", x.name, x.pkg, x.disease, x.cure)
		}
	}
	for _, c := range cases {
		cured := slices.ContainsFunc(casesIll(), func(x ill) bool { return x.pkg == "gallery/"+c.Name })
		if cured == (caseIncurable[c.Name] != "") {
			t.Errorf("%s: cured by an edit %t, and the reason why not %q", c.Name, cured, caseIncurable[c.Name])
		}
	}
}

// Of the textbook's ring, the room that the textbook puts between its indices is
// tried, and not kept: it is slower.
func TestRecordedRing(t *testing.T) {
	var out, errs bytes.Buffer
	doc := new(report.Doc)
	code := run([]string{"payoff", "fix", "-json", "-from", filepath.Join("..", "..", "..", "record", "2026-11-23-epyc-2cpu", "fix-ring")}, &out, &errs)
	if err := json.Unmarshal(out.Bytes(), doc); err != nil || code != exitOK {
		t.Fatalf("exit code %d, %v\n%s", code, err, errs.String())
	}
	f := export(doc, ill{disease: "ring", cure: "none", procs: []int{2}})
	if f.Kept != nil || len(f.Tried) != 1 || !strings.HasPrefix(f.Tried[0], "adjatomic:pad: slower, ") {
		t.Errorf("kept %+v, tried %q", f.Kept, f.Tried)
	}
}

// What a report says is recorded and judged: an edit that is as fast as the cure
// at each GOMAXPROCS reaches it, one that is not, or has no figure, does not.
func TestFixExport(t *testing.T) {
	x := ill{set: "planted", name: "Tally", disease: "slots", cure: "cure", cause: "falseshare", procs: []int{1, 2}}
	number := func(v float64) *float64 { return &v }
	interval := func(v float64) report.Interval {
		return report.Interval{Value: number(v), Low: number(v * 0.9), High: number(v * 1.05)}
	}
	doc := func(cured bool, cure map[int]float64) *report.Doc {
		fix := report.Fix{Edit: edit.Edit{ID: "a:x.go:3:local", Name: "local", Says: "sum in a local variable"}, Word: verify.Kept, Diff: "-a\n+b\n"}
		d := &report.Doc{Payoff: "v1"}
		for procs := 1; procs <= 2; procs++ {
			for name, wall := range map[string]float64{"BenchmarkTally/variant=slots": 300, "BenchmarkTally/variant=cure": 100, "BenchmarkTally/variant=cures": 1} {
				d.Comparisons = append(d.Comparisons, report.Comparison{Name: name, Procs: procs, Wall: number(wall)})
			}
			fix.Gains = append(fix.Gains, report.FixGain{Name: "BenchmarkTally/variant=slots", Procs: procs, Ratio: interval(3)})
			fix.After = append(fix.After, report.FixAfter{Name: "BenchmarkTally/variant=slots", Procs: procs, Base: "BenchmarkTally/variant=serial", BaseProcs: procs, Ratio: interval(2)})
			if v := cure[procs]; v > 0 {
				fix.Others = append(fix.Others, report.FixAfter{Name: "BenchmarkTally/variant=slots", Procs: procs, Base: "BenchmarkTally/variant=cure", BaseProcs: procs, Ratio: interval(v)})
			}
		}
		if !cured {
			fix.Word = verify.NoGain
		}
		fixes := report.Fixes{Findings: []report.FixFinding{{Finding: edit.Finding{Check: "hotslot"}, Fixes: []report.Fix{fix, {Edit: edit.Edit{ID: "pad", Name: "pad"}, Word: verify.Slower, Why: "slower at 1"}}, Refused: []edit.Refusal{{Name: "stripe", Why: "no"}}}}}
		if cured {
			fixes.Kept = []string{fix.ID}
		}
		d.Fixes = []report.Fixes{fixes}
		return d
	}
	for _, test := range []struct {
		name    string
		cured   bool
		cure    map[int]float64
		reaches bool
	}{
		{"as fast", true, map[int]float64{1: 1, 2: 0.9}, true},
		{"slower at one", true, map[int]float64{1: 1, 2: 0.89}, false},
		{"no figure", true, map[int]float64{1: 1}, false},
		{"nothing kept", false, map[int]float64{1: 1, 2: 1}, false},
	} {
		f := export(doc(test.cured, test.cure), x)
		word := "kept"
		if !test.cured {
			word = "no gain"
		}
		if got := f.reaches(x); got != test.reaches {
			t.Errorf("%s: reaches %t, want %t", test.name, got, test.reaches)
		}
		if f.leftOut(x) != "" || len(f.Hand) != 2 || *f.Hand[0].Ratio.Value != 3 {
			t.Errorf("%s: the cure over the disease %+v, want 3 at 1 and 2", test.name, f.Hand)
		}
		if want := []string{"hotslot:local: " + word, "hotslot:pad: slower, slower at 1", "hotslot:stripe: refused, no"}; !slices.Equal(f.Tried, want) {
			t.Errorf("%s: tried %q, want %q", test.name, f.Tried, want)
		}
		table := fixTable([]ill{x}, func(ill, string) *fixed { return &f })
		if test.reaches && !strings.Contains(table, "| Tally/slots | falseshare | hotslot:local | 3.00 [2.70, 3.15] at 1; 3.00 [2.70, 3.15] at 2 | 2.00") ||
			test.reaches != strings.Contains(table, "| yes |") || test.reaches != strings.Contains(table, "reaches the cure of 1 of 1 (100 %); at first sight of 1 of 1 (100 %).") {
			t.Errorf("%s:\n%s", test.name, table)
		}
	}
	shared := doc(true, nil)
	shared.Fixes[0].Kept = []string{"cure:alone"}
	shared.Fixes[0].Findings[0].Fixes = append(shared.Fixes[0].Findings[0].Fixes, report.Fix{Edit: edit.Edit{ID: "cure:alone"}, Word: verify.Kept, Gains: []report.FixGain{{Name: "BenchmarkTally/variant=cure", Procs: 2, Ratio: interval(9)}}})
	gains := shared.Fixes[0].Findings[0].Fixes[0].Gains
	for i := range gains {
		gains[i].Wall = number(100)
		gains = append(gains, report.FixGain{Name: "BenchmarkTally/variant=cure", Procs: gains[i].Procs, Was: number(95)})
	}
	shared.Fixes[0].Findings[0].Fixes[0].Gains = gains
	if f := export(shared, x); !f.reaches(x) || len(f.Kept.Cure) != 2 || *f.Kept.Cure[1].Ratio.Value != 0.95 {
		t.Errorf("an edit of what the cure shares, and one of the cure alone: %+v", f.Kept)
	}
	if table := fixTable([]ill{x}, func(ill, string) *fixed { return nil }); strings.Contains(table, "Tally") || !strings.Contains(table, "Of 1 that an edit can cure 0 are recorded.") {
		t.Errorf("without a record:\n%s", table)
	}
	weak := export(doc(true, map[int]float64{1: 1, 2: 1}), x)
	for i := range weak.Hand {
		weak.Hand[i].Ratio.Value = number(1.05)
	}
	if table := fixTable([]ill{x}, func(ill, string) *fixed { return &weak }); !strings.Contains(table, "| the cure is no faster |") || !strings.Contains(table, "In 1 the cure is no faster.") || strings.Contains(table, "%)") {
		t.Errorf("a cure that is no faster counts:\n%s", table)
	}
	// A cure that is slower where the program is not ill is a trade.
	x.procs = []int{2}
	traded := export(doc(false, nil), x)
	if len(traded.Hand) != 2 || traded.leftOut(x) != "" {
		t.Errorf("the cure over the disease %+v, %s: want it at all that was measured", traded.Hand, traded.leftOut(x))
	}
	traded.Hand[0].Ratio.Value = number(0.8)
	if table := fixTable([]ill{x}, func(ill, string) *fixed { return &traded }); !strings.Contains(table, "| the cure is a trade: slower at 1 |") || !strings.Contains(table, "In 1 the cure is a trade.") || strings.Contains(table, "%)") {
		t.Errorf("a cure that is a trade counts:\n%s", table)
	}
}

// The first sight of a program stands beside what payoff fix does to it now.
func TestFixSummary(t *testing.T) {
	ratio := func(v float64) report.Interval { return report.Interval{Value: &v} }
	of := func(cure float64) *fixed {
		return &fixed{Hand: []at{{2, ratio(3)}}, Kept: &keptEdit{Cure: []at{{2, ratio(cure)}}}}
	}
	a, b, c := ill{name: "A", cause: "lock", procs: []int{2}}, ill{name: "B", cause: "lock or rmw, alloc", procs: []int{2}}, ill{name: "C", cause: "grain", procs: []int{2}}
	recorded := func(x ill, when string) *fixed {
		switch {
		case x.name == "C" && when == firstFix:
			return nil
		case x.name == "B" && when == firstFix:
			return of(0.5)
		}
		return of(1)
	}
	want := `| set | programs | at first sight | now |
| --- | --- | --- | --- |
| one | 2 | 1 of 2 (50 %) | 2 of 2 (100 %) |
| two | 1 |  | 1 of 1 (100 %) |
| all | 3 | 1 of 2 (50 %) | 3 of 3 (100 %) |

| cause | programs | at first sight | now |
| --- | --- | --- | --- |
| grain | 1 |  | 1 of 1 (100 %) |
| lock | 2 | 1 of 2 (50 %) | 2 of 2 (100 %) |
`
	if got := summary([]fixSet{{set: "one", ills: []ill{a, b}}, {set: "two", ills: []ill{c}}}, recorded); got != want {
		t.Errorf("summary:\n%s\nwant\n%s", got, want)
	}
}

// A program whose budget was too short gets what it asks for, three minutes at most.
func TestFixAsks(t *testing.T) {
	for _, test := range []struct {
		tried []string
		want  time.Duration
	}{
		{[]string{"a:pad: kept", "a:local: no gain, it is no faster"}, 0},
		{[]string{"a:pad: not tried, the budget was too short to prove it: raise -budget to 1m50s", "b:pad: beaten, local was as fast"}, 110 * time.Second},
		{[]string{"a:pad: not tried, the budget was too short to prove it: raise -budget to 1m50s", "b:pad: not tried, the budget was too short for it: raise -budget"}, moreBudget},
		{[]string{"a:pad: not tried, the budget was too short to prove it: raise -budget to 7m"}, moreBudget},
		{[]string{"a:pad: cannot say, perhaps faster at BenchmarkX-2: the interval is too wide, or the code shows more by its layout alone: raise -budget"}, moreBudget},
	} {
		if got := (&fixed{Tried: test.tried}).asks(); got != test.want {
			t.Errorf("%q: %v, want %v", test.tried, got, test.want)
		}
	}
}

// TestRecordFixes runs payoff fix on each program that the folder PAYOFF_RECORD
// has not got yet, as long as another one is likely to end within
// PAYOFF_RECORD_TIME (default 8m): call it until nothing is left. What it writes
// of a set that no edit was made with is moved from fix-SET to first-SET, and
// stays there.
//
//	PAYOFF_RECORD=$PWD/record/DATE-CPU go test ./tool/cmd/payoff -run RecordFixes -timeout 0 -v
//
// -run RecordFixes/planted/Tally takes one of them.
func TestRecordFixes(t *testing.T) {
	dir := os.Getenv("PAYOFF_RECORD")
	if dir == "" {
		t.Skip("measures for two hours: set PAYOFF_RECORD to the folder of the record")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	limit, err := time.ParseDuration(cmp.Or(os.Getenv("PAYOFF_RECORD_TIME"), "8m"))
	if err != nil {
		t.Fatal(err)
	}
	var all []ill
	for _, s := range fixSets(t) {
		all = append(all, s.ills...)
	}
	t.Chdir(filepath.Join("..", "..", ".."))
	began, longest, left := time.Now(), time.Minute, 0
	for _, x := range all {
		file := filepath.Join(dir, x.file(presentFix))
		if _, err := os.Stat(file); err == nil {
			continue
		}
		left++
		if time.Since(began)+longest > limit {
			continue
		}
		t.Run(x.set+"/"+x.name, func(t *testing.T) {
			start := time.Now()
			recordFix(t, x, file)
			longest = max(longest, time.Since(start))
			left--
		})
	}
	t.Logf("%d are left", left)
}

// fixBudget is the time that payoff fix has for a program, and moreBudget the most
// that it gets where it asks for more: what it has by default.
const (
	fixBudget  = 45 * time.Second
	moreBudget = 3 * time.Minute
)

// asks is the budget that a run asks for, 0 if it lacks none.
func (f *fixed) asks() (budget time.Duration) {
	for _, said := range f.Tried {
		_, named, ok := strings.Cut(said, ": raise -budget")
		if !ok {
			continue
		}
		d, err := time.ParseDuration(strings.TrimPrefix(named, " to "))
		if err != nil { // it does not know which would do
			d = moreBudget
		}
		budget = max(budget, min(d, moreBudget))
	}
	return budget
}

// recordFix records a program: where it is not cured, and the budget was too short,
// the run with the budget that the first one asks for.
func recordFix(t *testing.T, x ill, file string) {
	if x.cure == "cure" {
		t.Setenv("PAYOFF_CURES", "1")
	}
	f := runFix(t, x, fixBudget)
	if more := f.asks(); more > fixBudget && f.leftOut(x) == "" && !f.reaches(x) {
		t.Logf("it is run again with -budget %v", more)
		f = runFix(t, x, more)
	}
	data, err := json.MarshalIndent(f, "", "\t")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o755)
	}
	if err == nil {
		err = os.WriteFile(file, append(data, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func runFix(t *testing.T, x ill, budget time.Duration) fixed {
	t.Helper()
	fn, _, _ := strings.Cut(strings.TrimLeft(x.bench, "^"), "$")
	args := []string{"payoff", "fix", "-json", "-procs", "1,2", "-budget", budget.String(), "-bench", x.bench, fn + "/variant=" + x.disease, "./" + x.pkg}
	var out, errs bytes.Buffer
	code := run(slices.Insert(slices.Clone(args), 2, "-o", filepath.Join(t.TempDir(), "run")), &out, &errs)
	doc := new(report.Doc)
	if err := json.Unmarshal(out.Bytes(), doc); err != nil || code != exitOK || len(doc.Comparisons) == 0 {
		t.Fatalf("exit code %d, %v\n%s", code, err, errs.String())
	}
	f := export(doc, x)
	f.Command = args
	t.Logf("reaches the cure: %t; %s", f.reaches(x), cmp.Or(doc.Cured, doc.Summary))
	return f
}
