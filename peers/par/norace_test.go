//go:build !race

package par

const race = false
