package discover

import "testing"

// TestFollows: what was and what came after it, and names that only look alike.
func TestFollows(t *testing.T) {
	for _, tt := range []struct {
		was, later string
		want       bool
	}{
		{"OldGet", "NewGet", true},
		{"NewGet", "OldGet", false},
		{"Old", "New", true},
		{"EncodeV1", "EncodeV2", true},
		{"EncodeV2", "EncodeV3", false}, // both came after the first
		{"EncodeV2", "EncodeV1", false},
		{"Read1", "Read2", false},
		{"RenderWithoutPool", "RenderWithPool", true},
		{"RenderWithPool", "RenderWithoutPool", false},
		{"LegacyScan", "Scan", true},
		{"ScanLegacy", "Scan", true},
		{"Scan", "LegacyScan", false},
		{"Legacy", "", false},
		{"before", "after", true},
		{"OldGet", "NewPut", false},
		{"OldGet", "Get", true},
		{"Get", "Get", false},
		{"OldGet", "NewGetAll", false},
		{"Hold", "Held", false},
	} {
		if got := follows(words(tt.was), words(tt.later)); got != tt.want {
			t.Errorf("follows(%q, %q) = %v, want %v", tt.was, tt.later, got, tt.want)
		}
	}
}

// TestAges: pairs go size by size, and job by job; what others pair stays theirs.
func TestAges(t *testing.T) {
	got := pairsOf(t, "BenchmarkOldGet", "BenchmarkNewGet", "BenchmarkOldPut", "BenchmarkNewPut", "BenchmarkNew",
		"BenchmarkBefore/small", "BenchmarkBefore/large", "BenchmarkAfter/small", "BenchmarkAfter/large",
		"BenchmarkEncodeV1", "BenchmarkEncodeV2", "BenchmarkEncodeV3",
		"BenchmarkOldSum", "BenchmarkOldSumParallel")
	want := map[string]string{
		"BenchmarkNewGet": "BenchmarkOldGet", "BenchmarkNewPut": "BenchmarkOldPut",
		"BenchmarkAfter/small": "BenchmarkBefore/small", "BenchmarkAfter/large": "BenchmarkBefore/large",
		"BenchmarkEncodeV2": "BenchmarkEncodeV1", "BenchmarkEncodeV3": "BenchmarkEncodeV1",
		"BenchmarkOldSumParallel": "BenchmarkOldSum",
	}
	if len(got) != len(want) {
		t.Errorf("%v, want %v", got, want)
	}
	for v, b := range want {
		if got[v] != b {
			t.Errorf("%s: base %q, want %q", v, got[v], b)
		}
	}
}

// pairsOf is the base of each variant.
func pairsOf(t *testing.T, names ...string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, f := range Families(names, Hints{}) {
		if f.Base < 0 {
			continue
		}
		for i, m := range f.Members {
			if i != f.Base {
				out[m.Bench] = f.Members[f.Base].Bench
			}
		}
	}
	return out
}
