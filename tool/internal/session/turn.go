package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gopayoff/payoff/tool/internal/turn"
)

// turn waits for this machine, if that is the one that measures, and reports
// whether it had to.
func (s *session) turn(ctx context.Context) (release func(), waited bool, err error) {
	if s.hosts != nil {
		return func() {}, false, nil
	}
	began := time.Now()
	defer func() { s.began = s.began.Add(time.Since(began)) }() // to wait is no part of the run
	release, s.alone, err = Turn(ctx, s.plan.Command, s.plan.Dir, s.plan.Wait, func(n Notice) {
		waited = true
		s.tell(n)
	})
	return release, waited, err
}

// Turn waits until no other payoff measures on this machine, as long as wait
// says: 0 is as long as it takes, less is not at all. tell hears of whom it
// waits for. The caller calls release. missing is not "" where nobody can know
// who else measures, and says why.
func Turn(ctx context.Context, command []string, dir string, wait time.Duration, tell func(Notice)) (release func(), missing string, err error) {
	all := ctx
	if wait != 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, wait)
		defer stop()
	}
	var other turn.Holder
	release, err = turn.Take(ctx, turn.Me(command, dir), func(h turn.Holder) {
		if other = h; wait >= 0 {
			tell(Notice(fmt.Sprintf("waiting for %s to end: two at once would measure each other; %s names another file to take turns by", h, turn.Env)))
		}
	})
	switch {
	case errors.Is(err, turn.ErrNoLock):
		return release, "whether another payoff measured meanwhile: " + err.Error(), nil
	case errors.Is(err, context.DeadlineExceeded) && all.Err() == nil:
		err = fmt.Errorf("%s measures on this machine: wait until it ends, two at once would measure each other; %s names another file to take turns by", other, turn.Env)
	}
	return release, "", err
}
