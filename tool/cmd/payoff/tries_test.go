package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/gopayoff/payoff/internal/stress"
)

// A trying is a patch of a planted program, and what payoff try has to say of it.
type trying struct {
	program, patch string
	flags          []string
	codes          []string // that are right
	says           *regexp.Regexp
}

// timed reports whether payoff try has to measure to answer.
func (x trying) timed() bool {
	return slices.Contains(x.codes, "0") || slices.Contains(x.codes, "1") || slices.Contains(x.codes, "4")
}

var tryRow = regexp.MustCompile(`(?m)^(\w+) +(-\S*) +([0-9,]+) +(.+)$`)

// tryings reads what is to be tried of the programs in testdata/tries, by program.
func tryings(t *testing.T) (all []trying, programs map[string]*txtar.Archive) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "tries", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d programs, %v", len(files), err)
	}
	programs = map[string]*txtar.Archive{}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		programs[name] = a
		told := map[string]bool{}
		for _, m := range tryRow.FindAllStringSubmatch(string(a.Comment), -1) {
			x := trying{program: name, patch: m[1], codes: strings.Split(m[3], ","), says: regexp.MustCompile("(?m)" + m[4])}
			if m[2] != "-" {
				x.flags = []string{m[2]}
			}
			all = append(all, x)
			told[x.patch+".patch"] = true
		}
		for _, f := range a.Files {
			if strings.HasSuffix(f.Name, ".patch") && !told[f.Name] {
				t.Errorf("%s: no line is about %s", file, f.Name)
			}
			delete(told, f.Name)
		}
		for patch := range told {
			t.Errorf("%s: there is no %s", file, patch)
		}
	}
	return all, programs
}

// lay writes a program to a folder.
func lay(t *testing.T, a *txtar.Archive, dir string) {
	t.Helper()
	for _, f := range a.Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// carryOut tries the patch in the folder where the test is, and returns the first line
// of the answer, and why that is not right.
func (x trying) carryOut(flags ...string) (code int, first, wrong string) {
	var stdout, stderr bytes.Buffer
	args := slices.Concat([]string{"payoff", "try", "-wait", "10m"}, flags, x.flags, []string{"-patch", x.patch + ".patch"})
	code = run(args, &stdout, &stderr)
	first, _, _ = strings.Cut(stdout.String(), "\n")
	if !slices.Contains(x.codes, strconv.Itoa(code)) || !x.says.MatchString(stdout.String()) {
		wrong = fmt.Sprintf("exit code %d, want %s and %q\n%s%s", code, strings.Join(x.codes, " or "), x.says, &stdout, &stderr)
	}
	return code, first, wrong
}

// most is how long it may take until there is an answer: short where nothing is measured.
func (x trying) most(code int, first string) time.Duration {
	if code == exitGate || strings.HasSuffix(first, "byte by byte") {
		return 15 * time.Second
	}
	return time.Minute
}

// TestTries: of patches of planted programs those that are wrong fail a gate, those
// that are hollow are named, and those that change nothing are said to. What has to be
// measured is for [TestRecordTries].
func TestTries(t *testing.T) {
	all, programs := tryings(t)
	if !stress.Long() {
		t.Skip("builds and tests a dozen edits: set PAYOFF_LONG=1")
	}
	goEnv(t)
	for name, a := range programs {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			lay(t, a, dir)
			t.Chdir(dir)
			t.Setenv("GOWORK", "off")
			t.Setenv("GOFLAGS", "")
			for _, x := range all {
				if x.program != name || x.timed() {
					continue
				}
				if _, _, wrong := x.carryOut("-budget", "10s"); wrong != "" {
					t.Errorf("%s: %s", x.patch, wrong)
				}
			}
		})
	}
}

// TestRecordTries tries all of the patches, and writes what became of them as a table
// to tries.md in the folder PAYOFF_RECORD:
//
//	PAYOFF_RECORD=$PWD/record/DATE-CPU go test ./tool/cmd/payoff -run RecordTries -timeout 0 -v
func TestRecordTries(t *testing.T) {
	record := os.Getenv("PAYOFF_RECORD")
	if record == "" {
		t.Skip("measures for ten minutes: set PAYOFF_RECORD to the folder of the record")
	}
	record, err := filepath.Abs(record)
	if err != nil {
		t.Fatal(err)
	}
	all, programs := tryings(t)
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	var table strings.Builder
	right := 0
	dirs := map[string]string{}
	for name, a := range programs {
		dirs[name] = t.TempDir()
		lay(t, a, dirs[name])
	}
	table.WriteString("| program | patch | flags | right exit codes | exit code | answer | seconds | as it should be |\n|---|---|---|---|---|---|---|---|\n")
	for _, x := range all {
		t.Chdir(dirs[x.program])
		began := time.Now()
		code, first, wrong := x.carryOut("-budget", "45s")
		took := time.Since(began)
		if most := x.most(code, first); wrong == "" && took > most {
			wrong = fmt.Sprintf("it took %v, want %v at most", took, most)
		}
		as := "no"
		if wrong == "" {
			right++
			as = "yes"
		} else {
			t.Logf("%s, %s: %s", x.program, x.patch, wrong)
		}
		fmt.Fprintf(&table, "| %s | %s | %s | %s | %d | %s | %.1f | %s |\n", x.program, x.patch, strings.Join(x.flags, " "), strings.Join(x.codes, ", "), code,
			strings.ReplaceAll(first, "|", `\|`), took.Seconds(), as)
	}
	fmt.Fprintf(&table, "\n%d of %d are as they should be.\n", right, len(all))
	if err := os.WriteFile(filepath.Join(record, "tries.md"), []byte(table.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", &table)
}
