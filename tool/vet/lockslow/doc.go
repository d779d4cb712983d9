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
// The edit, shorter, takes the lock after statements that need nothing of it,
// and makes calls that only compute before it.
//
// It is refused where the slow part uses what the section writes under the lock,
// or can reach it by reference. A value from outside that may lead there, like
// one of an interface, refuses it too. It is refused where others would see the
// effects in another order, as with a write to a file that all share. What it asks the
// clock, a file or an atomic counts as that. It is refused where the slow part waits.
// It is refused where nothing else is under the lock, which then serves to let one at a
// time. A call stays behind what may end the section
// before it, unless it encodes a variable.
package lockslow
