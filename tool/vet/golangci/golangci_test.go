package golangci_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	_ "github.com/gopayoff/payoff/tool/vet/golangci"

	"github.com/gopayoff/payoff/tool/vet"
	"github.com/gopayoff/payoff/tool/vet/heat"
)

// The plugin is registered and builds what its settings ask for.
func TestPlugin(t *testing.T) {
	t.Cleanup(heat.Give(nil, false))
	build, err := register.GetPlugin("payoff")
	if err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(t.TempDir(), "heat.json")
	if err := (&heat.Map{Run: "r"}).Write(run); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		settings map[string]any
		n        int    // of checks
		err      string // or why not
	}{
		{nil, len(vet.All()), ""},
		{map[string]any{"run": run, "hints": true, "only": []any{"benchvet"}}, 1, ""},
		{map[string]any{"only": []any{"benchwet"}}, 0, `no check "benchwet"`},
		{map[string]any{"run": "nowhere.json"}, 0, "run is heat.json of a recorded run"},
		{map[string]any{"rum": run}, 0, "rum"},
	} {
		var all []*analysis.Analyzer
		p, err := build(tt.settings)
		if err == nil {
			all, err = p.BuildAnalyzers()
		}
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%v: %v, want %q", tt.settings, err, tt.err)
			}
			continue
		}
		if err != nil || len(all) != tt.n || p.GetLoadMode() != register.LoadModeTypesInfo {
			t.Errorf("%v: %d checks, %v, want %d", tt.settings, len(all), err, tt.n)
		}
	}
}
