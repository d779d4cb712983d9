// Command release says what a release of this repository would do, and proves
// it. It makes nothing: no tag, no commit, no file in the tree.
//
//	go run ./house/release v0.2.0
//
// The modules that users install have one version, and are tagged at one commit.
// Release makes that commit and its tags in a copy, fills a proxy of files with
// what the go command would download of it, and does there what users do. Third
// parties' modules come from the module cache.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

const usage = `usage: go run ./house/release [flags] [version]

Release says what a release of the version would change and tag, and proves that
what is tagged can be installed and used. Without a version it rehearses the next
one, for which nothing has to be ready: Unreleased may be empty.

  -dirty       take the tree with what is not committed
  -patch file  write the changes of the release commit, as git apply takes them
  -proof       do what users do with what is tagged (default true)
  -go list     prove with these Go releases, local being the one in PATH
               (default local,go1.27.0); one that cannot be had is left out
`

// options are what the command line asks for.
type options struct {
	version string // "" rehearses
	dirty   bool
	patch   string
	proof   bool
	gos     []string
}

func parse(args []string) (options, error) {
	var o options
	f := flag.NewFlagSet("release", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.BoolVar(&o.dirty, "dirty", false, "")
	f.StringVar(&o.patch, "patch", "", "")
	f.BoolVar(&o.proof, "proof", true, "")
	gos := f.String("go", "local,go1.27.0", "")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 1 {
		return o, fmt.Errorf("one version, got %q", f.Args())
	}
	o.version, o.gos = f.Arg(0), strings.Split(*gos, ",")
	return o, nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	o, err := parse(os.Args[1:])
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Print(usage)
		return
	case err == nil:
		err = release(ctx, o, time.Now(), os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		stop()
		os.Exit(2)
	}
}

// release does what the command line asks for, in the repository of the current
// directory.
func release(ctx context.Context, o options, now time.Time, out io.Writer) error {
	began := time.Now()
	root, err := output(ctx, ".", nil, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if tmp, err = filepath.EvalSymlinks(tmp); err != nil {
		return err
	}
	p, err := newPlan(ctx, strings.TrimSpace(root), filepath.Join(tmp, "tree"), o, now)
	if err != nil {
		return err
	}
	w, err := newWorkshop(ctx, tmp, p, out)
	if err != nil {
		return err
	}
	if err := w.makeCommit(ctx); err != nil {
		return err
	}
	p.print(out)
	if o.patch != "" {
		if err := os.WriteFile(o.patch, []byte(p.patch), 0o644); err != nil {
			return err
		}
	}
	if o.proof {
		if err := w.prove(ctx, o.gos); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "\n%.0f s, %.0f s of processor time\n", time.Since(began).Seconds(), w.spent.Seconds())
	p.printNext(out, o)
	return nil
}

// output is what a command prints, with more in its environment.
func output(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	return string(out), nil
}
