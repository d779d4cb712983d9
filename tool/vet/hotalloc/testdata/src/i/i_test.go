package i

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

func Test(t *testing.T) {
	rules := []*rule{newRule("a", "a+"), newRule("bad", "("), newRule("b", "b")}
	form, err := NewForm("hello", "Hello {{upper .}}")
	if err != nil {
		t.Fatal(err)
	}
	page := NewPage("{{.}} hits", "UTC")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 2 { // what is kept is used again
				var b strings.Builder
				err := form.Fill(&b, "you")
				hour, none := page.Hour(time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC))
				got := fmt.Sprintln(first(rules, "b"), rules[0].match("A+"), b.String(), err, hour, none, page.Text(), (&other{sep: "s"}).uses("ab", ""))
				if want := "b true Hello YOU <nil> 12 <nil> 0 hits s<s>\n"; got != want {
					t.Errorf("%q, want %q", got, want)
				}
			}
		})
	}
	wg.Wait()
	for range 2 { // what fails does so again
		_, err := NewForm("", "{{")
		_, none := NewPage("", "none").Hour(time.Time{})
		if err == nil || none == nil {
			t.Error("no error")
		}
		bad := NewPage("{{", "")
		for range 2 {
			func() {
				defer func() {
					if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), "unclosed action") {
						t.Errorf("panic %v", err)
					}
				}()
				bad.Text()
			}()
		}
	}
	if err := new(Form).Fill(new(strings.Builder), ""); err != nil {
		t.Error(err)
	}
}
