package endpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func options(t *testing.T) Options {
	return Options{Windows: 2, Length: time.Second, Patience: 5 * time.Second, Header: http.Header{}, Dir: t.TempDir(), Progress: func(string, ...any) {}}
}

// TestTake: a window is a trace and a profile at once; what else there is comes last,
// and a profile that an older Go does not have is none that is missing.
func TestTake(t *testing.T) {
	both := make(chan bool)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Authorization"); got != "Bearer secret" {
			t.Errorf("%s: Authorization %q, want that of the options", r.URL, got)
		}
		switch kind := strings.TrimPrefix(r.URL.Path, "/debug/pprof/"); kind {
		case "trace":
			<-both
			fmt.Fprint(w, "trace ", r.FormValue("seconds"))
		case "profile":
			both <- true
			fmt.Fprint(w, "profile ", r.FormValue("seconds"))
		case "mutex":
			fmt.Fprint(w, "mutex", r.FormValue("seconds"))
		default:
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	o := options(t)
	o.Header.Set("Authorization", "Bearer secret")
	files, missing, err := Take(t.Context(), s.URL, o)
	if err != nil || len(missing) > 0 {
		t.Fatalf("Take: %v, missing %q", err, missing)
	}
	var got []string
	for _, f := range files {
		data, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(data))
	}
	if all, want := strings.Join(got, ", "), "trace 1, profile 1, trace 1, profile 1, mutex"; all != want {
		t.Errorf("took %q, want %q", all, want)
	}
}

// TestRefused: what a server answers that is no trace is said, with what to do.
func TestRefused(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirection was followed, with its header") }))
	defer elsewhere.Close()
	for _, tt := range []struct {
		name  string
		serve http.HandlerFunc
		want  []string
	}{
		{"404", http.NotFound, []string{"404", "net/http/pprof"}},
		{"401", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(401) }, []string{"401", "-header"}},
		{"redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, http.StatusFound) }, []string{"302", "leads to"}},
		{"a page", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, "<html>")
		}, []string{"page", "/debug/pprof"}},
		{"traced already", func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(500)
			io.WriteString(w, "Could not enable tracing: tracing is already enabled\n")
		}, []string{"500", "already enabled", "try again"}},
		{"hangs", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, []string{"did not answer within", "-timeout"}},
		{"hangs within", func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "go 1.26 trace")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, []string{"did not answer within"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := httptest.NewServer(tt.serve)
			defer s.Close()
			o := options(t)
			o.Length = 0 // the least
			o.Patience = 50*time.Millisecond - time.Second
			if !strings.HasPrefix(tt.name, "hangs") {
				o.Patience = 5 * time.Second
			}
			_, _, err := Take(t.Context(), s.URL, o)
			for _, w := range tt.want {
				if err == nil || !strings.Contains(err.Error(), w) {
					t.Errorf("Take: %v, want it to say %q", err, w)
				}
			}
		})
	}
}

// TestAddress: what can be no address of profiles is refused before anything is asked.
func TestAddress(t *testing.T) {
	for in, want := range map[string]string{
		"http://h:1": "http://h:1/debug/pprof", "http://h/": "http://h/debug/pprof", "https://h/x/": "https://h/x", "http://h/x?debug=1": "http://h/x",
		"localhost:6060": "", "ftp://h": "", "http://": "", "": "",
	} {
		u, err := address(in)
		if got := fmt.Sprint(u); want == "" && err == nil || want != "" && (err != nil || got != want) {
			t.Errorf("address(%q) = %v, %v; want %q", in, u, err, want)
		}
	}
}

// TestSecret: no message has the password of an address.
func TestSecret(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	for _, closed := range []bool{false, true} {
		if closed {
			s.Close()
		}
		_, _, err := Take(t.Context(), strings.Replace(s.URL, "http://", "http://me:secret@", 1), options(t))
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("closed %t: Take: %v, want an error without the password", closed, err)
		}
	}
}

// TestWhole: windows that were whole are not lost when the rest cannot be had.
func TestWhole(t *testing.T) {
	for _, tt := range []struct {
		name  string
		stops string // the request at which the context ends; "": the program does
		files int
		says  string
	}{
		{"in the second window", "trace 2", 2, "interrupted: the report holds 1 of 2 windows"},
		{"after the last", "mutex 1", 4, "interrupted: the report holds 2 of 2 windows"},
		{"the program ends", "", 2, "the report holds 1 of 2 windows"},
	} {
		ctx, stop := context.WithCancel(t.Context())
		var n [2]atomic.Int32
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			kind := strings.TrimPrefix(r.URL.Path, "/debug/pprof/")
			at := kind + " 1"
			if i := slices.Index([]string{"trace", "profile"}, kind); i >= 0 {
				at = fmt.Sprint(kind, " ", n[i].Add(1))
			}
			switch {
			case tt.stops == "" && kind == "trace" && at != "trace 1": // the client may ask again
				panic(http.ErrAbortHandler)
			case at == tt.stops:
				stop()
				<-r.Context().Done()
			}
			fmt.Fprint(w, kind)
		}))
		files, _, err := Take(ctx, s.URL, options(t))
		if err == nil || len(files) != tt.files || !strings.Contains(err.Error(), tt.says) || errors.Is(err, context.Canceled) {
			t.Errorf("%s: %d files, %v; want %d, %q", tt.name, len(files), err, tt.files, tt.says)
		}
		stop()
		s.Close()
	}
}

// TestInterrupted: the end of the context ends the wait.
func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { stop(); <-r.Context().Done() }))
	defer s.Close()
	if _, _, err := Take(ctx, s.URL, options(t)); err != context.Canceled {
		t.Errorf("Take: %v, want %v", err, context.Canceled)
	}
}
