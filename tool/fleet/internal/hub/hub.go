// Package hub is the server of a fleet: NATS with JetStream on disk, in this process.
// It listens to this machine alone unless it is told otherwise, and then only with
// TLS. It takes nobody whose key it does not have.
package hub

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/gopayoff/payoff/tool/fleet/internal/wire"
)

// Options say what a server is. Only Dir has no default.
type Options struct {
	Dir       string // for streams, keys and lists of keys
	Listen    string // default 127.0.0.1:4333
	Cert, Key string // files of the certificate; needed where others can connect
	Size      int64  // of the store of binaries, in bytes; default: what the disk has
	Timing    wire.Timing
	Log       server.Logger // nil: none
}

// A Hub is a running server.
type Hub struct {
	s *server.Server
	// Agents and Coordinators are the files of the first keys, made with the folder.
	Agents, Coordinators string
}

// Files in the folder of a server.
const (
	agentKey        = "agent.nk"
	coordinatorKey  = "coordinator.nk"
	agentList       = "agents"
	coordinatorList = "coordinators"
	streams         = "jetstream"
	// DefaultListen is where a server listens that is told nothing.
	DefaultListen    = "127.0.0.1:4333"
	maxPayload       = 4<<20 + 64<<10
	readyWithin      = 30 * time.Second
	urlFile          = "url"
	mostConnections  = 64 << 10
	handshakeSeconds = 5
)

// Start starts a server.
func Start(o Options) (h *Hub, err error) {
	if o.Listen == "" {
		o.Listen = DefaultListen
	}
	if o.Timing.Beat == 0 {
		o.Timing = wire.DefaultTiming
	}
	name, text, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen at %q: want HOST:PORT", o.Listen)
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		return nil, fmt.Errorf("listen at %q: want a number of a port", o.Listen)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	if name == "localhost" {
		name = "127.0.0.1"
	}
	if ip := net.ParseIP(name); (ip == nil || !ip.IsLoopback()) && (o.Cert == "" || o.Key == "") {
		return nil, fmt.Errorf("listen at %s: others could read what is sent: give a certificate with -cert and -key, or listen at 127.0.0.1", o.Listen)
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, err
	}
	h = &Hub{Agents: filepath.Join(o.Dir, agentKey), Coordinators: filepath.Join(o.Dir, coordinatorKey)}
	agents, err := known(h.Agents, filepath.Join(o.Dir, agentList))
	if err != nil {
		return nil, err
	}
	coordinators, err := known(h.Coordinators, filepath.Join(o.Dir, coordinatorList))
	if err != nil {
		return nil, err
	}
	own, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	public, err := own.PublicKey()
	if err != nil {
		return nil, err
	}
	options := &server.Options{
		ServerName: "payoff-fleet", Host: name, Port: port, MaxPayload: maxPayload, MaxConn: mostConnections, NoSigs: true,
		JetStream: true, StoreDir: filepath.Join(o.Dir, streams), DisableJetStreamBanner: true, NoLog: o.Log == nil, NoSystemAccount: true,
		Nkeys: []*server.NkeyUser{{Nkey: public}},
	}
	for _, k := range agents {
		options.Nkeys = append(options.Nkeys, &server.NkeyUser{Nkey: k, Permissions: deny(agentsMayNot)})
	}
	for _, k := range coordinators {
		if !slices.Contains(agents, k) {
			options.Nkeys = append(options.Nkeys, &server.NkeyUser{Nkey: k, Permissions: deny(coordinatorsMayNot)})
			continue
		}
		return nil, fmt.Errorf("key %s is both an agent's and a coordinator's: one must not be able to play the other", k)
	}
	scheme := "nats"
	if o.Cert != "" {
		if options.TLSConfig, err = server.GenTLSConfig(&server.TLSConfigOpts{CertFile: o.Cert, KeyFile: o.Key}); err != nil {
			return nil, err
		}
		options.TLS, options.TLSTimeout, scheme = true, handshakeSeconds, "tls"
	}
	if h.s, err = server.NewServer(options); err != nil {
		return nil, err
	}
	if o.Log != nil {
		h.s.SetLoggerV2(o.Log, false, false, false)
	}
	h.s.Start()
	if !h.s.ReadyForConnections(readyWithin) {
		h.Close()
		return nil, fmt.Errorf("the server is not ready after %v: is %s taken?", readyWithin, o.Listen)
	}
	nc, err := nats.Connect("", nats.InProcessServer(h.s), nats.Nkey(public, own.Sign))
	if err != nil {
		h.Close()
		return nil, err
	}
	defer nc.Close()
	size := o.Size
	if size == 0 {
		size = -1
	}
	ctx, stop := context.WithTimeout(context.Background(), readyWithin)
	defer stop()
	err = wire.Prepare(ctx, nc, o.Timing, size)
	if err == nil {
		url := scheme + "://" + h.s.Addr().String()
		err = os.WriteFile(filepath.Join(o.Dir, urlFile), []byte(url+"\n"), 0o644)
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

// URL is where the server of a folder is reached from this machine.
func URL(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, urlFile))
	if err != nil {
		return "", fmt.Errorf("%w: payoff-fleet serve starts a server there; -server names another", err)
	}
	return string(text[:len(text)-1]), nil
}

// Keys are the files of the first agent's and the first coordinator's key, and of the
// public keys of all coordinators, in the folder of a server.
func Keys(dir string) (agent, coordinator, coordinators string) {
	return filepath.Join(dir, agentKey), filepath.Join(dir, coordinatorKey), filepath.Join(dir, coordinatorList)
}

// known reads the keys of a list. Where there is none, it begins with a new key, whose
// seed goes to a file.
func known(seed, list string) ([]string, error) {
	if _, err := os.Stat(list); errors.Is(err, os.ErrNotExist) {
		key, err := wire.LoadKey(seed)
		if err != nil {
			return nil, err
		}
		public, err := key.PublicKey()
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(list, []byte(public+" "+filepath.Base(seed)+"\n"), 0o600); err != nil {
			return nil, err
		}
	}
	return wire.ReadKeys(list)
}

// What each side must not say, so that none can play another, and none can take away
// what the server holds.
var (
	streamsOf    = []string{"$JS.API.STREAM.CREATE.>", "$JS.API.STREAM.UPDATE.>", "$JS.API.STREAM.DELETE.>", "$JS.API.STREAM.RESTORE.>"}
	agentsMayNot = slices.Concat(streamsOf, []string{"payoff.job.>", "payoff.step.>", "$KV.payoff-claims.>",
		"$JS.API.STREAM.PURGE.PAYOFF_OUTS", "$JS.API.STREAM.PURGE.PAYOFF_JOBS", "$JS.API.STREAM.PURGE.KV_payoff-claims", "$JS.API.STREAM.PURGE.KV_payoff-agents", "$JS.API.STREAM.MSG.DELETE.>"})
	coordinatorsMayNot = slices.Concat(streamsOf, []string{"payoff.out.>", "payoff.lease.>", "$KV.payoff-agents.>",
		"$JS.API.CONSUMER.MSG.NEXT.PAYOFF_JOBS.>", "$JS.API.STREAM.PURGE.PAYOFF_JOBS", "$JS.API.STREAM.PURGE.KV_payoff-claims", "$JS.API.STREAM.PURGE.KV_payoff-agents"})
)

func deny(subjects []string) *server.Permissions {
	return &server.Permissions{Publish: &server.SubjectPermission{Allow: []string{">"}, Deny: subjects}}
}

// Close ends the server. What is on disk stays.
func (h *Hub) Close() {
	h.s.Shutdown()
	h.s.WaitForShutdown()
}
