package main

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// The size of the terminal: its text can still be read where a page is 400 pixels wide.
const columns, rows = 60, 26

// A scene is a command and what it prints, in parts that appear one after the other.
type scene struct {
	command string
	parts   [][]string
}

// height is how many lines the scene has, with an empty one between parts.
func (s scene) height() int {
	n := 1
	for _, p := range s.parts {
		n += len(p) + 1
	}
	return n - 1
}

// run are the parts of a report of payoff run: the answer, the first table, the first
// cause with its evidence, the next command.
func run(report []string) ([][]string, error) {
	table, cause := table(report), block(report, "  why ")
	if table == nil || cause == nil {
		return nil, errors.New("no table, or no cause")
	}
	for i := range cause {
		cause[i] = strings.TrimPrefix(cause[i], "  ")
	}
	return [][]string{wrap(report[:1]), table, wrap(cause), wrap(report[len(report)-1:])}, nil
}

// fix are the parts of a report of payoff fix: the answer, the first edit that was
// confirmed, with the lines that it changes, what was measured, the next command.
func fix(report []string) ([][]string, error) {
	var edit, measured []string
	changed := 0 // the lines of edit up to the last that the edit changes
	in := false  // the lines are those of a diff
	for _, l := range block(report, "CONFIRMED ") {
		body := strings.TrimLeft(l, " ")
		switch {
		case strings.HasPrefix(body, "tried, and not kept"):
			if changed == 0 || measured == nil {
				return nil, errors.New("no edit, or nothing measured")
			}
			return [][]string{wrap(report[:1]), edit[:changed], wrap(measured), wrap(report[len(report)-1:])}, nil
		case body == "", strings.HasPrefix(body, "--- "), strings.HasPrefix(body, "+++ "):
		case strings.HasPrefix(body, "@@ "):
			in = true
		case in && diffLine.MatchString(l):
			change := l[6] != ' '
			if change || changed > 0 {
				edit = append(edit, cut(strings.TrimPrefix(l, "    ")))
			}
			if change {
				changed = len(edit)
			}
		case in:
			in = false
			measured = append(measured, l[4:])
		case measured == nil:
			edit = append(edit, wrap([]string{l})...)
		default:
			measured = append(measured, l[4:])
		}
	}
	return nil, errors.New("no confirmed edit")
}

// diffLine is a line of a diff as reports have it: six spaces, and its mark.
var diffLine = regexp.MustCompile(`^ {6}[ +-]`)

// table is the first table of a report, as far as the verdict against the base.
func table(report []string) (table []string) {
	var width, procs int // of what is shown; up to the end of the column of processors
	for _, l := range report {
		if table == nil {
			if !strings.HasPrefix(l, "  variant ") {
				continue
			}
			procs = strings.Index(l, "procs") + len("procs")
			width = strings.Index(l, "verdict") + len("verdict")
		} else if r := []rune(l); len(r) < procs || r[procs-1] < '0' || r[procs-1] > '9' {
			break
		}
		r := []rune(l)
		table = append(table, cut(strings.TrimRight(string(r[2:min(width, len(r))]), " ")))
	}
	return table
}

// block is the first line that begins so, and those below that are indented deeper,
// with empty ones between them.
func block(report []string, start string) []string {
	i := slices.IndexFunc(report, func(l string) bool { return strings.HasPrefix(l, start) })
	if i < 0 {
		return nil
	}
	end := i + 1
	for j := end; j < len(report) && (report[j] == "" || indent(report[j]) > indent(report[i])); j++ {
		if report[j] != "" {
			end = j + 1
		}
	}
	return slices.Clone(report[i:end])
}

// indent is by how much a line is indented.
func indent(l string) int { return len(l) - len(strings.TrimLeft(l, " ")) }

// wrap breaks lines that are too long; what goes on is indented by four.
func wrap(lines []string) (wrapped []string) {
	for _, l := range lines {
		if utf8.RuneCountInString(l) <= columns {
			wrapped = append(wrapped, l)
			continue
		}
		in := strings.Repeat(" ", indent(l))
		hang := in + "    "
		now := ""
		for _, w := range strings.Fields(l) {
			switch {
			case now == "":
				now = in + w
			case utf8.RuneCountInString(now)+1+utf8.RuneCountInString(w) > columns:
				wrapped = append(wrapped, now)
				now = hang + w
			default:
				now += " " + w
			}
		}
		wrapped = append(wrapped, now)
	}
	return wrapped
}

// cut ends a line that is too long.
func cut(l string) string {
	if r := []rune(l); len(r) > columns {
		return string(r[:columns-1]) + "…"
	}
	return l
}
