package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// tagged are the directories of the modules that users install. The others have no
// versions.
var tagged = []string{".", "gallery", "tool"}

// A plan is what a release does. It is made of a copy of the tree, in which the
// release is carried out.
type plan struct {
	tree      string // the copy, a repository of its own
	version   string
	rehearsal bool
	date      string    // of the section in CHANGELOG.md
	modules   []*mod    // in the order of their requirements
	section   string    // what CHANGELOG.md says of the version
	patch     string    // from the tree as it is to the release
	changes   []*change // the same without CHANGELOG.md
}

// A mod is a module of the repository.
type mod struct {
	dir      string // "." is the root
	path     string
	file     []byte   // go.mod
	requires []string // directories of the others that it requires
	code     bool     // it has Go files
	packed   *packed  // nil where it is not tagged
}

// A change is what the release changes in a file.
type change struct {
	name  string
	lines []string // that go, after a minus, and that come, after a plus
}

// newPlan copies the repository in root to tree and finds out what is to be done.
func newPlan(ctx context.Context, root, tree string, o options, now time.Time) (*plan, error) {
	status, err := output(ctx, root, nil, "git", "status", "--porcelain")
	if err != nil {
		return nil, err
	}
	if status != "" && !o.dirty {
		return nil, fmt.Errorf("what is not committed is in no release; -dirty takes it as if it were:\n%s", status)
	}
	tags, err := output(ctx, root, nil, "git", "tag")
	if err != nil {
		return nil, err
	}
	list, err := output(ctx, root, nil, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	names := strings.FieldsFunc(list, func(r rune) bool { return r == 0 })
	names = slices.DeleteFunc(names, func(name string) bool { // deleted, and not committed so
		_, err := os.Lstat(filepath.Join(root, name))
		return errors.Is(err, fs.ErrNotExist)
	})
	mods, err := readModules(os.DirFS(root), names)
	if err != nil {
		return nil, err
	}
	if err := copyTree(root, tree, names, mods); err != nil {
		return nil, err
	}
	p := &plan{tree: tree, version: o.version, rehearsal: o.version == "", date: now.Format(time.DateOnly)}
	if p.modules, err = inOrder(mods, tagged); err != nil {
		return nil, err
	}
	if p.rehearsal {
		if p.version, err = next(mods, strings.Fields(tags)); err != nil {
			return nil, err
		}
	}
	return p, check(p.version, mods, strings.Fields(tags))
}

// copyTree copies the named files of a tree. Of a module without code, like the
// record, go.mod is enough: it keeps the rest out of the others.
func copyTree(from, to string, names []string, mods []*mod) error {
	for _, name := range names {
		if !moduleOf(mods, name).code && path.Base(name) != "go.mod" {
			continue
		}
		source, target := filepath.Join(from, name), filepath.Join(to, name)
		info, err := os.Lstat(source)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is no regular file: no module can have it", name)
		}
		data, err := os.ReadFile(source)
		if err != nil {
			return err
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(target), 0o755), os.WriteFile(target, data, info.Mode().Perm())); err != nil {
			return err
		}
	}
	return nil
}

// readModules reads the modules of a tree of which names are the files.
func readModules(tree fs.FS, names []string) ([]*mod, error) {
	var mods []*mod
	for _, name := range names {
		if path.Base(name) != "go.mod" || strings.Contains("/"+name, "/testdata/") {
			continue
		}
		data, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		mods = append(mods, &mod{dir: path.Dir(name), path: modfile.ModulePath(data), file: data})
	}
	slices.SortFunc(mods, func(a, b *mod) int { return cmp.Compare(a.dir, b.dir) })
	for _, m := range mods {
		f, err := modfile.Parse(path.Join(m.dir, "go.mod"), m.file, nil)
		if err != nil {
			return nil, err
		}
		for _, r := range f.Require {
			for _, other := range mods {
				if other.path == r.Mod.Path {
					m.requires = append(m.requires, other.dir)
				}
			}
		}
	}
	for _, name := range names {
		if path.Ext(name) == ".go" {
			moduleOf(mods, name).code = true
		}
	}
	return mods, nil
}

// moduleOf is the module that a file is in.
func moduleOf(mods []*mod, name string) *mod {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		for _, m := range mods {
			if m.dir == dir {
				return m
			}
		}
		if dir == "." {
			return &mod{}
		}
	}
}

// inOrder puts the modules that are to be tagged first, and each after those that it
// requires.
func inOrder(mods []*mod, tagged []string) ([]*mod, error) {
	var order []*mod
	var put func(m *mod, above []string) error
	put = func(m *mod, above []string) error {
		if slices.Contains(above, m.dir) {
			return fmt.Errorf("module %s requires itself: %s", m.path, strings.Join(append(above, m.dir), " requires "))
		}
		if slices.Contains(order, m) {
			return nil
		}
		for _, other := range mods {
			if !slices.Contains(m.requires, other.dir) {
				continue
			}
			if !slices.Contains(tagged, other.dir) {
				return fmt.Errorf("module %s requires %s, which is never tagged", m.path, other.path)
			}
			if err := put(other, append(above, m.dir)); err != nil {
				return err
			}
		}
		order = append(order, m)
		return nil
	}
	for _, dir := range tagged {
		i := slices.IndexFunc(mods, func(m *mod) bool { return m.dir == dir })
		if i < 0 {
			return nil, fmt.Errorf("there is no module in %s", dir)
		}
		mods[i].packed = new(packed)
		if err := put(mods[i], nil); err != nil {
			return nil, err
		}
	}
	for _, m := range mods {
		if err := put(m, nil); err != nil {
			return nil, err
		}
	}
	return order, nil
}

// tag is the tag of a version of the module.
func (m *mod) tag(version string) string { return path.Join(m.dir, version) }

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
			if ours(r.Old.Path) {
				r.Syntax.Token[slices.Index(r.Syntax.Token, r.Old.Version)] = version
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

var hunk = regexp.MustCompile(`^(---|\+\+\+|@@|index |new file|deleted file|\\) ?`)

// changesOf reads what git diff -U0 says.
func changesOf(diff string) []*change {
	var changes []*change
	for line := range strings.Lines(diff) {
		line = strings.TrimSuffix(line, "\n")
		if names, ok := strings.CutPrefix(line, "diff --git "); ok {
			_, name, _ := strings.Cut(names, " b/")
			changes = append(changes, &change{name: name})
		} else if !hunk.MatchString(line) && len(changes) > 0 {
			c := changes[len(changes)-1]
			c.lines = append(c.lines, line)
		}
	}
	return slices.DeleteFunc(changes, func(c *change) bool { return c.name == changelogName })
}

// print says what the release does.
func (p *plan) print(out io.Writer) {
	what := "release"
	if p.rehearsal {
		what = "rehearsal of"
	}
	fmt.Fprintf(out, "%s %s\n\ntags, in this order, at one commit:\n", what, p.version)
	for _, m := range p.modules {
		if m.packed != nil {
			fmt.Fprintf(out, "  %-16s %-40s zip %s, %d files\n", m.tag(p.version), m.path, size(m.packed.size), m.packed.files)
		}
	}
	if len(p.changes) > 0 {
		fmt.Fprintln(out, "\nthe commit changes:")
	}
	for _, c := range p.changes {
		fmt.Fprintf(out, "  %s\n", c.name)
		for _, line := range c.lines {
			fmt.Fprintf(out, "    %s\n", line)
		}
	}
	switch {
	case p.patch == "":
		fmt.Fprintln(out, "\nthe tree is ready: nothing has to be changed")
	case p.section == "":
		fmt.Fprintf(out, "\n%s: nothing stands under Unreleased\n", changelogName)
	case p.rehearsal:
		fmt.Fprintf(out, "\n%s: %s takes %d lines from Unreleased\n", changelogName, p.version, strings.Count(p.section, "\n")+1)
	default:
		fmt.Fprintf(out, "\n%s has of %s:\n\n%s\n", changelogName, p.version, p.section)
	}
}

// printNext says how the release is made.
func (p *plan) printNext(out io.Writer, o options) {
	if p.rehearsal {
		return
	}
	var tags []string
	for _, m := range p.modules {
		if m.packed != nil {
			tags = append(tags, m.tag(p.version))
		}
	}
	fmt.Fprintln(out, "\nnext:")
	switch {
	case p.patch != "" && o.patch == "":
		fmt.Fprintf(out, "  go run ./house/release -patch release.patch %s   # and apply it\n", p.version)
		return
	case p.patch != "":
		fmt.Fprintf(out, "  git apply --index %s && git commit -m 'release %s'\n  go run ./house/release %[2]s\n", o.patch, p.version)
		return
	}
	for _, t := range tags {
		fmt.Fprintf(out, "  git tag %s\n", t)
	}
	fmt.Fprintf(out, "  git push --atomic origin HEAD %s\n", strings.Join(tags, " "))
}

func size(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KB", (n+1<<9)>>10)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}
