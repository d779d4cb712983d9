package discover

import (
	"cmp"
	"slices"
	"strings"
)

// baseWords name the version that concurrency is held against. Those of
// weakWords also name other things (an iterator Seq, a single match): they
// count beside a variant with a word of concurrencyWords.
var (
	baseWords = []string{"serial", "sequential", "seq", "single", "naive", "baseline", "base"}
	weakWords = []string{"seq", "single", "base"}
	// plainWords cannot mean anything but that several are at work.
	plainWords       = []string{"parallel", "par", "concurrent", "concurrently", "goroutines", "async", "workers", "sharded"}
	concurrencyWords = []string{"concurrent", "concurrently", "parallel", "parallelize", "parallelized", "par", "goroutine", "goroutines", "go", "chan", "chans", "channel", "channels",
		"pool", "pooled", "worker", "workers", "workerpool", "threadpool", "fan", "fanin", "fanout", "pipeline", "pipelined", "async", "asynchronous", "mutex", "rwmutex", "rw", "atomic", "atomics", "lock", "locked", "locks", "lockfree",
		"thread", "threads", "threaded", "multithreaded", "multicore", "core", "cores", "cpus", "procs", "shard", "shards", "sharded", "striped", "stripe", "errgroup", "waitgroup", "wg", "partitioned", "batched", "contended", "contention", "semaphore", "syncmap", "buffered", "unbuffered"}
	// alsoMeans are words of concurrency, and of other things where nothing is known of the source.
	alsoMeans = []string{"sync", "safe", "unsafe", "threadsafe", "synchronized", "cached", "memo", "memoized"}
	// plainForms name the version that is as simple as can be, bygone what was there before.
	plainForms = append([]string{"plain", "loop", "inline", "direct", "simple", "original", "synchronous", "none", "basic", "slow", "vanilla", "alone"}, baseWords...)
	bygone     = []string{"old", "legacy", "original", "orig", "before", "without", "std", "stdlib", "builtin"}
	later      = []string{"new", "after", "fast", "optimized", "improved"}
	// instead are words of which the second stands for a cleverer way than the first.
	instead = map[string][]string{
		"each": {"batch", "batches", "batched", "bulk"}, "single": {"batch", "batches", "batched", "bulk"}, "one": {"batch", "batched", "bulk"},
		"eager": {"lazy"}, "direct": {"coalesced", "batched", "queued", "buffered"}, "blocking": {"nonblocking", "async"}, "copy": {"nocopy", "zerocopy"},
		"alone": {"team", "crew", "together"}, inTurn: {"all", "batch", "batches", "batched", "bulk", "together"},
	}
	// joiners stand between a plain name and a word of concurrency: SumWithWorkers.
	joiners = []string{"with", "for", "one", "by", "in", "on", "using", "via", "per", "over", "and", "n", "each"}
)

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
	members, rivals := map[int][]int{}, map[int][]int{} // by index in bases
	left := map[int]bool{}
	for v, n := range g.names {
		if g.of[v] >= 0 || isBase[v] || left[v] {
			continue
		}
		best, stem := -1, -1
		var tied []int
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
			if w := bt[b.pre]; !concurrent(vt) && (w == "serial" || !saysPlain(w)) && g.quiet(b.name, v) {
				continue // a serial number
			}
			switch {
			case b.pre+b.suf > stem:
				best, stem, tied = c, b.pre+b.suf, nil
			case b.pre+b.suf == stem:
				tied = append(tied, c)
			}
		}
		if best < 0 {
			continue
		}
		if o := g.closer(v, bases[best].elem, stem); o >= 0 && !isBase[o] {
			left[v], left[o] = true, true // to [grouper.plain]: of naive, tiled and tiledParallel
			continue
		}
		members[best] = append(members[best], v)
		rivals[best] = append(rivals[best], tied...)
	}
	for c, b := range bases {
		others := slices.DeleteFunc(members[c], func(v int) bool { return left[v] })
		some := slices.ContainsFunc(others, func(v int) bool {
			return concurrent(words(elements(g.names[v])[b.elem]))
		})
		if len(others) > 0 && (some || !weak[b.name]) {
			g.add(b.name, others, b.elem)
			for _, r := range rivals[c] {
				g.rivals = append(g.rivals, [2]int{b.name, bases[r].name})
			}
		}
	}
}

// closer returns a name that v adds words of concurrency to, in an element, and that has
// more words than shared; -1 if there is none.
func (g *grouper) closer(v, elem, shared int) int {
	ve := elements(g.names[v])
	for o, n := range g.names {
		oe := elements(n)
		if o != v && g.of[o] < 0 && elem < len(oe) && slices.Equal(without(oe, elem), without(ve, elem)) {
			if w := words(oe[elem]); len(w) > shared && adds(w, words(ve[elem])) {
				return o
			}
		}
	}
	return -1
}

// plain finds bases that have no base word: Sum, beside SumParallel or
// SumWithWorkers. What stands in the name of the variant and not in that of the base
// is a word of concurrency, with what joins it.
func (g *grouper) plain() {
	type base struct{ name, elem int }
	of := map[base][]int{}
	var order []base
	for v, n := range g.names {
		if g.of[v] >= 0 {
			continue
		}
		ve := elements(n)
		best, most := base{name: -1}, -1
		instead := map[base]bool{} // what has another word where v has one of concurrency
		for b, m := range g.names {
			be := elements(m)
			if b == v || !g.open(b) || len(be) != len(ve) {
				continue
			}
			for elem := range be {
				bt, vt := words(be[elem]), words(ve[elem])
				if len(bt) > most && slices.Equal(without(be, elem), without(ve, elem)) && adds(bt, vt) && !g.quiet(b, v) {
					best, most = base{b, elem}, len(bt)
				}
				if slices.Equal(without(be, elem), without(ve, elem)) && replaces(bt, vt) && !(concurrent(vt) && g.quiet(b, v)) {
					instead[base{b, elem}] = true
				}
			}
		}
		if best.name < 0 && len(instead) == 1 {
			for b := range instead {
				best = b
			}
		}
		if best.name >= 0 {
			if of[best] == nil {
				order = append(order, best)
			}
			of[best] = append(of[best], v)
		}
	}
	// What has a base is none itself: Sum, SumParallel and SumParallelPooled are one
	// family.
	is := map[int]base{}
	for b, variants := range of {
		for _, v := range variants {
			is[v] = b
		}
	}
	members := map[base][]int{}
	for _, b := range order {
		root := b
		for up, ok := is[root.name]; ok && up.elem == root.elem; up, ok = is[root.name] {
			root = up
		}
		members[root] = append(members[root], of[b]...)
	}
	for _, b := range order {
		if others := members[b]; len(others) > 0 && g.open(b.name) {
			others = slices.DeleteFunc(others, func(v int) bool { return g.of[v] >= 0 })
			slices.Sort(others)
			g.join(b.name, others, b.elem, "")
		}
	}
}

// countWords are what a benchmark may have several of, all at work at once.
var countWords = []string{"worker", "workers", "goroutine", "goroutines", "thread", "threads", "shard", "shards", "core", "cores", "cpu", "cpus", "proc", "procs", "concurrency", "parallelism", "parallel", "producers", "consumers", "readers", "writers"}

// spelled are numbers in words.
var spelled = map[string]string{"one": "1", "min": "1", "two": "2", "three": "3", "four": "4", "eight": "8", "all": "all", "many": "many", "max": "max", "n": "n", "several": "several"}

// counts finds the base of benchmarks that differ in how many are at work: one of
// them, workers=1, Execute1Worker or j1; by what the source calls it, w8 or 4Sessions.
func (g *grouper) counts(source bool) {
	type job struct {
		elem int
		rest string
	}
	var order []job
	one, more := map[job]int{}, map[job][]int{}
	for i, n := range g.names {
		if g.of[i] >= 0 {
			continue
		}
		for elem, e := range elements(n) {
			of := countWords
			if s := g.source(i); source && s != nil {
				of = s.bounds()
			} else if elem > 0 {
				of = append([]string{"j"}, of...) // as make has it; a function J1 is Bessel's
			}
			count, rest, ok := countedBy(words(e), of)
			if !ok {
				continue
			}
			at := job{elem, strings.Join(without(elements(n), elem), "/") + "/" + rest}
			if _, ok := one[at]; !ok && more[at] == nil {
				order = append(order, at)
			}
			if count == "1" {
				one[at] = i
			} else {
				more[at] = append(more[at], i)
			}
			break
		}
	}
	for _, at := range order {
		if base, ok := one[at]; ok && len(more[at]) > 0 && !g.quiet(base, more[at][0]) && (!source || g.counting(more[at][0], at.elem)) {
			g.add(base, more[at], at.elem)
		}
	}
}

// counting reports whether an element has a number of what the benchmark itself counts
// goroutines by, and not another of its package.
func (g *grouper) counting(i, elem int) bool {
	s, e := g.source(i), elements(g.names[i])
	if s == nil {
		return true
	}
	_, _, ok := countedBy(words(e[elem]), s.boundsOf("Benchmark"+e[0]))
	return ok
}

// counted cuts from the words of an element the number of those at work.
func counted(words []string) (count, rest string, ok bool) { return countedBy(words, countWords) }

func countedBy(words, of []string) (count, rest string, ok bool) {
	words = unglued(words, of)
	for k, w := range words {
		for _, at := range []int{k - 1, k + 1} { // 4 workers, workers 4
			counts := slices.Contains(of, w) || at < k && slices.Contains(of, w+"s") // 1 reader
			if counts && at >= 0 && at < len(words) && (isSize(words[at]) || (at < k || at == len(words)-1) && spelled[words[at]] != "" && !strings.HasPrefix(w, "parallel")) {
				kept := slices.Clone(words)
				kept[k], kept[at] = strings.TrimSuffix(w, "s"), "#"
				return cmp.Or(spelled[words[at]], words[at]), strings.Join(kept, " "), true
			}
		}
	}
	return "", "", false
}

// unglued cuts the last word in two where it is what is counted and a number in words: jmax.
func unglued(words, of []string) []string {
	last := max(len(words)-1, 0)
	for _, w := range of {
		for _, l := range words[last:] {
			if number, ok := strings.CutPrefix(l, w); ok && spelled[number] != "" {
				return append(slices.Clone(words[:last]), w, number)
			}
		}
	}
	return words
}

// adds reports whether the words of a variant are those of the base and words of
// concurrency.
func adds(base, variant []string) bool {
	if len(variant) <= len(base) || !slices.ContainsFunc(base, func(w string) bool { return !slices.Contains(concurrencyWords, w) }) {
		return false // nothing but words of concurrency is no plain form
	}
	if count, _, ok := counted(variant); ok && count == "1" {
		return false // it is as plain itself
	}
	some := false
	k := 0
	for _, w := range variant {
		switch {
		case k < len(base) && w == base[k]:
			k++
		case slices.Contains(concurrencyWords, w) && w != "go": // GoInsert is Go's own
			some = true
		case !slices.Contains(joiners, w) && !isSize(w):
			return false
		}
	}
	return some && k == len(base)
}

// replaces reports whether a variant has a word that says that several are at work, or
// that it is cleverer, where the base has another, and all others are the same.
func replaces(base, variant []string) bool {
	differ := -1
	for i := range variant {
		if len(base) != len(variant) || base[i] != variant[i] && differ >= 0 {
			return false
		}
		if base[i] != variant[i] {
			differ = i
		}
	}
	if differ < 0 {
		return false
	}
	is, not := variant[differ], base[differ]
	if turns(not) {
		not = inTurn
	}
	return slices.Contains(instead[not], is) || len(base) > 1 && slices.Contains(plainWords, is) && !concurrent(base) && !isSize(not)
}

// inTurn is how [instead] calls whatever is done one by one, line by line.
const inTurn = "one by one"

// turns reports whether a word says so: see [words].
func turns(w string) bool { return strings.Contains(w, " by ") }

// saysPlain reports whether a word says that something is the plain form of a job.
func saysPlain(w string) bool {
	if of, ok := strings.CutPrefix(w, "un"); ok && sharedBy(of) && !slices.Contains(alsoMeans, w) {
		return true // unlocked, unbatched
	}
	return turns(w) || slices.Contains(plainForms, w) && !slices.Contains(weakWords, w) || slices.Contains(bygone, w)
}

// plainly reports whether the words say that it is the plain form, and nothing else.
func plainly(words []string) bool {
	return slices.ContainsFunc(words, saysPlain) && !slices.ContainsFunc(words, func(w string) bool { return !saysPlain(w) && !slices.Contains(joiners, w) })
}

// saysNone reports whether words say that there is none of what goroutines share by: no
// pool, no lock.
func saysNone(words []string) bool {
	k := slices.Index(words, "no")
	return k >= 0 && k+1 < len(words) && sharedBy(words[k+1])
}

// sharedBy reports whether a word says by what means goroutines work together.
func sharedBy(w string) bool {
	return slices.Contains(concurrencyWords, w) || slices.Contains(alsoMeans, w)
}

// ways reports whether all words say how a job is done, or by how many.
func ways(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		return !sharedBy(w) && !slices.Contains(plainForms, w) && !slices.Contains(bygone, w) && !slices.Contains(later, w) && !slices.Contains(joiners, w) && !isSize(w) && !saysPlain(w)
	})
}

func concurrent(tokens []string) bool {
	return slices.ContainsFunc(tokens, func(w string) bool { return slices.Contains(concurrencyWords, w) })
}
