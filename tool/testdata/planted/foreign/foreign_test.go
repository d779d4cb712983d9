package foreign

import "testing"

var result int

type pair struct {
	serial func() int
	name   string
	other  func() int
}

var list = upTo(200)

var pairs = map[string]pair{
	"Pipe1":      {func() int { return gradeAll(100) }, "stages", func() int { return gradeStages(100, 1) }},
	"Pipe8":      {func() int { return gradeAll(100) }, "stages", func() int { return gradeStages(100, 8) }},
	"Pipe64":     {func() int { return gradeAll(100) }, "stages", func() int { return gradeStages(100, 64) }},
	"Pipe1024":   {func() int { return gradeAll(100) }, "stages", func() int { return gradeStages(100, 1024) }},
	"Jobs":       {func() int { return gradeAll(2000) }, "workers", func() int { return gradeJobs(2000) }},
	"Collect":    {func() int { return gradeAll(2000) }, "reporters", func() int { return gradeCollect(2000) }},
	"Futures":    {func() int { return gradeAll(1000) }, "futures", func() int { return gradeFutures(1000) }},
	"LimitedJob": {func() int { return gradeAll(1000) }, "slots", func() int { return gradeLimited(1000) }},
	"CondQueue":  {func() int { return gradeAll(2000) }, "bounded", func() int { return gradeQueue(2000) }},
	"SpinTally":  {func() int { return tally(4000) }, "table", func() int { return tallySpin(4000) }},
	"NextIndex":  {func() int { return gradeAll(20000) }, "claimed", func() int { return gradeClaimed(20000) }},
	"Limiter":    {func() int { return gradeAllowedSerial(20000) }, "limiter", func() int { return gradeAllowed(20000) }},
	"Find":       {func() int { return find(list, 20000) }, "table", func() int { return findTable(list, 20000) }},
	"Areas":      {func() int { return areas(20000) }, "dispatched", func() int { return areasDispatched(20000) }},
	"Register":   {func() int { return register1(20000) }, "safely", func() int { return registerSafely(20000) }},
	"Encode":     {func() int { return encode(5000) }, "short", func() int { return encodeShort(5000) }},
	"Label":      {func() int { return label(2000) }, "fresh", func() int { return labelFresh(2000) }},
	"Mix":        {func() int { return mix(20000) }, "pooled", func() int { return mixPooled(20000) }},
}

func (p pair) bench(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			result = p.serial()
		}
	})
	b.Run("variant="+p.name, func(b *testing.B) {
		for b.Loop() {
			result = p.other()
		}
	})
}

// Both sides of a pair give the same answer.
func TestSame(t *testing.T) {
	for name, p := range pairs {
		want := p.serial()
		for range 3 {
			if got := p.other(); got != want {
				t.Errorf("%s: %s = %d, want %d as serial", name, p.name, got, want)
			}
		}
	}
}

func BenchmarkPipe1(b *testing.B)      { pairs["Pipe1"].bench(b) }
func BenchmarkPipe8(b *testing.B)      { pairs["Pipe8"].bench(b) }
func BenchmarkPipe64(b *testing.B)     { pairs["Pipe64"].bench(b) }
func BenchmarkPipe1024(b *testing.B)   { pairs["Pipe1024"].bench(b) }
func BenchmarkJobs(b *testing.B)       { pairs["Jobs"].bench(b) }
func BenchmarkCollect(b *testing.B)    { pairs["Collect"].bench(b) }
func BenchmarkFutures(b *testing.B)    { pairs["Futures"].bench(b) }
func BenchmarkLimitedJob(b *testing.B) { pairs["LimitedJob"].bench(b) }
func BenchmarkCondQueue(b *testing.B)  { pairs["CondQueue"].bench(b) }
func BenchmarkSpinTally(b *testing.B)  { pairs["SpinTally"].bench(b) }
func BenchmarkNextIndex(b *testing.B)  { pairs["NextIndex"].bench(b) }
func BenchmarkLimiter(b *testing.B)    { pairs["Limiter"].bench(b) }
func BenchmarkFind(b *testing.B)       { pairs["Find"].bench(b) }
func BenchmarkAreas(b *testing.B)      { pairs["Areas"].bench(b) }
func BenchmarkRegister(b *testing.B)   { pairs["Register"].bench(b) }
func BenchmarkEncode(b *testing.B)     { pairs["Encode"].bench(b) }
func BenchmarkLabel(b *testing.B)      { pairs["Label"].bench(b) }
func BenchmarkMix(b *testing.B)        { pairs["Mix"].bench(b) }
