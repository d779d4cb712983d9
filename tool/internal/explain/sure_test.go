package explain

import (
	"fmt"
	"math"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// TestQuantiles holds the tables to Student's distribution, integrated here; beyond
// them the last entry serves.
func TestQuantiles(t *testing.T) {
	below := func(x float64, df int) float64 {
		n := float64(df)
		a, _ := math.Lgamma((n + 1) / 2)
		b, _ := math.Lgamma(n / 2)
		c := math.Exp(a-b) / math.Sqrt(n*math.Pi)
		const steps = 4000
		sum := 0.0
		for i := range steps {
			y := x * (float64(i) + 0.5) / steps
			sum += c * math.Pow(1+y*y/n, -(n+1)/2) * x / steps
		}
		return 0.5 + sum
	}
	for df := 1; df <= 7; df++ {
		if p := below(student(df), df); math.Abs(p-0.975) > 5e-5 {
			t.Errorf("student(%d) = %v, which is the %.4f quantile, want 0.975", df, student(df), p)
		}
		if p := below(oneSided(df), df); math.Abs(p-0.95) > 5e-5 {
			t.Errorf("oneSided(%d) = %v, which is the %.4f quantile, want 0.95", df, oneSided(df), p)
		}
	}
	if student(8) != student(7) || oneSided(20) != oneSided(7) {
		t.Errorf("student(8) = %v, oneSided(20) = %v; want those of 7", student(8), oneSided(20))
	}
}

// The jackknife of a mean is its standard error.
func TestJackknife(t *testing.T) {
	values := []float64{1, 2, 4, 9}
	var without []map[string]float64
	for i := range values {
		m := 0.0
		for j, x := range values {
			if i != j {
				m += x / 3
			}
		}
		without = append(without, map[string]float64{"x": m})
	}
	// Their variance is (9 + 4 + 0 + 25)/3.
	if got, want := jackknife(without, func(m map[string]float64) float64 { return m["x"] }), math.Sqrt(38./3/4); math.Abs(got-want) > 1e-12 {
		t.Errorf("jackknife = %v, want %v", got, want)
	}
}

// TestDispersion: chi-square of the processes for each degree of freedom, over the
// categories that have from 5 to 95 % of the samples, and 1 at least.
func TestDispersion(t *testing.T) {
	side := func(all shares, parts ...shares) *Side {
		x := &Side{By: all, Set: &evidence.Set{CPU: &cpuprof.Digest{Share: all}}}
		for i, by := range parts {
			x.Set.Profiles = append(x.Set.Profiles, evidence.Profile{Samples: 100 * (i + 1), Share: by})
		}
		return x
	}
	for _, tt := range []struct {
		name string
		x    *Side
		want float64
	}{
		// 100·0.1²/0.25 + 200·0² + 300·0.2²/0.25 = 52, twice, of 2·2 degrees.
		{"two categories", side(shares{stack.User: 0.5, stack.Chan: 0.5}, shares{stack.User: 0.4, stack.Chan: 0.6}, shares{stack.User: 0.5, stack.Chan: 0.5}, shares{stack.User: 0.7, stack.Chan: 0.3}), 26},
		{"equal processes", side(shares{stack.User: 0.5, stack.Chan: 0.5}, shares{stack.User: 0.5, stack.Chan: 0.5}, shares{stack.User: 0.5, stack.Chan: 0.5}), 1},
		{"5 and 95 % count", side(shares{stack.User: 0.95, stack.Chan: 0.05}, shares{stack.User: 0.85, stack.Chan: 0.15}, shares{stack.User: 0.95, stack.Chan: 0.05}), 100 * 0.01 / (0.05 * 0.95)},
		{"less and more do not", side(shares{stack.User: 0.951, stack.Chan: 0.049}, shares{stack.User: 0.85, stack.Chan: 0.15}, shares{stack.User: 0.95, stack.Chan: 0.05}), 1},
		{"one process", side(shares{stack.User: 0.5, stack.Chan: 0.5}, shares{stack.User: 0.1, stack.Chan: 0.9}), 1},
		{"no profile", &Side{Set: &evidence.Set{}}, 1},
		{"no set", &Side{}, 1},
		{"no side", nil, 1},
	} {
		if got := dispersion(tt.x); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestSampling: the error of a share by the samples of the profile, and that of the
// difference of two. Idle time is not sampled.
func TestSampling(t *testing.T) {
	finding := func(samples int, accounts ...Account) *Finding {
		return &Finding{Lost: 50, Page: Page{New: &Side{CPU: 100, Set: &evidence.Set{CPU: &cpuprof.Digest{Samples: samples}}}}, Accounts: accounts}
	}
	charged := []Account{
		{Kind: AtOne, Of: stack.Chan, NS: 30, Charged: map[string]float64{"a": 20, "b": 5}},
		{Kind: AtOnce, Of: stack.User, NS: 30, Charged: map[string]float64{"a": 10, "b": 5}},
		{Kind: IdleLock, NS: 30, Charged: map[string]float64{"a": 20, "c": 10}},
	}
	for _, tt := range []struct {
		name string
		x    *Finding
		a, b string
		phi  float64
		want float64 // squared, of the processor time
	}{
		// 0.3 of the processor time: 0.3·0.7 of 400 samples, and one sample.
		{"one", finding(400, charged...), "a", "", 1, (0.21 + 1./400) / 400},
		{"the other", finding(400, charged...), "b", "", 1, (0.1*0.9 + 1./400) / 400},
		{"processes that differ", finding(400, charged...), "a", "", 4, 4 * (0.21 + 1./400) / 400},
		// 0.3 - 0.1: p + q - (p - q)².
		{"their difference", finding(400, charged...), "a", "b", 1, (0.4 - 0.04 + 1./400) / 400},
		{"idle time alone", finding(400, charged...), "c", "", 1, 0},
		{"with idle time", finding(400, charged...), "a", "c", 1, (0.21 + 1./400) / 400},
		{"no samples", finding(0, charged...), "a", "", 1, 0},
		{"no time", &Finding{Lost: 50, Page: Page{New: &Side{Set: &evidence.Set{CPU: &cpuprof.Digest{Samples: 9}}}}, Accounts: charged}, "a", "", 1, 0},
		{"no profile", &Finding{Lost: 50, Page: Page{New: &Side{CPU: 1, Set: &evidence.Set{}}}, Accounts: charged}, "a", "", 1, 0},
		{"no set", &Finding{Lost: 50, Page: Page{New: &Side{CPU: 1}}, Accounts: charged}, "a", "", 1, 0},
		{"no side", &Finding{Lost: 50, Accounts: charged}, "a", "", 1, 0},
	} {
		if got, want := tt.x.sampling(tt.a, tt.b, tt.phi), math.Sqrt(tt.want)*100/50; math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", tt.name, got, want)
		}
	}
}

// TestWithout: a set less one process has the profiles of the others by their
// samples, lines and instructions in proportion, and the idle times of the others.
func TestWithout(t *testing.T) {
	set := &evidence.Set{
		CPU: &cpuprof.Digest{Samples: 100, Share: shares{stack.User: 0.5, stack.Chan: 0.3, stack.Map: 0.2}, Lines: []cpuprof.Line{
			{Place: line(1), Share: 0.4, By: shares{stack.User: 0.25, stack.Chan: 0.15}}, {Place: line(2), Share: 0.2, By: shares{stack.Map: 0.2}}}},
		Profiles: []evidence.Profile{{Samples: 10, Share: shares{stack.User: 0.9, stack.Chan: 0.1}}, {Samples: 30, Share: shares{stack.User: 0.3, stack.Chan: 0.7}}, {Samples: 60, Share: shares{stack.User: 0.5, stack.Chan: 0.2, stack.Map: 0.3}}},
		Hot:      []evidence.Hot{{Where: cpuprof.Hot{Category: stack.User, Share: 0.2}}, {Where: cpuprof.Hot{Category: stack.Chan, Share: 0.3}}},
		Trace:    &exectrace.Facts{},
		Idles:    []evidence.Idle{{Window: 1}, {Window: 2}},
	}
	show := func(x *evidence.Set) string {
		s := fmt.Sprintf("%d", x.CPU.Samples)
		for _, c := range []stack.Category{stack.User, stack.Chan, stack.Map} {
			s += fmt.Sprintf(" %.4g", x.CPU.Share[c])
		}
		for _, l := range x.CPU.Lines {
			s += fmt.Sprintf("; line %d %.4g", l.Line, l.Share)
			for _, c := range []stack.Category{stack.User, stack.Chan, stack.Map} {
				s += fmt.Sprintf(" %.4g", l.By[c])
			}
		}
		s += ";"
		for _, h := range x.Hot {
			s += fmt.Sprintf(" %.4g", h.Where.Share)
		}
		s += ";"
		for _, i := range x.Idles {
			s += fmt.Sprintf(" %v", i.Window)
		}
		return s
	}
	whole := show(set)
	for k, want := range []string{
		// Without the first: 90 samples, 9 + 30 of them the user's, 21 + 12 of channels, 18 of maps.
		"90 0.4333 0.3667 0.2; line 1 0.4 0.2167 0.1833 0; line 2 0.2 0 0 0.2; 0.1733 0.3667; 2",
		"70 0.5571 0.1857 0.2571; line 1 0.3714 0.2786 0.09286 0; line 2 0.2571 0 0 0.2571; 0.2229 0.1857; 1",
		"40 0.45 0.55 0; line 1 0.5 0.225 0.275 0; line 2 0 0 0 0; 0.18 0.55; 2", // of idle times the first again
		"90 0.4333 0.3667 0.2; line 1 0.4 0.2167 0.1833 0; line 2 0.2 0 0 0.2; 0.1733 0.3667; 1",
	} {
		if got := show(without(set, k)); got != want {
			t.Errorf("without process %d:\n got %s\nwant %s", k, got, want)
		}
	}
	if got := show(set); got != whole {
		t.Errorf("the set itself is %s now, want %s", got, whole)
	}
	// Of one process each nothing can be left out.
	one := &evidence.Set{CPU: set.CPU, Profiles: set.Profiles[:1], Idles: set.Idles[:1], Trace: set.Trace, Hot: set.Hot}
	if got, want := show(without(one, 0)), show(one); got != want {
		t.Errorf("without the only process:\n got %s\nwant %s", got, want)
	}
	// Nor where the others have no sample.
	none := &evidence.Set{CPU: set.CPU, Profiles: []evidence.Profile{{Samples: 9}, {}}, Hot: set.Hot}
	if got := without(none, 0); got.CPU != set.CPU {
		t.Errorf("without the process that has all samples: %+v", got.CPU)
	}
}

// TestIntervals: a share has the interval that its processes give it, on whichever
// side of the account they differ, with their number's quantile.
func TestIntervals(t *testing.T) {
	const many = 1e12 // samples, so that processes alone count
	profiles := func(w *world, variant string, procs int, parts ...shares) {
		set := w.Set(variant, procs)
		set.CPU.Share, set.Profiles = shares{}, nil
		for _, by := range parts {
			set.Profiles = append(set.Profiles, evidence.Profile{Samples: many, Share: by})
			for c, share := range by {
				set.CPU.Share[c] += share / float64(len(parts))
			}
		}
		set.CPU.Samples = many * len(parts)
	}
	chans := func(all ...float64) (parts []shares) {
		for _, x := range all {
			parts = append(parts, shares{stack.User: 0.5, stack.Chan: x, stack.SyncMap: 0.5 - x})
		}
		return parts
	}
	for _, tt := range []struct {
		name   string
		change func(w *world)
		want   string
	}{
		{"one process", func(w *world) { profiles(w, "new", 8, chans(0.3)...) }, "handoff 0.60 [NaN, NaN], syncmap 0.40 [NaN, NaN]"},
		{"processes that agree", func(w *world) { profiles(w, "new", 8, chans(0.3, 0.3, 0.3)...) }, "handoff 0.60 [0.60, 0.60], syncmap 0.40 [0.40, 0.40]"},
		// Shares of the loss are 0.6, 0.7, 0.8: a standard error of 0.1/√3, 4.303 times.
		{"three that differ", func(w *world) { profiles(w, "new", 8, chans(0.3, 0.35, 0.4)...) }, "handoff 0.70 [0.45, 0.95], syncmap 0.30 [0.05, 0.55]"},
		// 0.7 and 0.8, 12.706 times: cut off at 0 and 1. All categories together scatter a
		// little more than channels alone.
		{"two that differ", func(w *world) { profiles(w, "new", 8, chans(0.35, 0.4)...) }, "handoff 0.75 tie [0.10, 1.00], syncmap 0.25 tie [0.00, 0.89]"},
		{"three that differ: which is larger is open", func(w *world) { profiles(w, "new", 8, chans(0.27, 0.3, 0.33)...) }, "handoff 0.60 tie [0.45, 0.75], syncmap 0.40 tie [0.25, 0.55]"},
		// The difference is 0.2 with twice the error, 2.920 times: 0.06 times 2·2.920/√3 is 0.2023.
		{"three that differ less: it is not", func(w *world) { profiles(w, "new", 8, chans(0.2706, 0.3, 0.3294)...) }, "handoff 0.60 [0.45, 0.75], syncmap 0.40 [0.25, 0.55]"},
		{"less than a twentieth apart", func(w *world) { profiles(w, "new", 8, chans(0.2624, 0.2624, 0.2624)...) }, "handoff 0.52 tie [0.52, 0.52], syncmap 0.48 tie [0.48, 0.48]"},
		{"more than a twentieth apart", func(w *world) { profiles(w, "new", 8, chans(0.2626, 0.2626, 0.2626)...) }, "handoff 0.53 [0.53, 0.53], syncmap 0.47 [0.47, 0.47]"},
		{"processes of the base differ", func(w *world) {
			profiles(w, "new", 8, chans(0.3, 0.3, 0.3)...)
			profiles(w, "serial", 1, shares{stack.User: 1}, shares{stack.User: 0.9, stack.Chan: 0.1}, shares{stack.User: 1})
		}, "handoff 0.57 [0.42, 0.71], syncmap 0.40 [0.40, 0.40]"},
		{"processes at one processor differ", func(w *world) {
			w.Takes("new", 1, 20*ms, 20*ms, shares{stack.User: 1})
			w.Takes("new", 8, 2.5*ms, 20*ms, nil)
			profiles(w, "new", 8, shares{stack.User: 1}, shares{stack.User: 1}, shares{stack.User: 1})
			profiles(w, "new", 1, shares{stack.User: 0.8, stack.Map: 0.2}, shares{stack.User: 0.9, stack.Map: 0.1}, shares{stack.User: 1})
		}, "work 0.80 [0.30, 1.00]"},
		{"traces differ", func(w *world) {
			w.Takes("new", 8, 5*ms, 20*ms, nil)
			profiles(w, "new", 8, chans(0.3, 0.3)...)
			w.Traced(exectrace.Facts{Idle: exectrace.Idle{Total: 200, Serial: 100, Waiting: 100}})
			w.Set("new", 8).Idles = []evidence.Idle{{Idle: exectrace.Idle{Total: 200, Serial: 90, Waiting: 110}}, {Idle: exectrace.Idle{Total: 200, Serial: 110, Waiting: 90}}}
		}, "waiting 0.33 tie [0.00, 0.76], handoff 0.30 tie [0.17, 0.43], syncmap 0.20 tie [0.12, 0.28], serial 0.17 tie [0.00, 0.38]"},
	} {
		w := measured(8)
		w.Takes("new", 8, 2.5*ms, 20*ms, nil)
		tt.change(w)
		x := account(w.Series, w.R, w.V, prices)
		x.certain(w.Series, w.R, prices)
		got, sep := "", ""
		for _, c := range x.Causes {
			tie := ""
			if c.Tie {
				tie = " tie"
			}
			got += fmt.Sprintf("%s%s %.2f%s [%.2f, %.2f]", sep, c.Slug, c.Share, tie, c.Low, c.High)
			sep = ", "
		}
		if got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
	// Few samples: their own error, whatever the processes say.
	w := measured(8)
	w.Takes("new", 8, 2.5*ms, 20*ms, nil)
	profiles(w, "new", 8, chans(0.3, 0.3)...)
	w.Set("new", 8).CPU.Samples = 400
	w.Set("serial", 1).CPU.Samples = 1e9
	x := account(w.Series, w.R, w.V, prices)
	x.certain(w.Series, w.R, prices)
	// 0.3 of 400 samples of twice what was lost, 12.706 times.
	se := math.Sqrt((0.21 + 1./400) / 400)
	if c := x.Causes[0]; math.Abs(c.High-min(1, 0.6+12.706*2*se)) > 1e-9 || math.Abs(c.Low-(0.6-12.706*2*se)) > 1e-9 {
		t.Errorf("%+v, want ±%v", c, 12.706*2*se)
	}
}

// TestLossBounds: the interval of a line is that of its cause's share, and that of
// its samples among those of the cause.
func TestLossBounds(t *testing.T) {
	x := &Finding{Lost: 100, Page: Page{New: &Side{CPU: 200, Set: &evidence.Set{CPU: &cpuprof.Digest{Samples: 1000, Share: shares{}}, Profiles: make([]evidence.Profile, 3)}}},
		Causes: []Cause{{Slug: "a", NS: 50, Share: 0.5, Low: 0.4, High: 0.7}, {Slug: "b", NS: 20, Share: 0.2, Low: math.NaN(), High: math.NaN()}, {Slug: "c", NS: 10, Share: 0.1, Low: 0.1, High: 0.1}},
		placed: map[string]placed{
			"a": {spread{line(1): 30, line(2): 10}, spread{line(2): 6, {}: 4, line(9): 4e-8}},
			"c": {spread{}, spread{line(3): 10}},
		}}
	x.locate()
	// The cause has 40 of processor time: 200 samples. Line 1 has 3/4 of them, line 2 1/4.
	se := 4.303 * 40 * math.Sqrt(0.1875/200)
	want := []Loss{
		{"a", line(1), 30, 30 - math.Hypot(se, 6), 30 + math.Hypot(se, 12)},
		{"a", line(2), 16, 16 - math.Hypot(se, 3.2), 16 + math.Hypot(se, 6.4)},
		{"a", source.Place{}, 4, 4 - 0.8, 4 + 1.6},
		{"b", source.Place{}, 20, math.NaN(), math.NaN()},
		{"c", line(3), 10, 10, 10},
	}
	if len(x.Losses) != len(want) {
		t.Fatalf("losses %+v, want %+v", x.Losses, want)
	}
	same := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 || math.IsNaN(a) && math.IsNaN(b) }
	for i, l := range x.Losses {
		if w := want[i]; l.Slug != w.Slug || l.Place != w.Place || !same(l.NS, w.NS) || !same(l.Low, w.Low) || !same(l.High, w.High) {
			t.Errorf("loss %d: %+v, want %+v", i, l, w)
		}
	}
	// Twice as many processes as samples of them explain: half of the samples count.
	for _, tt := range []struct {
		side *Side
		want float64
	}{
		{x.Page.New, 100}, {&Side{CPU: 200, Set: &evidence.Set{}}, 0}, {&Side{CPU: 200}, 0}, {&Side{Set: x.Page.New.Set}, 0}, {nil, 0},
		{&Side{CPU: 200, By: shares{stack.User: 1, stack.Chan: 1}, Set: &evidence.Set{CPU: &cpuprof.Digest{Samples: 1000, Share: shares{stack.User: 0.5, stack.Chan: 0.5}},
			Profiles: []evidence.Profile{{Samples: 100, Share: shares{stack.User: 0.6, stack.Chan: 0.4}}, {Samples: 100, Share: shares{stack.User: 0.6, stack.Chan: 0.4}}}}}, 100 / 8.},
	} {
		if got := (&Finding{Page: Page{New: tt.side}}).samples(20); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("20 of %+v are %v samples, want %v", tt.side, got, tt.want)
		}
	}
}

// TestNamesOfLines: evidence of some kinds names a line without its function, in
// whichever order it comes.
func TestNamesOfLines(t *testing.T) {
	at := func(n int) source.Place { return line(n).Spot() }
	asm := source.Place{Func: "memmove"}
	x := placed{spread{at(1): 1, line(2): 2, asm: 5}, spread{line(1): 10, at(2): 20, at(3): 30}}
	spent, all := x.byLine()
	for _, tt := range []struct {
		what string
		m    spread
		at   source.Place
		want float64
	}{{"spent", spent, line(1), 1}, {"spent", spent, line(2), 2}, {"spent", spent, asm, 5}, {"all", all, line(1), 11}, {"all", all, line(2), 22}, {"all", all, at(3), 30}, {"all", all, asm, 5}} {
		if got := tt.m[tt.at]; got != tt.want {
			t.Errorf("%s at %v: %v, want %v", tt.what, tt.at, got, tt.want)
		}
	}
	if len(spent) != 3 || len(all) != 4 {
		t.Errorf("%d and %d places, want 3 and 4", len(spent), len(all))
	}
}

// TestPlaceOf: what a rule took of an account is at the lines that it names first,
// then at any; what the system did on its own stacks, and idle time, is at the sites
// that it names, or else where its processor time is.
func TestPlaceOf(t *testing.T) {
	f := made(8, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 40 * ms, stack.Switch: 8 * ms, stack.Spawn: 4 * ms, stack.Yield: 2 * ms, stack.GC: 6 * ms, stack.Sweep: 1 * ms, stack.Chan: 10 * ms})
		f.new.lined(1, shares{stack.User: 10 * ms, stack.Chan: 2 * ms, stack.Switch: 2 * ms})
		f.new.lined(2, shares{stack.User: 20 * ms, stack.Chan: 6 * ms, stack.GC: 3 * ms})
		f.one.lined(1, shares{stack.User: 2 * ms})
	})
	show := func(p placed) string {
		s := ""
		for _, m := range []spread{p.spent, p.followed} {
			for _, at := range places(m) {
				if m[at] > 1 {
					s += fmt.Sprintf(" %d:%.4g", at.Line, m[at]/ms)
				}
			}
			s += ";"
		}
		return s
	}
	took := func(slug string, ns float64, from ...bucket) {
		f.book.by = slug
		f.book.take(ns, from...)
	}
	user, chans := bucket{AtOnce, stack.User}, bucket{AtOnce, stack.Chan}
	// Lines 1 and 2 have 8 and 20 ms more of the 30 that user code lost, others 2.
	took("first", 15*ms, user)
	if got, want := show(f.place("first", claim{lines: []source.Place{line(1)}})), " 0:0.6364 1:8 2:6.364;;"; got != want {
		t.Errorf("the first, at line 1:%s want%s", got, want)
	}
	took("second", 15*ms, user)
	if got, want := show(f.place("second", claim{})), " 0:1.364 2:13.64;;"; got != want {
		t.Errorf("the second, of what is left:%s want%s", got, want)
	}
	// Of the channels' 10 ms 2 are at line 1 and 6 at line 2.
	took("sites", 10*ms, chans)
	took("sites", 21*ms, bucket{AtOnce, stack.Switch}, bucket{AtOnce, stack.Spawn}, bucket{AtOnce, stack.Yield}, bucket{AtOnce, stack.GC}, bucket{AtOnce, stack.Sweep})
	took("sites", 9*ms, bucket{kind: IdleUnknown})
	got := show(f.place("sites", claim{sites: []exectrace.SiteTime{{Site: line(7), Time: 2}, {Site: line(8), Time: 1}, {Site: line(8), Time: 1}, {Site: source.Place{Func: "sync.f", File: "sync.go", Line: 1}, Time: 2}}}))
	// Of the system's 21 ms 2 of switches and 3 of the collector are at lines; 16 and the 9 of idle time at the sites.
	if want := " 0:2 1:4 2:9; 0:8.333 7:8.333 8:8.333;"; got != want {
		t.Errorf("at sites:%s want%s", got, want)
	}
	took("idle", 12*ms, bucket{kind: IdleUnknown})
	took("idle", 1, user)
	if got, want := show(f.place("idle", claim{})), "; 0:12;"; got != want {
		t.Errorf("without a place:%s want%s", got, want)
	}
}

// A line has lost what it takes longer than on the other side: at once than alone,
// alone than the base; and without one processor at once than the base.
func TestByLine(t *testing.T) {
	setup := func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 30 * ms, stack.Chan: 9 * ms})
		f.one.spends(20*ms, shares{stack.User: 20 * ms, stack.Chan: 5 * ms})
		f.base.spends(10*ms, shares{stack.User: 8 * ms})
		for n, x := range map[*Side][2]float64{f.new: {18, 9}, f.one: {12, 4}, f.base: {6, 1}} {
			n.lined(1, shares{stack.User: x[0] * ms})
			n.lined(2, shares{stack.User: x[1] * ms})
		}
		f.new.lined(3, shares{stack.Chan: 6 * ms})
		f.one.lined(3, shares{stack.Chan: 5 * ms})
		f.base.lined(3, shares{stack.Chan: 3 * ms}) // of none in all: it does not count
	}
	for _, tt := range []struct {
		name   string
		change func(f *facts)
		of     bucket
		want   string
	}{
		// 12-6 and 4-1 at lines, 4-1 of 20-16 and 8-7 on none.
		{"on one processor", nil, bucket{AtOne, stack.User}, "1:6 2:3 0:3"},
		{"at once", nil, bucket{AtOnce, stack.User}, "1:5.455 2:4.545"},
		{"at once, of what is on no line", func(f *facts) {
			f.new.By[stack.User], f.new.CPU = 34*ms, 43*ms
			f.new.Set.CPU.Lines[0].By[stack.User] *= 39. / 43
			f.new.Set.CPU.Lines[1].By[stack.User] *= 39. / 43
		}, bucket{AtOnce, stack.User}, "1:6 2:5 0:3"},
		{"a base that has none of it", nil, bucket{AtOne, stack.Chan}, "3:5"},
		{"without one processor", func(f *facts) { f.one = nil }, bucket{AtOne, stack.User}, "1:12 2:8 0:2"},
	} {
		f := made(8, func(f *facts) {
			setup(f)
			if tt.change != nil {
				tt.change(f)
			}
		})
		m := f.byLine(tt.of)
		got := ""
		for _, at := range append(places(m)[:0:0], line(1), line(2), line(3), source.Place{}) {
			if ns := m[at]; ns > 1 {
				got += fmt.Sprintf(" %d:%.4g", at.Line, ns/ms)
			}
		}
		scale := m.total() / f.book.opened[tt.of]
		if got != " "+tt.want || math.Abs(scale-1) > 1e-9 {
			t.Errorf("%s:%s, %v of the account; want %s and all", tt.name, got, scale, tt.want)
		}
	}
}
