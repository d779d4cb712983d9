// Package noise makes up benchmark timings as unsteady as those of a small
// virtual machine, so that a statistical procedure can be tried where the truth
// is known.
//
// A factor is the product of what the machine does to every benchmark of the
// session (a state that wanders, disturbances that fade, a slow drift) and what
// happens to one process alone (the mode it landed in) or to one sample alone
// (core noise). It is a model of timings, not of a machine: do not use it to
// claim a speed. A factor costs a few random numbers and no allocation.
package noise

import (
	"math"
	"math/rand/v2"
)

// A Profile says how noisy one kind of benchmark is. The zero Profile is a
// machine without noise: every factor is 1.
type Profile struct {
	Name string

	// Core is the standard deviation of one sample's own noise, on the log scale.
	// Normal noise this small has Core as its robust coefficient of variation.
	Core float64

	// Tail is the probability that a disturbance begins at a sample, TailScale
	// the mean of its (exponential) size on the log scale. A disturbance only
	// ever slows down. After k more samples AR^k of it is left: with AR = 0 it
	// is an outlier, with a high AR it is a neighbour's burst of work.
	Tail, TailScale float64

	// AR is the lag-1 autocorrelation of the machine's state, ARScale its
	// stationary standard deviation on the log scale. 0 <= AR < 1.
	AR, ARScale float64

	// Drift is the relative change over 100 samples. It rises for 100 samples
	// and falls for the next 100, so that long runs stay near where they began.
	Drift float64

	// Jump is the probability that a process lands in its slow mode and stays
	// there, JumpFactor (> 0 where Jump > 0) the time of the slow mode divided
	// by that of the fast one.
	Jump, JumpFactor float64
}

// The profiles imitate rows of one measured table: 100 rounds of eight
// benchmarks, interleaved, one process of 50 ms per sample, on a virtual machine
// with two cores whose neighbours were compiling. The comments give that table's
// coefficient of variation (CV), robust CV (1.4826 MAD / median) and lag-1
// autocorrelation; TestProfiles holds the profiles to them. Do not assign to
// the variables.
var (
	// Quiet is a serial loop at real-time priority: 7.6 %, 2.4 %, 0.00.
	Quiet = Profile{Name: "quiet", Core: 0.023, Tail: 0.05, TailScale: 0.175}

	// Scheduler is a fork-join sort: 8.7 %, 7.7 %, 0.67.
	Scheduler = Profile{Name: "scheduler", Core: 0.025, Tail: 0.01, TailScale: 0.15, AR: 0.75, ARScale: 0.074}

	// Drifting is a sort through interfaces: 12.7 %, 9.6 %, 0.37.
	Drifting = Profile{Name: "drifting", Core: 0.05, Tail: 0.045, TailScale: 0.21, AR: 0.15, Drift: 0.28}

	// Alloc is an allocating parallel loop: 14.3 %, 15.2 %, 0.43.
	Alloc = Profile{Name: "alloc", Core: 0.03, AR: 0.8, ARScale: 0.107, Jump: 0.4, JumpFactor: 1.2}

	// Channel is a hand-off over a channel of 64: 15.4 %, 10.5 %, 0.73.
	Channel = Profile{Name: "channel", Core: 0.025, Tail: 0.032, TailScale: 0.22, AR: 0.8, ARScale: 0.089}

	// Bimodal is a serial loop over a map, whose processes are of two kinds
	// 1.8x apart: 26.1 %, 28.5 %, 0.31.
	Bimodal = Profile{Name: "bimodal", Core: 0.10, AR: 0.9, ARScale: 0.16, Jump: 0.77, JumpFactor: 1.8}

	// Loaded is the loop of Quiet at normal priority beside busy neighbours:
	// CV 55.8 %. The other two figures, 30 % and 0.37, were not measured.
	Loaded = Profile{Name: "loaded", Core: 0.22, Tail: 0.22, TailScale: 0.38, AR: 0.6, ARScale: 0.05}
)

// All returns every profile of the package, the steadiest first.
func All() []Profile {
	return []Profile{Quiet, Scheduler, Drifting, Alloc, Channel, Bimodal, Loaded}
}

// A Source yields the factors of one session. Every benchmark of the session
// draws from the same Source, because they share the machine.
// The zero Source is not ready; use [New]. A Source is for one goroutine.
type Source struct {
	p   Profile
	rng *rand.Rand

	n     int     // samples drawn so far; the drift's clock
	state float64 // the wandering part of the machine's state, log scale
	burst float64 // what is left of all disturbances, log scale; >= 0
	mode  float64 // of the current process, log scale
}

// New returns a source of p's noise. Equal profiles and seeds give equal factors,
// up to the rounding of the architecture.
// It panics if p.AR is outside [0, 1).
func New(p Profile, seed uint64) *Source {
	if !(p.AR >= 0 && p.AR < 1) {
		panic("noise.New: AR outside [0, 1)")
	}
	s := &Source{p: p, rng: rand.New(rand.NewPCG(seed, 0x6e6f697365))}
	s.state = p.ARScale * s.rng.NormFloat64() // start in the stationary law
	s.mode = s.newMode()
	return s
}

// Next starts a new process and returns the factor by which the time of its one
// sample is multiplied. The median of the factors is about 1 (their mean is
// larger: disturbances only slow down). Next advances the machine by one sample.
func (s *Source) Next() float64 {
	s.mode = s.newMode()
	return s.sample()
}

// Again returns the factor of a further sample of the process that [Source.Next]
// started last, as -count of go test takes it: the mode stays. Again advances
// the machine by one sample.
func (s *Source) Again() float64 { return s.sample() }

func (s *Source) sample() float64 {
	p := &s.p
	s.state = p.AR*s.state + p.ARScale*math.Sqrt(1-p.AR*p.AR)*s.rng.NormFloat64()
	s.burst *= p.AR
	if s.rng.Float64() < p.Tail {
		s.burst += p.TailScale * s.rng.ExpFloat64()
	}
	// A triangle wave between -1/2 and +1/2 with a period of 200 samples.
	tri := math.Abs(math.Mod(float64(s.n)+50, 200)-100)/100 - 0.5
	s.n++
	return math.Exp(s.state + s.burst + s.mode - math.Log1p(p.Drift)*tri + p.Core*s.rng.NormFloat64())
}

// newMode draws the mode of a process. The likelier mode has factor 1, so that
// the median of the factors stays near 1.
func (s *Source) newMode() float64 {
	slow := s.rng.Float64() < s.p.Jump
	switch {
	case slow && s.p.Jump <= 0.5:
		return math.Log(s.p.JumpFactor)
	case !slow && s.p.Jump > 0.5:
		return -math.Log(s.p.JumpFactor)
	}
	return 0
}
