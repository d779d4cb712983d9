// Package tags has a file that is not built.
package tags

import "sync"

type tally struct{ hits, misses int }

func count(xs []bool, n int) int {
	slots := make([]tally, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs {
				if x {
					slots[w].hits++ // want `slots\[w\].hits is updated` // refuse `pad: tags_never.go, which this build leaves out, may rely on the layout of tally`
				}
			}
		})
	}
	wg.Wait()
	return slots[0].hits - slots[0].misses
}

type acc struct {
	n int
	f func() int
}

func (a *acc) run(xs []int) {
	for _, x := range xs {
		a.n += x // want `a.n is updated`
	}
}

// values starts methods by their value and through a variable: who they belong
// to is not followed, but for the plain call.
func values(xs []int, n int) int {
	accs := make([]acc, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { accs[w].run(xs) })
		f := accs[w].run
		go f(xs)
	}
	wg.Wait()
	return accs[0].n
}
