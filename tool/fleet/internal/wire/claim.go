package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrTaken says that a run is another coordinator's.
var ErrTaken = errors.New("the run is another's")

// A Hold is a claim that is one's own. Its methods are called one at a time.
type Hold struct {
	f        *Fleet
	name     string
	claim    Claim
	revision uint64 // of what stands there
	epoch    uint64 // the first of them
}

// Claim claims a run by name, or takes over that of a coordinator that gives no sign of
// life any more, if its key is the same. before is what that one had claimed. Nobody's
// clock is asked: what counts is whether the claim is written again while one waits.
func (f *Fleet) Claim(ctx context.Context, name string, c Claim) (h *Hold, before *Claim, err error) {
	h = &Hold{f: f, name: name, claim: c}
	defer func() { h.epoch = h.revision }()
again:
	for {
		data, err := json.Marshal(h.claim)
		if err != nil {
			return h, nil, err
		}
		err = f.patiently(ctx, func() (err error) {
			h.revision, err = f.claims.Create(ctx, name, data)
			return err
		})
		if err == nil {
			return h, before, nil
		}
		if !errors.Is(err, jetstream.ErrKeyExists) {
			return h, nil, err
		}
		e, err := f.claimed(ctx, name)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			continue
		}
		if err != nil {
			return h, nil, err
		}
		var other Claim
		if err := json.Unmarshal(e.Value(), &other); err != nil {
			return h, nil, fmt.Errorf("%w: what stands for run %s cannot be read: %v", ErrTaken, name, err)
		}
		if other.Owner == c.Owner { // the answer to Create, or to Update, was lost
			h.revision = e.Revision()
			return h, before, nil
		}
		if other.Key != c.Key {
			return h, nil, fmt.Errorf("%w: %s belongs to another key: give yours another name", ErrTaken, name)
		}
		alive := fmt.Errorf("%w: %s is being measured by %s: give yours another name, or wait until it ends", ErrTaken, name, other.Where)
		until := time.Now().Add(f.Timing.ClaimTTL())
		for time.Now().Before(until) {
			select {
			case <-ctx.Done():
				return h, nil, context.Cause(ctx)
			case <-time.After(f.Timing.Beat):
			}
			now, err := f.claimed(ctx, name)
			if errors.Is(err, jetstream.ErrKeyNotFound) {
				continue again
			}
			if err != nil {
				return h, nil, err
			}
			if now.Revision() != e.Revision() {
				return h, nil, alive
			}
		}
		// From now on what it had is this one's, or somebody else was quicker.
		h.claim.Kind, h.claim.Machine, h.claim.Agent = other.Kind, other.Machine, other.Agent
		if data, err = json.Marshal(h.claim); err != nil {
			return h, nil, err
		}
		was := other
		before = &was
		err = f.patiently(ctx, func() (err error) {
			h.revision, err = f.claims.Update(ctx, name, data, e.Revision())
			return err
		})
		switch {
		case err == nil:
			return h, before, nil
		case mismatch(err):
			if now, err := f.claimed(ctx, name); err == nil && json.Unmarshal(now.Value(), &other) == nil && other.Owner == c.Owner {
				continue // it was not: the answer was lost
			}
			return h, nil, alive
		default:
			return h, nil, err
		}
	}
}

func (f *Fleet) claimed(ctx context.Context, name string) (e jetstream.KeyValueEntry, err error) {
	err = f.patiently(ctx, func() (err error) {
		e, err = f.claims.Get(ctx, name)
		return err
	})
	return e, err
}

// Epoch grows from claim to claim of a run.
func (h *Hold) Epoch() uint64 { return h.epoch }

// Renew says that the coordinator is alive, and which machine it has. An [ErrTaken]
// means that it is not the run's any more.
func (h *Hold) Renew(ctx context.Context, on Agent) error {
	h.claim.Kind, h.claim.Machine, h.claim.Agent = on.Kind, on.Machine, on.Key
	data, err := json.Marshal(h.claim)
	if err != nil {
		return err
	}
	revision, err := h.f.claims.Update(ctx, h.name, data, h.revision)
	switch {
	case err == nil:
		h.revision = revision
		return nil
	case mismatch(err):
		return h.look(ctx)
	default:
		return err
	}
}

// Release gives the run's name back, if it is still one's own.
func (h *Hold) Release(ctx context.Context) error {
	for {
		err := h.f.claims.Delete(ctx, h.name, jetstream.LastRevision(h.revision))
		if !mismatch(err) {
			return err
		}
		if err := h.look(ctx); errors.Is(err, ErrTaken) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func mismatch(err error) bool {
	return isAPI(err, jetstream.JSErrCodeStreamWrongLastSequence) || errors.Is(err, jetstream.ErrKeyRevisionMismatch)
}

// look finds out whether what stands there is one's own: the answer to an update may have
// been lost, or nobody may have waited for it.
func (h *Hold) look(ctx context.Context) error {
	e, err := h.f.claims.Get(ctx, h.name)
	if err != nil && !errors.Is(err, jetstream.ErrKeyNotFound) {
		return err
	}
	var now Claim
	if err != nil || json.Unmarshal(e.Value(), &now) != nil || now.Owner != h.claim.Owner {
		return fmt.Errorf("%w: another coordinator took %s over", ErrTaken, h.name)
	}
	h.revision = e.Revision()
	return nil
}
