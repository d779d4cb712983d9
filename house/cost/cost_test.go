package main

import (
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParseBudget(t *testing.T) {
	got, err := parseBudget("# head\n 1.5 a/b # why\n\n0 c\n")
	if want := map[string]float64{"a/b": 1.5, "c": 0}; err != nil || !maps.Equal(got, want) {
		t.Errorf("parseBudget = %v, %v, want %v", got, err, want)
	}
	for text, want := range map[string]string{
		"1.5":          "line 1: \"1.5\": want units and a package",
		"\nx a":        "line 2: units \"x\": want a number",
		"-1 a":         "line 1: units \"-1\": want a number",
		"NaN a":        "line 1: units \"NaN\": want a number",
		"1 a\n2 a\n":   "line 2: a second entry for a",
		"1 a b # that": "line 1: \"1 a b\": want units and a package",
	} {
		if _, err := parseBudget(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("parseBudget(%q) = %v, want %s", text, err, want)
		}
	}
}

// made is a bill on a machine on which a unit takes two seconds.
func made(cpu map[string]float64) *bill {
	b := &bill{command: "go test x", speed: []float64{1, 3}, wall: 10, all: 100}
	for dir, s := range cpu {
		b.readings = append(b.readings, reading{dir, s, s})
	}
	return b
}

func TestOver(t *testing.T) {
	for _, c := range []struct {
		cpu   float64 // seconds; a unit is 2
		limit float64
		over  bool
	}{
		{0, 0, false},
		{2, 0, false}, // one unit is free
		{2.02, 0, true},
		{32, 10, false}, // 16 units: 10 by half, and one
		{32.2, 10, true},
	} {
		got := made(map[string]float64{"p": c.cpu}).over(map[string]float64{"p": c.limit})
		if (len(got) > 0) != c.over {
			t.Errorf("%v s with an entry of %v: %q, want a complaint: %t", c.cpu, c.limit, got, c.over)
		}
	}
	b := made(map[string]float64{"new": 2.2, "small": 1.9, "known": 5})
	if got := b.over(map[string]float64{"known": 2.5, "gone": 1}); len(got) != 1 || !strings.HasPrefix(got[0].said, "new takes 1.1 units and has no entry") {
		t.Errorf("over = %q, want one of new", got)
	}
}

// A budget that was written holds what was measured, and the table lists all.
func TestBudgetOfBill(t *testing.T) {
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	b := made(map[string]float64{filepath.Join(here, "a"): 4, filepath.Join(here, "b/c"): 8.4})
	limits, err := parseBudget(b.budget())
	if want := map[string]float64{"a": 2, "b/c": 4.2}; err != nil || !maps.Equal(limits, want) {
		t.Fatalf("budget %v, %v, want %v", limits, err, want)
	}
	if said := b.over(limits); len(said) > 0 {
		t.Errorf("over its own budget: %q", said)
	}
	text := b.table(limits)
	if !strings.Contains(text, "tests 12 s, building and vetting 88 s") || strings.Index(text, "4.20       4.2        b/c") > strings.Index(text, "2.00       2.0        a") || !strings.Contains(text, "  a\n") || !strings.Contains(text, "b/c\n") {
		t.Errorf("table\n%s", text)
	}
}

// What is over takes the test again with the flags of the first, and without the rest.
func TestAlone(t *testing.T) {
	got := alone([]string{"go", "test", "-timeout=15m", "work"}, []complaint{{"/a", "a takes"}, {"/b", "b takes"}})
	if want := []string{"go", "test", "-p=1", "-timeout=15m", "/a", "/b"}; !slices.Equal(got, want) {
		t.Errorf("alone = %q, want %q", got, want)
	}
}

func TestHasLong(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	write("short/a_test.go", "package a")
	write("short/a.go", "package a // stress.Long()")
	write("long/a_test.go", "if stress.Long() {")
	write("script/testdata/script/a.txtar", "[!long] stop")
	for name, want := range map[string]bool{"short": false, "long": true, "script": true, "absent": false} {
		if got := hasLong(filepath.Join(dir, name)); got != want {
			t.Errorf("hasLong(%s) = %t, want %t", name, got, want)
		}
	}
}

const told = `{"Action":"start","Package":"p"}
{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN A\n"}
{"Action":"output","Package":"p","Test":"TestA","Output":"quiet\n"}
{"Action":"pass","Package":"p","Test":"TestA","Elapsed":0.5}
{"Action":"output","Package":"p","Test":"TestB","Output":"loud\n"}
{"Action":"fail","Package":"p","Test":"TestB","Elapsed":2}
{"Action":"output","Package":"p","Output":"FAIL\n"}
{"Action":"fail","Package":"p","Elapsed":2.5}
{"ImportPath":"q","Action":"build-output","Output":"q.go:1: broken\n"}
{"Action":"skip","Package":"r"}
`

// What fails is told with all that it printed, what passes in a line.
func TestFollow(t *testing.T) {
	var out strings.Builder
	tests, err := follow(strings.NewReader(told), &out)
	if want := []test{{"p", "TestA", 0.5}, {"p", "TestB", 2}}; err != nil || !slices.Equal(tests, want) {
		t.Errorf("follow = %v, %v, want %v", tests, err, want)
	}
	if want := "loud\nFAIL\nfail\tp\t2.5s\nq.go:1: broken\n"; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
	if _, err := follow(strings.NewReader("{"), io.Discard); err == nil {
		t.Error("follow takes what ends in the middle")
	}
	b := made(nil)
	b.tests = tests
	if text := b.slowest(1); !strings.Contains(text, "2.00s  p TestB") || strings.Contains(text, "TestA") {
		t.Errorf("slowest(1) = %q", text)
	}
}

func TestReadings(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	if _, err := readings(log); err == nil {
		t.Error("without a test binary readings has no error")
	}
	want := []reading{{"/a", 1.5, 2}, {"/b", 0, 1}}
	for _, r := range want {
		if err := appendReading(log, r); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := readings(log); err != nil || !slices.Equal(got, want) {
		t.Errorf("readings = %v, %v, want %v", got, err, want)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{}, {"go", "build", "x"}, {"-budget", "absent", "go", "test"}, {"-nope"}} {
		if code := run(args, io.Discard, io.Discard); code != 2 {
			t.Errorf("cost %q exits with %d, want 2", args, code)
		}
	}
}
