package plain

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var command = regexp.MustCompile(`(?m)^\s*::`)

// The JSON can be printed, and says what it would have said without.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{"plain é世", "\x1b[2J\u009b31m\x7f", "\u202e\u2028\U000e0041", "\x9b", "<&>\\u0041", "##[error]###[x]", "\n::error::"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v := map[string]string{s: s}
		var b bytes.Buffer
		if err := JSON(&b, v); err != nil {
			t.Fatal(err)
		}
		for _, r := range b.String() {
			if r != '\n' && !strconv.IsPrint(r) {
				t.Errorf("%q holds %q", b.String(), r)
			}
		}
		if s := b.String(); strings.Contains(s, "##") || command.MatchString(s) {
			t.Errorf("%q has what begins a command", s)
		}
		plainly, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var compact bytes.Buffer
		var got, want map[string]string
		if err := json.Compact(&compact, b.Bytes()); err != nil {
			t.Fatalf("%q: %v", b.String(), err)
		}
		if err := json.Unmarshal(compact.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(plainly, &want); err != nil {
			t.Fatal(err)
		}
		if len(got) != 1 {
			t.Fatalf("%q decodes to %q", b.String(), got)
		}
		for k, x := range want {
			if got[k] != x {
				t.Errorf("%q decodes to %q, want %q", b.String(), got, want)
			}
		}
	})
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }

// What is no JSON, or cannot be written, is an error; the text ends in a line end, and
// characters at both ends of their range are escaped as what they are.
func TestJSONErrors(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, func() {}); err == nil || b.Len() > 0 {
		t.Errorf("%v, %q of a function", err, b.String())
	}
	if err := JSON(full{}, 1); err == nil || err.Error() != "no space" {
		t.Errorf("%v of what cannot be written", err)
	}
	if err := JSON(&b, "\uffff\U00010ffd\U00010fff\U000e0001a"); err != nil || b.String() != `"\uffff\ud803\udffd\ud803\udfff\udb40\udc01a"`+"\n" {
		t.Errorf("%v, %s", err, b.String())
	}
}
