// Package tests has a benchmark.
package tests
