package exectrace

import (
	"io"
	"regexp"
	"strings"

	"golang.org/x/exp/trace"

	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// serves notes what the stack in d.frames tells of operations. nearest is the user's
// frame that is nearest to the leaf, root the function that the goroutine starts with,
// callers the user's others.
func (d *decoder) serves(p *stance, nearest int, root string, callers []source.Place) {
	switch {
	case root == "net/http.(*conn).serve":
		p.server = conn
	case strings.HasSuffix(root, "http2serverConn).runHandler"), strings.HasSuffix(root, "http2.(*serverConn).runHandler"), ofGRPC(root):
		p.server = stream
	}
	if nearest >= 0 {
		outer := d.frames[nearest]
		if len(callers) > 0 {
			outer = callers[len(callers)-1]
		}
		p.first = d.e.sites.spot(outer).fn
	}
	fn := d.e.opt.Func
	for i, f := range d.frames {
		switch {
		case fn != "":
			p.within = p.within || f.Func == fn
			continue
		case strings.HasPrefix(f.Func, "net/http/pprof."):
			p.watches = true
		case p.server == noServer: // a handler may go on in another goroutine
		case strings.HasPrefix(f.Func, "net/http.") && (strings.HasSuffix(f.Func, ".finishRequest") || strings.HasSuffix(f.Func, "checkConnErrorWriter.Write")):
			p.writes = true
		case ofRequest.MatchString(f.Func):
			p.own = true
		}
		dispatch := strings.HasPrefix(f.Func, "net/http.") && strings.HasSuffix(f.Func, "ServeHTTP") || strings.HasSuffix(f.Func, "_Handler") || strings.HasSuffix(f.Func, "_Handler.func1")
		if dispatch && !p.within {
			p.within = true
			if i > 0 && stack.IsUser(d.frames[i-1].Func, d.frames[i-1].File) {
				p.handler = d.e.sites.spot(d.frames[i-1])
			}
		}
	}
	if fn == "" && p.server == noServer && nearest >= 0 && root != "runtime.main" {
		p.head = len(callers) == 0
		p.called = len(callers) == 1 && literal.MatchString(callers[0].Func)
		if p.head || p.called {
			p.handler = d.e.sites.spot(d.frames[nearest])
		}
	}
}

// ofRequest are the readers of what comes with a request.
var ofRequest = regexp.MustCompile(`^net/http(/internal/http2)?\.\(\*(connReader|body|(http2)?requestBody)\)\.`)

// literal is how the compiler names function literals, and what it makes of go f(x).
var literal = regexp.MustCompile(`\.(func|gowrap)\d+(\.\d+)*$`)

// ofGRPC reports whether a goroutine handles one call of a server of gRPC.
func ofGRPC(root string) bool {
	return strings.HasPrefix(root, "google.golang.org/grpc.(*Server).serveStreams.func") || strings.HasPrefix(root, "google.golang.org/grpc.(*Server).handleStream")
}

// Find says what counts as one operation of the program that a trace is of, by the
// first second or two of it, which is what a trace has in one piece. It prefers what
// the program says itself. An error is that of [Read].
func Find(r io.Reader) (Work, error) {
	begin := &beginning{r: r}
	d := newDecoder(newEngine(Options{Serve: true, Place: stack.Edited}))
	seen, syncs := map[Work]int{}, 0
	heads := map[trace.GoID]int{}
	called := map[trace.GoID]bool{} // waits in a called function
	_, err := decode(&counter{r: begin}, func(x *trace.Event) {
		switch x.Kind() {
		case trace.EventSync:
			clear(d.stances)
			clear(d.recent[:])
			if syncs++; syncs > 2 { // the first and the last event of a piece
				begin.over = true
			}
		case trace.EventTaskBegin:
			seen[Tasks]++
		case trace.EventRegionBegin:
			seen[Regions]++
		case trace.EventStateTransition:
			st := x.StateTransition()
			if st.Resource.Kind != trace.ResourceGoroutine || x.Stack() == trace.NoStack {
				return
			}
			g := st.Resource.Goroutine()
			if x.Goroutine() != g {
				if called[g] { // by another goroutine, and not by a timer
					seen[Called]++
				}
				delete(called, g)
				return
			}
			p := d.stance(x.Stack())
			switch {
			case p.server == stream, p.server == conn && (p.within || p.writes):
				seen[Requests]++
			case p.head, p.called:
				if _, to := st.Goroutine(); to == trace.GoWaiting {
					switch kindOf(st.Reason, p) {
					case ChanReceive, Select, Cond:
						switch heads[g]++; {
						case heads[g] == 1: // once may be the end of something
						case p.called:
							called[g] = true
						default:
							seen[Items]++
						}
					}
				}
			}
		}
	})
	for _, w := range []Work{Tasks, Requests, Regions, Items, Called} {
		if seen[w] >= few {
			return w, nil
		}
	}
	if begin.over { // what follows is not damage
		err = nil
	}
	return Whole, err
}

// A beginning is a reader that ends when it is over.
type beginning struct {
	r    io.Reader
	over bool
}

func (b *beginning) Read(p []byte) (int, error) {
	if b.over {
		return 0, io.EOF
	}
	return b.r.Read(p)
}

// few operations tell nothing of how long others take.
const few = 10
