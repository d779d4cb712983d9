// Package d makes the same again and again.
package d

import (
	"encoding/base64"
	"fmt"
	"hash/crc64"
	htmlpage "html/template"
	"regexp"
	"strings"
	"text/template"
)

func words(lines []string) (n int) {
	for _, l := range lines {
		word := regexp.MustCompile(`[a-z]+`) // want "what regexp.MustCompile makes here is the same each time" // dearer "share: each program that has the package makes it when it starts"
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

// Pattern may be set by others.
var Pattern = "z+"

func zeds(s string) bool { return regexp.MustCompile(Pattern).MatchString(s) } // want "what regexp.MustCompile makes here is the same for the same Pattern" // dearer "share: the package keeps up to 1000 of them"

func partly(s, old string) string { return strings.NewReplacer(old, "b").Replace(s) }

func (p *parser) init(s string) bool {
	return regexp.MustCompile("i").MatchString(s + p.sep) // want "regexp.MustCompile makes"
}

func main() {
	if regexp.MustCompile("m").MatchString("m") { // want "regexp.MustCompile makes"
		return
	}
}

func (p *parser) expression() *regexp.Regexp {
	return regexp.MustCompile("[a-z]") // want "regexp.MustCompile makes" // refuse "share: other code may get what expression returns"
}

func aside(s string) bool {
	re := /* of the word */ regexp.MustCompile("w") // want "regexp.MustCompile makes"
	return re.MatchString(s)
}

func umlaut(s string) bool {
	Ärger := regexp.MustCompile("u") // want "regexp.MustCompile makes"
	return Ärger.MatchString(s)
}

func taken(s string) string {
	error := "e"
	re, err := regexp.Compile("t") // want "regexp.Compile makes" // refuse "share: its error is not assigned to a variable"
	return error + fmt.Sprint(err, re.MatchString(s))
}

func unmarshaled(s string) bool {
	re := regexp.MustCompile("u") // want "regexp.MustCompile makes" // refuse "share: UnmarshalText may change it"
	ok := re.MatchString(s)
	re.UnmarshalText([]byte("v"))
	return ok
}

func byKey(k, s string) bool {
	all := map[string]*regexp.Regexp{k: regexp.MustCompile("k")} // want "regexp.MustCompile makes" // refuse "share: it is kept or passed on"
	all[k].Longest()
	return all[k].MatchString(s)
}

func fromFiles(s string) (r string) {
	defer func() { r = fmt.Sprint(recover()) }()
	return template.Must(template.New("a").ParseFiles("none")).Name() + s
}

func newPage(name string) *template.Template { return template.New(name+"x").Delims("<", ">") }

func made(s string) string { return template.Must(newPage("a").Parse("m")).Name() + s }

func musted(s string) string {
	t := template.Must(template.New("a").Parse("m")) // want "template.Must makes" // refuse "share: Must may change it"
	template.Must(t, nil).Parse("n" + s)
	return t.Name()
}

func sized(s string) int {
	return base64.NewEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_").EncodedLen(3) + len(s) // want "base64.NewEncoding makes"
}

func shown(s string) string {
	enc := base64.NewEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") // want "base64.NewEncoding makes" // refuse "share: Sprint may change it"
	return fmt.Sprint(enc) + s
}

func funcs(s string) (r string) {
	defer func() { r = fmt.Sprint(recover()) }()
	return template.New("a").Funcs(template.FuncMap{"f": 1}).Name() // want "the map that is made here" // refuse "share: Funcs may change it"
}

func empty(s string) int { return map[string]int{}[s] }

func varying(s string) int { return map[string]int{"a": len(s)}[s] }

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

func whys(s string) bool { return regexp.MustCompile(changed).MatchString(s) } // want "for the same changed"

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
