// Package par runs work on several processors where that is faster, and on one
// where it is not.
package par
