package a

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func people(rnd *rand.Rand) []person {
	out := make([]person, rnd.IntN(40))
	for i := range out {
		name := string(rune('a' + rnd.IntN(4)))
		out[i] = person{
			name: name, age: rnd.IntN(4), born: time.Unix(int64(rnd.IntN(4)), 0),
			tags: [2]string{name}, key: []byte{byte(rnd.IntN(4)), byte(i)},
		}
	}
	return out
}

// in reports the first pair that is out of order by less, "" if there is none.
func in[T any](xs []T, less func(a, b T) bool) string {
	for i := 1; i < len(xs); i++ {
		if less(xs[i], xs[i-1]) {
			return fmt.Sprintf("%v is before %v", xs[i-1], xs[i])
		}
	}
	return ""
}

func Test(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		byAgeOf := func(p, q person) bool { return p.age < q.age }
		byNameOf := func(p, q person) bool { return p.name < q.name }
		for name, tt := range map[string]struct {
			sort func([]person)
			less func(p, q person) bool
		}{
			"byAge":   {byAge, byAgeOf},
			"late":    {late, func(p, q person) bool { return p.born.After(q.born) }},
			"folded":  {folded, func(p, q person) bool { return strings.ToLower(p.name) < strings.ToLower(q.name) }},
			"tag":     {tag, byNameOf},
			"named":   {named, byNameOf},
			"group":   {func(p []person) { (&group{p}).sort() }, func(p, q person) bool { return p.born.Before(q.born) }},
			"shadows": {func(p []person) { shadows(p, 1, 2, 3, 4) }, func(p, q person) bool { return p.name > q.name || p.name == q.name && p.age < q.age }},
			// Those that compare as equal stay in order: the second byte of the key is it.
			"stable": {stable, func(p, q person) bool {
				return p.name < q.name || p.name == q.name && (p.age > q.age || p.age == q.age && p.key[1] < q.key[1])
			}},
			"oldest": {oldest, func(p, q person) bool { return p.age > q.age || p.age == q.age && p.key[1] < q.key[1] }},
			"reversed": {func(p []person) { reversed(p) }, func(p, q person) bool {
				return p.name > q.name || p.name == q.name && p.key[1] < q.key[1]
			}},
		} {
			p := people(rnd)
			n := len(p)
			tt.sort(p)
			if why := in(p, tt.less); why != "" || len(p) != n {
				t.Fatalf("%s: %s", name, why)
			}
		}
		xs := rnd.Perm(rnd.IntN(30))
		up := func(x, y int) bool { return x < y }
		over := func(x, y int) bool { return x > y }
		for name, tt := range map[string]struct {
			sort func([]int)
			less func(x, y int) bool
		}{"plain": {plain, up}, "down": {down, over}, "turned": {turned, over}, "ints": {ints, up}, "intsDown": {intsDown, over}} {
			rnd.Shuffle(len(xs), func(i, j int) { xs[i], xs[j] = xs[j], xs[i] })
			tt.sort(xs)
			if why := in(xs, tt.less); why != "" {
				t.Fatalf("%s: %s", name, why)
			}
		}
	}
}
