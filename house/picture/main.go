// Picture makes the moving picture of the README and of the site: a run and a fix in
// a terminal.
//
//	go run ./house/picture
//
// It runs in the root of the repository and writes docs/img/start.svg. No line of the
// picture is typed: commands are those of docs/start.md, and what they print is what
// the record holds, broken where a line is too long and left out where there are too
// many. The picture has two color schemes and no script. Where motion is not wanted,
// or cannot be had, it shows the fix.
package main

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// Where the session is told, and what is made of it.
const (
	page = "docs/start.md"
	file = "docs/img/start.svg"
)

func main() {
	svg, err := picture(os.DirFS("."))
	if err == nil {
		err = os.WriteFile(file, svg, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

// picture is the picture of the session that the repository in root tells.
func picture(root fs.FS) ([]byte, error) {
	text, err := fs.ReadFile(root, page)
	if err != nil {
		return nil, err
	}
	var scenes []scene
	for _, s := range []struct {
		name  string
		parts func(report []string) ([][]string, error)
	}{{"run", run}, {"fix", fix}} {
		command, record, err := told(string(text), s.name)
		if err != nil {
			return nil, err
		}
		report, err := fs.ReadFile(root, record)
		if err != nil {
			return nil, err
		}
		parts, err := s.parts(strings.Split(strings.TrimRight(string(report), "\n"), "\n"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", record, err)
		}
		scenes = append(scenes, scene{command, parts})
		if n := scenes[len(scenes)-1].height(); n > rows {
			return nil, fmt.Errorf("%s: %d lines of %d columns, want %d at most", record, n, columns, rows)
		}
	}
	return draw(scenes), nil
}

// told is the command of a step as the page has it, and the file with what it printed.
func told(text, step string) (command, file string, err error) {
	before, _, ok := strings.Cut(text, "/start-"+step+".txt -->")
	from := strings.LastIndex(before, "<!-- from ")
	at := strings.LastIndex(before[:max(from, 0)], "\n$ ")
	if !ok || from < 0 || at < 0 {
		return "", "", fmt.Errorf("%s: no step %s", page, step)
	}
	command, _, _ = strings.Cut(before[at+len("\n$ "):], "\n")
	return command, before[from+len("<!-- from "):] + "/start-" + step + ".txt", nil
}
