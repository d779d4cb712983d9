package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v3"
)

// helpCommand and versionCommand say what -help and -version say: both are
// typed by people who know neither.
func helpCommand() *cli.Command {
	return &cli.Command{
		Name:        "help",
		Usage:       "say what a command does",
		ArgsUsage:   "[command]",
		Description: `Help says what a command does and which flags it has, as -help after it does.`,
		Action: func(ctx context.Context, c *cli.Command) error {
			root := c.Root()
			switch name := c.Args().First(); {
			case name == "":
				return cli.ShowRootCommandHelp(root)
			case c.Args().Len() > 1:
				return fmt.Errorf("help takes one command, got %q: payoff help %s", c.Args().Slice(), name)
			case !slices.ContainsFunc(root.Commands, func(x *cli.Command) bool { return x.HasName(name) }):
				return fmt.Errorf("no command %q: payoff help lists them", name)
			default:
				return cli.ShowCommandHelp(ctx, root, name)
			}
		},
	}
}

func versionCommand(stdout io.Writer) *cli.Command {
	return &cli.Command{
		Name:        "version",
		Usage:       "say which payoff this is",
		Description: `Version says which payoff this is, as -version does.`,
		Action: func(_ context.Context, c *cli.Command) error {
			if c.Args().Present() {
				return fmt.Errorf("version takes no arguments, got %q", c.Args().First())
			}
			_, err := fmt.Fprintf(stdout, "payoff version %s\n", version())
			return err
		},
	}
}
