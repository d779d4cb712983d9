package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/history"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/internal/store"
)

// homes are the folders of the runs that are kept here.
func homes(ctx context.Context) ([]string, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	tc, err := gocmd.Find(ctx, cwd, "")
	if err != nil {
		return nil, err
	}
	return session.Homes(tc), nil
}

// keptRuns are the runs in those folders, newest first. Who has to wait while they are
// read sees how far that is.
// Of more than most runs only the names of the older ones are known; 0 is all.
func keptRuns(ctx context.Context, homes []string, most int, stderr io.Writer) (all []history.Run, err error) {
	return readRuns(ctx, homes, most, false, stderr)
}

// readRuns is keptRuns; anew, it believes no index.
func readRuns(ctx context.Context, homes []string, most int, anew bool, stderr io.Writer) (all []history.Run, err error) {
	show := newProgress(stderr)
	defer show.done()
	r := history.Reader{
		Version: version(),
		Writing: func(dir string) bool { _, is := store.Running(dir, time.Now()); return is },
		Report:  verdictsOf,
		Most:    most,
		Anew:    anew,
		Tell:    func(done, of int) { show.draw(fmt.Sprintf("reading runs: %d of %d", done, of)) },
	}
	var unread error
	for _, home := range homes {
		runs, noted, err := r.Runs(ctx, home)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil { // as of a tree of another user: the runs in the user's cache are there all the same
			show.notice(fmt.Sprintf("the runs in %s cannot be read: %v", home, err))
			unread = cmp.Or(unread, err)
			continue
		}
		if noted != nil {
			show.notice(fmt.Sprintf("the index of the runs cannot be kept: %v: each listing reads all runs", noted))
		}
		all = append(all, runs...)
	}
	if len(all) == 0 && unread != nil {
		return nil, unread
	}
	slices.SortStableFunc(all, func(a, b history.Run) int { return cmp.Compare(b.ID, a.ID) })
	return all, nil
}

// verdictsOf is what a recorded run says, without causes.
func verdictsOf(ctx context.Context, dir string) (*report.Doc, error) {
	for e := range session.Run(ctx, session.Plan{From: dir, Unexplained: true}) {
		if end, ok := e.(session.End); ok {
			return end.Doc, end.Err
		}
	}
	return nil, ctx.Err()
}

// runDir is the folder of a run that is named by it, by its name or the beginning of
// that, or by a commit. "" is the newest run.
func runDir(ctx context.Context, name string, stderr io.Writer) (string, error) {
	if name == "" {
		return newestRun(ctx)
	}
	if _, err := os.Stat(name); err == nil || filepath.Base(name) != name {
		return name, nil
	}
	homes, err := homes(ctx)
	if err != nil {
		return "", err
	}
	var r history.Run
	for _, most := range []int{1, 0} { // to know a run by its name, none has to be read; a commit may be of any
		runs, err := keptRuns(ctx, homes, most, stderr)
		if err != nil {
			return "", err
		}
		if r, err = history.Find(runs, name); err == nil || most == 0 {
			return r.Dir, err
		}
	}
	return r.Dir, nil
}
