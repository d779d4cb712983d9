// Package f sets variables by functions that make the same again.
package f

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

type shower interface{ show(s string) bool }

type first struct{}

func (first) show(s string) bool {
	return regexp.MustCompile("a").MatchString(s) // want "regexp.MustCompile makes" // refuse "share: a variable of the package may be set by way of it, and before"
}

var (
	showing shower = first{}
	shown          = showing.show("a")
)

// A table needs no value before.
type second struct{ pattern string }

func (p second) show(s string) bool {
	return regexp.MustCompile(p.pattern).MatchString(s) // want "regexp.MustCompile makes" // refuse "once: p is a copy"
}

var (
	showsToo shower = second{"a"}
	shownToo        = showsToo.show("a")
)

// A Text is written in small letters.
type Text string

func (t Text) String() string { return small(string(t)) }

func small(s string) string {
	return strings.NewReplacer("A", "a").Replace(s) // want "strings.NewReplacer makes" // refuse "share: a variable of the package may be set by way of it, and before"
}

var printed = fmt.Sprint(Text("A"))

func direct(s string) bool {
	return regexp.MustCompile("d").MatchString(s) // want "regexp.MustCompile makes"
}

var directly, errNone = direct("d"), errors.New("none")

func (t Text) hidden() bool {
	return regexp.MustCompile("h").MatchString(string(t)) // want "regexp.MustCompile makes"
}
