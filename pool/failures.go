package pool

import (
	"errors"
	"fmt"
	"log"
	"sync"

	"github.com/gopayoff/payoff/par"
)

// failures are the errors of tasks that no call waits for.
type failures struct {
	handler func(error) // nil: they are kept, and some are logged

	mu   sync.Mutex
	errs []error
	n    uint64
}

// mostFailures is how many are kept.
const mostFailures = 100

// add hands on an error. Where quiet, it is not logged.
func (f *failures) add(err error, quiet bool) {
	f.mu.Lock()
	f.n++
	n := f.n
	if f.handler == nil && len(f.errs) < mostFailures {
		f.errs = append(f.errs, err)
	}
	f.mu.Unlock()
	switch {
	case f.handler != nil:
		f.tell(err)
	case !quiet && n&(n-1) == 0:
		log.Printf("pool: error %d of tasks given to Submit, with no Options.OnError: %s", n, withStack(err))
	}
}

// tell calls the handler. A panic of that ends the program: here it would be taken for the
// task's, and handed to the handler once more.
func (f *failures) tell(err error) {
	returned := false
	defer func() {
		if !returned {
			go panic("pool: Options.OnError has not returned: " + withStack(asError(recover())))
			select {} // the crash shows this goroutine
		}
	}()
	f.handler(err)
	returned = true
}

// withStack is the text of err, and where a panic came from.
func withStack(err error) string {
	var p *par.Panic
	if errors.As(err, &p) && len(p.Callers) == 0 { // else its text has the stack
		return fmt.Sprintf("%v\n\n%s", err, p.Stack)
	}
	return err.Error()
}

func (f *failures) count() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.n
}

// all returns those that the handler was not told of.
func (f *failures) all() error {
	if f.handler != nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	errs := f.errs
	if more := f.n - uint64(len(errs)); more > 0 {
		errs = append(errs[:len(errs):len(errs)], fmt.Errorf("pool: and %d errors more", more))
	}
	return errors.Join(errs...)
}
