// Package maps compares the library's maps with others.
package maps
