package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/lint"
	"github.com/gopayoff/payoff/tool/internal/prescribe"
	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

const (
	zooFolder = "testdata/zoo" // m01… have one mistake each, n01… none
	zooRecord = "2026-11-23-epyc-2cpu"
)

// zooTools are other tools whose findings in the zoo are recorded, and those of
// their rules that name what a mistake costs, as the number of the specimen
// and the rule. That is a judgement: the outputs are in the record.
var zooTools = []struct {
	name, file string
	costs      []string
}{
	{"go vet", "go-vet.txt", nil},
	{"staticcheck", "staticcheck.txt", []string{"m12 SA6002", "m23 SA5004"}},
	{"golangci-lint", "golangci-lint.txt", []string{"m12 SA6002", "m23 SA5004"}},
}

// A specimen is a package of the zoo.
type specimen struct {
	name, title string
	expects     []string // checks that may name its mistake
	with, alone []lint.Finding
	others      [][]string // what each of zooTools says
}

func (s *specimen) mistake() bool { return s.name[0] == 'm' }

// named returns the findings that name the mistake, or one of several, with its
// cost.
func (s *specimen) named() (all []lint.Finding) {
	for _, f := range s.with {
		if f.Grade == shape.Suspected && slices.Contains(s.expects, f.Check) {
			all = append(all, f)
		}
	}
	return all
}

// zooHeat is the evidence of the recorded runs of the zoo, each package by its
// newest.
func zooHeat(t *testing.T, root string) *heat.Map {
	t.Helper()
	all, at := map[string][]heat.Bench{}, map[string]time.Time{}
	for _, dir := range recorded(t, "zoo-*/run.json") {
		run, series := load(t, filepath.Dir(dir))
		for _, s := range series {
			if !run.Env.Time.After(at[s.Package]) {
				continue
			}
			m := prescribe.Heat(dir, explain.Explain(s, judge.Judge(s, run.Rule, run.Bounds), run.Prices, false))
			prescribe.Times(m, s)
			for _, b := range m.Benches {
				for i := range b.Lines {
					if !filepath.IsAbs(b.Lines[i].File) { // of this repository, wherever it lies
						b.Lines[i].File = filepath.Join(root, filepath.FromSlash(b.Lines[i].File))
					}
				}
			}
			all[s.Package], at[s.Package] = m.Benches, run.Env.Time
		}
	}
	m := &heat.Map{Run: "record"}
	for _, b := range all {
		m.Benches = append(m.Benches, b...)
	}
	return m
}

var expected = regexp.MustCompile(`// mistake: ([a-z ]+)`)

// zoo looks at each specimen with the evidence of the record and without.
func zoo(t *testing.T) (all []*specimen) {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(root, "tool", filepath.FromSlash(zooFolder))
	code, err := lint.Load(context.Background(), folder, "", []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]*specimen{}
	for _, d := range dirs {
		if !d.IsDir() {
			continue
		}
		s := &specimen{name: d.Name(), others: make([][]string, len(zooTools))}
		files, _ := filepath.Glob(filepath.Join(folder, s.name, "*.go"))
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if doc, ok := strings.CutPrefix(string(data), "// Package "+s.name+" "); ok {
				s.title, _, _ = strings.Cut(strings.ReplaceAll(doc, "\n// ", " "), "\n")
				s.title = strings.TrimSuffix(s.title, ".")
			}
			for _, m := range expected.FindAllStringSubmatch(string(data), -1) {
				s.expects = append(s.expects, strings.Fields(m[1])...)
			}
		}
		by[s.name] = s
		all = append(all, s)
	}
	for i, o := range []lint.Options{{Heat: zooHeat(t, root)}, {Heat: &heat.Map{}}} {
		r, err := code.Check(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Problems {
			t.Error(p)
		}
		for _, f := range r.Findings {
			s := by[filepath.Base(filepath.Dir(f.File))]
			if i == 0 {
				s.with = append(s.with, f)
			} else {
				s.alone = append(s.alone, f)
			}
		}
	}
	for i, tool := range zooTools {
		data, err := os.ReadFile(filepath.Join(root, "record", zooRecord, "zoo-tools", tool.file))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			name, rest, ok := strings.Cut(strings.TrimSpace(line), "/")
			if s := by[name]; ok && s != nil {
				s.others[i] = append(s.others[i], rest)
			}
		}
	}
	return all
}

var (
	rule  = regexp.MustCompile(`\b(?:SA|S|ST|U|QF)\d{4}\b`)
	inner = regexp.MustCompile(`\((\w+)\)$`)
)

// says is what a tool says of a specimen, in a cell of the table, and whether
// it names the cost.
func says(name string, lines, costs []string) (cell string, cost bool) {
	var rules []string
	for _, l := range lines {
		id := rule.FindString(l)
		if id == "" {
			if m := inner.FindStringSubmatch(l); m != nil {
				id = m[1]
			} else {
				id = "waitgroup" // the one thing that go vet says here
			}
		}
		if slices.Contains(costs, name+" "+id) {
			id, cost = "**"+id+"**", true
		}
		if !slices.Contains(rules, id) {
			rules = append(rules, id)
		}
	}
	return strings.Join(rules, ", "), cost
}

// zooTable sets what payoff vet says of each specimen beside what others say.
func zooTable(all []*specimen) (table string, named int) {
	var b strings.Builder
	counts := make([]int, len(zooTools))
	certain, mistakes, negatives, quiet := 0, 0, 0, 0
	b.WriteString("| | mistake | payoff vet, after a run | without a run |")
	for _, t := range zooTools {
		b.WriteString(" " + t.name + " |")
	}
	b.WriteString("\n| --- | --- | --- | --- |" + strings.Repeat(" --- |", len(zooTools)) + "\n")
	for _, s := range all {
		if !s.mistake() {
			negatives++
			if len(s.with)+len(s.alone) == 0 {
				quiet++
			}
			continue
		}
		mistakes++
		with := ""
		for i, f := range s.named() {
			if i == 0 {
				named++
				with = "**" + f.Check + "**: "
			} else {
				with += "; "
				if f.Check != s.named()[i-1].Check {
					with += "**" + f.Check + "**: "
				}
			}
			with += f.Evidence
		}
		var alone []string
		for _, f := range s.alone {
			if !slices.Contains(alone, f.Check) {
				alone = append(alone, f.Check)
			}
		}
		if len(alone) > 0 {
			certain++
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |", s.name, s.title, with, strings.Join(alone, ", "))
		for i, t := range zooTools {
			cell, cost := says(s.name, s.others[i], t.costs)
			if cost {
				counts[i]++
			}
			b.WriteString(" " + cell + " |")
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\nOf %d mistakes payoff vet names %d with what they cost after a run, and tells %d without", mistakes, named, certain)
	for i, t := range zooTools {
		fmt.Fprintf(&b, "; %s names %d", t.name, counts[i])
	}
	fmt.Fprintf(&b, ". Of %d packages that look alike and have none, payoff vet says nothing about %d.\n", negatives, quiet)
	return b.String(), named
}

var zooPlace = regexp.MustCompile(`(?s)<!-- zoo -->\n.*?<!-- end -->`)

// TestZoo: docs/vet.md shows what the checks and other tools say of 30 mistakes.
// At least 26 are named with their cost; code without a mistake gets nothing.
// go test ./cmd/payoff -run Zoo -update writes the table.
func TestZoo(t *testing.T) {
	all := zoo(t)
	table, named := zooTable(all)
	if want := 26; named < want {
		t.Errorf("%d mistakes are named with their cost, want %d", named, want)
	}
	for _, s := range all {
		if s.mistake() && len(s.named()) == 0 {
			t.Logf("%s, %q, is not named: %v", s.name, s.expects, s.with)
		}
		for _, f := range append(slices.Clone(s.with), s.alone...) {
			if !s.mistake() {
				t.Errorf("%s has no mistake, and %s says at %s:%d: %s (%s)", s.name, f.Check, filepath.Base(f.File), f.Line, f.Message, f.Evidence)
			}
		}
	}
	doc := filepath.Join("..", "..", "..", "docs", "vet.md")
	old, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	got := zooPlace.ReplaceAllLiteralString(string(old), "<!-- zoo -->\n"+table+"<!-- end -->")
	switch {
	case !zooPlace.Match(old):
		t.Errorf("%s has no place for the table", doc)
	case got == string(old):
	case *update:
		if err := os.WriteFile(doc, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s does not show what the record holds: go test ./cmd/payoff -run Zoo -update", doc)
	}
}
