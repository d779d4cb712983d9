//go:build !race

package queue

const race = false
