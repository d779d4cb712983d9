package html

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/gopayoff/payoff/tool/internal/report"
)

var pictures = flag.String("pictures", "", "write screenshots of the pages to this `folder`")

// A browser shows pages, and keeps what goes wrong there.
type browser struct {
	ctx context.Context

	mu       sync.Mutex
	messages []string // of the console: errors and warnings
	requests []string // for anything but the page
}

// open starts a browser, or skips the test where there is none.
func open(t *testing.T) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	found := ""
	for _, name := range []string{"chromium-headless-shell", "headless-shell", "chromium", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			found = path
			break
		}
	}
	if found == "" {
		t.Skip("no Chromium here")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(found),
		chromedp.Flag("force-color-profile", "srgb"), chromedp.Flag("font-render-hinting", "none"), chromedp.Flag("disable-lcd-text", true))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{ctx: ctx}
	if err := chromedp.Listen(ctx, func(e any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := e.(type) {
		case *runtime.EventConsoleAPICalled:
			for _, x := range e.Args {
				b.messages = append(b.messages, string(x.Value))
			}
		case *runtime.EventExceptionThrown:
			b.messages = append(b.messages, e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			b.messages = append(b.messages, e.Entry.Text)
		case *network.EventRequestWillBeSent:
			if u := e.Request.URL; !strings.HasPrefix(u, "file://") && !strings.HasPrefix(u, "blob:") {
				b.requests = append(b.requests, u)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	call(t, b, log.Enable, cdp.Empty{})
	call(t, b, network.Enable, network.EnableParams{})
	return b
}

func call[P, R any](t *testing.T, b *browser, command cdp.Command[P, R], p P) R {
	t.Helper()
	r, err := chromedp.Call(b.ctx, command, p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func run[T any](t *testing.T, b *browser, a chromedp.Action[T]) T {
	t.Helper()
	v, err := chromedp.Run(b.ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// show opens a page of that width and waits until its script is ready.
func (b *browser) show(t *testing.T, file string, width int64, scheme string) {
	t.Helper()
	call(t, b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	call(t, b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: width < 600})
	run(t, b, chromedp.Navigate("file://"+file))
	run(t, b, chromedp.WaitReady(chromedp.CSS("html[data-ready=true]")))
}

// ask evaluates an expression in the page.
func ask[T any](t *testing.T, b *browser, expression string) T {
	t.Helper()
	return run(t, b, chromedp.Evaluate[T](expression))
}

// well fails for what the page has complained of.
func (b *browser) well(t *testing.T) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range b.messages {
		t.Errorf("the console says: %s", m)
	}
	for _, r := range b.requests {
		t.Errorf("the page asks for %s", r)
	}
	b.messages, b.requests = nil, nil
}

// written is the page of a report, as a file.
func written(t *testing.T, d *report.Doc, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, d, o); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// docs are reports of recorded runs.
func docs(t *testing.T) map[string]*report.Doc {
	t.Helper()
	all := map[string]*report.Doc{}
	for _, name := range []string{"gallery-shared", "fix-falseshare", "gallery-sort"} {
		b, err := os.ReadFile("/tmp/x/html/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		d := &report.Doc{}
		if err := json.Unmarshal(b, d); err != nil {
			t.Fatal(err)
		}
		all[name] = d
	}
	return all
}

// Each picture is drawn, in any width and either scheme, and nothing goes wrong.
func TestPictures(t *testing.T) {
	b := open(t)
	for name, d := range docs(t) {
		file := written(t, d, Options{})
		for _, width := range []int64{1280, 390} {
			for _, scheme := range []string{"light", "dark"} {
				b.show(t, file, width, scheme)
				ask[bool](t, b, `dispatchEvent(new Event("beforeprint"))`)
				if n, cards := ask[int](t, b, `document.querySelectorAll("figure svg").length`), ask[int](t, b, `document.querySelectorAll(".card").length`); n < 2*cards {
					t.Errorf("%s: %d pictures on %d cards", name, n, cards)
				}
				if over := ask[int](t, b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
					t.Errorf("%s: %d pixels wider than a screen of %d", name, over, width)
				}
				if *pictures != "" {
					shot := run(t, b, chromedp.FullScreenshot(100))
					if err := os.WriteFile(filepath.Join(*pictures, name+"-"+scheme+"-"+map[bool]string{true: "wide", false: "narrow"}[width > 600]+".png"), shot, 0o666); err != nil {
						t.Fatal(err)
					}
				}
				b.well(t)
			}
		}
	}
}
