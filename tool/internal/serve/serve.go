// Package serve shows kept runs in a browser: a list of them, each as its page, two
// beside each other, how benchmarks went over runs, what is being measured now, the
// articles of the gallery and the catalogue.
//
// It reads and shows; nothing can be changed through it. What it shows comes from a
// [Source]. Names in it are untrusted: they are escaped as text, and each answer has
// a Content-Security-Policy that lets a page run nothing but the server's own script.
//
// Who asks needs the token of the address that the server was announced by, once: a
// cookie stands for it from then on. Requests for another host than the server's are
// refused, or a page elsewhere could have a name lead here (DNS rebinding), and so
// are those that another site makes (net/http.CrossOriginProtection lets each GET
// pass, the cookie is SameSite=Strict).
package serve

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/internal/report/html"
)

// A Server answers for the pages. Make one with New.
type Server struct {
	source Source
	token  string
	cookie string   // its name
	hosts  []string // that may be asked for; nil: any
	static map[string]asset
	mux    *http.ServeMux
}

// An asset is a file of the pages that is the same for all.
type asset struct {
	kind string
	data []byte
}

//go:embed site.css site.js
var files embed.FS

// New makes the server for who listens at an address. Its token is new.
func New(source Source, at net.Addr) *Server {
	s := &Server{source: source, token: rand.Text(), static: map[string]asset{}, mux: http.NewServeMux()}
	host, port, _ := net.SplitHostPort(at.String())
	s.cookie = "payoff" + port // servers at two ports are one host to a browser's cookies
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() {
		s.hosts = []string{net.JoinHostPort(host, port), net.JoinHostPort("localhost", port)}
	} else if ip != nil && !ip.IsUnspecified() {
		s.hosts = []string{net.JoinHostPort(host, port)}
	}
	read := func(name string) []byte {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			panic(err) // they are embedded
		}
		return data
	}
	s.static["style.css"] = asset{"text/css; charset=utf-8", slices.Concat([]byte(html.Style), read("site.css"))}
	s.static["library.js"] = asset{"text/javascript; charset=utf-8", []byte(html.Library)}
	s.static["site.js"] = asset{"text/javascript; charset=utf-8", read("site.js")}
	s.mux.HandleFunc("GET /{$}", s.page(s.runs))
	s.mux.HandleFunc("GET /run/{id}", s.run)
	s.mux.HandleFunc("GET /traces", s.page(s.traces))
	s.mux.HandleFunc("GET /trace/{id}", s.trace)
	s.mux.HandleFunc("GET /beside", s.page(s.beside))
	s.mux.HandleFunc("GET /trends", s.page(s.trends))
	s.mux.HandleFunc("GET /machines", s.page(s.machines))
	s.mux.HandleFunc("GET /now", s.page(s.now))
	s.mux.HandleFunc("GET /gallery", s.page(s.gallery))
	s.mux.HandleFunc("GET /causes", s.page(s.causes))
	s.mux.HandleFunc("GET /events", s.events)
	s.mux.HandleFunc("GET /static/{name}", func(w http.ResponseWriter, r *http.Request) {
		a, ok := s.static[r.PathValue("name")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", a.kind)
		w.Write(a.data)
	})
	return s
}

// Path is what the address of the first request has behind the host.
func (s *Server) Path() string { return "/?token=" + url.QueryEscape(s.token) }

// policy is for all but the pages of runs, which have their own. Plot puts a style
// into each picture.
var policy = "default-src 'none'; script-src 'self'; style-src 'self' " + html.LibraryStyles() + "; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// ServeHTTP answers a request, if it may be made.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	switch {
	case s.hosts != nil && !slices.Contains(s.hosts, r.Host):
		s.fail(w, http.StatusForbidden, errors.New("this server answers for "+strings.Join(s.hosts, " and ")+" alone"))
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		s.fail(w, http.StatusMethodNotAllowed, errors.New("nothing can be changed here"))
	case r.URL.Query().Has("token"):
		if !s.known(r.URL.Query().Get("token")) {
			s.fail(w, http.StatusForbidden, errors.New("that is the token of another server: open the address that payoff serve prints"))
			return
		}
		http.SetCookie(w, &http.Cookie{Name: s.cookie, Value: s.token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		// Always home: a path of the request, like //host/, would lead to another site.
		http.Redirect(w, r, "/", http.StatusSeeOther)
	default:
		if c, err := r.Cookie(s.cookie); err != nil || !s.known(c.Value) {
			s.fail(w, http.StatusForbidden, errors.New("open the address that payoff serve prints: its token lets you in"))
			return
		}
		s.mux.ServeHTTP(w, r)
	}
}

func (s *Server) known(token string) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) == 1
}

// errNotThere is of what a request names and nobody has.
var errNotThere = errors.New("not there")

// page is a handler that writes what get returns as a page, or what went wrong.
func (s *Server) page(get func(*http.Request) (*content, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c, err := get(r)
		if err != nil {
			s.failed(w, r, err)
			return
		}
		s.write(w, http.StatusOK, c)
	}
}

func (s *Server) failed(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case r.Context().Err() != nil: // nobody listens any more
	case errors.Is(err, errNotThere), errors.Is(err, fs.ErrNotExist):
		s.fail(w, http.StatusNotFound, err)
	default:
		s.fail(w, http.StatusInternalServerError, err)
	}
}

func (s *Server) fail(w http.ResponseWriter, status int, err error) {
	s.write(w, status, &content{Title: http.StatusText(status), Kind: "error", Data: err.Error()})
}

// write writes a page, whole or not at all.
func (s *Server) write(w http.ResponseWriter, status int, c *content) {
	var b bytes.Buffer
	if err := site.Execute(&b, c); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	w.Write(b.Bytes())
}

// run writes the page of a run, which has a policy of its own in it.
func (s *Server) run(w http.ResponseWriter, r *http.Request) {
	doc, o, err := s.source.Report(r.Context(), r.PathValue("id"))
	if err != nil {
		s.failed(w, r, err)
		return
	}
	var b bytes.Buffer
	o.Home = "/"
	if err := html.Write(&b, doc, o); err != nil {
		s.failed(w, r, err)
		return
	}
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(b.Bytes())
}

func (s *Server) trace(w http.ResponseWriter, r *http.Request) {
	doc, err := s.source.Trace(r.Context(), r.PathValue("id"))
	if err != nil {
		s.failed(w, r, err)
		return
	}
	var b bytes.Buffer
	if err := html.Service(&b, doc, "/traces"); err != nil {
		s.failed(w, r, err)
		return
	}
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(b.Bytes())
}

// look is how often the server looks for what an open page may want to know.
const look = 500 * time.Millisecond

// events tells how far a measurement is, and that there are other runs than before,
// as server-sent events, until the page is closed.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	c := http.NewResponseController(w)
	if err := c.SetWriteDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		s.failed(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	tick := time.NewTicker(look)
	defer tick.Stop()
	for was, first := (State{}), true; ; first = false {
		now := s.source.Now()
		if first || now.Line != was.Line {
			// A line of data must not hold a line end: it would be another field.
			fmt.Fprintf(w, "event: progress\ndata: %s\n\n", strings.Join(strings.Fields(now.Line), " "))
		}
		if !first && now.Runs != was.Runs {
			fmt.Fprint(w, "event: runs\ndata:\n\n")
		}
		if was = now; c.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
	}
}

// Serve answers until ctx ends, and then lets no request wait for long.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	h := &http.Server{
		Handler:           s,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	stopped := context.AfterFunc(ctx, func() { h.Close() })
	defer stopped()
	if err := h.Serve(l); ctx.Err() == nil {
		return err
	}
	return nil
}

var _ http.Handler = (*Server)(nil)

//go:embed site.tmpl
var source string

var site = template.Must(template.New("site").Funcs(functions).Parse(source))
