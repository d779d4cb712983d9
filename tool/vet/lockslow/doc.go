// Package lockslow finds locks that are held over slow work: reading and
// writing, encoding, waiting, loops.
//
// Bad:
//
//	func (l *log) add(r record) error {
//		l.mu.Lock()
//		defer l.mu.Unlock()
//		line, err := json.Marshal(r)
//		if err != nil {
//			return err
//		}
//		l.n++
//		_, err = l.f.Write(line)
//		return err
//	}
//
// Good: what needs nothing of the lock comes before it.
//
//	func (l *log) add(r record) error {
//		line, err := json.Marshal(r)
//		if err != nil {
//			return err
//		}
//		l.mu.Lock()
//		defer l.mu.Unlock()
//		l.n++
//		_, err = l.f.Write(line)
//		return err
//	}
//
// While one goroutine holds the lock the others do nothing, so no machine makes
// the whole faster than the time in the section allows (Amdahl). And what has to
// wait longer than package sync spins sleeps and has to be woken.
//
// Evidence decides: goroutines that wait for the lock, or its cost, in the
// functions that take it. Of locks held over input and output in known programs,
// two of fourteen looked as if any waits.
//
// # Edits
//
// before: first statements that need nothing of the lock come before it is taken, and so
// does the first slow call of a later one. Where a function of the package makes that call,
// which is called in the section, it gets the results as parameters.
//
// It may use operands, variables of the function and what is never set again. Of a
// method of an interface or a function value nothing is known: payoff fix tries
// whether it needs no lock. So it is with slices of one type that others write.
//
// # Refused
//
// What uses or changes what the lock guards, or leads to it, and fields that are set again.
// What others may see, like input and output, atomics, clocks and other locks. Calls that
// return nothing or an error alone: they are made for what they do. Calls of which nothing
// is known after a way out of the section, a wait or another such call. A function that is
// called elsewhere, too, or whose receiver an interface may hold.
//
// Silent are locks over what is made once, where the section finds that it is not there.
package lockslow
