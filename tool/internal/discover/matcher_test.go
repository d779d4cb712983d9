package discover

import "testing"

func TestMatcher(t *testing.T) {
	for _, tt := range []struct {
		expr, name string
		want       bool
	}{
		{".", "BenchmarkSum/variant=a", true},
		{"Sum", "BenchmarkSum/variant=a", true},
		{"Sum/variant=a", "BenchmarkSum/variant=a/n=10", true},
		{"^BenchmarkSum$/^variant=a$", "BenchmarkSum/variant=a", true},
		{"^BenchmarkSum$/^variant=a$", "BenchmarkSum/variant=ab", false},
		{"Sum/a/n=10", "BenchmarkSum/a", false},
		{"/a", "BenchmarkSum/a", true},
		{"a", "BenchmarkSum/a", true}, // of Benchmark
		{"Max|Sum/b", "BenchmarkSum/b", true},
		{"Max|Sum/b", "BenchmarkSum/c", false},
	} {
		match, err := Matcher(tt.expr)
		if err != nil {
			t.Fatal(err)
		}
		if got := match(tt.name); got != tt.want {
			t.Errorf("Matcher(%q)(%q) = %t, want %t", tt.expr, tt.name, got, tt.want)
		}
	}
	if _, err := Matcher("Sum/("); err == nil {
		t.Error("Matcher of a broken expression = nil error")
	}
}
