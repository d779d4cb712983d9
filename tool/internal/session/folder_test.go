package session

import (
	"path/filepath"
	"testing"
)

func TestRelative(t *testing.T) {
	root := filepath.VolumeName(t.TempDir()) + string(filepath.Separator)
	in := func(path string) string { return filepath.Join(root, filepath.FromSlash(path)) }
	for _, tt := range []struct{ cwd, dir, want string }{
		{"src/m", "src/m/.payoff/runs/1", filepath.FromSlash(".payoff/runs/1")},
		{"src/m", "src/n", in("src/n")},
		{"src/m", "src/m/-o", "." + string(filepath.Separator) + "-o"},
		{"", "home/me/.cache/payoff/runs/1", in("home/me/.cache/payoff/runs/1")},
	} {
		if got := relative(in(tt.cwd), in(tt.dir)); got != tt.want {
			t.Errorf("%s seen from %s is %s, want %s", in(tt.dir), in(tt.cwd), got, tt.want)
		}
	}
}
