package contest

import "time"

// LinkShare is the part of a budget that making layouts may take.
const LinkShare = 0.2

// Layouts is what is known of linking code with its functions in other orders.
type Layouts struct {
	None  bool          // can be had any more: the binaries are as the linker made them
	Guess time.Duration // of what one takes, before the first
	N     int           // that were made
	Spent time.Duration // on making them
}

// Make makes one by link, on a clock. After an error there are no more; whether it is
// one of the linker or of a context is for the caller to say.
func (l *Layouts) Make(now func() time.Time, link func() error) error {
	began := now()
	err := link()
	l.Spent += now().Sub(began)
	if err != nil {
		l.None = true
		return err
	}
	l.N++
	return nil
}

// Each is how long it takes to make one.
func (l *Layouts) Each() time.Duration {
	if l.N == 0 {
		return l.Guess
	}
	return l.Spent / time.Duration(l.N)
}

// Dear reports whether one more would take more than its share of a budget.
func (l *Layouts) Dear(budget time.Duration) bool {
	return l.Spent+l.Each() > time.Duration(LinkShare*float64(budget))
}
