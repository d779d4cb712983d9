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
// Good: what needs nothing of the lock is done before it is taken.
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
// the whole faster than the time in the section allows (Amdahl); and what has to
// wait longer than package sync spins sleeps and has to be woken.
//
// Evidence decides: goroutines that wait for the lock, or its cost, in the
// functions that take it. Of locks held over input and output in known programs,
// two of fourteen looked as if any waits.
//
// The edit, shorter, takes the lock after statements that need nothing of it,
// makes calls that only compute before it, and gives it back before statements
// that need nothing of it any more; values that those read are copied first.
// A deferred unlock becomes a plain one where nothing in between can panic.
//
// It is refused where the slow part uses what is written under the lock, or can
// reach it by reference, or gets a value from outside, like one of an interface,
// that may lead there; where others would see its effects in another order, as
// with a write to a file that all share; where it waits; and where nothing else
// is under the lock, which then serves to let one at a time.
package lockslow
