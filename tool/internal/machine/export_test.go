package machine

import "time"

var (
	ParseStat        = parseStat
	ParseLoadavg     = parseLoadavg
	LoadavgStruct    = loadavgStruct
	ParseCPUName     = parseCPUName
	ParseCPUList     = parseCPUList
	ParseMemTotal    = parseMemTotal
	ParseCgroup      = parseCgroup
	ParseCPUMax      = parseCPUMax
	ParseCFS         = parseCFS
	Unescape         = unescape
	DescribeLinux    = describeLinux
	VendorName       = vendorName
	Quantile         = quantile
	Churn            = churn
	DefaultProcsTest = func() int {
		restore := holdProcs()
		defer restore()
		return defaultProcs()
	}
)

// Spell and Summarize give tests the arithmetic of [ProbeCapacity].
type Spell struct {
	From, To int64
	CPU      int
}

func Summarize(threads [][]Spell, start, end int64) (ran, low float64, stacked bool) {
	in := make([][]spell, len(threads))
	for i, t := range threads {
		for _, s := range t {
			in[i] = append(in[i], spell{s.From, s.To, s.CPU})
		}
	}
	return summarize(in, start, end)
}

// ParseUsage is parseUsage with the figures that come from elsewhere.
func ParseUsage(stat, acct, stat2 []byte, self time.Duration, at time.Time) Usage {
	u := parseUsage(stat, acct, stat2)
	u.self, u.load.At = self, at
	return u
}
