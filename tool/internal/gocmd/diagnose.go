package gocmd

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// A Diagnostic is what the compiler decided about a place: that something
// escapes to the heap, that a function cannot be inlined, that a bound is
// checked.
type Diagnostic struct {
	source.Place        // the file is absolute
	Code         string // escape, cannotInlineFunction, isInBounds, …
	Message      string // may be empty
}

// Diagnose compiles the test binary of pkg once more and returns what the
// compiler says about its files (-gcflags=-json). dir, which must exist, is
// for its output.
func (t *Toolchain) Diagnose(ctx context.Context, pkg, dir string) ([]Diagnostic, error) {
	out, err := os.MkdirTemp(dir, "diagnose-") // a folder seen before would come from the cache, empty
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(out)
	args := []string{"test", "-c", "-vet=off", "-trimpath=false", "-o", os.DevNull, "-gcflags=-json=0," + out}
	if t.Tags != "" {
		args = append(args, "-tags", t.Tags)
	}
	if _, err := t.run(ctx, append(args, pkg)...); err != nil {
		return nil, err
	}
	var all []Diagnostic
	err = filepath.WalkDir(out, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		r := bufio.NewReader(f)
		var head struct{ File string }
		for n := 0; ; n++ {
			line, err := r.ReadBytes('\n')
			if len(line) == 0 && err != nil {
				return nil
			}
			if n == 0 {
				if err := json.Unmarshal(line, &head); err != nil {
					return fmt.Errorf("what the compiler wrote to %s: %w", filepath.Base(name), err)
				}
				if !filepath.IsAbs(head.File) || strings.HasPrefix(head.File, filepath.Join(t.Root, "src")) {
					return nil // generated, or of the standard library
				}
				continue
			}
			var d struct {
				Range         struct{ Start struct{ Line int } }
				Code, Message string
			}
			if err := json.Unmarshal(line, &d); err != nil {
				return fmt.Errorf("what the compiler wrote to %s: %w", filepath.Base(name), err)
			}
			all = append(all, Diagnostic{source.Place{File: head.File, Line: d.Range.Start.Line}, d.Code, d.Message})
		}
	})
	return all, err
}
