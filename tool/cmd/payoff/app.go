package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/plain"
)

// Exit codes: 0 the run completed, 2 it failed or was interrupted; 1 only
// where findings were asked to change it (-exit-code).
const (
	exitOK       = 0
	exitFindings = 1
	exitFailed   = 2
)

// errFindings asks for exit code 1 without a message.
var errFindings = errors.New("something loses")

// errReported asks for exit code 2 without a message: the report has it.
var errReported = errors.New("reported")

// run is main with everything it touches as a parameter.
func run(args []string, stdout, stderr io.Writer) int {
	debug.SetGCPercent(50) // big replays are mostly samples that stay; time does not matter there
	ctx, stop := untilSignal(func() { os.Exit(exitFailed) })
	defer stop()
	root := rootCommand(stdout, stderr)
	args, rest := cutArgs(args)
	root.Metadata = map[string]any{argsFlag: rest}
	err := root.Run(ctx, args)
	if code := exitCode(0); errors.As(err, &code) {
		return int(code)
	}
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.Is(err, syscall.EPIPE):
		return exitOK // who reads, like head, has seen enough
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "payoff: interrupted before anything was measured")
	case !errors.Is(err, errReported):
		fmt.Fprintln(stderr, "payoff:", plain.Lines(err.Error())) // the go command says several
	}
	return exitFailed
}

// argsFlag ends what payoff reads of a command line: what follows is for the test
// binary, as with go test.
const argsFlag = "args"

// cutArgs returns a command line up to -args, and what follows it; nil without one.
func cutArgs(line []string) (own, rest []string) {
	i := slices.IndexFunc(line, func(s string) bool { return s == "-"+argsFlag || s == "--"+argsFlag })
	if i < 0 {
		return line, nil
	}
	return line[:i:i], append([]string{}, line[i+1:]...)
}

// testArgs are what follows -args, nil without it.
func testArgs(c *cli.Command) []string {
	rest, _ := c.Root().Metadata[argsFlag].([]string)
	return rest
}

// typed is the command line, without payoff.
func typed(c *cli.Command) []string {
	line := c.Root().Args().Slice()
	if rest := testArgs(c); rest != nil {
		line = slices.Concat(line, []string{"-" + argsFlag}, rest)
	}
	return line
}

// noArgs refuses -args where a command has no such flag.
func noArgs(_ context.Context, c *cli.Command) (context.Context, error) {
	if testArgs(c) != nil && !slices.ContainsFunc(c.Flags, func(f cli.Flag) bool { return f.Names()[0] == argsFlag }) {
		return nil, fmt.Errorf("%s hands nothing to a test binary: leave out -args", c.FullName())
	}
	return nil, nil
}

// rootCommand is payoff with all its commands.
func rootCommand(stdout, stderr io.Writer) *cli.Command {
	root := &cli.Command{
		Name:                          "payoff",
		Usage:                         "find out whether concurrency pays in Go code",
		Version:                       version(),
		Writer:                        stdout,
		ErrWriter:                     stderr,
		HideHelpCommand:               true,
		Suggest:                       true,
		CustomRootCommandHelpTemplate: rootHelp,
		Commands: []*cli.Command{
			runCommand(stdout, stderr), whyCommand(stdout, stderr), fixCommand(stdout, stderr), tryCommand(stdout, stderr), tuneCommand(stdout, stderr), traceCommand(stdout, stderr), predictCommand(stdout, stderr), compareCommand(stdout, stderr), ciCommand(stdout, stderr), vetCommand(stdout, stderr), explainCommand(stdout), machineCommand(stdout, stderr),
			logCommand(stdout, stderr), showCommand(stdout, stderr), replayCommand(stdout, stderr), reportCommand(stdout, stderr), serveCommand(stdout, stderr), fleetCommand(stdout, stderr), mcpCommand(stdout, stderr), pruneCommand(stdout, stderr), galleryCommand(stdout, stderr), helpCommand(), versionCommand(stdout),
		},
		ExitErrHandler: func(context.Context, *cli.Command, error) {},
		OnUsageError:   usageError,
		Action: func(_ context.Context, c *cli.Command) error {
			if c.Args().Present() {
				return fmt.Errorf("no command %q: payoff -help lists them", c.Args().First())
			}
			return cli.ShowRootCommandHelp(c)
		},
	}
	for _, c := range root.Commands {
		asVerb(c)
	}
	return root
}

// asVerb gives a command, and those below it, the manners of all.
func asVerb(c *cli.Command) {
	c.CustomHelpTemplate = verbHelp
	c.OnUsageError = usageError
	c.HideHelpCommand = true
	c.Before = noArgs
	for _, sub := range c.Commands {
		asVerb(sub)
	}
}

// parsing is what package strconv says of a value that has been named already.
var parsing = regexp.MustCompile(`strconv\.\w+: parsing "[^"]*": `)

func usageError(_ context.Context, c *cli.Command, err error, _ bool) error {
	return fmt.Errorf("%s: %s -help shows the flags", parsing.ReplaceAllString(err.Error(), ""), c.FullName())
}

// version says which payoff this is.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return versionOf(info)
}

// versionOf is the version of the module. Where the binary was built in a
// checkout, its commit follows, and whether the tree had changes besides.
func versionOf(info *debug.BuildInfo) string {
	commit, dirty := "", false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			dirty = s.Value == "true"
		}
	}
	v, mark := strings.CutSuffix(info.Main.Version, "+dirty")
	if v == "" || v == "(devel)" {
		v = "devel"
	}
	var from []string
	if commit != "" {
		from = append(from, "commit "+commit)
	}
	if dirty || mark {
		from = append(from, "dirty")
	}
	if len(from) > 0 {
		v += " (" + strings.Join(from, ", ") + ")"
	}
	return v
}

const rootHelp = `usage: payoff <command> [flags] [arguments]

payoff says whether concurrency pays in Go code, and how sure it is.

{{range .VisibleCommands}}  {{printf "%-9s" .Name}} {{.Usage}}
{{end}}
payoff help <command> shows the flags of one.
Start with: payoff run ./...
`

const verbHelp = `usage: {{.FullName}} {{.ArgsUsage}}

{{.Description}}
{{range .VisibleCommands}}
  {{printf "%-9s" .Name}} {{.Usage}}{{end}}
{{range .VisibleFlags}}{{.}}
{{end}}`

// Flags are shown as package flag shows them; the word in backquotes is the
// name of the value.
func init() {
	cli.SubcommandHelpTemplate = verbHelp
	cli.FlagStringer = func(f cli.Flag) string {
		usage := ""
		if d, ok := f.(cli.DocGenerationFlag); ok {
			usage = d.GetUsage()
		}
		value, text := flag.UnquoteUsage(&flag.Flag{Usage: usage})
		if b, ok := f.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() || value == "value" {
			value = ""
		}
		return strings.TrimRight("  -"+strings.Join(f.Names(), ", -")+" "+value, " ") + "\n        " + text
	}
}
