package main

import (
	"bytes"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/report/text"
)

func TestBars(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		wide bool
		want text.Bars
	}{
		{map[string]string{"LANG": "de_DE.UTF-8", "TERM": "xterm"}, false, text.Unicode},
		{map[string]string{"LANG": "ja_JP.UTF-8"}, true, text.ASCII},
		{map[string]string{"LANG": "en_US.UTF-8", "LC_ALL": "C"}, false, text.ASCII},
		{map[string]string{"LC_CTYPE": "C.utf8"}, false, text.Unicode},
		{map[string]string{"WT_SESSION": "1"}, false, text.Unicode},
		{nil, false, text.ASCII},
		{map[string]string{"LANG": "C.UTF-8", "TERM": "dumb"}, false, text.NoBars},
	} {
		if got := drawings(func(k string) string { return c.env[k] }, c.wide); got != c.want {
			t.Errorf("%v, wide %v: %v, want %v", c.env, c.wide, got, c.want)
		}
	}
	if got := bars(&bytes.Buffer{}); got != text.NoBars {
		t.Errorf("what is no terminal has %v", got)
	}
}
