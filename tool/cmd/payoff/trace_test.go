package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/service"
)

// TestTraceFrom: a program that serves net/http/pprof is explained while it runs; what
// the server wants to see is sent, and files are kept where that is asked for.
func TestTraceFrom(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", "")
	var mu sync.Mutex
	mux := http.NewServeMux()
	mux.HandleFunc("/work", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		time.Sleep(5 * time.Millisecond)
		mu.Unlock()
	})
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/debug/") && r.Header.Get("X-Token") != "secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	defer s.Close()
	stop := make(chan bool)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if r, err := http.Get(s.URL + "/work"); err == nil {
					io.Copy(io.Discard, r.Body)
					r.Body.Close()
				}
			}
		})
	}
	defer wg.Wait()
	defer close(stop)
	var out, errs bytes.Buffer
	dir := filepath.Join(t.TempDir(), "kept")
	if code := run([]string{"payoff", "trace", "-from", s.URL, "-windows", "1"}, &out, &errs); code != exitFailed || !strings.Contains(errs.String(), "401") || !strings.Contains(errs.String(), "-header") {
		t.Errorf("without a token: %d, %q; want %d and what to give", code, errs.String(), exitFailed)
	}
	errs.Reset()
	if code := run([]string{"payoff", "trace", "-from", s.URL, "-windows", "1", "-header", "X-Token: secret", "-o", dir}, &out, &errs); code != exitOK {
		t.Fatalf("%d, %q", code, errs.String())
	}
	for _, want := range []string{"Goroutines queue for one lock at trace_test.go:", "operations (requests)", "was traced and profiled for 1s", "between the windows"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, out.String())
		}
	}
	if files, _ := os.ReadDir(dir); len(files) < 4 {
		t.Errorf("%v are kept, want a trace, a profile, a mutex and a block profile", files)
	}
	lib := library{}
	traces, err := lib.Traces(t.Context())
	if err != nil || len(traces) != 1 || !strings.HasPrefix(traces[0].Summary, "Goroutines queue for one lock") {
		t.Fatalf("payoff serve has %+v, %v; want the one", traces, err)
	}
	if doc, err := lib.Trace(t.Context(), traces[0].ID); err != nil || len(doc.Operations) == 0 {
		t.Errorf("the kept report: %+v, %v", doc, err)
	}
	if _, err := lib.Trace(t.Context(), "../x"); err == nil {
		t.Error("a file elsewhere is shown")
	}
}

// TestTraceJSON: docs/trace.md has every field of the report.
func TestTraceJSON(t *testing.T) {
	text, err := os.ReadFile("../../../docs/trace.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := reflect.TypeFor[service.Doc]()
	for i := range doc.NumField() {
		name, _, _ := strings.Cut(doc.Field(i).Tag.Get("json"), ",")
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/trace.md has no field %q", name)
		}
	}
}
