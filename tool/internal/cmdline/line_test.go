package cmdline

import "testing"

// What is for the test binary comes last in a command, after -args.
func TestLine(t *testing.T) {
	a := Asked{Packages: []string{"./x"}, Bench: "Sum", Args: []string{"-size", "3", "a b"}}
	for _, tt := range []struct{ got, want string }{
		{a.Command(), "payoff run -bench Sum ./x -args -size 3 'a b'"},
		{a.Line("go", "test", "./x"), "go test ./x -args -size 3 'a b'"},
		{Asked{}.Line("go", "test", "./x"), "go test ./x"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %s, want %s", tt.got, tt.want)
		}
	}
}
