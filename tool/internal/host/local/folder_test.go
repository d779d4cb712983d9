package local

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestSweep: what a dead owner left goes, and nothing else does.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	alive, err := NewFolder()
	if err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-time.Hour)
	put := func(name, lock string, at time.Time) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Join(path, "binary-1"), 0o755); err != nil {
			t.Fatal(err)
		}
		if lock == "" {
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
			return
		}
		if err := os.WriteFile(filepath.Join(path, lock), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(path, lock), at, at); err != nil {
			t.Fatal(err)
		}
	}
	put("payoff-1-1", lockName, long)
	put("payoff-2-2", lockName, time.Now()) // about to be locked
	put("payoff-3-3", "", long)             // perhaps of a build that goes on
	put("payoff-5-5", "", time.Now().Add(-48*time.Hour))
	put("payoff-mine", lockName, long)
	put("other-4-4", lockName, long)
	os.Chtimes(filepath.Join(alive.Path, lockName), long, long)
	sweep(dir, time.Now())
	var left []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		left = append(left, e.Name())
	}
	want := []string{"other-4-4", filepath.Base(alive.Path), "payoff-2-2", "payoff-3-3", "payoff-mine"}
	slices.Sort(want)
	if !slices.Equal(left, want) {
		t.Errorf("left %q, want %q", left, want)
	}
	if err := alive.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(alive.Path); err == nil {
		t.Error("the folder is there after Remove")
	}
}

// TestOwnerless: from which age a folder has no owner.
func TestOwnerless(t *testing.T) {
	now := time.Now()
	for _, tt := range []struct {
		lock bool
		age  time.Duration
		want bool
	}{
		{true, settled - 1, false}, {true, settled, true}, {false, old, false}, {false, old + 1, true},
	} {
		dir := t.TempDir()
		path := dir
		if tt.lock {
			path = filepath.Join(dir, lockName)
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chtimes(path, now, now); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := ownerless(dir, info.ModTime().Add(tt.age)); got != tt.want {
			t.Errorf("with a lock %t, after %v: ownerless %t, want %t", tt.lock, tt.age, got, tt.want)
		}
	}
	if ownerless(filepath.Join(t.TempDir(), "gone"), now.Add(48*time.Hour)) {
		t.Error("a folder that is gone is ownerless")
	}
}
