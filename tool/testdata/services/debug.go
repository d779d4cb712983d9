package main

import (
	"net"
	"net/http"
	_ "net/http/pprof" // its handlers
)

func serveDebug(l net.Listener) { http.Serve(l, nil) }
