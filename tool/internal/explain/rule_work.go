package explain

import "github.com/gopayoff/payoff/tool/internal/stack"

// moreWork claims what the code takes on one processor beyond the base for no
// other reason: it does more, or does it another way.
func moreWork(f *facts) claim {
	if f.one == nil {
		return claim{}
	}
	cats := []stack.Category{stack.Copy, stack.Map, stack.Clock, stack.Defer}
	waits := f.one != f.new && (f.vain(f.one) || 3*f.new.CPU < f.one.CPU) // so that what it does on one processor is not known
	if !f.rmwBound() && !f.spins() && !waits {
		cats = append(cats, stack.User)
	}
	c := claim{ns: f.book.take(f.overhead(cats...), at(cats, AtOne)...)}
	polled := 0.0
	if f.polls() {
		polled = f.book.take(f.excess(stack.Select), at([]stack.Category{stack.Select}, AtOne, AtOnce)...)
		c.ns += polled
		cats = append(cats, stack.Select)
	}
	if c.ns <= 0 {
		return claim{}
	}
	one := f.one
	when := "on one processor already "
	if f.single {
		when = ""
	}
	c.evidence = append(c.evidence, say("%sits own code, copies and maps take %s and those of %s %s", when, ns(one.by(cats...)), f.baseName(), ns(f.base.by(cats...))))
	if polled >= least*c.ns {
		c.evidence = append(c.evidence, say("it looks at channels for %s per operation and hardly ever waits there or hands over", ns(polled)).at(f.lineOf(stack.Select)))
	}
	c.evidence = append(c.evidence, f.extra(one, cats...)...)
	if f.single {
		c.title, c.do = "Its code takes longer", "Look at these lines: they are what it does that "+f.baseName()+" does not do, or does faster"
	}
	return c
}
