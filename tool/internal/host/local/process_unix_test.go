//go:build unix

package local

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/probe"
)

func shell(t *testing.T) string {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	return sh
}

// left is what processes left where they write.
func left(t *testing.T, dir string) []string {
	all, err := filepath.Glob(filepath.Join(dir, "process-*"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestRun: a process runs in the folder of its package at the processors asked
// for, what it writes to its own folder is handed over, and that goes.
func TestRun(t *testing.T) {
	sh := shell(t)
	t.Setenv("GOMAXPROCS", "77")
	begin := `begin\t"BenchmarkX"\n`
	for _, tt := range []struct {
		script string
		procs  int
		probed bool
		want   host.Outcome
		files  map[string]string
		fault  string
	}{
		{`echo $GOMAXPROCS $PAYOFF_TEST; test "$PWD" = "$(pwd)" && pwd`, 1, false, host.Outcome{Output: []byte("1 a\nDIR\n")}, nil, ""},
		{`echo $GOMAXPROCS`, 5, false, host.Outcome{Output: []byte("5\n")}, nil, ""},
		{`echo out; echo err >&2; exit 3`, 2, false, host.Outcome{Output: []byte("out\nerr\n"), Exit: 3}, nil, ""},
		{`echo 'panic: boom'; exit 2`, 2, false, host.Outcome{Output: []byte("panic: boom\n"), Death: "panic: boom", Exit: 2}, nil, ""},
		{`cd $OWN; printf one >a; printf two >b; mkdir sub; printf no >sub/c`, 2, false, host.Outcome{}, map[string]string{"a": "one", "b": "two"}, ""},
		{`echo BenchmarkX; printf 'BenchmarkX-2 \t10\t5.0 ns/op\n'; echo PASS`, 2, false, host.Outcome{Output: []byte("BenchmarkX\nBenchmarkX-2 \t10\t5.0 ns/op\nPASS\n"), Events: []probe.Event{
			{Kind: probe.Begin, Name: "BenchmarkX"}, {Kind: probe.Result, Name: "BenchmarkX", Value: map[string]int64{"n": 10, "procs": 2, "ns": 50}}, {Kind: probe.End}}}, nil, ""},
		{`printf '` + begin + `' >>$PAYOFF_PROBE; printf x >$OWN/cpu; echo BenchmarkY`, 2, true, host.Outcome{Output: []byte("BenchmarkY\n"), Events: []probe.Event{{Kind: probe.Begin, Name: "BenchmarkX"}}}, map[string]string{"cpu": "x"}, ""},
		{`:`, 2, true, host.Outcome{}, nil, ""},
		{`echo nonsense >>$PAYOFF_PROBE`, 2, true, host.Outcome{}, nil, "cannot read what it measured: "},
		{`rm $PAYOFF_PROBE; mkdir $PAYOFF_PROBE`, 2, true, host.Outcome{}, nil, ""},
	} {
		dir, pkg := t.TempDir(), t.TempDir()
		pkg, err := filepath.EvalSymlinks(pkg)
		if err != nil {
			t.Fatal(err)
		}
		h := New(dir, nil)
		j := host.Job{Binary: h.know(binary{file: sh, dir: pkg, pkg: "p", probed: tt.probed}), Args: []string{"-c", tt.script}, Procs: tt.procs, Timeout: time.Minute, Limit: time.Minute,
			Env: []string{"PAYOFF_TEST=a", "OWN=" + host.Folder}}
		o, err := h.Run(t.Context(), j)
		var fault *host.Fault
		if tt.fault != "" {
			if !errors.As(err, &fault) || !strings.HasPrefix(fault.Reason, tt.fault) || fault.Next != "payoff run -plain p" {
				t.Errorf("%s: %v, want a fault %q", tt.script, err, tt.fault)
			}
		} else if err != nil {
			t.Errorf("%s: %v", tt.script, err)
		}
		files := map[string]string{}
		for name, data := range o.Files {
			files[name] = string(data)
		}
		output := strings.ReplaceAll(string(tt.want.Output), "DIR", pkg)
		if tt.fault == "" && (string(o.Output) != output || o.Death != tt.want.Death || o.Exit != tt.want.Exit || o.Late || o.Left || o.Stray || !maps.Equal(files, tt.files) || fmt.Sprint(o.Events) != fmt.Sprint(tt.want.Events)) {
			t.Errorf("%s:\n%+v, files %v\nwant\n%+v, %v", tt.script, o, files, tt.want, tt.files)
		}
		if gone := left(t, dir); len(gone) > 0 {
			t.Errorf("%s: it left %q", tt.script, gone)
		}
	}
	h := New(t.TempDir(), nil)
	h.know(binary{file: sh})
	for _, id := range []string{"1", "-1", "", "x", "0x0"} {
		if _, err := h.Run(t.Context(), host.Job{Binary: id, Procs: 1, Timeout: time.Minute}); err == nil {
			t.Errorf("binary %q ran, there is one only", id)
		}
	}
	var fault *host.Fault
	gone := h.know(binary{file: filepath.Join(t.TempDir(), "gone")})
	if _, err := h.Run(t.Context(), host.Job{Binary: gone, Procs: 1, Timeout: time.Minute}); !errors.As(err, &fault) {
		t.Errorf("a binary that is gone: %v, want a fault", err)
	}
	if gone := left(t, h.dir); len(gone) > 0 {
		t.Errorf("what did not start left %q", gone)
	}
}

// TestWatch: a process is late if it had no news for the timeout, or runs longer
// than the limit, whichever comes first. News of another process, from before it
// began, is none.
func TestWatch(t *testing.T) {
	sh := shell(t)
	const long, hour = time.Minute, time.Hour
	for _, tt := range []struct {
		name           string
		news           time.Duration // when the file of events was written, from now; 0: there is none
		timeout, limit time.Duration
		late           bool
	}{
		{"time enough", 0, long, long, false},
		{"no limit", 0, long, 0, false},
		{"no news", 0, 1, 0, true},
		{"no news, a limit far off", 0, 1, long, true},
		{"the limit", 0, long, 1, true},
		{"news", hour, 1, 0, false},
		{"news, and the limit", hour, 1, 1, true},
		{"old news", -hour, long, 0, false},
		{"old news, no other", -hour, 1, 0, true},
	} {
		events := filepath.Join(t.TempDir(), eventsName)
		if tt.news != 0 {
			if err := os.WriteFile(events, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			at := time.Now().Add(tt.news)
			if err := os.Chtimes(events, at, at); err != nil {
				t.Fatal(err)
			}
		}
		script := "sleep 0.05"
		if tt.late {
			script = "sleep 60"
		}
		g, err := start(exec.Command(sh, "-c", "exec "+script))
		if err != nil {
			t.Fatal(err)
		}
		stop := watch(t.Context(), g, events, tt.timeout, tt.limit)
		g.cmd.Wait()
		if late := stop(); late != tt.late {
			t.Errorf("%s: late %t, want %t", tt.name, late, tt.late)
		}
		if ended := g.cmd.ProcessState.Success(); ended == tt.late {
			t.Errorf("%s: it ended by itself: %t", tt.name, ended)
		}
	}
	// A context that ends makes nothing late.
	ctx, stop := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	dir := t.TempDir()
	h := New(dir, nil)
	id := h.know(binary{file: sh, dir: dir})
	stop(enough)
	o, err := h.Run(ctx, host.Job{Binary: id, Procs: 1, Timeout: long, Args: []string{"-c", "exec sleep 60"}})
	if err != enough || o.Late || len(left(t, dir)) > 0 {
		t.Errorf("Run after its context ended = late %t, %v, left %q; want its cause", o.Late, err, left(t, dir))
	}
}

// TestPut: a binary that was built elsewhere runs in an empty folder.
func TestPut(t *testing.T) {
	sh := shell(t)
	h := New(t.TempDir(), nil)
	var ids []string
	for i, goos := range []string{"linux", "windows", "linux"} {
		image := fmt.Sprintf("#!%s\nls -A; echo $0 %d\n", sh, i)
		b, err := h.Put(t.Context(), host.Binary{Image: []byte(image), OS: goos, Probed: i == 2})
		if err != nil || b.Image != nil || b.OS != goos || b.Probed != (i == 2) || slices.Contains(ids, b.ID) {
			t.Fatalf("Put = %+v, %v", b, err)
		}
		ids = append(ids, b.ID)
		o, err := h.Run(t.Context(), host.Job{Binary: b.ID, Procs: 1, Timeout: time.Minute})
		name := filepath.Base(strings.Fields(string(o.Output) + " x x")[0])
		if want := []string{"test", "test.exe", "test"}[i]; err != nil || name != want || !strings.HasSuffix(string(o.Output), fmt.Sprintf(" %d\n", i)) || strings.Count(string(o.Output), "\n") != 1 {
			t.Errorf("put for %s: %q, %v, want that %s runs beside nothing", goos, o.Output, err, want)
		}
	}
	if _, err := h.Build(t.Context(), host.Source{}); err == nil {
		t.Error("a host without a compiler built something")
	}
	h.Forget(host.Source{}) // of nothing
}
