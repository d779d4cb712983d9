// Package h has names of its own for what is predeclared.
package h

import "regexp"

type string int

var pattern = "a"

func longer() { pattern += "a" }

func match(line []byte) bool { return regexp.MustCompile(pattern).Match(line) }
