package machine

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Topic is what a hint is about.
type Topic string

const (
	OneProcessor Topic = "one processor"
	Limit        Topic = "limit" // of the control group
	Short        Topic = "short" // the machine gave less than it has
	Stolen       Topic = "stolen"
	Average      Topic = "load average"
	Clock        Topic = "clock rate"
	Hypervisor   Topic = "hypervisor"
	Threads      Topic = "threads" // of one core
)

// A Hint is a short sentence with its figure: what stands in the way of clean
// figures, and what to do about it.
type Hint struct {
	Topic Topic
	Text  string
}

// Advice returns what stands in the way of a clean measurement on this machine,
// the gravest first. It is empty when nothing was found. Fields of env that are
// zero are not judged. Of loads the first and the last count: they are two
// snapshots around the time in question.
func Advice(env Env, caps []Capacity, loads ...Load) []Hint {
	var all []Hint
	say := func(about Topic, format string, args ...any) {
		all = append(all, Hint{about, fmt.Sprintf(format, args...)})
	}

	if env.UsableCPUs == 1 {
		say(OneProcessor, "1 usable processor: parallel code cannot pay on one processor; only overhead and waiting can be judged here")
	}
	if env.Quota > 0 && env.Quota < float64(env.UsableCPUs) {
		say(Limit, "control group allows %s processors, GOMAXPROCS defaults to %d: the process is stopped when its share is spent; raise the limit or keep to GOMAXPROCS=%d",
			figure(env.Quota), env.UsableCPUs, max(1, int(env.Quota)))
	}
	if s := adviseCapacity(env, caps); s != "" {
		say(Short, "%s", s)
	}
	if len(loads) > 1 {
		before, after := loads[0], loads[len(loads)-1]
		_, steal := after.Since(before)
		// Of what was wanted: a large machine is idle for the most part.
		if wanted := after.Busy + after.Steal - before.Busy - before.Steal; steal > 0 && wanted > 0 {
			if share := float64(after.Steal-before.Steal) / float64(wanted); share > 0.01 {
				say(Stolen, "steal %.1f %%: the hypervisor gives %.2f processors to other machines; expect wide intervals, or use a host of your own",
					100*share, steal)
			}
		}
	}
	if cpus := cmp.Or(env.UsableCPUs, env.LogicalCPUs); cpus > 0 {
		one, _, _ := strings.Cut(env.Load, " ")
		if avg, err := strconv.ParseFloat(one, 64); err == nil && avg > 0.25*float64(cpus) {
			say(Average, "load average %s on %s: programs ran within the last minute, builds included; let them end before measuring",
				one, count(cpus, "processor"))
		}
	}
	for g := range strings.SplitSeq(env.Governor, ",") {
		if slices.Contains([]string{"powersave", "ondemand", "conservative", "schedutil"}, g) {
			say(Clock, "governor %s: the clock rate follows the load, so short runs are timed at a low rate; set it to performance", g)
		}
	}
	switch {
	case env.Virtual == "":
	case env.OS == "windows" && strings.HasPrefix(env.Virtual, "Microsoft"):
		// Windows itself runs under its hypervisor where core isolation is on.
		say(Hypervisor, "hypervisor %s: a virtual machine, or Windows with core isolation; figures of other machines do not carry over", env.Virtual)
	default:
		say(Hypervisor, "virtual machine (%s): processors are shared with others unseen; figures of real hardware do not carry over", env.Virtual)
	}
	if env.PhysicalCores > 0 && env.LogicalCPUs > env.PhysicalCores {
		say(Threads, "%s on %s: scaling beyond %d is not expected to be linear",
			count(env.LogicalCPUs, "logical processor"), count(env.PhysicalCores, "core"), env.PhysicalCores)
	}
	return all
}

// adviseCapacity returns a sentence on the entry that fell shortest of what it
// could have, "" if all got about what they asked for.
func adviseCapacity(env Env, caps []Capacity) string {
	const (
		enough    = 0.9  // of what was asked for, on average
		enoughLow = 0.75 // and in the worst slice
	)
	var text string
	shortest := 1.0
	for _, c := range caps {
		could := float64(c.Procs)
		if env.UsableCPUs > 0 {
			could = min(could, float64(env.UsableCPUs))
		}
		if could <= 0 {
			continue
		}
		asked := count(c.Procs, "processor") + " asked for, "
		if int(could) < c.Procs {
			asked += strconv.Itoa(int(could)) + " usable, "
		}
		var s string
		switch {
		case c.Cores < enough*could && c.Stacked && c.Procs <= int(could):
			s = asked + figure(c.Cores) + " given: the system ran several threads on one processor in turns; stop what else is running or expect `cannot say`"
		case c.Cores < enough*could:
			s = asked + figure(c.Cores) + " given: something else is running; stop it or expect `cannot say`"
		case c.Low < enoughLow*could:
			s = asked + figure(c.Cores) + " given, but only " + figure(c.Low) + " at worst: something else runs now and then; stop it or expect wide intervals"
		default:
			continue
		}
		if share := min(c.Cores, c.Low/enoughLow*enough) / could; text == "" || share < shortest {
			text, shortest = s, share
		}
	}
	return text
}

// figure writes a number of processors.
func figure(f float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(f, 'f', 1, 64), ".0")
}

// count writes n and its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
