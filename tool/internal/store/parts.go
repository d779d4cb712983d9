package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/outfile"
	"github.com/gopayoff/payoff/tool/internal/record"
)

// Part keeps what a later stage found out about the package, as JSON in a file
// of that name. It replaces an earlier one.
func (p *Package) Part(name string, v any) error { return writeJSON(p.File(name), v) }

// File is where a file of the package's folder lies.
func (p *Package) File(name string) string { return filepath.Join(p.dir, name) }

// Part reads what [Package.Part] kept on a package of the run in dir, and
// reports whether there is such a thing.
func Part(dir, pkg, name string, v any) (bool, error) {
	at, _, err := find(dir, pkg)
	if err != nil || at == "" {
		return false, err
	}
	switch err := readJSON(new(record.Reader), filepath.Join(at, name), v); {
	case errors.Is(err, os.ErrNotExist):
		return false, nil
	default:
		return err == nil, err
	}
}

// find returns the folder that the run in dir has for a package, and what its
// series says of itself without its samples; "" if it has none.
func find(dir, pkg string) (string, series, error) {
	paths, err := packageDirs(dir)
	in := new(record.Reader)
	for _, p := range paths {
		var about series
		if readJSON(in, filepath.Join(p, "series.json"), &about) == nil && about.Package == pkg {
			return p, about, nil
		}
	}
	return "", series{}, err
}

// Measured reports whether the run in dir measured a package to its end in a
// test binary of this checksum. It reads no samples.
func Measured(dir, pkg, binary string) bool {
	at, about, err := find(dir, pkg)
	if err != nil || at == "" || binary == "" {
		return false
	}
	switch about.End {
	case measure.Decided, measure.Exhausted, measure.Budget, measure.Regrouped:
		return about.Binary == binary
	}
	return false
}

// Adopt makes what the run in from has on a package a part of this run: its
// samples and evidence, though not the profiles and traces behind that.
func (d *Dir) Adopt(from string, r Run, pkg string) (*Package, *measure.Series, error) {
	at, _, err := find(from, pkg)
	if err == nil && at == "" {
		err = fmt.Errorf("%s has nothing on %s", from, pkg)
	}
	if err != nil {
		return nil, nil, err
	}
	d.n++
	p := &Package{dir: filepath.Join(d.Path, fmt.Sprintf("%02d-%s", d.n, path.Base(pkg))), run: r}
	if err := folder(p.dir); err != nil {
		return nil, nil, err
	}
	for _, name := range []string{"series.json", samplesFile, samplesFile + ".gz", evidenceFile, evidenceFile + ".gz"} {
		if err := copyFile(filepath.Join(at, name), p.File(name)); err != nil {
			return nil, nil, err
		}
	}
	s, err := loadPackage(new(record.Reader), p.dir, true)
	if err != nil {
		return nil, nil, err
	}
	r.Tell(s)
	return p, s, nil
}

// copyFile copies a file that may be missing.
func copyFile(from, to string) error {
	in, err := record.Open(from)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	return outfile.Write(to, func(out io.Writer) error {
		n, err := io.Copy(out, io.LimitReader(in, record.TotalLimit+1))
		if n > record.TotalLimit {
			err = &record.LimitError{File: from, Name: "TotalLimit", Most: record.TotalLimit}
		}
		return err
	})
}

// EvidenceFiles are the files of evidence that the run in dir has on a package and whose
// names end so, by name. There may be none: nothing else needs them.
func EvidenceFiles(dir, pkg, suffix string) (files []string, err error) {
	at, _, err := find(dir, pkg)
	if err != nil || at == "" {
		return nil, err
	}
	folder := (&Package{dir: at}).evidenceDir()
	entries, err := record.Folder(folder)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), suffix) {
			files = append(files, filepath.Join(folder, e.Name()))
		}
	}
	return files, err
}
