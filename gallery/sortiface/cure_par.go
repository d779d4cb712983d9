package sortiface

import "github.com/gopayoff/payoff/par"

// Par sorts the entries with par.SortFunc: the same call, on all processors. It
// finds out that compare goes by a number in the entry, sorts by its digits, and
// calls compare for neighbours only.
func Par(l *list) { par.SortFunc(l.entries, compare) }
