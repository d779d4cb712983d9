package explain

import (
	"maps"
	"math"

	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// alike is the difference of two shares below which none is called the larger.
const alike = 0.05

// certain gives the causes of a finding their intervals, and marks those that
// may be as large as the first: what the account comes to without the evidence
// of one process after the other tells how far it depends on them (a
// jackknife), and no share is taken to be surer than as many samples can make
// it. Intervals are cut off at 0 and 1: on a logit scale they would grow without
// bound there and hold the truth less often (TestCoverage). With evidence of one
// process nothing is known of that.
func (x *Finding) certain(s *measure.Series, r judge.Result, prices machine.Prices) {
	procs := x.processes()
	sides := x.Page.sides()
	for i := range x.Causes {
		x.Causes[i].Low, x.Causes[i].High = math.NaN(), math.NaN()
	}
	if procs < 2 || len(x.Causes) == 0 || x.Accounts == nil {
		return
	}
	var shares []map[string]float64
	for k := range procs {
		some := *s
		some.Evidence = maps.Clone(s.Evidence)
		for _, side := range sides {
			if side != nil && side.Set != nil {
				some.Evidence[measure.Cell{Bench: side.Set.Bench, Procs: side.Set.Procs}] = without(side.Set, k)
			}
		}
		if y := account(&some, r, x.Verdict, prices); y != nil && y.Accounts != nil {
			shares = append(shares, y.charged())
		}
	}
	if len(shares) < 2 {
		return
	}
	t := student(len(shares) - 1)
	larger := oneSided(len(shares) - 1)
	whole := x.charged()
	phi := dispersion(x.Page.New)
	for i := range x.Causes {
		c := &x.Causes[i]
		of := func(m map[string]float64) float64 { return m[c.Slug] }
		se := max(jackknife(shares, of), x.sampling(c.Slug, "", phi))
		c.Low, c.High = max(0, whole[c.Slug]-t*se), min(1, whole[c.Slug]+t*se)
		if i == 0 {
			continue
		}
		first := x.Causes[0].Slug
		d := func(m map[string]float64) float64 { return m[first] - m[c.Slug] }
		se = max(jackknife(shares, d), x.sampling(first, c.Slug, phi))
		if diff := d(whole); diff < alike || diff <= larger*se {
			c.Tie, x.Causes[0].Tie = true, true
		}
	}
}

// processes is of how many processes the evidence is.
func (x *Finding) processes() int {
	n := 0
	for _, side := range x.Page.sides() {
		if side != nil && side.Set != nil {
			n = max(n, len(side.Set.Profiles))
		}
	}
	return n
}

// charged are the shares of the lost time by cause, named or not.
func (x *Finding) charged() map[string]float64 {
	out := map[string]float64{}
	for _, a := range x.Accounts { // in a fixed order
		for slug, ns := range a.Charged {
			out[slug] += ns / x.Lost
		}
	}
	return out
}

// jackknife is the standard error of a figure of which the values without one
// process each are given.
func jackknife(without []map[string]float64, of func(map[string]float64) float64) float64 {
	mean, sum := 0.0, 0.0
	n := float64(len(without))
	for _, m := range without {
		mean += of(m) / n
	}
	for _, m := range without {
		sum += (of(m) - mean) * (of(m) - mean)
	}
	return math.Sqrt((n - 1) / n * sum)
}

// sampling is the least standard error of the share of a cause, or of the
// difference of two: that of as many samples as the profile has. Where all or
// none of them are the cause's, they could still be one off (a Wilson interval
// says about the same). Idle time is not sampled.
func (x *Finding) sampling(a, b string, phi float64) float64 {
	side := x.Page.New
	if side == nil || side.Set == nil || side.Set.CPU == nil || side.Set.CPU.Samples == 0 || side.CPU <= 0 {
		return 0
	}
	p := map[string]float64{}
	for _, acc := range x.Accounts {
		if acc.Of != "" {
			p[a] += acc.Charged[a] / side.CPU
			if b != "" {
				p[b] += acc.Charged[b] / side.CPU
			}
		}
	}
	if p[a]+p[b] == 0 {
		return 0
	}
	d, n := p[a]-p[b], float64(side.Set.CPU.Samples)
	v := (max(0, p[a]+p[b]-d*d) + 1/n) * phi / n
	return math.Sqrt(v) * side.CPU / x.Lost
}

// dispersion is how much more the processes of a profile differ than samples
// of one would, 1 at least, pooled over categories.
func dispersion(x *Side) float64 {
	if x == nil || x.Set == nil || x.Set.CPU == nil || len(x.Set.Profiles) < 2 {
		return 1
	}
	sum, n := 0.0, 0.0
	for _, c := range categories(x) {
		p := x.Set.CPU.Share[c]
		if p < 0.05 || p > 0.95 {
			continue
		}
		for _, part := range x.Set.Profiles {
			sum += float64(part.Samples) * (part.Share[c] - p) * (part.Share[c] - p) / (p * (1 - p))
		}
		n += float64(len(x.Set.Profiles) - 1)
	}
	if n == 0 {
		return 1
	}
	return max(1, sum/n)
}

// student is the 97.5 % quantile of Student's t.
func student(df int) float64 {
	table := []float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365}
	return table[min(df, len(table))-1]
}

// oneSided is the 95 % quantile: whether one share is larger than another is
// asked in one direction.
func oneSided(df int) float64 {
	table := []float64{6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895}
	return table[min(df, len(table))-1]
}

// without is a set less the evidence of its kth process.
func without(set *evidence.Set, k int) *evidence.Set {
	out := *set
	if n := len(set.Profiles); n > 1 && set.CPU != nil {
		digest := *set.CPU
		digest.Samples, digest.Share = 0, map[stack.Category]float64{}
		for i, p := range set.Profiles {
			if i != k%n {
				digest.Samples += p.Samples
				for c, share := range p.Share {
					digest.Share[c] += share * float64(p.Samples)
				}
			}
		}
		if digest.Samples > 0 {
			scale := map[stack.Category]float64{}
			for c := range digest.Share {
				digest.Share[c] /= float64(digest.Samples)
				if was := set.CPU.Share[c]; was > 0 {
					scale[c] = digest.Share[c] / was
				}
			}
			digest.Lines = nil
			for _, l := range set.CPU.Lines {
				by := map[stack.Category]float64{}
				share := 0.0
				for _, c := range amounts(l.By).categories() {
					by[c] = l.By[c] * scale[c]
					share += by[c]
				}
				l.By, l.Share = by, share
				digest.Lines = append(digest.Lines, l)
			}
			out.Hot = nil
			for _, h := range set.Hot {
				h.Where.Share *= scale[h.Where.Category]
				out.Hot = append(out.Hot, h)
			}
			out.CPU = &digest
		}
	}
	if n := len(set.Idles); n > 1 && set.Trace != nil {
		out.Idles = nil
		for i, x := range set.Idles {
			if i != k%n {
				out.Idles = append(out.Idles, x)
			}
		}
	}
	return &out
}
