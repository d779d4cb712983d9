package traps

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/vet"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

// Programs that look hot and are full of traps print the same with every edit
// that any check offers.
func TestTraps(t *testing.T) {
	if !stress.Long() {
		t.Skip("builds a program for each edit: PAYOFF_LONG=1")
	}
	dirs, err := os.ReadDir(filepath.Join("testdata", "src"))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		t.Run(d.Name(), func(t *testing.T) {
			shapetest.Traps(t, vet.All(), filepath.Join("testdata", "src", d.Name()))
		})
	}
}
