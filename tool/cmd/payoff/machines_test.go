package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// machines is the place of the table in docs/machines.md.
var machines = regexp.MustCompile(`(?s)<!-- machines -->\n.*?<!-- end -->`)

// TestMachines: docs/machines.md has the machines of all recorded runs.
// go test ./tool/cmd/payoff -run Machines -update writes them.
func TestMachines(t *testing.T) {
	type row struct{ record, machine, toolchain string }
	runs := map[row]int{}
	var rows []row // in order of the records
	for _, file := range recorded(t, "*/run.json") {
		dir := filepath.Dir(file)
		run, _ := load(t, dir)
		e := run.Env
		machine := fmt.Sprintf("%s, %d processors", e.CPU, e.UsableCPUs)
		if e.Virtual != "" {
			machine += ", virtual (" + e.Virtual + ")"
		}
		r := row{filepath.Base(filepath.Dir(dir)), machine + ", " + e.OS + "/" + e.Arch, e.Go}
		if runs[r]++; runs[r] == 1 {
			rows = append(rows, r)
		}
	}
	var b strings.Builder
	b.WriteString("| Record | Machine | Go | Runs |\n|---|---|---|---:|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| [%s](../record/%[1]s/README.md) | %s | %s | %d |\n", r.record, r.machine, r.toolchain, runs[r])
	}
	doc := filepath.Join("..", "..", "..", "docs", "machines.md")
	old, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	now := machines.ReplaceAllLiteral(old, []byte("<!-- machines -->\n"+b.String()+"<!-- end -->"))
	if slices.Equal(now, old) {
		return
	}
	if !*update {
		t.Fatal("docs/machines.md is not what the record says: go test ./tool/cmd/payoff -run Machines -update")
	}
	if err := os.WriteFile(doc, now, 0o644); err != nil {
		t.Fatal(err)
	}
}
