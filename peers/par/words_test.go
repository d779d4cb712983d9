package par

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/gopayoff/payoff/par"
)

// Words are counted into maps: a join costs as much as one of its operands has
// words, and a map costs something to grow.
type counts = map[string]int

func countLine(c counts, line string) counts {
	for word := range strings.FieldsSeq(line) {
		c[word]++
	}
	return c
}

func countLines(lines []string) counts {
	c := counts{}
	for _, line := range lines {
		countLine(c, line)
	}
	return c
}

func joinCounts(a, b counts) counts {
	for word, n := range b {
		a[word] += n
	}
	return a
}

var wordsVariants = []variant[[]string, counts]{
	{name: "serial", run: countLines},
	{name: "payoff", run: func(s []string) counts { return par.Reduce(s, countLines, joinCounts) }},
	{name: "payoff-fold", run: func(s []string) counts {
		return par.Fold(s, func() counts { return counts{} }, countLine, joinCounts)
	}},
	{name: "waitgroup", run: func(s []string) counts {
		parts := make([]counts, procs())
		var wg sync.WaitGroup
		for p := range parts {
			wg.Go(func() { parts[p] = countLines(s[len(s)*p/len(parts) : len(s)*(p+1)/len(parts)]) })
		}
		wg.Wait()
		for _, c := range parts[1:] {
			joinCounts(parts[0], c)
		}
		return parts[0]
	}},
}

// lines are of ten words each, which are of so many.
func lines(words int) func(n int) []string {
	return func(n int) []string {
		rnd := rand.New(rand.NewPCG(1, 2))
		s := make([]string, n)
		for i := range s {
			line := make([]string, 10)
			for j := range line {
				line[j] = fmt.Sprint("word", rnd.IntN(words))
			}
			s[i] = strings.Join(line, " ")
		}
		return s
	}
}

var texts = sizes(lines(5000), 20, 200, 2000, 20_000, 200_000)

func BenchmarkWords(b *testing.B) { bench(b, texts, wordsVariants) }
func TestWords(t *testing.T)      { same(t, 20_000, 2000, texts, wordsVariants) }
