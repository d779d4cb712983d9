package main

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// setVersions sets the versions of the modules that a go.mod or go.work requires or
// replaces by directories.
func setVersions(name string, data []byte, mods []*mod, version string) ([]byte, error) {
	ours := func(modulePath string) bool {
		return slices.ContainsFunc(mods, func(m *mod) bool { return m.path == modulePath })
	}
	if path.Base(name) == "go.work" {
		f, err := modfile.ParseWork(name, data, nil)
		if err != nil {
			return nil, err
		}
		for _, r := range f.Replace {
			if i := slices.Index(r.Syntax.Token, r.Old.Version); ours(r.Old.Path) && i >= 0 {
				r.Syntax.Token[i] = version
			}
		}
		return modfile.Format(f.Syntax), nil
	}
	f, err := modfile.Parse(name, data, nil)
	if err != nil {
		return nil, err
	}
	for _, r := range f.Require {
		if ours(r.Mod.Path) {
			if err := f.AddRequire(r.Mod.Path, version); err != nil {
				return nil, err
			}
		}
	}
	return f.Format()
}

// withoutOurs is a go.sum without the lines of the modules.
func withoutOurs(sum string, mods []*mod) string {
	var kept strings.Builder
	for line := range strings.Lines(sum) {
		modulePath, _, _ := strings.Cut(line, " ")
		if !slices.ContainsFunc(mods, func(m *mod) bool { return m.path == modulePath }) {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// untidy says what go mod tidy changed beside the versions of the modules: go.mod is
// to be as mod, and go.sum as sum but for the lines of the modules.
func untidy(m *mod, mod, gotMod []byte, sum, gotSum string, mods []*mod) error {
	var lines []string
	if !bytes.Equal(mod, gotMod) {
		lines = append(lines, under(path.Join(m.dir, "go.mod"), string(mod), string(gotMod))...)
	}
	if want, got := withoutOurs(sum, mods), withoutOurs(gotSum, mods); want != got {
		lines = append(lines, under(path.Join(m.dir, "go.sum"), want, got)...)
	}
	if lines == nil {
		return nil
	}
	return fmt.Errorf("go mod tidy would change more than the versions:\n%s", strings.Join(lines, "\n"))
}

// under lists the lines by which two texts differ, without regard to their order,
// under a name.
func under(name, before, after string) []string {
	lines := []string{name}
	for _, side := range [][3]string{{"-", before, after}, {"+", after, before}} {
		there := strings.Split(side[2], "\n")
		for line := range strings.SplitSeq(side[1], "\n") {
			if !slices.Contains(there, line) {
				lines = append(lines, side[0]+line)
			}
		}
	}
	if len(lines) == 1 {
		lines = append(lines, "the order of the lines")
	}
	return lines
}

// workflowNames are those to copy, which install the version that they come with.
const workflowNames = "docs/ci/*.yml"

var installed = regexp.MustCompile(`(go install \S+@)v\S+`)

// setInstalled sets the versions that a workflow installs.
func setInstalled(data []byte, version string) []byte {
	return installed.ReplaceAll(data, []byte("${1}"+version))
}
