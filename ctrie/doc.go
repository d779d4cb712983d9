// Package ctrie has a lock-free map with snapshots in constant time.
package ctrie
