//go:build unix

package record

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestIrregular: a pipe, a device and a folder are refused at once by whatever reads.
func TestIrregular(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Skip(err)
	}
	for _, file := range []string{pipe, dir, "/dev/zero", "/dev/null"} {
		_, profile := Profile(file)
		_, lines := new(Reader).Lines(file, func(int, []byte) error { return nil })
		for name, err := range map[string]error{"JSON": JSON(file, new(any)), "Profile": profile, "Lines": lines} {
			if !errors.Is(err, ErrIrregular) {
				t.Errorf("%s(%s): %v, want %v", name, file, err, ErrIrregular)
			}
		}
	}
	if _, err := Folder(pipe); err == nil {
		t.Error("Folder of a pipe: no error")
	}
}

// TestLimits: what exceeds a limit is an error with its name, and costs no memory
// beyond that limit.
func TestLimits(t *testing.T) {
	dir := t.TempDir()
	sparse := func(name string, size int64) string {
		file := filepath.Join(dir, name)
		f, err := os.Create(file)
		if err == nil {
			err = errors.Join(f.Truncate(size), f.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	packed := func(name, line string, times int) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		chunk := []byte(strings.Repeat(line, 1<<20/len(line)))
		for range times {
			z.Write(chunk)
		}
		z.Close()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	ignore := func(int, []byte) error { return nil }
	lines := func(file string) error {
		_, err := new(Reader).Lines(strings.TrimSuffix(file, ".gz"), ignore)
		return err
	}
	profile := func(file string) error { _, err := Profile(file); return err }
	for _, tt := range []struct {
		name, limit string
		most        uint64 // bytes that it may cost
		err         func() error
	}{
		{"a large file", "FileLimit", 8 * FileLimit, func() error { return JSON(sparse("large", 1<<40), new(any)) }},
		{"a long line", "LineLimit", 8 * FileLimit, func() error { return lines(sparse("long", 1<<40)) }},
		{"a long line, packed", "LineLimit", 8 * FileLimit, func() error { return lines(packed("z.gz", "\x00", 16)) }},
		{"many lines, packed", "TotalLimit", 8 * FileLimit, func() error {
			file := strings.TrimSuffix(packed("n.gz", "0123456789abcde\n", 32), ".gz")
			r := new(Reader)
			for range 16 {
				if _, err := r.Lines(file, ignore); err != nil {
					return fmt.Errorf("within the limit: %s", err)
				}
			}
			_, err := r.Lines(file, ignore)
			return err
		}},
		{"a profile, packed", "ProfileLimit", 8 * ProfileLimit, func() error { return profile(packed("p.gz", "\x00", 64)) }},
		{"small values", "ValueLimit", 8 * FileLimit, func() error {
			return new(Reader).Unmarshal("x", []byte("["+strings.Repeat("[],", ValueLimit)+"[]]"), new(any))
		}},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var over *LimitError
		if err := tt.err(); !errors.As(err, &over) || over.Name != tt.limit || !strings.Contains(err.Error(), tt.limit) {
			t.Errorf("%s: %v, want %s exceeded", tt.name, err, tt.limit)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > tt.most {
			t.Errorf("%s: %d bytes allocated, want at most %d", tt.name, took, tt.most)
		}
	}
	// What is as large as a limit is read.
	if _, err := new(Reader).ReadFile(sparse("most", FileLimit)); err != nil {
		t.Error(err)
	}
}
