// Package embedded runs a NATS server with JetStream in this process, for tests and the
// example.
package embedded

import (
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// A Server is one that listens on loopback.
type Server struct{ s *server.Server }

// Start starts a server that stores in dir, at a port, or any for -1.
func Start(dir string, port int) (*Server, error) {
	s, err := server.NewServer(&server.Options{
		ServerName: "embedded", Host: "127.0.0.1", Port: port, NoLog: true, NoSigs: true, NoSystemAccount: true,
		JetStream: true, StoreDir: dir, DisableJetStreamBanner: true,
	})
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(20 * time.Second) {
		s.Shutdown()
		return nil, fmt.Errorf("the server at port %d is not ready after 20 s: is the port taken?", port)
	}
	return &Server{s}, nil
}

// URL is where clients connect.
func (s *Server) URL() string { return s.s.ClientURL() }

// Connect returns a connection over loopback, that waits for a server which is away.
func (s *Server) Connect() (*nats.Conn, error) {
	return nats.Connect(s.URL(), nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond))
}

// Stop ends the server; what it has stored stays.
func (s *Server) Stop() {
	s.s.Shutdown()
	s.s.WaitForShutdown()
}
