// Package endpoint takes traces and profiles from a program that serves
// net/http/pprof. It installs nothing there, and takes several short windows rather
// than one long one: what they differ by says how sure the rest is.
//
// While a window is open the program writes an event for each step of each goroutine,
// and is interrupted a hundred times a second and processor. Between windows it does
// nothing for it.
package endpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Options say what to take.
type Options struct {
	Windows  int
	Length   time.Duration // of a window: whole seconds
	Pause    time.Duration // between two
	Patience time.Duration // for an answer beyond the length of a window
	Header   http.Header
	Dir      string // where the files go
	Progress func(format string, args ...any)
}

// A File is one that was taken.
type File struct {
	Name string // for a person
	Path string
}

// Take takes windows from the program at base, like http://host:6060/debug/pprof. Each
// is a trace and a CPU profile of the same time. A mutex and a block profile and one of
// goroutines that leak are taken last, where the program has them.
//
// Where the trace can be had and a profile cannot, missing says so. With an error files are
// those of the windows that were whole by then.
func Take(ctx context.Context, base string, o Options) (files []File, missing []string, err error) {
	u, err := address(base)
	if err != nil {
		return nil, nil, err
	}
	c := &client{base: u, o: o, http: &http.Client{CheckRedirect: func(r *http.Request, via []*http.Request) error {
		return http.ErrUseLastResponse // a header with a secret goes to no other address
	}}}
	seconds := max(1, int(o.Length.Round(time.Second)/time.Second))
	whole := func(k int, err error) ([]File, []string, error) {
		switch {
		case k == 0:
			return nil, nil, err
		case ctx.Err() != nil:
			err = errors.New("interrupted")
		}
		return files, missing, fmt.Errorf("%w: the report holds %d of %d windows", err, k, o.Windows)
	}
	for k := range o.Windows {
		if k > 0 {
			if err := sleep(ctx, o.Pause); err != nil {
				return whole(k, err)
			}
		}
		o.Progress("window %d of %d from %s: %ds", k+1, o.Windows, u.Host, seconds)
		type result struct {
			file File
			err  error
		}
		profile := make(chan result, 1)
		go func() {
			f, err := c.get(ctx, "profile", fmt.Sprintf("profile-%d.pprof", k+1), seconds)
			profile <- result{f, err}
		}()
		f, err := c.get(ctx, "trace", fmt.Sprintf("trace-%d", k+1), seconds)
		p := <-profile
		if err != nil {
			return whole(k, err)
		}
		files = append(files, f)
		switch {
		case p.err == nil:
			files = append(files, p.file)
		case k == 0:
			missing = append(missing, "CPU profiles: "+p.err.Error())
		}
	}
	for _, kind := range []string{"mutex", "block", "goroutineleak"} {
		f, err := c.get(ctx, kind, kind+".pprof", 0)
		var status *statusError
		switch {
		case err == nil:
			files = append(files, f)
		case ctx.Err() != nil:
			return whole(o.Windows, ctx.Err())
		case errors.As(err, &status): // an older Go has no such profile
		default:
			missing = append(missing, kind+" profile: "+err.Error())
		}
	}
	return files, missing, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// address is that of the profiles: http://host:6060 stands for /debug/pprof beneath it.
func address(base string) (*url.URL, error) {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%q is no address of net/http/pprof: give one like http://localhost:6060/debug/pprof", base)
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/debug/pprof"
	}
	u.Path = strings.TrimSuffix(u.Path, "/")
	u.RawQuery, u.Fragment = "", ""
	return u, nil
}

type client struct {
	base *url.URL
	o    Options
	http *http.Client
}

// A statusError is an answer that is no profile.
type statusError struct {
	url  string
	code int
	text string
}

func (e *statusError) Error() string {
	what := fmt.Sprintf("%s answers %d %s", e.url, e.code, http.StatusText(e.code))
	switch {
	case e.code == http.StatusUnauthorized || e.code == http.StatusForbidden:
		return what + ": give a token or what else it wants, as -header 'Authorization: Bearer …'"
	case e.code == http.StatusNotFound:
		return what + `: import _ "net/http/pprof" and serve http.DefaultServeMux there, or name the path at which it is`
	case e.code >= 300 && e.code < 400:
		return what + ": name the address that it leads to"
	case strings.Contains(e.text, "already"):
		return what + " (" + e.text + "): another one traces or profiles the program: try again when that is over"
	case e.text != "":
		return what + " (" + e.text + "): look at what the program logs"
	}
	return what + ": look at what the program logs"
}

// get takes one file. seconds is how long the program collects, 0 for what it has.
func (c *client) get(ctx context.Context, kind, name string, seconds int) (File, error) {
	u := *c.base
	u.Path += "/" + kind
	if seconds > 0 {
		u.RawQuery = fmt.Sprintf("seconds=%d", seconds)
	}
	patience := time.Duration(seconds)*time.Second + c.o.Patience
	ctx, stop := context.WithTimeoutCause(ctx, patience, fmt.Errorf("%s did not answer within %v: see that it runs and can be reached, or give more time with -timeout", c.base, patience))
	defer stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return File{}, err
	}
	for k, v := range c.o.Header {
		req.Header[k] = v
	}
	if h := req.Header.Get("Host"); h != "" {
		req.Host = h
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return File{}, c.failed(ctx, err)
	}
	defer resp.Body.Close()
	u.User = nil // a password is nobody's to read
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 200))
		return File{}, &statusError{u.String(), resp.StatusCode, strings.TrimSpace(string(text))}
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		return File{}, fmt.Errorf("%s answers with a page: name the path of net/http/pprof, as http://localhost:6060/debug/pprof", u.String())
	}
	path := filepath.Join(c.o.Dir, name)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return File{}, err
	}
	n, err := io.Copy(f, io.LimitReader(resp.Body, mostBytes))
	if err == nil && n == mostBytes {
		err = fmt.Errorf("%s sends more than %d GB: take shorter windows with -window", u.String(), mostBytes>>30)
	}
	if err := errors.Join(c.failed(ctx, err), f.Close()); err != nil {
		return File{}, err
	}
	return File{Name: u.Host + " " + name, Path: path}, nil
}

// mostBytes bounds one file.
const mostBytes = 4 << 30

// failed is err, or why it came.
func (c *client) failed(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	var x *url.Error
	if errors.As(err, &x) { // its text has the address, and a password in it
		err = x.Err
	}
	return fmt.Errorf("%s cannot be asked: %w: see that the program runs, and that the address is right", c.base.Host, err)
}
