package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestBelow: a plan that keeps to its folder measures no package elsewhere in the module,
// nor one that a link in the folder leads to.
func TestBelow(t *testing.T) {
	dir := tree(t)
	in := filepath.Join(dir, "a")
	linked := os.Symlink(filepath.Join(dir, "b"), filepath.Join(in, "linked")) == nil // Windows may not let us
	for _, tt := range []struct {
		pattern string
		below   bool
		err     string // "": none
	}{
		{".", true, ""}, {"./...", true, ""}, {"example.com/m/a", true, ""},
		{"example.com/m/b", false, ""},
		{"example.com/m/b", true, "package example.com/m/b lies in " + filepath.Join(dir, "b") + ", and only packages below " + in + " may be measured: name one of them, or ./... for all"},
		{"example.com/m/...", true, "package example.com/m/b lies in "},
		{"../b", true, "package example.com/m/b lies in "},
		{"./linked", true, "package example.com/m/a/linked lies in "},
	} {
		if tt.pattern == "./linked" && !linked {
			continue
		}
		f := &fake{cores: 2}
		p := f.plan(in, Plan{Causes: None, Below: tt.below})
		p.Packages, p.Record = []string{tt.pattern}, filepath.Join(t.TempDir(), "out")
		end := carried(t.Context(), p, f.hosts)
		if tt.err == "" && end.Err != nil || tt.err != "" && (end.Err == nil || !strings.Contains(end.Err.Error(), tt.err) || end.Doc != nil) {
			t.Errorf("%s, below %t: %v, want %q", tt.pattern, tt.below, end.Err, tt.err)
		}
	}
}

// TestShare: packages that share a time have a part of it each, a second at least.
func TestShare(t *testing.T) {
	for within, want := range map[time.Duration]time.Duration{10 * time.Second: 5 * time.Second, time.Second: time.Second} {
		dir := tree(t)
		f := &fake{cores: 2}
		end := carried(t.Context(), f.plan(dir, Plan{Causes: None, Within: within}), f.hosts)
		if end.Err != nil || len(end.Series) != 2 || end.Series[0].Budget != want || end.Series[1].Budget != want {
			t.Errorf("within %v: %v, want 2 packages with %v each", within, end.Err, want)
		}
	}
}
