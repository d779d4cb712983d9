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
// There is no edit: whether the lock can be taken later is for the author to say. What a
// section uses may depend on it, and so may the order in which others see what it does.
// Silent are locks over what is made once, where the section finds that it is not there.
package lockslow
