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
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

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
	img := filepath.Join("docs", "img")
	err = filepath.WalkDir(img, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(p) != ".png" && filepath.Ext(p) != ".svg" {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, p)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o666)
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "mkdocs.yml"), []byte(config(pages)), 0o666)
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
