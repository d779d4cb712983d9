package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/fleet/internal/agent"
	"github.com/gopayoff/payoff/tool/fleet/internal/hub"
	"github.com/gopayoff/payoff/tool/fleet/internal/wire"
	"github.com/gopayoff/payoff/tool/internal/turn"
)

func TestMain(m *testing.M) {
	if is, err := agent.Work(); is {
		if err != nil {
			os.Exit(1)
		}
		return
	}
	os.Setenv(turn.Env, "off")
	os.Exit(m.Run())
}

// call runs a command line.
func call(args ...string) (code int, out, err string) {
	var stdout, stderr bytes.Buffer
	code = run(args, strings.NewReader(""), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// What is mistyped, or missing, is an error that says what to do; help is none.
func TestMistakes(t *testing.T) {
	t.Setenv(dirEnv, filepath.Join(t.TempDir(), "none"))
	for line, want := range map[string]string{
		"nosuch":                    `no command "nosuch"`,
		"ls -nosuch":                "flag provided but not defined",
		"ls cores":                  "want a comparison",
		"ls":                        "payoff-fleet serve starts a server there",
		"agent":                     "whose binaries may run here is not known",
		"agent -memory much":        "want a size like 512MB",
		"key":                       "want the name of a file",
		"serve -store 5XB":          "want a size like 512MB",
		"serve -listen 0.0.0.0:0":   "give a certificate",
		"serve -listen nowhere":     "want HOST:PORT",
		"serve -listen 127.0.0.1:x": "want a number of a port",
	} {
		if code, _, err := call(strings.Fields(line)...); code != 2 || !strings.Contains(err, want) {
			t.Errorf("%s: exit %d, %q, want %q", line, code, err, want)
		}
	}
	for _, line := range []string{"", "help", "-h"} {
		code, out, _ := call(strings.Fields(line)...)
		for _, c := range commands {
			if code != 0 || !strings.Contains(out, "  "+c.name+" ") {
				t.Errorf("%q: exit %d, %q, want every command", line, code, out)
			}
		}
	}
	if code, _, err := call("serve", "-h"); code != 0 || !strings.Contains(err, "-listen") {
		t.Errorf("serve -h: exit %d, %q, want its flags", code, err)
	}
}

func TestSize(t *testing.T) {
	for s, want := range map[string]int64{"": 0, "1": 1, "512MB": 512 << 20, "8gb": 8 << 30, "1KB": 1 << 10, "2TB": 2 << 40} {
		if got, err := size("x", s); err != nil || got != want {
			t.Errorf("size %q = %d, %v; want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"0", "-1MB", "GB", "1G", "1.5GB", "99999999999TB", "1MBMB"} {
		if got, err := size("x", s); err == nil {
			t.Errorf("size %q = %d, want an error", s, got)
		}
	}
}

// Machines are listed by kind, with what is known of each, in words and as JSON.
func TestLs(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(dirEnv, dir)
	h, err := hub.Start(hub.Options{Dir: dir, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	if code, out, err := call("ls"); code != 0 || !strings.Contains(out, "payoff-fleet agent makes a machine one") {
		t.Errorf("ls of none: exit %d, %q, %q", code, out, err)
	}
	a, _, _ := hub.Keys(dir)
	key, err := wire.LoadKey(a)
	if err != nil {
		t.Fatal(err)
	}
	url, err := hub.URL(dir)
	if err != nil {
		t.Fatal(err)
	}
	nc, err := wire.Connect(wire.Access{URL: url, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	f, err := wire.Open(t.Context(), nc, wire.DefaultTiming)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []wire.Agent{{Machine: "quiet", Noise: 0.01}, {Machine: "noisy", Noise: 0.5, Job: "nightly"}, {Machine: "new", Noise: -1}, {Machine: "small", Noise: 0.5}} {
		m.Env.CPU, m.Env.OS, m.Env.Arch, m.Env.UsableCPUs = "a processor", "linux", "arm64", 8
		if m.Machine == "small" {
			m.Env.UsableCPUs = 2
		}
		m.Kind, m.Time = m.Env.Kind(), time.Now()
		if err := f.Here(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	code, out, _ := call("ls", "cores>=8")
	for _, want := range []string{"a processor (linux/arm64, 8 processors)", "quiet  noise 1.0 %", "left out: too noisy", "noise not known yet", "next: payoff run -on kind="} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("ls: exit %d, %q, want %q", code, out, want)
		}
	}
	if strings.Contains(out, "small") {
		t.Errorf("ls of 8 processors: %q, want none of 2", out)
	}
	code, out, _ = call("ls", "-json")
	var kinds []kind
	if err := json.Unmarshal([]byte(out), &kinds); code != 0 || err != nil || len(kinds) != 2 {
		t.Fatalf("ls -json: exit %d, %v, %q, want two kinds", code, err, out)
	}
	for _, k := range kinds {
		if want := len(k.Machines) == 3; k.Fit != want {
			t.Errorf("kind of %d machines: fit %v, want %v", len(k.Machines), k.Fit, want)
		}
	}
}

// A key is made once, for its owner alone, and one that others can read is not taken.
func TestKey(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	code, public, err := call("key", file)
	if code != 0 || !strings.HasPrefix(public, "U") {
		t.Fatalf("key: exit %d, %q, %q", code, public, err)
	}
	if about, err := os.Stat(file); err != nil || about.Mode().Perm() != 0o600 {
		t.Errorf("the key's file: %v, %v; want mode 600", about.Mode(), err)
	}
	if code, _, _ := call("key", file); code != 2 {
		t.Error("a second key was written over the first")
	}
	key, e := wire.LoadKey(file)
	if e != nil {
		t.Fatal(e)
	}
	if got, _ := key.PublicKey(); got != strings.TrimSpace(public) {
		t.Errorf("public key %s, printed %s", got, public)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := wire.LoadKey(file); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("a key that others can read: %v, want an error", err)
	}
}
