package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/internal/outfile"
	"github.com/gopayoff/payoff/tool/internal/record"
	"github.com/gopayoff/payoff/tool/internal/service"
)

// Reports of payoff trace are kept in the user's cache, each a file that is named by
// its time: payoff serve lists them, and payoff compare takes two. The traces are not.

// mostTraces is how many are kept; the oldest go.
const mostTraces = 100

func tracesDir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "payoff", "traces"), nil
}

// keepTrace keeps a report.
func keepTrace(doc *service.Doc, now time.Time) error {
	dir, err := tracesDir()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := outfile.Write(filepath.Join(dir, now.UTC().Format("20060102-150405.000")+".json"), doc.JSON); err != nil {
		return err
	}
	names, err := traceNames()
	if err != nil {
		return err
	}
	for _, old := range names[min(len(names), mostTraces):] {
		err = errors.Join(err, os.Remove(filepath.Join(dir, old+".json")))
	}
	return err
}

// traceNames are the kept reports, newest first.
func traceNames() (names []string, err error) {
	dir, err := tracesDir()
	if err != nil {
		return nil, err
	}
	entries, err := record.Folder(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range slices.Backward(entries) {
		if name, ok := strings.CutSuffix(e.Name(), ".json"); ok {
			names = append(names, name)
		}
	}
	return names, nil
}

// keptTrace is a report that is kept.
func keptTrace(name string) (*service.Doc, error) {
	names, err := traceNames()
	if err != nil {
		return nil, err
	}
	if !slices.Contains(names, name) {
		return nil, fmt.Errorf("no trace that is kept is %q: %w", name, fs.ErrNotExist)
	}
	dir, err := tracesDir()
	if err != nil {
		return nil, err
	}
	return readTraceDoc(filepath.Join(dir, name+".json"))
}

func readTraceDoc(file string) (*service.Doc, error) {
	doc := new(service.Doc)
	if err := record.JSON(file, doc); err != nil {
		return nil, err
	}
	if doc.Schema != 1 || len(doc.Summary) == 0 {
		return nil, fmt.Errorf("%s is no report of payoff trace -json", file)
	}
	return doc, nil
}

// traceDoc is a report in a file, or what one trace comes to.
func traceDoc(file string) (*service.Doc, error) {
	about, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	f, err := record.Open(file)
	if err != nil {
		return nil, err
	}
	head := make([]byte, 1)
	_, err = io.ReadFull(f, head)
	f.Close()
	if err == nil && head[0] == '{' {
		return readTraceDoc(file)
	}
	return service.Explain([]service.Source{fileSource(file, file, about.Size())}, service.Options{Payoff: version()})
}
