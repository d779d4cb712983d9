// Package wait x.
package wait
