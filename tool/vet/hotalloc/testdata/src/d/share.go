// Package d makes the same again and again.
package d

import (
	"encoding/base64"
	"hash/crc64"
	htmlpage "html/template"
	"regexp"
	"strings"
	"text/template"
)

func words(lines []string) (n int) {
	for _, l := range lines {
		word := regexp.MustCompile(`[a-z]+`) // want "what regexp.MustCompile makes here is the same each time"
		n += len(word.FindAllString(l, -1))
	}
	return n
}

// Clean is called for each item, from another package.
func Clean(s string) string {
	re := regexp.MustCompile("[^a-z]")    // want "regexp.MustCompile makes here is the same"
	again := regexp.MustCompile("[^a-z]") // want "regexp.MustCompile makes here is the same"
	return again.ReplaceAllString(re.ReplaceAllString(s, "-"), "_")
}

type parser struct{ sep string }

func (p *parser) digits(s string) []string {
	const pattern = "[0-9]+"                                      // the function's own
	return regexp.MustCompile(pattern).FindAllString(s+p.sep, -1) // want "regexp.MustCompile makes"
}

var pattern = "x+"

func exes(s string) bool { return regexp.MustCompile(pattern).MatchString(s) } // want "regexp.MustCompile makes"

var changed = "y+"

// SetPattern changes what the expression is made of.
func SetPattern(s string) { changed = s }

func whys(s string) bool { return regexp.MustCompile(changed).MatchString(s) }

func bad(s string) bool {
	if s == "no" {
		return regexp.MustCompile("(").MatchString(s)
	}
	return strings.NewReplacer("a").Replace(s) == s
}

func checked(s string) (bool, error) {
	re, err := regexp.Compile("^a") // want "regexp.Compile makes"
	if err != nil {
		return false, err
	}
	end, _ := regexp.CompilePOSIX("b$") // want "regexp.CompilePOSIX makes"
	return re.MatchString(s) && end.MatchString(s), nil
}

func compiles() (*regexp.Regexp, error) {
	return regexp.Compile("^a") // want "regexp.Compile makes" // refuse "share: its error is not assigned to a variable"
}

func longest(s string) string {
	re := regexp.MustCompile("a|ab") // want "regexp.MustCompile makes" // refuse "share: Longest may change it"
	re.Longest()
	return re.FindString(s)
}

func escape(s string) string {
	r := strings.NewReplacer("<", "&lt;", ">", "&gt;") // want "strings.NewReplacer makes"
	return r.Replace(s)
}

func spread(s string, pairs []string) string { return strings.NewReplacer(pairs...).Replace(s) }

func greet(name string) string {
	var b strings.Builder
	t := template.Must(template.New("greet").Parse("Hello {{.}}")) // want "template.Must makes"
	t.Execute(&b, name)
	return b.String()
}

func greetHTML(name string) string {
	var b strings.Builder
	htmlpage.Must(htmlpage.New("greet").Parse("<b>{{.}}</b>")).Execute(&b, name) // want "htmlpage.Must makes"
	return b.String()
}

func widened(name string) string {
	var b strings.Builder
	t := template.Must(template.New("greet").Parse("Hello {{.}}")) // want "template.Must makes" // refuse "share: Parse may change it"
	t = template.Must(t.Parse("Bye {{.}}"))
	t.Execute(&b, name)
	return b.String()
}

func unparsed(name string) (err error) {
	defer func() { recover() }()
	return template.Must(template.New("greet").Parse("{{upper .}}")).Execute(nil, name)
}

func sum(p string) uint64 {
	table := crc64.MakeTable(0xa17870f5d4f51b49) // want "crc64.MakeTable makes"
	return crc64.Checksum([]byte(p), table) + table[1]
}

func spoilt(p string) uint64 {
	table := crc64.MakeTable(0xa17870f5d4f51b49) // want "crc64.MakeTable makes" // refuse "share: it is kept or passed on"
	table[0]++
	return crc64.Checksum([]byte(p), table)
}

func coded(s string) string {
	enc := base64.NewEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_").WithPadding(base64.NoPadding) // want "base64.NewEncoding makes"
	return enc.EncodeToString([]byte(s))
}

func cost(s string) (n int) {
	costs := map[string]int{"a": 1, "b": 2} // want "the map that is made here is the same each time"
	for _, r := range s {
		n += costs[string(r)]
	}
	return n + len(costs)
}

func counted(s string) int {
	counts := map[string]int{"a": 0} // want "the map that is made here" // refuse "share: it is kept or passed on"
	for _, r := range s {
		(counts[string(r)])++
	}
	return counts["a"]
}

func cleared(s string) int {
	marks := map[string]int{"a": 1} // want "the map that is made here" // refuse "share: it is kept or passed on"
	delete(marks, s)
	return len(marks)
}

func own(s string) int {
	type key string
	return map[key]int{"a": 1}[key(s)] // want "the map that is made here" // refuse "share: key is the function's own"
}

func commented(s string) bool {
	return regexp.MustCompile( // want "regexp.MustCompile makes" // refuse "share: a comment stands in it"
		"a").MatchString(s)
}
