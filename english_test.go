package payoff

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

var rewrite = flag.String("english", "", "write house/english.txt: `lower` the counts to what is there, or raise them, for which the commit needs a reason")

// granted is the list of flaws that stand: file, rule, count, and why.
const granted = "house/english.txt"

// TestEnglish: public text keeps to what a machine can see of how we write. What is
// there besides is in house/english.txt, whose counts only go down.
func TestEnglish(t *testing.T) {
	if _, err := os.Stat("tool/go.mod"); err != nil {
		t.Skip("this is the library alone")
	}
	x, err := here()
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := readGrants(x.read(granted))
	if err != nil {
		t.Fatal(err)
	}
	if *rewrite != "" {
		text := lowered(x.read(granted), count(x.flaws()))
		if *rewrite == "raise" {
			text = raised(text, count(x.flaws()))
		}
		if err := os.WriteFile(granted, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, problem := range ungranted(x.flaws(), allowed) {
		t.Error(problem)
	}
}

// A flaw is a place in public text that a rule of English does not like.
type flaw struct {
	file string
	line int
	rule string // "people", "word", "long" or "passive"
	text string // the word, or the sentence
}

// A grant is how often a file may break a rule.
type grant struct{ file, rule string }

var (
	// people are words for people. Code, goroutines and machines are "that" and "which";
	// "whose" is left out, as Go's own documentation has it of types and functions.
	people = regexp.MustCompile(`(?i)\b(who|whom|whoever|(no|some|any|every)(body|one))\b`)

	// foreign are words and turns that the style guide replaces by the field's own.
	foreign = regexp.MustCompile(`(?i)\b(of late|the likes? of|shall|toll|chores?|guests?|fate|chemists?|turmoil|hungry|eats?|time has come)\b`)

	passive = regexp.MustCompile(`(?i)\b(is|are|was|were|be|been|being) ((not|also|then|only|never|always|\w+ly) )?(\w\w+ed|begun|bought|bound|brought|built|caught|chosen|cut|done|drawn|found|given|held|kept|known|left|lost|made|meant|paid|put|read|said|seen|sent|set|shown|spent|split|taken|thrown|told|understood|woken|won|written)\b`)

	ending = regexp.MustCompile(`[.!?]["”’)*]*\s+`)
	word   = regexp.MustCompile(`[\pL\pN]`)
)

// The longest sentence of reference documents, and how many passives it may have.
const (
	longest      = 25
	mostPassives = 1
)

// flaws are those of the documents, of what go doc says, and of what the tool prints.
func (x *tree) flaws() (all []flaw) {
	for _, doc := range x.docs {
		if x.reference(doc) {
			for _, p := range prose(x.read(doc)) {
				all = append(all, p.flaws(doc, true)...)
			}
		}
	}
	for _, f := range x.files {
		if strings.HasSuffix(f.name, "_test.go") {
			continue
		}
		if x.public(f.name) {
			for _, p := range comments(f.name, x.read(f.name)) {
				all = append(all, p.flaws(f.name, true)...)
			}
		}
		if strings.HasPrefix(f.name, "tool/") {
			for _, p := range messages(x.read(f.name)) {
				all = append(all, p.flaws(f.name, false)...)
			}
		}
	}
	return all
}

// reference reports whether a document is one that users and contributors read: not a
// record, not what was, and no protocol.
func (x *tree) reference(doc string) bool {
	switch dir := path.Dir(doc); {
	case dir == ".":
		return doc != "CHANGELOG.md"
	case dir == "docs":
		return true
	default:
		return !strings.Contains(dir, "/") && path.Base(doc) == "README.md"
	}
}

// public reports whether go doc shows the package of a file to those who import it, or
// to those who look up a check or a case.
func (x *tree) public(file string) bool {
	dir := path.Dir(file)
	for _, e := range strings.Split(dir, "/") {
		if e == "internal" || e == "house" || e == "peers" {
			return false
		}
	}
	return true
}

// A passage is text without marks: a paragraph, an item of a list, a cell of a table.
type passage struct {
	line int
	text string
}

// flaws are those of a passage. Sentences are counted in reference text only: a message
// has the length of its names.
func (p passage) flaws(file string, reference bool) (all []flaw) {
	for rule, pattern := range map[string]*regexp.Regexp{"people": people, "word": foreign} {
		for _, w := range pattern.FindAllString(p.text, -1) {
			all = append(all, flaw{file, p.line, rule, w})
		}
	}
	if !reference {
		return all
	}
	for _, s := range sentences(p.text) {
		if n := len(slices.DeleteFunc(strings.Fields(s), func(w string) bool { return !word.MatchString(w) })); n > longest {
			all = append(all, flaw{file, p.line, "long", fmt.Sprintf("%d words: %s", n, s)})
		}
		if len(passive.FindAllString(s, -1)) > mostPassives {
			all = append(all, flaw{file, p.line, "passive", s})
		}
	}
	return all
}

// sentences splits a passage where a sentence ends and what follows begins one: with no
// lower-case letter, or with the name of the tool.
func sentences(text string) (all []string) {
	from := 0
	for _, m := range ending.FindAllStringIndex(text, -1) {
		if next := text[m[1]:]; lowerCase.MatchString(next) && !strings.HasPrefix(next, "payoff") {
			continue
		}
		all = append(all, strings.TrimSpace(text[from:m[1]]))
		from = m[1]
	}
	if rest := strings.TrimSpace(text[from:]); rest != "" {
		all = append(all, rest)
	}
	return all
}

var (
	lowerCase = regexp.MustCompile(`^\p{Ll}`)
	listItem  = regexp.MustCompile(`^\s*([-*]|\d+\.)\s+`)
	image     = regexp.MustCompile(`!\[([^\]]*)\]\([^)]*\)`)
	linked    = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	entity    = regexp.MustCompile(`<!--.*?-->`)
)

// prose are the passages of a document: what stands outside of code, and of what is
// spliced in from elsewhere.
func prose(text string) (all []passage) {
	now := passage{}
	flush := func() {
		if now.text != "" {
			all = append(all, passage{now.line, plain(now.text)})
		}
		now = passage{}
	}
	fenced, spliced := false, false
	for i, l := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(trimmed, "```"):
			flush()
			fenced = !fenced
		case fenced:
		case trimmed == "<!-- end -->":
			spliced = false
		case strings.HasPrefix(trimmed, "<!-- ") && strings.HasSuffix(trimmed, " -->") && strings.Contains(text[strings.Index(text, trimmed):], "<!-- end -->"):
			flush()
			spliced = true
		case spliced:
		case trimmed == "":
			flush()
		case strings.HasPrefix(l, "#"):
			flush()
			all = append(all, passage{i + 1, plain(strings.TrimLeft(l, "# "))})
		case strings.HasPrefix(trimmed, "|"):
			flush()
			for _, cell := range strings.Split(code.ReplaceAllString(trimmed, "`x`"), "|") {
				if word.MatchString(cell) {
					all = append(all, passage{i + 1, plain(cell)})
				}
			}
		case now.text == "" && (strings.HasPrefix(l, "    ") || strings.HasPrefix(l, "\t")) && !listItem.MatchString(l):
			// code that is indented
		case listItem.MatchString(l):
			flush()
			now = passage{i + 1, listItem.ReplaceAllString(l, "")}
		case now.text == "":
			now = passage{i + 1, trimmed}
		default:
			now.text += " " + trimmed
		}
	}
	flush()
	return all
}

// plain is text without marks; code counts as one word.
func plain(text string) string {
	text = entity.ReplaceAllString(text, "")
	text = image.ReplaceAllString(text, "$1")
	text = linked.ReplaceAllString(text, "$1")
	text = code.ReplaceAllString(text, "X")
	return strings.NewReplacer("**", "", "*", "", "_", " ").Replace(text)
}

// comments are the passages of what go doc shows of a file.
func comments(name, src string) (all []passage) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil // a compiler says it better
	}
	add := func(c *ast.CommentGroup) {
		if c == nil {
			return
		}
		line := fset.Position(c.Pos()).Line
		var blocks func([]comment.Block)
		blocks = func(bs []comment.Block) {
			for _, b := range bs {
				switch b := b.(type) {
				case *comment.Paragraph:
					all = append(all, passage{line, spoken(b.Text)})
				case *comment.Heading:
					all = append(all, passage{line, spoken(b.Text)})
				case *comment.List:
					for _, item := range b.Items {
						blocks(item.Content)
					}
				}
			}
		}
		blocks(new(comment.Parser).Parse(c.Text()).Content)
	}
	add(f.Doc)
	if f.Name.Name == "main" {
		return all
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && (d.Recv == nil || exportedReceiver(d.Recv)) {
				add(d.Doc)
			}
		case *ast.GenDecl:
			shown := false
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						shown = true
						add(s.Doc)
						fields(s.Type, add)
					}
				case *ast.ValueSpec:
					if s.Names[0].IsExported() {
						shown = true
						add(s.Doc)
						add(s.Comment)
					}
				}
			}
			if shown {
				add(d.Doc)
			}
		}
	}
	return all
}

// fields adds the comments of a type's exported fields or methods.
func fields(of ast.Expr, add func(*ast.CommentGroup)) {
	var list *ast.FieldList
	switch t := of.(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		list = t.Methods
	default:
		return
	}
	for _, f := range list.List {
		if len(f.Names) == 0 || f.Names[0].IsExported() {
			add(f.Doc)
			add(f.Comment)
		}
	}
}

// exportedReceiver reports whether a method is one of an exported type.
func exportedReceiver(recv *ast.FieldList) bool {
	name := "" // the first one: type parameters follow
	ast.Inspect(recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return true
	})
	return ast.IsExported(name)
}

// spoken is the text of a comment as it is read.
func spoken(text []comment.Text) string {
	var b strings.Builder
	for _, t := range text {
		switch t := t.(type) {
		case comment.Plain:
			b.WriteString(string(t))
		case comment.Italic:
			b.WriteString(string(t))
		case *comment.Link:
			b.WriteString(spoken(t.Text))
		case *comment.DocLink:
			b.WriteString(spoken(t.Text))
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// messages are the strings of a source file that have words in them.
func messages(src string) (all []passage) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, []byte(src), func(token.Position, string) {}, 0)
	for {
		switch pos, tok, lit := s.Scan(); tok {
		case token.EOF:
			return all
		case token.STRING:
			if text, err := strconv.Unquote(lit); err == nil && strings.Contains(text, " ") {
				all = append(all, passage{file.Line(pos), text})
			}
		}
	}
}

// count is how many flaws there are of each kind in each file.
func count(all []flaw) map[grant]int {
	n := map[grant]int{}
	for _, f := range all {
		n[grant{f.file, f.rule}]++
	}
	return n
}

// readGrants reads the list: lines of file, rule, count, and for words the reason.
func readGrants(text string) (map[grant]int, error) {
	all := map[grant]int{}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0][0] == '#' {
			continue
		}
		if len(f) < 3 {
			return nil, fmt.Errorf("%s: %q is no file, rule and count", granted, strings.TrimSpace(line))
		}
		n, err := strconv.Atoi(f[2])
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%s: %s: %q is no count", granted, f[0], f[2])
		}
		if (f[1] == "people" || f[1] == "word") && len(f) == 3 {
			return nil, fmt.Errorf("%s: %s %s: say why", granted, f[0], f[1])
		}
		all[grant{f[0], f[1]}] = n
	}
	return all, nil
}

// ungranted says where there is more than is granted, and where less.
func ungranted(flaws []flaw, allowed map[grant]int) (problems []string) {
	n := count(flaws)
	for _, f := range flaws {
		if g := (grant{f.file, f.rule}); n[g] > allowed[g] {
			problems = append(problems, fmt.Sprintf("%s:%d: %s: %s (%d, granted %d)", f.file, f.line, f.rule, f.text, n[g], allowed[g]))
		}
	}
	for _, g := range slices.SortedFunc(maps.Keys(allowed), byFile) {
		if n[g] < allowed[g] {
			problems = append(problems, fmt.Sprintf("%s grants %s %d of %s, of which %d are there: go test . -run TestEnglish -english lower", granted, g.file, allowed[g], g.rule, n[g]))
		}
	}
	return problems
}

// lowered is the list with the counts that went down.
func lowered(text string, n map[grant]int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 3 || f[0][0] == '#' {
			b.WriteString(line)
			continue
		}
		old, _ := strconv.Atoi(f[2])
		if now := min(old, n[grant{f[0], f[1]}]); now > 0 {
			b.WriteString(strings.Join(slices.Concat(f[:2], []string{strconv.Itoa(now)}, f[3:]), " ") + "\n")
		}
	}
	return b.String()
}

// raised is the list with the counts that went up, and those of files that are new.
func raised(text string, n map[grant]int) string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	head := 0
	for head < len(lines) && strings.HasPrefix(lines[head], "#") {
		head++
	}
	why := map[grant]string{}
	for _, line := range lines[head:] {
		if f := strings.Fields(line); len(f) > 3 {
			why[grant{f[0], f[1]}] = strings.Join(f[3:], " ")
		}
	}
	var b strings.Builder
	b.WriteString(strings.Join(lines[:head], ""))
	for _, g := range slices.SortedFunc(maps.Keys(n), byFile) {
		reason := why[g]
		if reason == "" && (g.rule == "people" || g.rule == "word") {
			reason = "to be mended"
		}
		b.WriteString(strings.TrimRight(fmt.Sprintf("%s %s %d %s", g.file, g.rule, n[g], reason), " ") + "\n")
	}
	return b.String()
}

func byFile(a, b grant) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.rule, b.rule))
}

// Each planted flaw is found where it stands, and nothing in code, in what is spliced
// in, in what is internal, and in what is not exported.
func TestPlantedEnglish(t *testing.T) {
	words := func(n int) string { return "W" + strings.Repeat(" w", n-1) }
	sound := map[string]string{
		"go.mod":               "module m\n",
		"README.md":            "# x\n\nIt does what is asked. " + words(25) + ".\n\n```\n" + words(30) + " who\n```\n\n<!-- from record/x -->\n" + words(30) + " who\n<!-- end -->\n\n| " + words(20) + " | " + words(20) + " `a|b` |\n\n- " + words(20) + "\n- " + words(20) + "\n\n[" + words(2) + "](who.md) `who` is made.\n",
		"q/q.go":               "// Package q is a queue.\n//\n//\tfor who := range nobody {\n//\t}\npackage q\n\n// t is for whom it is.\ntype t int\n\n// Do is not for whoever.\nfunc (t) Do() {}\n",
		"internal/a.go":        "// Package a is for somebody.\npackage a\n",
		"CHANGELOG.md":         "# c\n\n" + words(30) + ".\n",
		"tool/go.mod":          "module m/tool\n",
		"tool/internal/b/b.go": "// Package b is for somebody.\npackage b\n\nvar s = \"" + words(30) + ", which was made and was seen\"\nvar who = \"who\"\n",
	}
	for _, plant := range []struct {
		file, old, new string
		want           []string // found besides, as "file:line: rule"
	}{
		{"", "", "", nil},
		{"README.md", "what is asked", "whoever asks, whose turn it is", []string{"README.md:3: people"}},
		{"README.md", words(25) + ".", words(26) + ".", []string{"README.md:3: long"}},
		{"README.md", "what is asked", "what is asked and was quickly written", []string{"README.md:3: passive"}},
		{"README.md", "| " + words(20), "| " + words(20) + " shall eat", []string{"README.md:13: word", "README.md:13: word"}},
		{"README.md", "# x", "# Who takes it", []string{"README.md:1: people"}},
		{"q/q.go", "a queue.", "a queue for anybody.", []string{"q/q.go:1: people"}},
		{"q/q.go", "// t is for whom it is.\ntype t int", "// T is for whom it is.\ntype T int", []string{"q/q.go:7: people"}},
		{"q/q.go", "(t) Do", "(*T[E]) Do", []string{"q/q.go:10: people"}},
		{"tool/internal/b/b.go", "\"who\"", "\"who took it\"", []string{"tool/internal/b/b.go:5: people"}},
		{"docs/d.md", "", words(13) + ". " + words(13) + " payoff v1.2 " + words(11) + "\n" + words(2) + "\n", []string{"docs/d.md:1: long"}},
	} {
		files := maps.Clone(sound)
		if plant.old != "" && !strings.Contains(files[plant.file], plant.old) {
			t.Fatalf("%s has no %q to change", plant.file, plant.old)
		}
		if plant.file != "" {
			files[plant.file] = strings.Replace(files[plant.file], plant.old, plant.new, 1)
		}
		root := fstest.MapFS{}
		for name, text := range files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		x, err := readTree(root)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range x.flaws() {
			got = append(got, fmt.Sprintf("%s:%d: %s", f.file, f.line, f.rule))
		}
		if !slices.Equal(got, plant.want) {
			t.Errorf("%s with %q: flaws %q, want %q", plant.file, plant.new, got, plant.want)
		}
	}
}

// TestGrants: what is granted is no flaw, one more is, and one less lowers the count.
func TestGrants(t *testing.T) {
	const list = "# why\n\na.md people 2 a reader\na.md long 1\n"
	allowed, err := readGrants(list)
	if err != nil {
		t.Fatal(err)
	}
	who := flaw{"a.md", 3, "people", "who"}
	long := flaw{"a.md", 4, "long", "26 words: x"}
	for _, c := range []struct {
		flaws []flaw
		want  int
	}{
		{[]flaw{who, who, long}, 0},
		{[]flaw{who, who, who, long}, 3},
		{[]flaw{who, long}, 1},
		{[]flaw{who, who, long, {"b.md", 1, "long", "x"}}, 1},
		{nil, 2},
	} {
		if got := ungranted(c.flaws, allowed); len(got) != c.want {
			t.Errorf("%d flaws: %q, want %d problems", len(c.flaws), got, c.want)
		}
	}
	if got, want := lowered(list, count([]flaw{who})), "# why\n\na.md people 1 a reader\n"; got != want {
		t.Errorf("lowered: %q, want %q", got, want)
	}
	if got, want := raised(list, count([]flaw{who, long, long, {"b.md", 1, "word", "toll"}})), "# why\na.md long 2\na.md people 1 a reader\nb.md word 1 to be mended\n"; got != want {
		t.Errorf("raised: %q, want %q", got, want)
	}
	for _, bad := range []string{"a.md people 2\n", "a.md long\n", "a.md long 0\n", "a.md long x\n"} {
		if _, err := readGrants(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}
