// Package d makes the same again and again.
package d

import (
	"fmt"
	"hash/crc64"
	"regexp"
	"strings"
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

func aside(s string) bool {
	re := /* of the word */ regexp.MustCompile("w") // want "regexp.MustCompile makes"
	return re.MatchString(s)
}

func taken(s string) string {
	error := "e"
	re, err := regexp.Compile("t")
	return error + fmt.Sprint(err, re.MatchString(s))
}

func unmarshaled(s string) bool {
	re := regexp.MustCompile("u") // want "regexp.MustCompile makes" // refuse "share: UnmarshalText may change it"
	ok := re.MatchString(s)
	re.UnmarshalText([]byte("v"))
	return ok
}

type parser struct{ sep string }

func (p *parser) digits(s string) []string {
	const pattern = "[0-9]+"                                      // the function's own
	return regexp.MustCompile(pattern).FindAllString(s+p.sep, -1) // want "regexp.MustCompile makes"
}

var pattern = "x+"

func exes(s string) bool { return regexp.MustCompile(pattern).MatchString(s) } // want "regexp.MustCompile makes"

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
	end, _ := regexp.Compile("b$") // want "regexp.Compile makes"
	return re.MatchString(s) && end.MatchString(s), nil
}

func compiles() (*regexp.Regexp, error) {
	return regexp.Compile("^a") // want "regexp.Compile makes"
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

func sum(p string) uint64 {
	table := crc64.MakeTable(0xa17870f5d4f51b49) // want "crc64.MakeTable makes"
	return crc64.Checksum([]byte(p), table)
}

func spoilt(p string) uint64 {
	table := crc64.MakeTable(0xa17870f5d4f51b49) // want "crc64.MakeTable makes" // refuse "share: it is kept or passed on"
	table[0]++
	return crc64.Checksum([]byte(p), table)
}

func commented(s string) bool {
	return regexp.MustCompile( // want "regexp.MustCompile makes" // refuse "share: a comment stands in it"
		"a").MatchString(s)
}
