package usual

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/gopayoff/payoff/par"
)

// A record is what is sorted by pointer.
type record struct {
	key int
	_   [3]int // what else it has
}

// inputs is how many are sorted in turn. A processor learns the branches of one that is
// sorted again and again, and a sort takes a third of what it does in a program.
const inputs = 1024

func sorts() []load {
	random := func(seed uint64) []int {
		r := rand.New(rand.NewPCG(1, seed))
		x := make([]int, 100)
		for i := range x {
			x[i] = int(r.Int64())
		}
		return x
	}
	nearly := func(seed uint64) []int {
		x := random(seed)
		slices.Sort(x)
		r := rand.New(rand.NewPCG(2, seed))
		for range 3 { // pairs have changed places
			i := r.IntN(90)
			x[i], x[i+10] = x[i+10], x[i]
		}
		return x
	}
	ints := func(from func(seed uint64) []int) func() []variant {
		return func() []variant {
			var in [inputs][]int
			for i := range in {
				in[i] = from(uint64(i))
			}
			each := func(sort func([]int)) func(n int) int {
				buf := make([]int, 100)
				return func(n int) (sum int) {
					for i := range n {
						copy(buf, in[i%inputs])
						sort(buf)
						sum += buf[0] + 2*buf[50] + 3*buf[99]
					}
					return sum
				}
			}
			return []variant{
				{name: "slices", do: each(slices.Sort[[]int])},
				{name: "payoff", do: each(par.Sort[[]int])},
			}
		}
	}
	pointers := func() []variant {
		r := rand.New(rand.NewPCG(3, 4))
		in := make([]*record, 50_000)
		for i := range in {
			in[i] = &record{key: int(r.Int64())}
		}
		byKey := func(a, b *record) int { return cmp.Compare(a.key, b.key) }
		each := func(sort func([]*record, func(a, b *record) int)) func(n int) int {
			buf := make([]*record, len(in))
			return func(n int) (sum int) {
				for range n {
					copy(buf, in)
					sort(buf, byKey)
					sum += buf[0].key + 2*buf[25_000].key + 3*buf[49_999].key
				}
				return sum
			}
		}
		return []variant{
			{name: "slices", do: each(slices.SortFunc[[]*record])},
			{name: "payoff", do: each(par.SortFunc[[]*record])},
		}
	}
	return []load{
		{"Sort", "/n=100/input=random", ints(random), 3},
		{"Sort", "/n=100/input=nearly", ints(nearly), 3},
		{"SortPointers", "/n=50000", pointers, 2},
	}
}
