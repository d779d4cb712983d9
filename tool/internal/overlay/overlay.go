// Package overlay answers "what if the code were different" without touching
// a file of the user: new contents for paths, handed to the go command's
// -overlay flag.
//
// It is the wrong tool for files beneath the module cache, which the go
// command refuses to replace. Writing one costs a few small files; a build
// under it is cached like any other.
package overlay

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// An Overlay maps absolute paths to the contents the go command shall see
// there. A nil value hides the file. The zero Overlay replaces nothing.
type Overlay map[string][]byte

// Write stores the contents and the JSON that maps them under dir, which must
// exist and should lie outside every package, and returns the path for
// -overlay. The same contents give the same builds, so Go's cache serves them.
func (o Overlay) Write(dir string) (string, error) {
	replace := make(map[string]string, len(o))
	i := 0
	for path, content := range o {
		if !filepath.IsAbs(path) {
			return "", fmt.Errorf("overlay %s: not an absolute path", path)
		}
		if content == nil {
			replace[path] = ""
			continue
		}
		i++
		file, err := filepath.Abs(filepath.Join(dir, fmt.Sprintf("%d-%s", i, filepath.Base(path))))
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(file, content, 0o600); err != nil {
			return "", fmt.Errorf("overlay: %w", err)
		}
		replace[path] = file
	}
	data, err := json.Marshal(struct{ Replace map[string]string }{replace})
	if err != nil {
		return "", err
	}
	index, err := filepath.Abs(filepath.Join(dir, "overlay.json"))
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(index, data, 0o600); err != nil {
		return "", fmt.Errorf("overlay: %w", err)
	}
	return index, nil
}
