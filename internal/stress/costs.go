package stress

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

const costsHead = "## What each call costs"

// Costs holds the table under "What each call costs" in the package's README.md to what is
// so: a row's first cell names a call, by the text of the cell, and its second says how
// often that allocates. Each row is to have a call, and each call a row.
func Costs(t *testing.T, calls map[string]func()) {
	t.Helper()
	if Race {
		t.Skip("the race detector allocates, and makes pools forget")
	}
	if strconv.IntSize < 64 {
		t.Skip("the tables are of processors with 64 bits: pages of numbers are others with 32")
	}
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	stated := costs(string(data))
	for name, call := range calls {
		want, ok := stated[name]
		if !ok {
			t.Errorf("README.md does not say what %s costs: %v allocations", name, testing.AllocsPerRun(1000, call))
			continue
		}
		// What runs beside this test allocates too, and a call that was interrupted may cost
		// more for some that follow.
		got := math.Inf(1)
		for try := 0; got > want && try < 200; try++ {
			got = min(got, testing.AllocsPerRun(1000, call))
		}
		if got != want {
			t.Errorf("%s allocates %v times, and README.md says %v", name, got, want)
		}
	}
	for name := range stated {
		if calls[name] == nil {
			t.Errorf("README.md says what %s costs, which is not tested", name)
		}
	}
}

// costs returns the second cells of the table by the first ones.
func costs(text string) map[string]float64 {
	stated := make(map[string]float64)
	_, text, _ = strings.Cut(text, costsHead+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	for line := range strings.Lines(text) {
		cells := strings.Split(line, " | ")
		if n, err := strconv.ParseFloat(cells[min(1, len(cells)-1)], 64); err == nil && len(cells) > 2 {
			stated[strings.TrimPrefix(cells[0], "| ")] = n
		}
	}
	return stated
}
