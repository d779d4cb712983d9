// Command payoff-fleet measures on other machines: payoff -on goes through it, so that
// payoff itself has no network in it.
//
// One machine serves (payoff-fleet serve), each machine that measures runs an agent
// (payoff-fleet agent), and payoff run -on 'cores>=16' does the rest. What these say to
// each other, and what holds when one of them dies, is in docs/fleet.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/gopayoff/payoff/tool/fleet/internal/agent"
)

func main() {
	if is, err := agent.Work(); is {
		if err != nil {
			fmt.Fprintln(os.Stderr, "payoff-fleet:", err)
			os.Exit(2)
		}
		return
	}
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// A command is one verb.
type command struct {
	name, args, usage string
	// flags defines the flags of a call and returns what carries it out.
	flags func(*flag.FlagSet) func(ctx context.Context, args []string, s streams) error
}

type streams struct {
	in       io.Reader
	out, err io.Writer
}

var commands = []command{
	{"serve", "", "runs the server of a fleet: NATS with JetStream on disk", serveFlags},
	{"agent", "", "makes this machine one of a fleet's", agentFlags},
	{"ls", "[wish]", "lists the machines of a fleet", lsFlags},
	{"key", "file", "makes a key, and prints its public half", keyFlags},
	{"prepare", "", "makes the streams of a fleet on a server that is none of payoff's", prepareFlags},
	{"door", "[wish]", "is a machine of the fleet on standard input and output: payoff starts it", doorFlags},
}

// run is main with everything it touches as a parameter.
func run(args []string, in io.Reader, out, err io.Writer) int {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "-help" || args[0] == "--help" {
		usage(out)
		return 0
	}
	for _, c := range commands {
		if c.name != args[0] {
			continue
		}
		fs := flag.NewFlagSet("payoff-fleet "+c.name, flag.ContinueOnError)
		fs.SetOutput(err)
		fs.Usage = func() {
			fmt.Fprintf(err, "usage: payoff-fleet %s [flags] %s\n\n%s %s.\n\n", c.name, c.args, c.name, c.usage)
			fs.PrintDefaults()
		}
		do := c.flags(fs)
		if e := fs.Parse(args[1:]); errors.Is(e, flag.ErrHelp) {
			return 0
		} else if e != nil {
			return 2
		}
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		if e := do(ctx, fs.Args(), streams{in, out, err}); e != nil && ctx.Err() == nil {
			fmt.Fprintln(err, "payoff-fleet:", e)
			return 2
		}
		return 0
	}
	fmt.Fprintf(err, "payoff-fleet: no command %q: payoff-fleet help lists them\n", args[0])
	return 2
}

func usage(w io.Writer) {
	fmt.Fprint(w, "usage: payoff-fleet <command> [flags]\n\npayoff-fleet has machines measure for payoff run -on.\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-8s %s\n", c.name, c.usage)
	}
	fmt.Fprint(w, "\npayoff-fleet <command> -help shows the flags of one.\n")
}
