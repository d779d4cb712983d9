package discover

import "slices"

// baseWords name the version that concurrency is held against. Those of
// weakWords also name other things (an iterator Seq, a single match): they
// count only beside a variant with a word of concurrencyWords.
var (
	baseWords        = []string{"serial", "sequential", "seq", "single", "naive", "baseline", "base"}
	weakWords        = []string{"seq", "single", "naive", "baseline", "base"}
	concurrencyWords = []string{"concurrent", "concurrently", "parallel", "parallelize", "parallelized", "goroutine", "goroutines", "go", "chan", "channel", "channels",
		"pool", "worker", "workers", "fan", "pipeline", "pipelined", "async", "mutex", "rwmutex", "atomic", "lock", "locked", "threads", "multithreaded", "shard", "sharded", "striped", "errgroup", "waitgroup", "wg", "partitioned"}
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
	for v, n := range g.names {
		if g.of[v] >= 0 || isBase[v] {
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
			switch {
			case b.pre+b.suf > stem:
				best, stem, tied = c, b.pre+b.suf, nil
			case b.pre+b.suf == stem:
				tied = append(tied, c)
			}
		}
		if best >= 0 {
			members[best] = append(members[best], v)
			rivals[best] = append(rivals[best], tied...)
		}
	}
	for c, b := range bases {
		others := members[c]
		some := slices.ContainsFunc(others, func(v int) bool { return concurrent(words(elements(g.names[v])[b.elem])) })
		if len(others) > 0 && (some || !weak[b.name]) {
			g.add(b.name, others, b.elem)
			for _, r := range rivals[c] {
				g.rivals = append(g.rivals, [2]int{b.name, bases[r].name})
			}
		}
	}
}

func concurrent(tokens []string) bool {
	return slices.ContainsFunc(tokens, func(w string) bool { return slices.Contains(concurrencyWords, w) })
}
