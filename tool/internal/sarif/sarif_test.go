package sarif

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

// TestURI: whatever a file is called, its URI leads to it and to nothing else.
func TestURI(t *testing.T) {
	for _, name := range []string{"m/m_test.go", "a b,c:%.go", "a:b.go", "javascript:alert(1).go", "m/?x#y.go", "m/a\nb.go", `m\n.go`, "%2e%2e/x.go", "ö.go", "https://host/x.go", "//host/x.go"} {
		at := Relative(name)
		u, err := url.Parse(at.URI)
		if err != nil {
			t.Errorf("Relative(%q) = %q: %v", name, at.URI, err)
			continue
		}
		if u.Scheme != "" || u.Host != "" || u.RawQuery != "" || u.Fragment != "" {
			t.Errorf("Relative(%q) = %q, which is more than a path: %+v", name, at.URI, u)
		}
		if base, _ := url.Parse("https://host.example/tree/"); base.ResolveReference(u).Host != "host.example" {
			t.Errorf("Relative(%q) = %q, which leads to %s", name, at.URI, base.ResolveReference(u))
		}
	}
	for name, want := range map[string]string{"/src/a b?.go": "file:///src/a%20b%3F.go", "C:/src/m.go": "file:///C:/src/m.go"} {
		if got := File(name).URI; got != want {
			t.Errorf("File(%q) = %q, want %q", name, got, want)
		}
	}
	if got, want := Folder("/src/").URI, "file:///src/"; got != want {
		t.Errorf("Folder = %q, want %q", got, want)
	}
}

// TestText: no name makes a link of a message.
func TestText(t *testing.T) {
	if got, want := Text("BenchmarkA/[x](https://host) [y] (z)"), (Message{"BenchmarkA/[x] (https://host) [y] (z)"}); got != want {
		t.Errorf("Text = %q, want %q", got, want)
	}
}

// TestCommands: no message is a command of the system that runs payoff, and each is what
// it was.
func TestCommands(t *testing.T) {
	const says = "##[error]a ###vso[task.x]\n::error::b"
	var b bytes.Buffer
	if err := Write(&b, Run{Results: []Result{{Message: Text(says)}}}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if strings.Contains(line, "##") || strings.HasPrefix(strings.TrimSpace(line), "::") {
			t.Errorf("%q begins a command", line)
		}
	}
	var log Log
	if err := json.Unmarshal(b.Bytes(), &log); err != nil || log.Runs[0].Results[0].Message.Text != says {
		t.Errorf("%v, %+v, want a result that says %q", err, log, says)
	}
}

// TestWrite: a run without results says that it has none.
func TestWrite(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, Run{Results: []Result{}}); err != nil {
		t.Fatal(err)
	}
	var log map[string]any
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	run := log["runs"].([]any)[0].(map[string]any)
	if log["version"] != "2.1.0" || log["$schema"] == "" || run["results"] == nil {
		t.Errorf("%s", &b)
	}
	for _, name := range []string{"columnKind", "originalUriBaseIds"} {
		if run[name] != nil {
			t.Errorf("%s is %v, want it left out", name, run[name])
		}
	}
}
