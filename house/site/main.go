// Site makes the documentation as a site: the pages under docs, the READMEs of the
// library, a page for each cause of the catalogue and for each check, as input of
// MkDocs with its Material theme, which add the search.
//
//	go run ./house/site -o DIR
//	pip install -r house/site/requirements.txt
//	mkdocs build --strict -f DIR/mkdocs.yml
//
// It runs in the root of the repository, and builds payoff to ask it for the causes.
// The pages ask nothing of other hosts.
package main

import (
	"embed"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
)

// theme mends the theme: it is copied beside the pages.
//
//go:embed theme
var theme embed.FS

func main() {
	out := flag.String("o", "", "write the site's sources to `dir`, which is made")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := write(*out); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func write(dir string) error {
	causes, err := catalogue()
	if err != nil {
		return err
	}
	pages, err := site(os.DirFS("."), causes)
	if err != nil {
		return err
	}
	if broken := pages.broken(); len(broken) > 0 {
		return fmt.Errorf("links that lead nowhere: %v", broken)
	}
	for name, text := range pages {
		file := filepath.Join(dir, "docs", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return err
		}
	}
	for name, files := range map[string]fs.FS{filepath.Join("docs", "img"): os.DirFS(filepath.Join("docs", "img")), "docs": theme} {
		if err := copyFiles(filepath.Join(dir, name), files); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "mkdocs.yml"), []byte(config(pages)), 0o666)
}

// copyFiles writes pictures, styles and scripts to a folder.
func copyFiles(dir string, from fs.FS) error {
	return fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".png", ".svg", ".css", ".js"}, path.Ext(name)) {
			return err
		}
		data, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o666)
	})
}

// catalogue asks payoff for its causes.
func catalogue() ([]cause, error) {
	cmd := exec.Command("go", "run", "./tool/cmd/payoff", "explain", "-json")
	cmd.Stderr = os.Stderr
	data, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("payoff explain -json: %w", err)
	}
	var causes []cause
	if err := json.Unmarshal(data, &causes); err != nil {
		return nil, fmt.Errorf("payoff explain -json: %w", err)
	}
	return causes, nil
}
