// Package house holds the commands that keep this repository: what its tests
// cost, which planted faults they catch, what a release would do, and whether the
// tool agrees with go test on code that others wrote. They are
// run from a checkout, as in
//
//	go run ./house/cost
//
// and no release has them. The module is apart from the others so that nobody
// who uses the library or the tool downloads it or what it requires.
package house
