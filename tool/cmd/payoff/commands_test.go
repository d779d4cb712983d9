package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v3"
)

// byDefault is the default that a flag's usage names.
var byDefault = regexp.MustCompile(`\(default:? ([^)]*)\)`)

// TestCommands: docs/commands.md has every command with its arguments, and every
// flag of payoff run with the name of its value and its default; and no other.
func TestCommands(t *testing.T) {
	const file = "../../../docs/commands.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	commands, flags := toldCommands(string(text))
	root := rootCommand(io.Discard, io.Discard)
	compareRows(t, file, commands, usages("payoff", root.Commands))
	for _, c := range root.Commands {
		if c.Name == "run" {
			compareRows(t, file, flags, flagRows(c))
		}
	}
}

// compareRows reports the rows that one of two lists has alone.
func compareRows(t *testing.T, file string, got, want []string) {
	t.Helper()
	for _, row := range want {
		if !slices.Contains(got, row) {
			t.Errorf("%s has no row %q", file, row)
		}
	}
	for _, row := range got {
		if !slices.Contains(want, row) {
			t.Errorf("%s has a row %q, which is not what payoff has", file, row)
		}
	}
}

// toldCommands returns what the rows of a document begin with that are about a
// command, or a flag with its default.
func toldCommands(text string) (commands, flags []string) {
	for line := range strings.Lines(text) {
		row := strings.ReplaceAll(line, `\|`, "\x00") // a bar in a cell
		cells := strings.Split(row, "|")
		if len(cells) < 3 {
			continue
		}
		for i, c := range cells {
			cells[i] = strings.ReplaceAll(strings.TrimSpace(c), "\x00", "|")
		}
		switch first := strings.Trim(cells[1], "`"); {
		case strings.HasPrefix(first, "payoff "):
			commands = append(commands, first)
		case strings.HasPrefix(first, "-") && strings.Trim(first, "-") != "":
			flags = append(flags, first+" | "+cells[2])
		}
	}
	return commands, flags
}

// usages are the commands, and those below them, as their help begins.
func usages(name string, commands []*cli.Command) (all []string) {
	for _, c := range commands {
		full := name + " " + c.Name
		all = append(all, strings.TrimSpace(full+" "+c.ArgsUsage))
		all = append(all, usages(full, c.Commands)...)
	}
	return all
}

// flagRows are the flags of a command with their defaults.
func flagRows(c *cli.Command) (all []string) {
	for _, f := range c.Flags {
		name, usage := f.Names()[0], f.(cli.DocGenerationFlag).GetUsage()
		value, _ := flag.UnquoteUsage(&flag.Flag{Usage: usage})
		if value == "value" { // it takes none
			value = ""
		}
		def := ""
		if m := byDefault.FindStringSubmatch(usage); m != nil {
			def = m[1]
		}
		all = append(all, fmt.Sprintf("%s | %s", strings.TrimSpace("-"+name+" "+value), def))
	}
	return all
}
