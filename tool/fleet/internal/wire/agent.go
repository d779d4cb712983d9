package wire

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/gopayoff/payoff/tool/internal/machine"
)

// An Agent is what a machine says of itself, again with every few beats.
type Agent struct {
	Machine string         `json:"machine"` // a name that it gave itself once, and keeps
	Kind    string         `json:"kind"`    // of Env
	Key     string         `json:"key"`     // of its answers, public
	Env     machine.Env    `json:"env"`
	Prices  machine.Prices `json:"prices"`
	// Noise is by how much of its median time the same arithmetic varies, over the last
	// hour: the distance of its quartiles; below 0: not known yet.
	Noise  float64   `json:"noise"`
	Job    string    `json:"job,omitempty"` // that it has; "" if it is idle
	Kernel string    `json:"kernel,omitempty"`
	Lacks  []string  `json:"lacks,omitempty"` // of what confines a job, a phrase each
	Time   time.Time `json:"time"`            // by its own clock
	// Skew is how far its clock is before the server's, as far as that can be told; the
	// reader fills it in.
	Skew time.Duration `json:"skew,omitzero"`
}

// String says what the machine is.
func (a Agent) String() string { return a.Env.String() }

// mostSkew is by how much a clock may be off before that is said. Times are taken by the
// machine that measures and only subtracted, so that no figure depends on it.
const mostSkew = 5 * time.Second

// mostNoise is from where on a machine is not given jobs: what is even could not be told.
const mostNoise = 0.25

// Unfit says why a machine gets no jobs; "" if it does.
func (a Agent) Unfit() string {
	switch {
	case a.Noise > mostNoise:
		return fmt.Sprintf("too noisy: equal work varies by %.0f %%", 100*a.Noise)
	case a.Skew.Abs() > mostSkew:
		return fmt.Sprintf("its clock is off by %v", a.Skew.Round(time.Second))
	}
	return ""
}

// Here says that a machine is there.
func (f *Fleet) Here(ctx context.Context, a Agent) error {
	data, err := json.Marshal(a)
	if err != nil {
		return err
	}
	_, err = f.agents.Put(ctx, a.Machine, data)
	return err
}

// Gone says that it is not any more.
func (f *Fleet) Gone(ctx context.Context, machine string) error {
	return f.agents.Purge(ctx, machine)
}

// Agents are the machines that were there within the last beat, by kind and name; the
// caller does not change them. Where there are a thousand, to ask for them costs more than
// a short job does.
func (f *Fleet) Agents(ctx context.Context) (all []Agent, err error) {
	f.seen.Lock()
	all, at := f.seen.all, f.seen.at
	f.seen.Unlock()
	if all != nil && time.Since(at) < f.Timing.Beat {
		return all, nil
	}
	at = time.Now()
	err = f.patiently(ctx, func() (err error) {
		all, err = f.listed(ctx)
		return err
	})
	if err == nil {
		f.seen.Lock()
		f.seen.all, f.seen.at = all, at
		f.seen.Unlock()
	}
	return all, err
}

// Forget has the next call of Agents ask anew: before a machine counts as gone.
func (f *Fleet) Forget() {
	f.seen.Lock()
	f.seen.all = nil
	f.seen.Unlock()
}

// listed asks once for all of them.
func (f *Fleet) listed(ctx context.Context) (all []Agent, err error) {
	ctx, stop := context.WithTimeout(ctx, f.Timing.AckWait())
	defer stop()
	w, err := f.agents.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer w.Stop()
	for more := true; more; {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case e := <-w.Updates():
			if more = e != nil; !more { // those are all that there are now
				continue
			}
			var a Agent
			if err := json.Unmarshal(e.Value(), &a); err != nil || a.Machine != e.Key() || a.Kind != a.Env.Kind() {
				continue // of another release, or what no agent writes
			}
			a.Skew = a.Time.Sub(e.Created())
			all = append(all, a)
		}
	}
	slices.SortFunc(all, func(a, b Agent) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Machine, b.Machine))
	})
	return all, nil
}

// A Wish says what a machine must be: "cores>=16,arch=arm64". RunName is the name of the
// run, where it says run=NAME.
type Wish struct {
	RunName string
	terms   []term
}

type term struct {
	field, op, value string
	number           float64
}

// fields are what a wish can be about: text is compared as it is, or held in, numbers
// by size.
var fields = map[string]struct {
	number func(Agent) float64
	text   func(Agent) string
}{
	"cores":    {number: func(a Agent) float64 { return float64(a.Env.UsableCPUs) }},
	"physical": {number: func(a Agent) float64 { return float64(a.Env.PhysicalCores) }},
	"memory":   {number: func(a Agent) float64 { return float64(a.Env.Memory) / (1 << 30) }},
	"noise":    {number: func(a Agent) float64 { return 100 * a.Noise }},
	"arch":     {text: func(a Agent) string { return a.Env.Arch }},
	"os":       {text: func(a Agent) string { return a.Env.OS }},
	"cpu":      {text: func(a Agent) string { return a.Env.CPU }},
	"virtual":  {text: func(a Agent) string { return a.Env.Virtual }},
	"kind":     {text: func(a Agent) string { return a.Kind }},
	"machine":  {text: func(a Agent) string { return a.Machine }},
}

// ParseWish reads a wish. The empty one, and "any", fit every machine.
func ParseWish(s string) (w Wish, err error) {
	for t := range strings.SplitSeq(s, ",") {
		t = strings.TrimSpace(t)
		if t == "" || t == "any" {
			continue
		}
		if name, ok := strings.CutPrefix(t, "run="); ok {
			if err := CheckName(name); err != nil {
				return w, err
			}
			w.RunName = name
			continue
		}
		i := strings.IndexAny(t, "<>=~!")
		if i < 0 {
			return w, fmt.Errorf("%q: want a comparison, like cores>=16 or arch=arm64", t)
		}
		x := term{field: strings.TrimSpace(t[:i])}
		for _, op := range []string{">=", "<=", "!=", ">", "<", "=", "~"} {
			if rest, ok := strings.CutPrefix(t[i:], op); ok {
				x.op, x.value = op, strings.TrimSpace(rest)
				break
			}
		}
		f, ok := fields[x.field]
		switch {
		case !ok:
			return w, fmt.Errorf("%q: no machine says its %s; it is one of %s", t, x.field, strings.Join(fieldNames(), ", "))
		case x.op == "" || x.value == "":
			return w, fmt.Errorf("%q: want a comparison, like cores>=16 or arch=arm64", t)
		case f.number != nil:
			if x.op == "~" {
				return w, fmt.Errorf("%q: %s is a number", t, x.field)
			}
			if x.number, err = strconv.ParseFloat(x.value, 64); err != nil {
				return w, fmt.Errorf("%q: want a number", t)
			}
		case x.op != "=" && x.op != "!=" && x.op != "~":
			return w, fmt.Errorf("%q: %s is text: want =, != or ~ (contains)", t, x.field)
		}
		w.terms = append(w.terms, x)
	}
	return w, nil
}

func fieldNames() (names []string) {
	for n := range fields {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Fits reports whether a machine is what was wished for.
func (w Wish) Fits(a Agent) bool {
	for _, t := range w.terms {
		f := fields[t.field]
		ok := false
		if f.number != nil {
			x := f.number(a)
			switch t.op {
			case ">=":
				ok = x >= t.number
			case "<=":
				ok = x <= t.number
			case ">":
				ok = x > t.number
			case "<":
				ok = x < t.number
			case "=":
				ok = x == t.number
			case "!=":
				ok = x != t.number
			}
			if t.field == "noise" && a.Noise < 0 { // not known
				ok = false
			}
		} else {
			x := f.text(a)
			switch t.op {
			case "=":
				ok = strings.EqualFold(x, t.value)
			case "!=":
				ok = !strings.EqualFold(x, t.value)
			case "~":
				ok = strings.Contains(strings.ToLower(x), strings.ToLower(t.value))
			}
		}
		if !ok {
			return false
		}
	}
	return true
}
