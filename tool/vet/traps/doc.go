// Package traps tests the checks of package vet together. Its programs look hot
// and are full of what makes edits wrong. Each has to print the same with every
// edit that any check offers. It has only tests, which build a program for each
// edit.
package traps
