// Package e makes the same again for a text that stays the same.
package e

import (
	"hash/crc64"
	"io"
	"regexp"
	"strings"
	"text/template"
	"time"
)

// The fields of a Rule are set by other packages.
type Rule struct {
	Name, Pattern string
	last          *regexp.Regexp
}

// Set has rules.
type Set []Rule

// Redact is called for each line.
func (s Set) Redact(line string) string {
	for _, r := range s {
		line = regexp.MustCompile(r.Pattern).ReplaceAllString(line, r.Name) // want "what regexp.MustCompile makes here is the same for the same r.Pattern" // dearer "share: the package keeps up to 1000 of them" // refuse "once: r is a copy"
	}
	return line
}

func (r *Rule) holds(line string) (bool, error) {
	re, err := regexp.Compile("(?i)" + r.Pattern) // want "what regexp.Compile makes here is the same for the same" // refuse "once: other code may change Pattern"
	if err != nil {
		return false, err
	}
	return re.MatchString(line), nil
}

func matches(pattern, line string) (bool, error) {
	return regexp.MatchString(pattern, line) // want "what regexp.MatchString makes here is the same for the same pattern"
}

func matchesBytes(line []byte) bool {
	ok, _ := regexp.Match("^a+$", line) // want "what regexp.Match makes"
	return ok
}

func hour(zone string, t time.Time) (int, error) {
	loc, err := time.LoadLocation(zone) // want "what time.LoadLocation makes"
	if err != nil {
		return 0, err
	}
	return t.In(loc).Hour(), nil
}

func utc(t time.Time) int {
	loc, err := time.LoadLocation("UTC") // want "what time.LoadLocation makes"
	if err != nil {
		panic(err)
	}
	return t.In(loc).Hour()
}

// What is kept is made once for what keeps it.
type matcher struct{ re *regexp.Regexp }

func newMatcher(pattern string) (*matcher, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	return &matcher{re}, nil
}

func (m *matcher) set(pattern string) { m.re = regexp.MustCompile(pattern) }

func all(patterns []string) (res []*regexp.Regexp) {
	for _, p := range patterns {
		res = append(res, regexp.MustCompile(p))
	}
	return res
}

var current *regexp.Regexp

func setCurrent(pattern string) { current = regexp.MustCompile(pattern) }

func valid(pattern string) bool {
	_, err := regexp.Compile(pattern)
	return err == nil
}

func longest(pattern, line string) string {
	re := regexp.MustCompile(pattern)
	re.Longest()
	return re.FindString(line)
}

func greet(name string) string { return strings.NewReplacer("NAME", name).Replace("hello NAME") }

func checksum(p []byte, poly uint64) uint64 { return crc64.Checksum(p, crc64.MakeTable(poly)) }

type text string

func renamed(t text) bool { return regexp.MustCompile(string(t)).MatchString("a") } // want "what regexp.MustCompile makes"

func main() {}

var (
	helpers = template.FuncMap{"upper": strings.ToUpper}
	changed = template.FuncMap{}
)

func page(body, name string) string {
	var b strings.Builder
	t := template.Must(template.New("page").Funcs(helpers).Parse(body)) // want "makes here is the same for the same body"
	if err := t.Execute(&b, name); err != nil {
		return err.Error()
	}
	return b.String()
}

// Functions of the call, those that change, and templates that get more.
func pages(body, name string, base *template.Template) (err error) {
	changed[name] = strings.ToLower
	template.Must(template.New("f").Funcs(template.FuncMap{"name": func() string { return name }}).Parse(body)).Execute(io.Discard, name)
	template.Must(template.New("c").Funcs(changed).Parse(body)).Execute(io.Discard, name)
	template.Must(base.New("b").Parse(body)).Execute(io.Discard, name)
	more := template.Must(template.New("m").Parse(body))
	more, err = more.Parse(name)
	more.Execute(io.Discard, name)
	return err
}
