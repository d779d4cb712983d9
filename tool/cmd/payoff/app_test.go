package main

import (
	"runtime/debug"
	"testing"
)

// The version is the module's where it was installed as one, with commit and
// changes where it was built in a checkout.
func TestVersionOf(t *testing.T) {
	const commit = "b2c5b7c03c770b2c0e9ccdc7b55368aaf9ada2ef"
	for _, test := range []struct {
		main, revision, modified string // as the go command stamps them; none where empty
		want                     string
	}{
		{"v0.1.0", "", "", "v0.1.0"}, // go install …@v0.1.0
		{"v0.1.1-0.20261127015740-b2c5b7c03c77", "", "", "v0.1.1-0.20261127015740-b2c5b7c03c77"}, // …@main
		{"v0.1.0", commit, "false", "v0.1.0 (commit b2c5b7c03c77)"},
		{"v0.1.0+dirty", commit, "true", "v0.1.0 (commit b2c5b7c03c77, dirty)"},
		{"v0.1.1-0.20261127015740-b2c5b7c03c77+dirty", commit, "true", "v0.1.1-0.20261127015740-b2c5b7c03c77 (commit b2c5b7c03c77, dirty)"},
		{"(devel)", commit, "true", "devel (commit b2c5b7c03c77, dirty)"},
		{"(devel)", commit, "false", "devel (commit b2c5b7c03c77)"},
		{"(devel)", "", "true", "devel (dirty)"}, // a repository without a commit
		{"v0.1.0+dirty", "", "", "v0.1.0 (dirty)"},
		{"(devel)", "b2c5b7", "false", "devel (commit b2c5b7)"},
		{"(devel)", "", "", "devel"}, // -buildvcs=false, a test
		{"", "", "", "devel"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: test.main}}
		for key, value := range map[string]string{"vcs.revision": test.revision, "vcs.modified": test.modified} {
			if value != "" {
				info.Settings = append(info.Settings, debug.BuildSetting{Key: key, Value: value})
			}
		}
		if got := versionOf(info); got != test.want {
			t.Errorf("main %q, revision %q, modified %q: %q, want %q", test.main, test.revision, test.modified, got, test.want)
		}
	}
}
