// Package snapmap holds histories of snapmap.Map to what a map would do that does one
// thing after the other, with a checker that is not the library's own. It has tests
// only.
package snapmap
