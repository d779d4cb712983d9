package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/outfile"
)

// The files that payoff writes into the folder of a run, and into those of its
// packages. What ends as an unfinished one does is payoff's as well.
var (
	ofRun     = []string{"run.json", progressFile, "fix.patch", "applied.json", "tune.json", "tune.patch"}
	ofPackage = []string{"series.json", samplesFile, samplesFile + ".gz", "bench.txt", evidenceFile, evidenceFile + ".gz", "heat.json", "fix.json", "fix.patch"}
)

// Remove removes a run: what payoff wrote there, and the folders that are empty then.
// It follows no link, and returns what it left, which somebody else wrote.
func Remove(dir string) (left []string, err error) {
	// Through a Root, so that no folder becomes a link to elsewhere meanwhile.
	parent, err := os.OpenRoot(filepath.Dir(dir))
	if err != nil {
		return nil, err
	}
	defer parent.Close()
	name := filepath.Base(dir)
	if about, err := parent.Lstat(name); err != nil || !about.IsDir() {
		return []string{dir}, err
	}
	root, err := parent.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	left, err = removeIn(root, ".", ofRun)
	root.Close()
	for i := range left {
		left[i] = filepath.Join(dir, left[i])
	}
	if len(left) == 0 && err == nil {
		err = parent.Remove(name)
	}
	return left, err
}

// removeIn removes the files of those names in a folder, and what is payoff's
// beneath it. Nil names are those of evidence.
func removeIn(root *os.Root, dir string, names []string) (left []string, err error) {
	entries, err := fs.ReadDir(root.FS(), filepath.ToSlash(dir))
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		at := filepath.Join(dir, e.Name())
		_, numbered := number(e.Name())
		switch {
		case e.IsDir() && (dir == "." && numbered || dir != "." && e.Name() == "evidence" && names != nil):
			files := ofPackage
			if dir != "." {
				files = nil
			}
			inside, e := removeIn(root, at, files)
			left, err = append(left, inside...), errors.Join(err, e)
			if len(inside) == 0 && e == nil {
				err = errors.Join(err, root.Remove(at))
			}
		case e.Type().IsRegular() && (names == nil && evidential.MatchString(e.Name()) || slices.Contains(names, outfile.Unfinished(e.Name()))):
			err = errors.Join(err, root.Remove(at))
		default:
			left = append(left, at)
		}
	}
	return left, err
}

// evidential matches the names of profiles and traces, as package explain gives them
// and EvidenceFile tells them apart.
var evidential = regexp.MustCompile(`^(again\d+-)?\d{3,}-.*-\d+\.(cpu\.pprof|trace)`)
