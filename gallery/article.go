package gallery

import (
	"fmt"
	"io/fs"
)

// An Article is a source of cases, as articles.json has it.
type Article struct {
	Key     string `json:"key"` // what a then.json calls it
	Title   string `json:"title"`
	Author  string `json:"author"`
	Year    int    `json:"year,omitempty"` // 0: not told
	URL     string `json:"url"`
	Read    string `json:"read,omitempty"` // the translation that was read
	Machine string `json:"machine"`        // what it tells of it
	Go      string `json:"go"`             // versions
	// Lines is how many benchmark and profile lines its tables have. One that the
	// next table repeats counts once.
	Lines int `json:"lines"`
	// Cases are in the order of what it measured.
	Cases []string `json:"cases"`
}

// Articles returns the sources of the cases, in the order in which they are shown.
func Articles() ([]Article, error) { return readArticles(Files) }

func readArticles(root fs.FS) (all []Article, err error) {
	err = readStrict(root, "articles.json", &all)
	return all, err
}

// Heading is like: So You Wanna Go Fast? (Tyler Treat, 2015).
func (a Article) Heading() string {
	if a.Year == 0 {
		return fmt.Sprintf("%s (%s)", a.Title, a.Author)
	}
	return fmt.Sprintf("%s (%s, %d)", a.Title, a.Author, a.Year)
}
