// Package browsertest looks at pages in a browser, for tests.
package browsertest

import (
	"context"
	_ "embed"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// axe checks pages for who cannot see them, or has no mouse.
//
//go:embed testdata/axe.js
var axe string

// A Browser shows pages, and keeps what goes wrong there.
type Browser struct {
	t       *testing.T
	ctx     context.Context
	allowed []string // beginnings of what may be asked for

	mu       sync.Mutex
	messages []string // of the console: errors and warnings
	requests []string // for anything else
}

// Open starts a browser, or skips the test where there is none. Pages may ask for
// what begins with one of allowed, and files.
func Open(t *testing.T, allowed ...string) *Browser {
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
	b := &Browser{t: t, ctx: ctx, allowed: append(allowed, "file://", "blob:", "data:,")}
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		t.Fatal(err)
	}
	call(b, log.Enable, cdp.Empty{})
	call(b, network.Enable, network.EnableParams{})
	return b
}

func (b *Browser) hear(e any) {
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
		if u := e.Request.URL; !slices.ContainsFunc(b.allowed, func(prefix string) bool { return strings.HasPrefix(u, prefix) }) {
			b.requests = append(b.requests, u)
		}
	}
}

func call[P, R any](b *Browser, command cdp.Command[P, R], p P) R {
	b.t.Helper()
	r, err := chromedp.Call(b.ctx, command, p)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// Run carries out an action.
func Run[T any](b *Browser, a chromedp.Action[T]) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, a)
	if err != nil {
		b.t.Fatal(err)
	}
	return v
}

// Show opens a page in a window of that width, under a colour scheme, and waits until
// its script is ready.
func (b *Browser) Show(url string, width int64, scheme string) {
	b.t.Helper()
	b.Visit(url, width, scheme)
	Run(b, chromedp.WaitReady(chromedp.CSS("html[data-ready=true]")))
}

// Visit opens a page as Show does, of which no script says that it is ready.
func (b *Browser) Visit(url string, width int64, scheme string) {
	b.t.Helper()
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: width < 600})
	Run(b, chromedp.Navigate(url))
}

// Ask evaluates an expression in the page.
func Ask[T any](b *Browser, expression string) T {
	b.t.Helper()
	return Run(b, chromedp.Evaluate[T](expression))
}

// Picture is the whole page, as PNG.
func (b *Browser) Picture() []byte {
	b.t.Helper()
	return Run(b, chromedp.FullScreenshot(100))
}

// Part is a part of the page, as PNG.
func (b *Browser) Part(x, y, width, height float64) []byte {
	b.t.Helper()
	shot := call(b, page.CaptureScreenshot, page.CaptureScreenshotParams{Clip: &page.Viewport{X: x, Y: y, Width: width, Height: height, Scale: 1}, CaptureBeyondViewport: new(true)})
	return shot.Data
}

// Accessible fails for what axe finds serious.
func (b *Browser) Accessible(what string) {
	b.t.Helper()
	Ask[bool](b, axe+";true")
	found := Run(b, chromedp.Evaluate[[]string](`axe.run({resultTypes: ["violations"]}).then(r => r.violations.filter(v => v.impact === "serious" || v.impact === "critical").map(v => v.id + ": " + v.help + ": " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200)).join(" ")))`, chromedp.EvalAwaitPromise))
	for _, f := range found {
		b.t.Errorf("%s: %s", what, f)
	}
}

// Well fails for what the pages have complained of.
func (b *Browser) Well() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range b.messages {
		b.t.Errorf("the console says: %s", m)
	}
	for _, r := range b.requests {
		b.t.Errorf("the page asks for %s", r)
	}
	b.messages, b.requests = nil, nil
}
