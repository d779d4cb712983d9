package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
)

// dear are the packages whose tests build and run programs, or simulate for
// long; they come last.
var dear = []string{"/tool/cmd/payoff", "/tool/internal/session", "/tool/vet", "/internal/scenes", "/peers"}

// readUsers finds out whose tests use which package.
func (t *tree) readUsers() error {
	cmd := exec.Command("go", "list", "-test", "-deps", "-json=ImportPath,ForTest,Dir,Deps,Standard,TestGoFiles,XTestGoFiles", "work")
	cmd.Dir = t.dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list: %w: %s", err, stderr.String())
	}
	t.paths, t.users = map[string]string{}, map[string][]string{}
	tested := map[string]bool{}
	deps := map[string][]string{} // of test binaries, by the package they test
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, ForTest, Dir  string
			Deps                      []string
			Standard                  bool
			TestGoFiles, XTestGoFiles []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		switch {
		case p.Standard:
		case strings.HasSuffix(p.ImportPath, ".test"):
			deps[strings.TrimSuffix(p.ImportPath, ".test")] = p.Deps
		case p.ForTest == "" && strings.HasPrefix(p.Dir, t.dir):
			t.paths[p.Dir] = p.ImportPath
			tested[p.ImportPath] = len(p.TestGoFiles)+len(p.XTestGoFiles) > 0
		}
	}
	for pkg, of := range deps {
		for _, d := range of {
			d, _, _ = strings.Cut(d, " ") // "a [b.test]" is a, compiled for b's test
			if d != pkg && tested[pkg] && !slices.Contains(t.users[d], pkg) {
				t.users[d] = append(t.users[d], pkg)
			}
		}
	}
	for _, users := range t.users {
		slices.Sort(users)
	}
	return nil
}

// groups returns the packages whose tests may catch a fault in pkg, in the
// order in which they are asked.
func (t *tree) groups(pkg string) [][]string {
	var cheap, late []string
	for _, u := range t.users[pkg] {
		if slices.ContainsFunc(dear, func(d string) bool { return strings.Contains(u, d) }) {
			late = append(late, u)
		} else {
			cheap = append(cheap, u)
		}
	}
	return [][]string{{pkg}, cheap, late}
}

// failing runs the tests of the packages and names one that fails, "" where
// none does.
func (t *tree) failing(pkgs []string) string {
	if len(pkgs) == 0 {
		return ""
	}
	args := slices.Concat([]string{"test", "-json", "-vet=off", "-failfast", "-timeout=" + t.timeout.String()}, pkgs)
	cmd := exec.Command("go", args...)
	cmd.Dir = t.dir
	out, err := cmd.Output()
	if err == nil {
		return ""
	}
	// The innermost test is the first to fail; a package that hangs or crashes
	// fails without one.
	var pkg, test string
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var e struct{ Action, Package, Test string }
		if dec.Decode(&e) != nil {
			break
		}
		if e.Action != "fail" {
			continue
		}
		if e.Test != "" {
			return e.Package + " " + e.Test
		}
		if pkg == "" {
			pkg, test = e.Package, "(crashes, hangs or does not build)"
		}
	}
	if pkg == "" {
		return strings.Join(pkgs, " ") + " (" + err.Error() + ")"
	}
	return pkg + " " + test
}
