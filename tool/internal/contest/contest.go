// Package contest has the rules by which code is measured side by side, whatever
// is compared: the benchmarks of a run, edits, the values of a constant.
//
// What is compared is measured in one [Block], in shuffled order. Where others
// disturbed a side, the sides that it is compared with are taken again with it, so
// that what is kept of a pair was measured side by side; on a machine that stays
// disturbed nothing is taken again. Sides that take about as long run as many
// operations in a sample, by [Groups] and [Alike]. [Layouts] of the code are made
// as long as they take a small part of the budget. [Pairs] are what is read of all
// that.
//
// It runs nothing and knows neither clock nor processes: what a side is, which
// blocks a round has and when to stop is for what uses the contest. It costs
// nothing beside a process.
package contest

import (
	"math/rand/v2"
	"slices"
)

const (
	// Attempts are how often a pair is taken while others disturb it.
	Attempts = 3
	// Stuck is after how many blocks in a row in which that did not help a machine
	// is taken to stay like that.
	Stuck = 2
)

// A Block is what is measured side by side.
type Block[S comparable] struct {
	Sides []S
	// Pairs are what is compared: taken again as a whole where others disturbed a
	// side. A side in none of them is taken again alone.
	Pairs [][2]S
}

// Add adds two sides that are compared. One that is there already stays where it is.
func (b *Block[S]) Add(one, other S) {
	for _, s := range []S{one, other} {
		if !slices.Contains(b.Sides, s) {
			b.Sides = append(b.Sides, s)
		}
	}
	b.Pairs = append(b.Pairs, [2]S{one, other})
}

// Again returns those of ran to take again for the sake of spoiled ones, in the order
// of ran: what did not run is decided.
func (b *Block[S]) Again(spoiled, ran []S) []S {
	again := slices.Clone(spoiled)
	for _, p := range b.Pairs {
		if slices.Contains(spoiled, p[0]) || slices.Contains(spoiled, p[1]) {
			again = append(again, p[:]...)
		}
	}
	return slices.DeleteFunc(slices.Clone(ran), func(s S) bool { return !slices.Contains(again, s) })
}

// A Contest is what the rules remember from block to block.
type Contest[S comparable] struct {
	Rng *rand.Rand // orders come from it
	// Disturbed is in how many blocks in a row a pair stayed disturbed to the last
	// attempt.
	Disturbed int
}

// New returns a contest whose orders come from rng.
func New[S comparable](rng *rand.Rand) *Contest[S] { return &Contest[S]{Rng: rng} }

// Shuffle puts sides in an order in which each comes first with the same chance.
func (c *Contest[S]) Shuffle(sides []S) {
	c.Rng.Shuffle(len(sides), func(i, j int) { sides[i], sides[j] = sides[j], sides[i] })
}

// Hold measures a block. The first attempt takes the sides as they stand, later ones
// in shuffled order. take measures some, one after the other, in the n-th attempt, and
// returns those that others disturbed; what is disturbed in the last is kept all the same.
// An error of it ends the block. fits reports whether there is time
// to take some again, nil: always. Where there is none, the round has no pair of them.
func (c *Contest[S]) Hold(b Block[S], take func(sides []S, n int32, last bool) (spoiled []S, err error), fits func(sides []S) bool) error {
	attempts := int32(Attempts)
	if c.Disturbed >= Stuck {
		attempts = 1
	}
	sides := slices.Clone(b.Sides)
	for n := int32(0); len(sides) > 0; n++ {
		last := n+1 == attempts
		spoiled, err := take(sides, n, last)
		switch {
		case err != nil:
			return err
		case len(spoiled) == 0:
			c.Disturbed = 0
			return nil
		case last:
			c.Disturbed++
			return nil
		}
		if sides = b.Again(spoiled, sides); fits != nil && !fits(sides) {
			return nil
		}
		c.Shuffle(sides)
	}
	return nil
}
