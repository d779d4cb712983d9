// Package fuzz holds the edits of all checks against generated programs. These are
// forms that the checks look for, in which random statements stand where an author
// has other things to do. A program has to print the same with an edit as without,
// and to be as free of races. It has only tests.
//
// A program costs some milliseconds to make, to check and to run; the link of the
// binary, which has hundreds of them, a second.
package fuzz
