package discover

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// number reads 1000, 1e6, 10k, 4K, 1M, 1_000.
func number(s string) (float64, error) {
	s = strings.ReplaceAll(s, "_", "")
	mul := 1.0
	if n := len(s); n > 1 {
		switch s[n-1] {
		case 'k':
			mul = 1e3
		case 'K':
			mul = 1 << 10
		case 'M':
			mul = 1e6
		case 'G':
			mul = 1e9
		}
		if mul > 1 {
			s = s[:n-1]
		}
	}
	if s == "" || !(s[0] >= '0' && s[0] <= '9') { // no Inf, NaN, signs
		return 0, strconv.ErrSyntax
	}
	v, err := strconv.ParseFloat(s, 64)
	if err == nil && math.IsInf(v*mul, 0) {
		err = strconv.ErrRange
	}
	return v * mul, err
}

// isSize reports whether an element of a name is a number, or has one for its
// value.
func isSize(e string) bool {
	_, err := number(e[strings.IndexByte(e, '=')+1:])
	return err == nil
}

// elements are the parts of a full name, without the Benchmark prefix.
func elements(name string) []string {
	return strings.Split(strings.TrimPrefix(name, "Benchmark"), "/")
}

func without(e []string, i int) []string {
	if i >= len(e) {
		return nil
	}
	return slices.Concat(e[:i], e[i+1:])
}

// words splits an element as a Go programmer joins words: CamelCase, _, -,
// digits apart. All lower-case. One by one is one word, line by line another.
func words(s string) []string {
	var out []string
	var cur []rune
	flush := func() {
		if len(cur) > 0 {
			out = append(out, strings.ToLower(string(cur)))
			cur = nil
		}
	}
	rs := []rune(s)
	for i, r := range rs {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case len(cur) == 0:
		case unicode.IsDigit(r) != unicode.IsDigit(rs[i-1]),
			unicode.IsUpper(r) && !unicode.IsUpper(rs[i-1]),
			unicode.IsUpper(r) && i+1 < len(rs) && unicode.IsLower(rs[i+1]) && unicode.IsUpper(rs[i-1]): // CPUFan: cpu fan
			flush()
		}
		cur = append(cur, r)
	}
	flush()
	for i := 1; i+1 < len(out); i++ {
		if out[i] == "by" && out[i-1] == out[i+1] {
			out = slices.Replace(out, i-1, i+2, out[i-1]+" by "+out[i+1])
		}
	}
	return out
}

// common is how many words two names begin and end with alike.
func common(a, b []string) (pre, suf int) {
	for pre < min(len(a), len(b)) && a[pre] == b[pre] {
		pre++
	}
	for suf < min(len(a), len(b))-pre && a[len(a)-1-suf] == b[len(b)-1-suf] {
		suf++
	}
	return pre, suf
}

// contains reports whether part stands in s, unbroken.
func contains(s, part []string) bool {
	for i := 0; i+len(part) <= len(s); i++ {
		if slices.Equal(s[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

func cutLast(s, sep string) (before, after string) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, ""
	}
	return s[:i], s[i+len(sep):]
}
