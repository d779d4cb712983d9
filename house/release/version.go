package main

import (
	"errors"
	"fmt"
	"slices"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// next is the version that comes next: the one that the modules require of each
// other, or the one after it where that is tagged.
func next(mods []*mod, tags []string) (string, error) {
	for _, m := range mods {
		f, err := modfile.ParseLax("go.mod", m.file, nil)
		if err != nil {
			return "", err
		}
		for _, r := range f.Require {
			if !slices.ContainsFunc(mods, func(m *mod) bool { return m.path == r.Mod.Path }) {
				continue
			}
			v := r.Mod.Version
			for slices.Contains(tags, v) {
				v = after(v)
			}
			return v, nil
		}
	}
	return "", errors.New("no module requires another: there is no version to rehearse")
}

// after is the next version that may break what its users wrote.
func after(version string) string {
	var major, minor int
	fmt.Sscanf(version, "v%d.%d", &major, &minor)
	return fmt.Sprintf("v%d.%d.0", major, minor+1)
}

// check refuses a version that cannot be tagged.
func check(version string, mods []*mod, tags []string) error {
	switch {
	case semver.Canonical(version) != version || version == "":
		return fmt.Errorf("%q is no version: want one like v0.2.0", version)
	case module.IsPseudoVersion(version):
		return fmt.Errorf("%s is a pseudo-version, which names a commit: want one like v0.2.0", version)
	}
	for _, m := range mods {
		if m.packed == nil {
			continue
		}
		_, major, _ := module.SplitPathVersion(m.path)
		if err := module.CheckPathMajor(version, major); err != nil {
			return fmt.Errorf("module %s cannot have %s: %w", m.path, version, err)
		}
		if slices.Contains(tags, m.tag(version)) {
			return fmt.Errorf("tag %s is there already", m.tag(version))
		}
	}
	return nil
}
