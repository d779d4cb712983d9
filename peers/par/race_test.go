//go:build race

package par

const race = true
