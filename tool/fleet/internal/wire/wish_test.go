package wire_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/fleet/internal/wire"
	"github.com/gopayoff/payoff/tool/internal/machine"
)

// A wish fits the machines that are so, and what is no wish is an error that says what
// one is.
func TestWish(t *testing.T) {
	a := wire.Agent{Machine: "one", Kind: "k", Noise: 0.02, Env: machine.Env{OS: "linux", Arch: "arm64", CPU: "Neoverse V2", UsableCPUs: 16, PhysicalCores: 8, Memory: 32 << 30}}
	for wish, fits := range map[string]bool{
		"": true, "any": true, "cores>=16": true, "cores>16": false, "cores<16": false, "cores<=16": true, "cores=16": true, "cores!=16": false,
		"cores>=16,arch=arm64": true, "cores>=16, arch=amd64": false, "arch!=amd64": true, "cpu~neoverse": true, "cpu~epyc": false, "cpu=neoverse v2": true,
		"memory>=31": true, "physical=8": true, "noise<=3": true, "noise<1": false, "kind=k,machine=one,os=linux": true, "machine=two": false, "run=x": true, "run=x,cores<2": false,
	} {
		w, err := wire.ParseWish(wish)
		if err != nil || w.Fits(a) != fits {
			t.Errorf("%q: fits %v, %v; want %v", wish, w.Fits(a), err, fits)
		}
		if strings.Contains(wish, "run=") && w.RunName != "x" {
			t.Errorf("%q: run %q, want x", wish, w.RunName)
		}
	}
	if w, _ := wire.ParseWish("noise<=100"); w.Fits(wire.Agent{Noise: -1}) {
		t.Error("a machine whose noise is not known is quiet enough")
	}
	for wish, want := range map[string]string{
		"cores": "want a comparison", "cores>=": "want a comparison", "cores>=many": "want a number", "cores~1": "is a number", "arch>arm64": "is text", "size=1": "one of arch, cores",
		"run=a.b": "cannot be the name", "run=": "cannot be the name", "cores!16": "want a comparison",
	} {
		if _, err := wire.ParseWish(wish); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", wish, err, want)
		}
	}
}

// Machines that are too noisy or whose clock is off get no jobs.
func TestUnfit(t *testing.T) {
	for _, tt := range []struct {
		a    wire.Agent
		want string
	}{
		{wire.Agent{Noise: 0.1}, ""}, {wire.Agent{Noise: -1}, ""}, {wire.Agent{Noise: 0.3}, "varies by 30 %"},
		{wire.Agent{Skew: time.Minute}, "off by 1m0s"}, {wire.Agent{Skew: -time.Hour}, "off by -1h0m0s"}, {wire.Agent{Skew: time.Second}, ""},
	} {
		if got := tt.a.Unfit(); (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("noise %v, skew %v: %q, want %q", tt.a.Noise, tt.a.Skew, got, tt.want)
		}
	}
}
