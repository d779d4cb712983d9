package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/gopayoff/payoff/tool/fleet/internal/agent"
	"github.com/gopayoff/payoff/tool/fleet/internal/confine"
	"github.com/gopayoff/payoff/tool/fleet/internal/hub"
	"github.com/gopayoff/payoff/tool/fleet/internal/lead"
	"github.com/gopayoff/payoff/tool/fleet/internal/wire"
	"github.com/gopayoff/payoff/tool/internal/host/plug"
)

// dirEnv names the folder of the server, where serve and what runs beside it find each
// other. payoff -on has no flag for it.
const dirEnv = "PAYOFF_FLEET"

// home is that folder: keys, lists of keys and streams.
func home() (string, error) {
	if dir := os.Getenv(dirEnv); dir != "" {
		return dir, nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("%w: name a folder for the fleet with -dir or %s", err, dirEnv)
	}
	return filepath.Join(dir, "payoff", "fleet"), nil
}

// An access is how a command reaches the server.
type access struct {
	dir, server, ca, creds, key string
	beat                        time.Duration
}

func (a *access) flags(fs *flag.FlagSet, dirUsage string) {
	dir, _ := home()
	fs.StringVar(&a.dir, "dir", dir, dirUsage)
	fs.StringVar(&a.server, "server", os.Getenv(dirEnv+"_SERVER"), "`url` of the server (default: that of payoff-fleet serve on this machine; or "+dirEnv+"_SERVER)")
	fs.StringVar(&a.ca, "ca", os.Getenv(dirEnv+"_CA"), "`file` with the certificates that vouch for the server (default: those of the system; or "+dirEnv+"_CA)")
	fs.StringVar(&a.creds, "creds", os.Getenv(dirEnv+"_CREDS"), "`file` with credentials, for a server that wants more than the key (or "+dirEnv+"_CREDS)")
	fs.StringVar(&a.key, "key", os.Getenv(dirEnv+"_KEY"), "`file` with the key (default: the one that serve made; or "+dirEnv+"_KEY)")
	beat(fs, &a.beat)
}

// beat is a flag of all: the ends of a fleet agree on it.
func beat(fs *flag.FlagSet, d *time.Duration) {
	def := wire.DefaultTiming.Beat
	if s := os.Getenv(dirEnv + "_BEAT"); s != "" {
		if x, err := time.ParseDuration(s); err == nil && x > 0 {
			def = x
		}
	}
	fs.DurationVar(d, "beat", def, "`time` between two signs of life; ten missing ones are a death (the same on all ends; or "+dirEnv+"_BEAT)")
}

// connect connects as one who plays a role, whose key lies in the folder unless a flag
// names another.
func (a *access) connect(ctx context.Context, role string, keyIn func(dir string) string) (*wire.Fleet, nkeys.KeyPair, func(), error) {
	url := a.server
	if url == "" {
		var err error
		if url, err = hub.URL(a.dir); err != nil {
			return nil, nil, nil, err
		}
	}
	file := cmp.Or(a.key, keyIn(a.dir))
	if _, err := os.Stat(file); err != nil {
		return nil, nil, nil, fmt.Errorf("no key: %w: payoff-fleet key makes one", err)
	}
	key, err := wire.LoadKey(file)
	if err != nil {
		return nil, nil, nil, err
	}
	nc, err := wire.Connect(wire.Access{URL: url, CA: a.ca, Creds: a.creds, Key: key, Name: "payoff-fleet " + role})
	if err != nil {
		return nil, nil, nil, err
	}
	f, err := wire.Open(ctx, nc, wire.Timing{Beat: a.beat})
	if err != nil {
		nc.Close()
		return nil, nil, nil, err
	}
	return f, key, nc.Close, nil
}

func agentKey(dir string) string       { k, _, _ := hub.Keys(dir); return k }
func coordinatorKey(dir string) string { _, k, _ := hub.Keys(dir); return k }

func serveFlags(fs *flag.FlagSet) func(context.Context, []string, streams) error {
	var o hub.Options
	dir, _ := home()
	fs.StringVar(&o.Dir, "dir", dir, "`folder` for streams, keys and lists of keys (or "+dirEnv+")")
	fs.StringVar(&o.Listen, "listen", hub.DefaultListen, "`address` to listen at; one that others reach wants -cert and -cert-key")
	fs.StringVar(&o.Cert, "cert", "", "`file` with the certificate of the server")
	fs.StringVar(&o.Key, "cert-key", "", "`file` with the key of the certificate")
	store := fs.String("store", "", "`size` that binaries and files may take, like 8GB (default: what the disk has)")
	beat(fs, &o.Timing.Beat)
	return func(ctx context.Context, _ []string, s streams) (err error) {
		if o.Size, err = size("store", *store); err != nil {
			return err
		}
		h, err := hub.Start(o)
		if err != nil {
			return err
		}
		url, err := hub.URL(o.Dir)
		if err != nil {
			return err
		}
		_, _, coordinators := hub.Keys(o.Dir)
		fmt.Fprintf(s.out, "serving at %s\n", url)
		fmt.Fprintf(s.err, "An agent on another machine wants -server, a key that is in %s, and -trust %s.\n", filepath.Join(o.Dir, "agents"), coordinators)
		<-ctx.Done()
		h.Close()
		return nil
	}
}

// size reads 8GB, 512MB, or a plain number of bytes; 0 for "".
func size(name, s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	digits := strings.TrimRight(strings.ToUpper(s), "KMGTB")
	unit, ok := map[string]int64{"": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40}[strings.ToUpper(s[len(digits):])]
	n, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil || n <= 0 || n > (1<<62)/unit {
		return 0, fmt.Errorf("-%s %s: want a size like 512MB or 8GB", name, s)
	}
	return n * unit, nil
}

func agentFlags(fs *flag.FlagSet) func(context.Context, []string, streams) error {
	var a access
	a.flags(fs, "`folder` of the server, on its own machine: its keys are taken from there")
	own := fs.String("own", "", "`folder` of the agent, one for each (default: payoff/agent in the user's cache)")
	trust := fs.String("trust", "", "`file` with public keys: what these sign is run here (default: the coordinators of the server on this machine)")
	as := fs.String("user", "", "`name` of the user whose processes jobs are (default: nobody where this is root, else this one)")
	limit := fs.Duration("limit", 0, "`time` of one process of a job (default 10m)")
	memory := fs.String("memory", "", "`size` of the memory of one process (default: three quarters of the machine's)")
	processes := fs.Int("processes", 0, "`number` of processes and threads of the user (default 8192)")
	output := fs.String("output", "", "`size` of the files that a process hands over (default 256MB)")
	quiet := fs.Bool("quiet", false, "leave out prices and noise, which take a second")
	return func(ctx context.Context, _ []string, s streams) (err error) {
		o := agent.Options{Dir: *own, Quiet: *quiet, Limit: agent.Limits{Time: *limit, Processes: *processes}, Log: log.New(s.err, "payoff-fleet: ", 0).Printf}
		if o.Limit.Memory, err = size("memory", *memory); err != nil {
			return err
		}
		if o.Limit.Output, err = size("output", *output); err != nil {
			return err
		}
		if o.Dir == "" {
			cache, err := os.UserCacheDir()
			if err != nil {
				return fmt.Errorf("%w: name a folder with -own", err)
			}
			o.Dir = filepath.Join(cache, "payoff", "agent")
		}
		if o.User, err = userOf(*as); err != nil {
			return err
		}
		list := *trust
		if list == "" {
			_, _, list = hub.Keys(a.dir)
		}
		if o.Trust, err = wire.ReadKeys(list); err != nil {
			return fmt.Errorf("whose binaries may run here is not known: %w: name a file with -trust", err)
		}
		var end func()
		for told := false; ; told = true {
			o.Fleet, o.Key, end, err = a.connect(ctx, "agent", agentKey)
			if err == nil {
				break
			}
			if !errors.Is(err, nats.ErrNoServers) && !errors.Is(err, syscall.ECONNREFUSED) {
				return err
			}
			if !told { // a machine may be up before its server
				o.Log("%v: trying again until it is there", err)
			}
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(a.beat):
			}
		}
		defer end()
		return agent.Run(ctx, o)
	}
}

// userOf finds the user of the jobs; nil: the user of this process.
func userOf(name string) (*confine.User, error) {
	if name == "" {
		if os.Geteuid() != 0 {
			return nil, nil
		}
		name = "nobody"
	}
	u, err := user.Lookup(name)
	if err != nil {
		return nil, fmt.Errorf("-user %s: %w", name, err)
	}
	uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
	if err := errors.Join(err1, err2); err != nil {
		return nil, fmt.Errorf("-user %s: %w", name, err)
	}
	switch {
	case int(uid) == os.Geteuid():
		return nil, nil
	case os.Geteuid() != 0:
		return nil, fmt.Errorf("-user %s: only root runs jobs as another user", name)
	}
	return &confine.User{UID: uint32(uid), GID: uint32(gid)}, nil
}

// A kind is what machines have in common that can stand in for each other.
type kind struct {
	Kind     string       `json:"kind"`
	Name     string       `json:"name"` // in words
	Fit      bool         `json:"fit"`  // one of them can be used
	Machines []wire.Agent `json:"machines"`
}

func lsFlags(fs *flag.FlagSet) func(context.Context, []string, streams) error {
	var a access
	a.flags(fs, "`folder` of the server, on its own machine (or "+dirEnv+")")
	asJSON := fs.Bool("json", false, "write kinds and machines as JSON")
	return func(ctx context.Context, args []string, s streams) error {
		wish, err := wire.ParseWish(strings.Join(args, ","))
		if err != nil {
			return err
		}
		f, _, end, err := a.connect(ctx, "ls", coordinatorKey)
		if err != nil {
			return err
		}
		defer end()
		all, err := f.Agents(ctx)
		if err != nil {
			return err
		}
		kinds := []kind{}
		for _, m := range all { // by kind
			if !wish.Fits(m) {
				continue
			}
			if n := len(kinds); n == 0 || kinds[n-1].Kind != m.Kind {
				kinds = append(kinds, kind{Kind: m.Kind, Name: m.String()})
			}
			k := &kinds[len(kinds)-1]
			k.Machines = append(k.Machines, m)
			k.Fit = k.Fit || m.Unfit() == ""
		}
		if *asJSON {
			e := json.NewEncoder(s.out)
			e.SetIndent("", "  ")
			return e.Encode(kinds)
		}
		return list(s.out, kinds)
	}
}

func list(out io.Writer, kinds []kind) error {
	if len(kinds) == 0 {
		fmt.Fprintln(out, "no machine is there that is so: payoff-fleet agent makes a machine one")
		return nil
	}
	for i, k := range kinds {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "kind %s: %s\n", k.Kind, k.Name)
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, m := range k.Machines {
			state := "idle"
			if m.Job != "" {
				state = "measures " + m.Job
			}
			if why := m.Unfit(); why != "" {
				state = "left out: " + why
			}
			noise := "noise not known yet"
			if m.Noise >= 0 {
				noise = fmt.Sprintf("noise %.1f %%", 100*m.Noise)
			}
			fmt.Fprintf(w, "  %s\t%s\tkernel %s\t%s\n", m.Machine, noise, cmp.Or(m.Kernel, "?"), state)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "\nnext: payoff run -on kind=%s\n", kinds[0].Kind)
	return nil
}

func keyFlags(*flag.FlagSet) func(context.Context, []string, streams) error {
	return func(_ context.Context, args []string, s streams) error {
		if len(args) != 1 {
			return errors.New("want the name of a file that the key goes to")
		}
		key, err := wire.MakeKey(args[0])
		if err != nil {
			return err
		}
		public, err := key.PublicKey()
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(s.out, public)
		return err
	}
}

func prepareFlags(fs *flag.FlagSet) func(context.Context, []string, streams) error {
	var a access
	a.flags(fs, "`folder` of the server, on its own machine (or "+dirEnv+")")
	store := fs.String("store", "", "`size` that binaries and files may take, like 8GB (default: what the server has)")
	return func(ctx context.Context, _ []string, _ streams) error {
		n, err := size("store", *store)
		if err != nil {
			return err
		}
		if n == 0 {
			n = -1
		}
		key, err := wire.LoadKey(cmp.Or(a.key, coordinatorKey(a.dir)))
		if err != nil {
			return err
		}
		nc, err := wire.Connect(wire.Access{URL: a.server, CA: a.ca, Creds: a.creds, Key: key, Name: "payoff-fleet prepare"})
		if err != nil {
			return err
		}
		defer nc.Close()
		return wire.Prepare(ctx, nc, wire.Timing{Beat: a.beat}, n)
	}
}

func doorFlags(fs *flag.FlagSet) func(context.Context, []string, streams) error {
	var a access
	a.flags(fs, "`folder` of the server, on its own machine (or "+dirEnv+")")
	return func(ctx context.Context, args []string, s streams) error {
		socket := plug.NewSocket(s.in, s.out)
		refuse := func(err error) error { return socket.Say(plug.Hello{Err: err.Error()}) }
		wish, err := wire.ParseWish(strings.Join(args, ","))
		if err != nil {
			return refuse(err)
		}
		f, key, end, err := a.connect(ctx, "coordinator", coordinatorKey)
		if err != nil {
			return refuse(err)
		}
		defer end()
		r, err := lead.Begin(ctx, lead.Options{Fleet: f, Key: key, Wish: wish, Notice: func(n string) { socket.Say(plug.Hello{Notice: n}) }})
		if err != nil {
			return refuse(err)
		}
		r.Notice = func(n string) { fmt.Fprintln(s.err, "payoff-fleet:", n) }
		m := r.Machine()
		err = socket.Say(plug.Hello{OS: m.Env.OS, Arch: m.Env.Arch, Machine: fmt.Sprintf("%s: %v", m.Machine, m), Name: m.Machine, Kind: m.Kind, Seed: r.Seed()})
		if err == nil {
			err = socket.Serve(ctx, r)
		}
		quit, stop := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer stop()
		return errors.Join(err, r.End(quit))
	}
}
