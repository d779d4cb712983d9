package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// startSteps are the commands of docs/start.md, in their order.
var startSteps = []struct {
	name string
	args []string
	code int // wanted
}{
	{"run", []string{"run", "-o", "first"}, exitOK},
	{"why", []string{"why", "-from", "first", "Total/parallel"}, exitOK},
	{"fix", []string{"fix"}, exitOK},
	{"try", []string{"try", "-patch", "local.patch"}, exitOK},
	{"apply", nil, exitOK}, // git apply
	{"compare", []string{"compare", "HEAD"}, exitOK},
	{"ci", []string{"ci", "-base", "HEAD", "-fail-on", "loses:10%"}, exitOK},
}

// TestRecordStart carries out docs/start.md, and writes what each command says to
// start-NAME.txt in the folder PAYOFF_RECORD:
//
//	PAYOFF_RECORD=$PWD/record/DATE-CPU go test ./tool/cmd/payoff -run RecordStart -timeout 0 -v
func TestRecordStart(t *testing.T) {
	record := os.Getenv("PAYOFF_RECORD")
	if record == "" {
		t.Skip("measures for some minutes: set PAYOFF_RECORD to the folder of the record")
	}
	record, err := filepath.Abs(record)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "readings")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "testdata", "start"))); err != nil {
		t.Fatal(err)
	}
	patch, err := os.ReadFile(filepath.Join(dir, "local.patch"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", slices.Concat([]string{"-c", "user.name=x", "-c", "user.email=x@example.org"}, args)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	if err := os.WriteFile(filepath.Join(".git", "info", "exclude"), []byte("local.patch\nfirst\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	git("add", ".")
	git("commit", "-qm", "readings: total in parallel")
	for _, s := range startSteps {
		if s.args == nil {
			git("apply", "local.patch")
			continue
		}
		var stdout, stderr bytes.Buffer
		if code := run(append([]string{"payoff"}, s.args...), &stdout, &stderr); code != s.code {
			t.Errorf("payoff %s: exit code %d, want %d\n%s%s", strings.Join(s.args, " "), code, s.code, &stdout, &stderr)
		}
		if err := os.WriteFile(filepath.Join(record, "start-"+s.name+".txt"), stdout.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(record, "start-patch.txt"), patch, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestStartPage: docs/start.md has the commands that were recorded, and the program.
func TestStartPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "start.md"))
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, s := range startSteps {
		command := "git apply local.patch"
		if s.args != nil {
			command = "payoff " + strings.Join(s.args, " ")
		}
		i := strings.Index(string(page[at:]), "$ "+command+"\n")
		if i < 0 {
			t.Errorf("docs/start.md lacks, or has not in its place: $ %s", command)
			continue
		}
		at += i
	}
}
