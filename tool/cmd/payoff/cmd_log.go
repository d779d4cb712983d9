package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/history"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/store"
)

func logCommand(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "log",
		Usage:     "list the runs that are kept",
		ArgsUsage: "[flags] [word ...]",
		Description: `Log lists the runs of this module, newest first, with their verdicts: those in
whose commit, packages, benchmarks, command, machine or name all words are.
payoff show reports one again, payoff serve shows them in a browser.

The runs are folders of plain files in .payoff/runs, or payoff/runs in the
user's cache. Beside them stands an index, runs.jsonl, that can be deleted at
any time.`,
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "n", Value: 20, Usage: "list `number` runs at most; 0 is all (default 20)"},
			&cli.BoolFlag{Name: "json", Usage: "write the runs as a JSON array (docs/json.md)"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Int("n") < 0 {
				return fmt.Errorf("-n %d: want a number of runs, 0 for all", c.Int("n"))
			}
			homes, err := homes(ctx)
			if err != nil {
				return err
			}
			most := c.Int("n")
			if c.Args().Present() { // any run may have the words
				most = 0
			}
			all, err := keptRuns(ctx, homes, most, stderr)
			if err != nil {
				return err
			}
			runs := withWords(all, c.Args().Slice())
			left := 0
			if n := c.Int("n"); n > 0 && len(runs) > n {
				runs, left = runs[:n], len(runs)-n
			}
			if c.Bool("json") {
				return logJSON(stdout, runs)
			}
			return logText(stdout, runs, left, len(all))
		},
	}
}

// withWords are the runs that have all words somewhere.
func withWords(all []history.Run, words []string) (runs []history.Run) {
	for _, r := range all {
		of := append([]string{r.ID, r.Commit, r.Command, r.Machine, r.Kind, r.Go}, r.Packages...)
		for _, p := range r.Points {
			of = append(of, p.Name)
		}
		text := strings.ToLower(strings.Join(of, " "))
		has := true
		for _, w := range words {
			has = has && strings.Contains(text, strings.ToLower(w))
		}
		if has {
			runs = append(runs, r)
		}
	}
	return runs
}

// A logged is a run as payoff log -json has it.
type logged struct {
	history.Run
	Dir      string             `json:"dir"`
	Writing  bool               `json:"writing,omitempty"`
	Verdicts map[judge.Word]int `json:"verdicts"`
}

func logJSON(w io.Writer, runs []history.Run) error {
	all := []logged{}
	for _, r := range runs {
		all = append(all, logged{r, r.Dir, r.Writing, r.Verdicts()})
	}
	return plain.JSON(w, all)
}

func logText(out io.Writer, runs []history.Run, left, all int) error {
	if len(runs) == 0 {
		say := "no run is kept here yet: payoff run makes one"
		if all > 0 {
			say = fmt.Sprintf("none of %s has all these words", figure.Plural(all, "run"))
		}
		_, err := fmt.Fprintln(out, say)
		return err
	}
	// What two states of the code are to each other are other words than what pays.
	compared := func(r history.Run) bool { return r.Compared }
	tables := []struct {
		head string
		of   []history.Run
	}{
		{"run\tcommit\tpays\teven\tloses\tcannot say\tof", slices.DeleteFunc(slices.Clone(runs), compared)},
		{"comparison\tcommit\tfaster\tno difference\tslower\tcannot say\tof", slices.DeleteFunc(slices.Clone(runs), func(r history.Run) bool { return !r.Compared })},
	}
	written := false
	for _, t := range tables {
		if len(t.of) == 0 {
			continue
		}
		if written {
			fmt.Fprintln(out)
		}
		written = true
		if err := logTable(out, t.head, t.of); err != nil {
			return err
		}
	}
	if left > 0 {
		fmt.Fprintf(out, "\n%s more: -n 0 lists all\n", figure.Plural(left, "run"))
	}
	_, err := fmt.Fprintf(out, "\nnext: %s\n", plain.Shell("payoff", "show", runs[0].ID))
	return err
}

func logTable(out io.Writer, head string, runs []history.Run) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, head)
	for _, r := range runs {
		of := plain.Clean(strings.Join(r.Packages, " "))
		switch {
		case r.Writing:
			of = "is being written"
		case r.Problem != "":
			of = strings.TrimSpace(of + " (" + plain.Clean(strings.Join(strings.Fields(r.Problem), " ")) + ")")
		}
		n := r.Verdicts()
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%s\n", plain.Clean(r.ID), short(r), n[judge.Pays], n[judge.Even], n[judge.Loses], n[judge.CannotSay], of)
	}
	return w.Flush()
}

// short is the commit of a run as a list has it; + stands for changes since.
func short(r history.Run) string {
	s := plain.Clean(r.Commit[:min(len(r.Commit), 10)])
	if r.Dirty {
		s += "+"
	}
	return cmp.Or(s, "-")
}

func pruneCommand(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "prune",
		Usage:     "name runs that can be given up, and delete them if asked to",
		ArgsUsage: "-keep number | -older age [-delete]",
		Description: `Prune lists the runs of this module that are beyond the newest ones, or older
than some time, or both, and what they take. It deletes nothing without
-delete. A run that is being written stays, and so does one whose samples
another run says it has. The oldest are named first. Of a folder only what
payoff wrote is deleted; what else is in it is named and stays. No link is
followed.`,
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "keep", Value: -1, Usage: "all but the newest `number` runs"},
			&cli.StringFlag{Name: "older", Usage: "those made before an `age` ago: 30d, 12h"},
			&cli.BoolFlag{Name: "delete", Usage: "delete them"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Args().Present() {
				return fmt.Errorf("prune takes no arguments: -keep and -older say which runs, not %q", c.Args().First())
			}
			if !c.IsSet("keep") && !c.IsSet("older") {
				return errors.New("prune wants -keep or -older: -keep 100 is all but the newest 100 runs, -older 30d those that are older than 30 days")
			}
			if c.IsSet("keep") && c.Int("keep") < 0 {
				return fmt.Errorf("-keep %d: want a number of runs", c.Int("keep"))
			}
			var before time.Time
			if c.IsSet("older") {
				age, err := ageOf(c.String("older"))
				if err != nil {
					return err
				}
				before = time.Now().Add(-age)
			}
			homes, err := homes(ctx)
			if err != nil {
				return err
			}
			if c.Bool("delete") {
				for _, home := range homes {
					if err := unlinked(home); err != nil {
						return err
					}
				}
			}
			runs, err := readRuns(ctx, homes, 0, c.Bool("delete"), stderr)
			if err != nil {
				return err
			}
			return prune(ctx, stdout, history.Old(runs, max(0, c.Int("keep")), before), len(runs), c.Bool("delete"))
		},
	}
}

// unlinked refuses a folder of runs that a link leads to, .payoff being one as well:
// what is deleted through it would lie elsewhere.
func unlinked(home string) error {
	for _, dir := range []string{filepath.Dir(home), home} {
		if about, err := os.Lstat(dir); err == nil && !about.IsDir() {
			return fmt.Errorf("nothing is deleted: %s is a link or no folder: delete by hand what is behind it", dir)
		}
	}
	return nil
}

// ageOf reads a duration that may be of days.
func ageOf(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil {
			return time.Duration(n) * 24 * time.Hour, nil
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("-older %q: want an age like 30d or 12h", s)
	}
	return d, nil
}

// prune lists runs, and deletes them if asked to.
func prune(ctx context.Context, out io.Writer, old []history.Run, of int, remove bool) error {
	var total int64
	failed := 0
	for _, r := range old {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		n := bytesIn(r.Dir)
		verb := ""
		if remove {
			left, err := store.Remove(r.Dir)
			if err != nil { // it may be another user's: the others are not less old for that
				failed++
				why, _, _ := strings.Cut(err.Error(), "\n")
				if _, err := fmt.Fprintf(out, "not deleted: %s: %s\n", plain.Clean(r.Dir), plain.Clean(why)); err != nil {
					return err
				}
				continue
			}
			for _, name := range left {
				if _, err := fmt.Fprintf(out, "kept %s: payoff did not write it\n", plain.Clean(name)); err != nil {
					return err
				}
			}
			if verb = "deleted "; len(left) > 0 {
				verb = "deleted what payoff wrote in "
			}
		}
		total += n
		if _, err := fmt.Fprintf(out, "%s%s (%s)\n", verb, plain.Clean(r.Dir), megabytes(n)); err != nil {
			return err
		}
	}
	say := fmt.Sprintf("%d of %s, %s: nothing is deleted without -delete", len(old), figure.Plural(of, "run"), megabytes(total))
	if remove {
		say = fmt.Sprintf("%d of %s deleted, %s", len(old)-failed, figure.Plural(of, "run"), megabytes(total))
	}
	if _, err := fmt.Fprintln(out, say); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%s could not be deleted: what stands above says why", figure.Plural(failed, "run"))
	}
	return nil
}

func bytesIn(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if about, err := e.Info(); err == nil {
				n += about.Size()
			}
		}
		return nil // what cannot be read is told when it is deleted
	})
	return n
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
