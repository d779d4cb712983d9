// Command faults says which faults the tests catch: it plants them one by one
// in a copy of the tree, and runs the tests of the package and of those that
// use it.
//
//	go run ./house/faults faults.json
//	PAYOFF_LONG=1 go run ./house/faults -only 7,12 faults.json
//
// The file holds a list of faults: [{"file": "par/look.go", "old": "i < n",
// "new": "i <= n", "what": "one element too many"}, …], of which old stands in
// the file once. The table says of each by which test it was caught, or that it
// survived, and in how many seconds.
//
// The tests of the package come first, then those of its users, the cheap ones
// before the dear ones. A fault that does not compile is no fault, and a
// package whose tests fail without one is an error.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("faults", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: faults [flags] faults.json")
		flags.PrintDefaults()
	}
	dir := flags.String("dir", "", "copy the tree to `folder` and keep it there, for a quick next time")
	only := flags.String("only", "", "plant these alone: `numbers` as the table has them")
	timeout := flags.Duration("timeout", 5*time.Minute, "what the tests of one package may take")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() != 1 {
		flags.Usage()
		return 2
	}
	caught, planted, err := plantAll(flags.Arg(0), *dir, *only, *timeout, stdout)
	if err != nil {
		fmt.Fprintln(stderr, "faults:", err)
		return 2
	}
	fmt.Fprintf(stdout, "%d of %d caught\n", caught, planted)
	return 0
}

// A fault is a change of one place that does harm.
type fault struct{ File, Old, New, What string }

func plantAll(list, dir, only string, timeout time.Duration, w io.Writer) (caught, planted int, err error) {
	data, err := os.ReadFile(list)
	if err != nil {
		return 0, 0, err
	}
	var faults []fault
	if err := json.Unmarshal(data, &faults); err != nil {
		return 0, 0, fmt.Errorf("%s: %w", list, err)
	}
	chosen := map[int]bool{}
	for n := range strings.SplitSeq(only, ",") {
		if n == "" {
			continue
		}
		i, err := strconv.Atoi(n)
		if err != nil || i < 1 || i > len(faults) {
			return 0, 0, fmt.Errorf("-only %s: there are faults 1 to %d", n, len(faults))
		}
		chosen[i] = true
	}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "faults-"); err != nil {
			return 0, 0, err
		}
		defer os.RemoveAll(dir)
	}
	t := &tree{dir: dir, timeout: timeout}
	if err := t.copy("."); err != nil {
		return 0, 0, err
	}
	if err := t.readUsers(); err != nil {
		return 0, 0, err
	}
	for i, f := range faults {
		if len(chosen) > 0 && !chosen[i+1] {
			continue
		}
		from := time.Now()
		by, err := t.try(f)
		if err != nil {
			return caught, planted, fmt.Errorf("fault %d, %s: %w", i+1, f.File, err)
		}
		planted++
		if by != "" {
			caught++
		} else {
			by = "SURVIVED"
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%.0f s\n", i+1, f.File, f.What, by, time.Since(from).Seconds())
	}
	return caught, planted, nil
}

// A tree is the copy that faults are planted in.
type tree struct {
	dir     string
	timeout time.Duration
	users   map[string][]string // by directory of a package: the import paths of those whose tests use it
	paths   map[string]string   // import path by directory
}

// copy copies the files that git has or would have of the tree at root.
func (t *tree) copy(root string) error {
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) { // deleted, and not committed
			continue
		}
		if err != nil {
			return err
		}
		to := filepath.Join(t.dir, name)
		if old, err := os.ReadFile(to); err == nil && string(old) == string(data) {
			continue // its time stays, and with it what the go command has cached
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		info, err := os.Stat(filepath.Join(root, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(to, data, info.Mode().Perm()); err != nil {
			return err
		}
	}
	return nil
}

// try plants f and returns which test caught it, "" for none.
func (t *tree) try(f fault) (by string, err error) {
	file := filepath.Join(t.dir, filepath.FromSlash(f.File))
	source, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(source), f.Old); n != 1 {
		return "", fmt.Errorf("%q stands there %d times, want once", f.Old, n)
	}
	own, ok := t.paths[filepath.Dir(file)]
	if !ok {
		return "", fmt.Errorf("no package of the workspace is there")
	}
	if by, err = t.caught(file, strings.Replace(string(source), f.Old, f.New, 1), own); err != nil || by == "" {
		return "", err
	}
	// The go command remembers what passed, so this costs its tests once.
	pkg, _, _ := strings.Cut(by, " ")
	if t.failing([]string{pkg}) != "" {
		return "", fmt.Errorf("the tests of %s fail without it", pkg)
	}
	return by, nil
}

// caught runs the tests with another text in file, which belongs to the package
// own, and puts the file back.
func (t *tree) caught(file, text, own string) (by string, err error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return "", err
	}
	defer func() {
		if werr := os.WriteFile(file, source, 0o644); err == nil {
			err = werr
		}
	}()
	build := exec.Command("go", "build", own)
	build.Dir = t.dir
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("it does not compile:\n%s", out)
	}
	for _, pkgs := range t.groups(own) {
		if by := t.failing(pkgs); by != "" {
			return by, nil
		}
	}
	return "", nil
}
