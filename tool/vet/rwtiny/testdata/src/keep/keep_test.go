package keep

import "testing"

func TestOther(t *testing.T) {
	if x := new(other); len(x.all()) > 0 {
		t.Fatal("it has something")
	}
}
