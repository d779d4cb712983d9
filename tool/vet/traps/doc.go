// Package traps holds the checks of package vet together: programs that look
// hot and are full of what makes edits wrong, each of which has to print the
// same with every edit that any check offers. It has only tests, which build a
// program for each edit.
package traps
