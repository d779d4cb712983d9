// Package g sets variables by calls that come to none of its functions.
package g

import (
	"errors"
	"regexp"
)

var errNone = errors.New("none")

// A Word is one.
type Word string

// Plain reports whether it has but letters.
func (w Word) Plain() error {
	if regexp.MustCompile("^[a-z]*$").MatchString(string(w)) { // want "regexp.MustCompile makes"
		return nil
	}
	return errNone
}
