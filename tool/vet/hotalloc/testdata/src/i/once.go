// Package i makes the same again for each object.
package i

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"text/template"
	"time"
)

func newRule(name, pattern string) *rule {
	r := new(rule)
	r.name, r.pattern = name, pattern
	return r
}

func (r *rule) match(s string) bool {
	return regexp.MustCompile("(?i)" + regexp.QuoteMeta(r.pattern)).MatchString(s) // want "what regexp.MustCompile makes here is the same for the same r" // dearer "once: each of them keeps what it made"
}

func first(rules []*rule, s string) string {
	for _, r := range rules {
		if re, err := regexp.Compile(r.pattern); err == nil && re.MatchString(s) { // want "regexp.Compile makes"
			return r.name
		}
	}
	return ""
}

// A Form is filled for each name.
type Form struct {
	name, source string
	funcs        template.FuncMap
}

// NewForm says what is wrong with a source.
func NewForm(name, source string) (*Form, error) {
	f := &Form{name: name, source: source, funcs: template.FuncMap{"upper": strings.ToUpper}}
	if _, err := f.parse(); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *Form) parse() (*template.Template, error) {
	return template.New(f.name).Funcs(f.funcs).Option("missingkey=error").Parse(f.source) // want "Parse makes here is the same for the same f"
}

// Fill fills it.
func (f *Form) Fill(w io.Writer, name string) error {
	t, err := f.parse()
	if err != nil {
		return err
	}
	return t.Execute(w, name)
}

type config struct{ Text, Zone string }

// NewPage returns a page.
func NewPage(text, zone string) *Page { return &Page{cfg: config{text, zone}} }

func (p *Page) zone() (*time.Location, error) {
	loc, err := time.LoadLocation(p.cfg.Zone) // want "time.LoadLocation makes"
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	return loc, nil
}

// Hour returns the hour.
func (p *Page) Hour(t time.Time) (int, error) {
	loc, err := p.zone()
	if err != nil {
		return 0, err
	}
	return t.In(loc).Hour(), nil
}

func (p *Page) text() *template.Template {
	return template.Must(template.New("page").Parse(p.cfg.Text)) // want "Parse makes"
}

// Text returns the text.
func (p *Page) Text() string {
	var b strings.Builder
	p.text().Execute(&b, p.hits)
	return b.String()
}

type joiner struct {
	with string
}

func (made *joiner) join(s string) string {
	return strings.NewReplacer(",", made.with).Replace(s) // want "strings.NewReplacer makes" // refuse "once: a comment stands in it, or names that the edit needs mean something else"
}

// What is changed.
type changing struct{ set, taken, part string }

func (c *changing) change(s string) { c.set = s }

func (c *changing) take() *string { return &c.taken }

func (c *changing) uses(s string) bool {
	return strings.NewReplacer("a", c.set).Replace(s) == // want "NewReplacer makes" // refuse "once: c.set may change"
		strings.NewReplacer("a", c.taken).Replace(s) // want "NewReplacer makes" // refuse "once: c.taken may change"
}

type parts struct{ in inner }

type inner struct{ a, b string }

func (i *inner) reset() { i.a = "" }

func (p *parts) change() { p.in.reset() }

func (p *parts) uses(s string) string { return strings.NewReplacer("a", p.in.a).Replace(s) } // want "NewReplacer makes" // refuse "once: p.in may change"

// Others may set the field of a Public.
type Public struct{ Sep string }

func (p *Public) uses(s string) string { return strings.NewReplacer("a", p.Sep).Replace(s) } // want "NewReplacer makes" // refuse "once: other code may change Sep"

type copied struct{ value string }

func (c copied) uses(s string) string { return strings.NewReplacer("a", c.value).Replace(s) } // want "NewReplacer makes" // refuse "once: c is a copy"

type listed struct{ item string }

var list = []listed{{item: "a"}}

func (l *listed) uses(s string) string { return strings.NewReplacer("a", l.item).Replace(s) } // want "NewReplacer makes" // refuse "once: listed may be copied"

type starred struct{ star string }

func (s *starred) other() *starred {
	other := *s
	return &other
}

func (s *starred) uses(t string) string { return strings.NewReplacer("a", s.star).Replace(t) } // want "NewReplacer makes" // refuse "once: starred may be copied"

type unkeyed struct{ key string }

var one = &unkeyed{"a"}

func (u *unkeyed) uses(s string) string { return strings.NewReplacer("a", u.key).Replace(s) } // want "NewReplacer makes" // refuse "once: a literal of it has no field names"

type printed struct{ print string }

func (p *printed) uses(s string) string {
	return fmt.Sprint(p) + strings.NewReplacer("a", p.print).Replace(s) // want "NewReplacer makes" // refuse "once: its fields may be shown: it is made an empty interface"
}

// The map is that of the caller, or one that changes.
type given struct {
	src          string
	funcs, grows template.FuncMap
}

func newGiven(src string, funcs template.FuncMap) *given {
	g := &given{src: src, funcs: funcs, grows: template.FuncMap{}}
	g.grows["f"] = strings.ToUpper
	return g
}

func (g *given) uses(w io.Writer) {
	template.Must(template.New("a").Funcs(g.funcs).Parse(g.src)).Execute(w, 1) // want "Parse makes" // refuse "once: funcs may change"
	template.Must(template.New("b").Funcs(g.grows).Parse(g.src)).Execute(w, 1) // want "Parse makes" // refuse "once: g.grows may change"
}

// What is made is changed, or kept.
type results struct {
	pattern string
	kept    *regexp.Regexp
}

func (r *results) changed() *regexp.Regexp { return regexp.MustCompile(r.pattern) } // want "regexp.MustCompile makes" // refuse "once: Longest may change it"

func (r *results) uses(s string) string {
	re := r.changed()
	re.Longest()
	return re.FindString(s)
}

func (r *results) keeps() *regexp.Regexp { return regexp.MustCompile(r.pattern + "k") } // want "regexp.MustCompile makes" // refuse "once: it is kept"

func (r *results) keep() { r.kept = r.keeps() }

func (r *results) Expr() *regexp.Regexp { return regexp.MustCompile(r.pattern + "e") } // want "regexp.MustCompile makes" // refuse "once: it is kept or passed on"

func (r *results) value() *regexp.Regexp { return regexp.MustCompile(r.pattern + "v") } // want "regexp.MustCompile makes" // refuse "once: value is not only called"

func (r *results) calls() func() *regexp.Regexp { return r.value }

type making interface{ behind() *regexp.Regexp }

func (r *results) behind() *regexp.Regexp { return regexp.MustCompile(r.pattern + "b") } // want "regexp.MustCompile makes" // refuse "once: behind is not only called"

func longest(m making) { m.behind().Longest() }

// A field that is set again where the struct is made.
type again struct{ twice string }

func newAgain(s string) (*again, string) {
	a := new(again)
	a.twice = "x"
	s = strings.NewReplacer("a", a.twice).Replace(s) // want "NewReplacer makes" // refuse "once: a.twice may change"
	a.twice = "y"
	return a, s
}

// What is not the same each time, or is of what has no place for it.
type shown string

func (s shown) String() string { return os.Getenv(string(s)) }

type other struct {
	sep  string
	show shown
}

func (o *other) uses(s, t string) string {
	s = strings.NewReplacer("a", o.sep+t).Replace(s)
	s = strings.NewReplacer("c", os.Getenv(o.sep)).Replace(s)
	s = strings.NewReplacer("d", fmt.Sprintf("%s", o.show)).Replace(s)
	return strings.NewReplacer("b", fmt.Sprintf("<%s>", o.sep)).Replace(s) // want "NewReplacer makes"
}

// What is of another object, or of its methods.
type holder struct {
	src  string
	base *template.Template
	at   *config
}

func (h *holder) upper(s string) string { return h.src + s }

func (h *holder) page(w io.Writer) {
	template.Must(template.New("h").Funcs(template.FuncMap{"upper": strings.ToUpper}).Parse(h.src)).Execute(w, 1) // want "Parse makes"
	template.Must(template.New("h").Funcs(template.FuncMap{"upper": h.upper}).Parse(h.src)).Execute(w, 1)
	template.Must(template.New("h").Funcs(template.FuncMap{"upper": func() string { return h.src }}).Parse(h.src)).Execute(w, 1)
	template.Must(h.base.New("h").Parse(h.src)).Execute(w, 1)
	template.Must(template.New(h.at.Text).Parse(h.src)).Execute(w, 1)
	t := template.Must(template.New("h").Parse(h.src)) // want "Parse makes" // refuse "once: Parse may change it"
	template.Must(t.Parse("{{/* more */}}")).Execute(w, 1)
}

type generic[T any] struct {
	sep string
	of  T
}

func (g *generic[T]) uses(s string) string { return strings.NewReplacer("a", g.sep).Replace(s) }
