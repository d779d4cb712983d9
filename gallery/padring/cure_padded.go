package padring

import "github.com/gopayoff/payoff/gallery/internal/casring"

// Padded is Packed with each field of the ring on lines of its own. It is the cure
// of the article.
func Padded(n, sides int) uint64 {
	return pass(n, sides, casring.NewPadded(n, casring.Patience))
}
