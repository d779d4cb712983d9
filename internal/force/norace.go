//go:build !race

package force

const usual = Auto

func quiet(bool) {}
