package d

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
)

func each(items []string) int {
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for _, s := range items {
		wg.Go(func() {
			if matches(regexp.MustCompile("[aeiou]"), s) { // want "regexp.MustCompile makes"
				mu.Lock()
				n++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return n
}

func lengthen(s string) string { return lengthened(regexp.MustCompile("a|ab"), s) } // want "regexp.MustCompile makes" // refuse "share: Longest may change it"

func lengthened(re *regexp.Regexp, s string) string {
	re.Longest()
	return re.FindString(s)
}

func printed(s string) string {
	re := regexp.MustCompile("p") // want "regexp.MustCompile makes" // refuse "share: Sprint may change it"
	return fmt.Sprint(re, s)
}

func copied(s string) bool {
	re := *regexp.MustCompile("c") // want "regexp.MustCompile makes" // refuse "share: it is kept or passed on"
	return re.MatchString(s)
}

func compared(s string) bool {
	a := regexp.MustCompile("c") // want "regexp.MustCompile makes" // refuse "share: it is kept or passed on"
	b := a
	return a == b && b.MatchString(s)
}

func stored(s string) bool {
	all := make([]*regexp.Regexp, 1) // want "all is made anew in each call"
	all[0] = regexp.MustCompile("c") // want "regexp.MustCompile makes" // refuse "share: it is kept or passed on"
	return all[0].MatchString(s)
}

func again(s string) bool {
	re := regexp.MustCompile("c") // want "regexp.MustCompile makes"
	if s == "" {
		re = nil
	}
	return re == nil || re.MatchString(s)
}

func value(s string) bool {
	match := regexp.MustCompile("v").MatchString // want "regexp.MustCompile makes"
	return match(s)
}

func expr(s string) bool {
	return (*regexp.Regexp).MatchString(regexp.MustCompile("e"), s) // want "regexp.MustCompile makes" // refuse "share: it is kept or passed on"
}

func variadic(s string) bool {
	return any1(regexp.MustCompile("a"), regexp.MustCompile("b")) && s != "" // want "regexp.MustCompile makes" "regexp.MustCompile makes" // refuse "share: any1 may change it" "share: any1 may change it"
}

func any1(all ...*regexp.Regexp) bool { return len(all) > 0 }

func generic[T any](s string, xs []T) bool {
	re := regexp.MustCompile("g") // want "regexp.MustCompile makes"
	return re.MatchString(s) && len(xs) > 0
}

func called(s string) bool { return generic(s, []int{1}) }

func written(s string) string {
	var b strings.Builder
	var r interface {
		WriteString(w io.Writer, s string) (int, error)
	} = strings.NewReplacer("a", "b") // want "strings.NewReplacer makes"
	r.WriteString(&b, s)
	return b.String()
}

var compileOnce = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("o") })

var (
	once  sync.Once
	first *regexp.Regexp
)

func onced(s string) bool {
	once.Do(func() { first = regexp.MustCompile("o") })
	return first.MatchString(s) && compileOnce().MatchString(s)
}

var prefix = regexp.MustCompile("p")

var literal = func(s string) bool { return regexp.MustCompile("l").MatchString(s) } // want "regexp.MustCompile makes"

func init() {
	if regexp.MustCompile("i").MatchString("x") {
		panic("init")
	}
	for _, s := range []string{"a", "b"} {
		if regexp.MustCompile("c").MatchString(s) { // want "regexp.MustCompile makes"
			panic(s)
		}
	}
}

func matches(re *regexp.Regexp, s string) bool { return re != nil && re.MatchString(s) }

// Vowels may be changed by other packages.
func Vowels() *regexp.Regexp {
	return regexp.MustCompile("[aeiou]") // want "regexp.MustCompile makes" // refuse "share: it is kept or passed on"
}

func vowels() *regexp.Regexp {
	return regexp.MustCompile("[aeiou]") // want "regexp.MustCompile makes"
}

func vowel(s string) bool {
	re := vowels()
	return re.MatchString(s)
}

func consonants() *regexp.Regexp {
	return regexp.MustCompile("[^aeiou]") // want "regexp.MustCompile makes" // refuse "share: Longest may change it"
}

func consonant(s string) bool {
	re := consonants()
	re.Longest()
	return re.MatchString(s)
}

func handed() *regexp.Regexp {
	return regexp.MustCompile("h") // want "regexp.MustCompile makes" // refuse "share: handed is not only called"
}

var hand = handed

func deferred() (re *regexp.Regexp) {
	defer func() { re.Longest() }()
	return regexp.MustCompile("d|de") // want "regexp.MustCompile makes" // refuse "share: it is kept or passed on"
}

func result() (re *regexp.Regexp) {
	re = regexp.MustCompile("n") // want "regexp.MustCompile makes" // refuse "share: re is a result"
	return
}

type scanner struct{ re *regexp.Regexp }

func (s *scanner) set() {
	s.re = regexp.MustCompile("s+") // want "regexp.MustCompile makes" // refuse "share: it is kept"
}

func unused(s string) bool {
	regexp.MustCompile("u") // want "regexp.MustCompile makes" // refuse "share: it is not used"
	return s != ""
}
