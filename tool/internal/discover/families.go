package discover

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A Member is one benchmark in its family.
type Member struct {
	Bench   string `json:"bench"`   // full name: BenchmarkSum/variant=packed/n=1000
	Variant string `json:"variant"` // packed
}

// A Param is a key=value part of a name with a number for its value.
type Param struct {
	Key   string  `json:"key"`
	Value float64 `json:"value"`
}

// A Family is one job done in several ways at one set of parameters: the base
// and what is compared with it. A benchmark that nothing else does the job of
// is a family of its own, without a base.
type Family struct {
	Name    string   `json:"name"`  // without the variant: Sum/n=1000
	Group   string   `json:"group"` // without variant and numeric parameters: Sum/n=
	Base    int      `json:"base"`  // index in Members; -1: none
	Params  []Param  `json:"params,omitempty"`
	Members []Member `json:"members"`
}

// Hints is what the user says of bases and variants beyond the names.
type Hints struct {
	Base, Vs *regexp.Regexp // match full names; nil: not told
	Funcs    []Func         // for their //payoff:base marks
}

// baseWords name the version that concurrency is held against. Those of
// weakWords also name other things (an iterator Seq, a single match): they
// count only beside a variant with a word of concurrencyWords.
var (
	baseWords        = []string{"serial", "sequential", "seq", "single", "naive", "baseline", "base"}
	weakWords        = []string{"seq", "single", "naive", "baseline", "base"}
	concurrencyWords = []string{"concurrent", "concurrently", "parallel", "parallelize", "parallelized", "goroutine", "goroutines", "go", "chan", "channel", "channels",
		"pool", "worker", "workers", "fan", "pipeline", "pipelined", "async", "mutex", "rwmutex", "atomic", "lock", "locked", "threads", "multithreaded", "shard", "sharded", "striped", "errgroup", "waitgroup", "wg", "partitioned"}
)

// Families groups the benchmarks of one package, given by their full names in
// the order they run. The base is, in this order: what Hints.Base matches;
// what a //payoff:base comment marks; the variant=… whose value is a base
// word (serial, sequential, seq, single, naive, baseline, base); a name with
// such a word, against the names that share what stands before and after it.
func Families(names []string, h Hints) []Family {
	g := grouper{names: names, hints: h, of: make([]int, len(names))}
	for i := range g.of {
		g.of[i] = -1
	}
	switch {
	case h.Base != nil:
		g.told()
	default:
		g.marked()
		g.keyed()
		g.words()
	}
	g.alone()
	for i := range g.families {
		g.families[i].finish()
	}
	slices.SortStableFunc(g.families, func(a, b Family) int {
		return cmp.Compare(slices.Index(names, a.Members[0].Bench), slices.Index(names, b.Members[0].Bench))
	})
	return g.families
}

type grouper struct {
	names    []string
	hints    Hints
	of       []int // family of each name, -1: none yet
	families []Family
}

// add makes a family of base (-1: none) and the others. elem is the path
// element that tells the members apart.
func (g *grouper) add(base int, others []int, elem int) {
	f := Family{Base: -1}
	var all []int
	if base >= 0 {
		f.Base, all = 0, append(all, base)
	}
	all = append(all, others...)
	for _, i := range all {
		g.of[i] = len(g.families)
		variant := elements(g.names[i])[elem]
		variant = strings.TrimPrefix(variant, "variant=")
		f.Members = append(f.Members, Member{Bench: g.names[i], Variant: variant})
	}
	f.Name = strings.Join(without(elements(g.names[all[0]]), elem), "/")
	if elem == 0 {
		f.Name = strings.Join(elements(g.names[all[0]]), "/") // a function has no shared name
	}
	g.families = append(g.families, f)
}

// told follows -base and -vs. Bases and variants belong together when their
// names are the same outside the element that the expression matches.
func (g *grouper) told() {
	var bases []int
	for i, n := range g.names {
		if g.hints.Base.MatchString(n) {
			bases = append(bases, i)
		}
	}
	for _, b := range bases {
		elem := strings.Count(g.names[b][:g.hints.Base.FindStringIndex(g.names[b])[0]], "/")
		key := strings.Join(without(elements(g.names[b]), elem), "/")
		var others []int
		for i, n := range g.names {
			if slices.Contains(bases, i) || g.of[i] >= 0 {
				continue
			}
			e := elements(n)
			same := elem < len(e) && strings.Join(without(e, elem), "/") == key
			if vs := g.hints.Vs; vs == nil && same || vs != nil && vs.MatchString(n) && (same || len(bases) == 1) {
				others = append(others, i)
			}
		}
		if len(others) == 0 {
			continue
		}
		if slices.ContainsFunc(others, func(i int) bool { return elem >= len(elements(g.names[i])) }) {
			elem = 0
		}
		g.add(b, others, elem)
	}
}

// marked follows //payoff:base comments: a marked function against the other
// functions of its file, a marked sub-benchmark against its siblings.
func (g *grouper) marked() {
	file := map[string]string{}
	for _, f := range g.hints.Funcs {
		file[f.Name], _ = cutLast(f.Pos, ":")
	}
	for _, f := range g.hints.Funcs {
		for b, n := range g.names {
			e := elements(n)
			if "Benchmark"+e[0] != f.Name || g.of[b] >= 0 {
				continue
			}
			elem := -1
			if f.Base {
				elem = 0
			}
			for i := 1; i < len(e); i++ {
				if slices.Contains(f.BaseSubs, e[i]) {
					elem = i
				}
			}
			if elem < 0 {
				continue
			}
			key := without(e, elem)
			var others []int
			for i, o := range g.names {
				oe := elements(o)
				if i != b && g.of[i] < 0 && slices.Equal(without(oe, elem), key) && file["Benchmark"+oe[0]] == file[f.Name] {
					others = append(others, i)
				}
			}
			if len(others) > 0 {
				g.add(b, others, elem)
			}
		}
	}
}

// keyed groups by variant=….
func (g *grouper) keyed() {
	for i, n := range g.names {
		elem := variantElem(n)
		if elem < 0 || g.of[i] >= 0 {
			continue
		}
		key := without(elements(n), elem)
		base := -1
		var all []int
		for j, o := range g.names {
			if g.of[j] < 0 && variantElem(o) == elem && slices.Equal(without(elements(o), elem), key) {
				all = append(all, j)
				value := strings.TrimPrefix(elements(o)[elem], "variant=")
				if base < 0 && slices.Contains(baseWords, strings.ToLower(value)) {
					base = j
				}
			}
		}
		others := all
		if base >= 0 {
			others = slices.DeleteFunc(slices.Clone(all), func(j int) bool { return j == base })
		}
		g.add(base, others, elem)
	}
}

func variantElem(name string) int {
	return slices.IndexFunc(elements(name), func(e string) bool { return strings.HasPrefix(e, "variant=") })
}

// words finds bases by a base word inside a name. A variant goes to the base
// with which it shares most.
func (g *grouper) words() {
	type candidate struct{ name, elem, pre, suf int } // tokens before and after the base word
	var bases []candidate
	weak := map[int]bool{}
	isBase := map[int]bool{}
	for i, n := range g.names {
		if g.of[i] >= 0 {
			continue
		}
	elems:
		for elem, e := range elements(n) {
			tokens := words(e)
			for k, w := range tokens {
				if slices.Contains(baseWords, w) {
					bases = append(bases, candidate{i, elem, k, len(tokens) - k - 1})
					weak[i] = slices.Contains(weakWords, w)
					isBase[i] = true
					break elems
				}
			}
		}
	}
	members := map[int][]int{} // by index in bases
	for v, n := range g.names {
		if g.of[v] >= 0 || isBase[v] {
			continue
		}
		best, stem := -1, -1
		for c, b := range bases {
			be, ve := elements(g.names[b.name]), elements(n)
			if b.elem >= len(ve) || !slices.Equal(without(be, b.elem), without(ve, b.elem)) {
				continue
			}
			bt, vt := words(be[b.elem]), words(ve[b.elem])
			if len(vt) < b.pre+b.suf || !slices.Equal(vt[:b.pre], bt[:b.pre]) || !contains(vt[b.pre:], bt[b.pre+1:]) {
				continue
			}
			if b.pre+b.suf == 0 && b.elem == 0 && !concurrent(vt) {
				continue // nothing shared but the package
			}
			if b.pre+b.suf > stem {
				best, stem = c, b.pre+b.suf
			}
		}
		if best >= 0 {
			members[best] = append(members[best], v)
		}
	}
	for c, b := range bases {
		others := members[c]
		some := slices.ContainsFunc(others, func(v int) bool { return concurrent(words(elements(g.names[v])[b.elem])) })
		if len(others) > 0 && (some || !weak[b.name]) {
			g.add(b.name, others, b.elem)
		}
	}
}

func concurrent(tokens []string) bool {
	return slices.ContainsFunc(tokens, func(w string) bool { return slices.Contains(concurrencyWords, w) })
}

func (g *grouper) alone() {
	for i, n := range g.names {
		if g.of[i] < 0 {
			g.of[i] = len(g.families)
			g.families = append(g.families, Family{
				Name: strings.Join(elements(n), "/"), Base: -1, Members: []Member{{Bench: n}},
			})
		}
	}
}

func (f *Family) finish() {
	var group []string
	for _, e := range strings.Split(f.Name, "/") {
		key, value, ok := strings.Cut(e, "=")
		if !ok {
			key, value = "", e
		}
		if v, err := number(value); err == nil && len(group) > 0 {
			f.Params = append(f.Params, Param{key, v})
			e = key + "="
		}
		group = append(group, e)
	}
	f.Group = strings.Join(group, "/")
}

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
// digits apart. All lower-case.
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
	return out
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
