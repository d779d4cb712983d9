package twintest

import (
	"fmt"
	"os"

	"github.com/gopayoff/payoff/tool/internal/patch"
)

// Golden returns what an edit makes of a file's text, by its golden: a diff.
func Golden(golden string, text []byte) ([]byte, error) {
	diff, err := os.ReadFile(golden)
	if err != nil {
		return nil, err
	}
	changes, err := patch.Read(".", string(diff), func(string) (string, error) { return string(text), nil })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", golden, err)
	}
	return []byte(changes[0].After), nil
}
