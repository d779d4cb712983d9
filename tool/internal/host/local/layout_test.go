package local_test

import (
	"errors"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/host/local"
)

// That a linker knows no orders of functions is told in words, not by its usage.
func TestUnordered(t *testing.T) {
	other := &host.Fault{Reason: "link: no space left"}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&host.Fault{Reason: "flag provided but not defined: -randlayout; usage: link [options] main.o; -B note; and 70 more lines"}, "the linker of go1.20 cannot put functions into another order, which newer ones can"},
		{other, other.Reason},
	} {
		got := local.Unordered(tt.err, "go1.20")
		if fault := (*host.Fault)(nil); !errors.As(got, &fault) || got.Error() != tt.want {
			t.Errorf("%v: %v, want %s", tt.err, got, tt.want)
		}
	}
}
