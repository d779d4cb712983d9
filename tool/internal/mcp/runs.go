package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/report/text"
)

// mostRuns are listed; older ones can be read by their names.
const mostRuns = 50

// runURI is where runs are.
const runURI = "payoff://run/"

// addRuns makes recorded runs resources: each as its text, and as the whole report in
// JSON. The list is made when it is asked for.
func (s *server) addRuns(x *sdk.Server) {
	x.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: runURI + "{name}", Name: "run", MIMEType: "text/plain",
		Description: "a recorded run: its report as text"}, s.read)
	x.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: runURI + "{name}/json", Name: "run as JSON", MIMEType: "application/json",
		Description: "a recorded run: its whole report with all evidence, as JSON (docs/json.md of payoff)"}, s.read)
	x.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			res, err := next(ctx, method, req)
			list, ok := res.(*sdk.ListResourcesResult)
			if err != nil || !ok {
				return res, err
			}
			runs, err := s.source.Runs(ctx, mostRuns)
			if err != nil {
				return nil, err
			}
			for _, r := range runs {
				list.Resources = append(list.Resources, &sdk.Resource{URI: runURI + url.PathEscape(r.Name), Name: plain.Clean(r.Name), MIMEType: "text/plain",
					Description: plain.Clean(r.When.Format(time.DateTime) + ", payoff " + r.Command)})
			}
			return list, nil
		}
	})
}

// run is the name of a recorded run: "" asks for the newest.
func (s *server) run(ctx context.Context, name string) (string, error) {
	runs, err := s.source.Runs(ctx, 0)
	if err != nil {
		return "", err
	}
	if len(runs) == 0 {
		return "", errors.New("no run is recorded here yet: measure makes one")
	}
	if name == "" {
		return runs[0].Name, nil
	}
	if !slices.ContainsFunc(runs, func(r Run) bool { return r.Name == name }) {
		return "", fmt.Errorf("no recorded run is %q: the newest is %s, and resources/list has the others", name, runs[0].Name)
	}
	return name, nil
}

// read answers with a recorded run. To judge it takes the machine, as a tool does.
func (s *server) read(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := req.Params.URI
	name, whole := strings.CutSuffix(strings.TrimPrefix(uri, runURI), "/json")
	name, err := url.PathUnescape(name)
	if err != nil || name == "" || words("run", name) != nil {
		return nil, notThere(errors.New("that is no name of a run: resources/list has them"))
	}
	ctx, leave, err := s.desk.take(ctx, s.ends, "reading "+name)
	if err != nil {
		return nil, err
	}
	defer leave()
	ctx, stop := context.WithTimeoutCause(ctx, grace, errTime)
	defer stop()
	if name, err = s.run(ctx, name); err != nil {
		return nil, notThere(err)
	}
	doc, err := s.source.Why(ctx, name, "")
	if doc == nil {
		return nil, err
	}
	of := &sdk.ResourceContents{URI: uri}
	if whole {
		var b bytes.Buffer
		err = doc.JSON(&b)
		of.Text, of.MIMEType = b.String(), "application/json"
	} else {
		of.Text, err = written(doc, text.Any)
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{of}}, err
}

// notThere is an error of the protocol, for a resource that is not there.
func notThere(err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
}
