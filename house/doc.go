// Package house holds the commands that keep this repository: what its tests
// cost, which planted faults they catch, what a release would do, whether the
// tool agrees with go test on code that others wrote, and the documentation as a
// site, with its picture. They are run from a checkout, as in
//
//	go run ./house/cost
//
// and no release has them. The module is apart from the others so that users of
// the library or the tool do not download it, nor what it requires.
package house
