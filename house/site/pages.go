package main

import (
	"fmt"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A tree is the Markdown of a site: page by path.
type tree map[string]string

// A cause is an entry of the catalogue, as payoff explain -json has it.
type cause struct {
	Slug, Part, Title, What, Looks string
	Evidence                       []string
	Before, After, Do, Wrong       string
	Cures, See                     []string
	Edits                          []struct{ Check, Title, Edits string }
}

// sections are the site's parts in their order: what stands in each is a page of
// docs, or a folder whose pages are made.
var sections = []struct {
	title string
	pages []string // paths in the site
}{
	{"Start", []string{"index.md", "start.md", "read.md", "session.md"}},
	{"Use", []string{"commands.md", "verdicts.md", "fix.md", "try.md", "tune.md", "vet.md", "compare.md", "trace.md", "predict.md", "fleet.md", "machine.md", "record.md", "json.md", "agents.md"}},
	{"Causes", []string{"cause/index.md", "causes.md", "cause/"}},
	{"Checks", []string{"checks.md"}},
	{"Library", []string{"choosing.md", "library/"}},
	{"Method", []string{"method.md", "machines.md"}},
	{"The articles, then and now", []string{"articles.md", "gallery.md"}},
	{"Questions", []string{"faq.md", "glossary.md"}},
	{"For contributors", []string{"contributing.md", "architecture.md", "release.md", "security.md", "changelog.md"}},
}

// places are the site's pages of files that are not under docs.
var places = map[string]string{
	"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md", "CHANGELOG.md": "changelog.md",
}

// site makes the pages of the repository in root.
func site(root fs.FS, causes []cause) (tree, error) {
	from := maps.Clone(places)
	docs, err := fs.Glob(root, "docs/*.md")
	if err != nil {
		return nil, err
	}
	for _, d := range docs {
		from[d] = path.Base(d)
	}
	readmes, err := fs.Glob(root, "*/README.md")
	if err != nil {
		return nil, err
	}
	for _, r := range readmes {
		if pkg := path.Dir(r); pkg != "peers" {
			from[r] = "library/" + pkg + ".md"
		}
	}
	pages := tree{}
	for file, page := range from {
		text, err := fs.ReadFile(root, file)
		if err != nil {
			return nil, err
		}
		pages[page] = relink(string(text), file, page, from)
	}
	pages["cause/index.md"] = causeIndex(causes)
	for _, c := range causes {
		pages["cause/"+c.Slug+".md"] = causePage(c)
	}
	return pages, nil
}

func causeIndex(causes []cause) string {
	var b strings.Builder
	b.WriteString("# Causes\n\nWhy concurrency does not pay, or pays less than it could. `payoff explain` shows the same entries in a terminal; [how payoff explains](../causes.md) is the method.\n\n| Cause | | What usually helps |\n|---|---|---|\n")
	for _, c := range causes {
		fmt.Fprintf(&b, "| [%s](%s.md) | `%s` | %s |\n", c.Title, c.Slug, c.Slug, cell(c.Do))
	}
	return b.String()
}

func causePage(c cause) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n`%s`\n\n%s\n\n## How it looks\n\n%s\n\n## Evidence\n\n", c.Title, c.Slug, c.What, c.Looks)
	for _, e := range c.Evidence {
		fmt.Fprintf(&b, "- %s\n", e)
	}
	fmt.Fprintf(&b, "\n## Before\n\n```go\n%s\n```\n\n## After\n\n%s.\n\n```go\n%s\n```\n\n## When not\n\n%s\n", c.Before, strings.TrimSuffix(c.Do, "."), c.After, c.Wrong)
	if len(c.Cures) > 0 {
		fmt.Fprintf(&b, "\n## From the library\n\n`%s`\n", strings.Join(c.Cures, "`, `"))
	}
	if len(c.Edits) > 0 {
		b.WriteString("\n## Edits that payoff tries\n\n")
		for _, e := range c.Edits {
			fmt.Fprintf(&b, "- [`%s`](../checks.md#%s): %s. %s\n", e.Check, e.Check, e.Title, e.Edits)
		}
	}
	if len(c.See) > 0 {
		b.WriteString("\n## Sources\n\n")
		for _, s := range c.See {
			fmt.Fprintf(&b, "- %s\n", s)
		}
	}
	return b.String()
}

// listed is a check in the list of them.
var listed = regexp.MustCompile(`(?m)^\t+(\w+)\.Analyzer,$`)

// checksPage is docs/checks.md: the documentation of each package of a check, beneath a
// heading that links can name.
func checksPage(root fs.FS) (string, error) {
	list, err := fs.ReadFile(root, "tool/vet/vet.go")
	if err != nil {
		return "", err
	}
	var names []string
	for _, m := range listed.FindAllStringSubmatch(string(list), -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	names = slices.Compact(names)
	var table, sections strings.Builder
	for _, name := range names {
		text, err := packageDoc(root, "tool/vet/"+name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&table, "| [%s](#%s) | %s |\n", name, name, cell(strings.TrimPrefix(new(doc.Package).Synopsis(text), "Package "+name+" finds ")))
		fmt.Fprintf(&sections, "\n## %s\n\n%s", name, section(markdown(strings.Replace(text, "Package "+name+" finds", "It finds", 1))))
	}
	return fmt.Sprintf(checksHead, &table, &sections), nil
}

const checksHead = `# Checks

What [payoff vet](vet.md) looks for, and what [payoff fix](fix.md) may edit. Each section has the bad form and the good one, and what the bad one costs, as measured. Then come the evidence that the check asks for, its edits, and when not to take them. They are the documentation of the packages of [tool/vet](../tool/vet), put here by ` + "`go test ./house/site -run Checks -update`" + `.

<!-- from tool/vet -->
| Check | It finds |
|---|---|
%s%s
<!-- end -->
`

// section is a doc comment as a part of a page: its headings are bold, its code fenced.
func section(text string) string {
	var b strings.Builder
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if title, ok := strings.CutPrefix(lines[i], "## "); ok {
			fmt.Fprintf(&b, "**%s**\n", title)
			continue
		}
		if !strings.HasPrefix(lines[i], "\t") {
			b.WriteString(lines[i] + "\n")
			continue
		}
		end := i
		for j := i; j < len(lines) && (lines[j] == "" || lines[j][0] == '\t'); j++ {
			if lines[j] != "" {
				end = j
			}
		}
		b.WriteString("```go\n")
		for _, l := range lines[i : end+1] {
			b.WriteString(strings.TrimPrefix(l, "\t") + "\n")
		}
		b.WriteString("```\n")
		i = end
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// packageDoc is the documentation of the package in a folder.
func packageDoc(root fs.FS, dir string) (string, error) {
	files, err := fs.Glob(root, dir+"/*.go")
	if err != nil {
		return "", err
	}
	for _, file := range files {
		src, err := fs.ReadFile(root, file)
		if err != nil {
			return "", err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			return "", err
		}
		if text := f.Doc.Text(); text != "" {
			return text, nil
		}
	}
	return "", fmt.Errorf("no documentation of a package in %s", dir)
}

// markdown renders a doc comment.
func markdown(text string) string {
	p := &comment.Parser{LookupPackage: func(string) (string, bool) { return "", false }}
	pr := &comment.Printer{HeadingLevel: 2, HeadingID: func(*comment.Heading) string { return "" },
		DocLinkURL: func(l *comment.DocLink) string { return "https://pkg.go.dev/" + l.ImportPath }}
	return string(pr.Markdown(p.Parse(text)))
}

// cell makes a text fit for a cell of a table.
func cell(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", `\|`)
}

// config is mkdocs.yml: no fonts and no scripts of other hosts, two color schemes. It is
// tempting to give repo_url: the theme then asks GitHub for the number of stars.
func config(pages tree) string {
	var b strings.Builder
	b.WriteString(`site_name: payoff
site_description: Does concurrency pay here, why not, and what would?
extra:
  generator: false
  social:
    - {icon: fontawesome/brands/github, link: "https://github.com/gopayoff/payoff", name: The repository}
docs_dir: docs
use_directory_urls: false
theme:
  name: material
  font: false
  palette:
    - media: "(prefers-color-scheme: light)"
      scheme: default
      toggle: {icon: material/weather-night, name: Dark}
    - media: "(prefers-color-scheme: dark)"
      scheme: slate
      toggle: {icon: material/weather-sunny, name: Light}
  features: [navigation.tabs, navigation.indexes, navigation.top, content.code.copy]
plugins: [search]
extra_css: [theme/site.css]
extra_javascript: [theme/site.js]
markdown_extensions:
  - tables
  - fenced_code
  - toc: {permalink: true}
  - pymdownx.highlight
  - pymdownx.superfences
validation:
  links: {anchors: warn}
nav:
`)
	for _, s := range sections {
		var names []string
		for _, p := range s.pages {
			if dir, ok := strings.CutSuffix(p, "/"); ok {
				for _, q := range slices.Sorted(maps.Keys(pages)) {
					if path.Dir(q) == dir && !slices.Contains(s.pages, q) {
						names = append(names, q)
					}
				}
			} else if _, ok := pages[p]; ok {
				names = append(names, p)
			}
		}
		if len(names) > 0 {
			fmt.Fprintf(&b, "  - %q:\n", s.title)
		}
		for _, n := range names {
			fmt.Fprintf(&b, "    - %s\n", n)
		}
	}
	return b.String()
}
