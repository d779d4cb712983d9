package c

import "strings"

func fields(lines []string) (sum int) {
	for _, l := range lines {
		parts := strings.Split(l, " ") // want "parts is made anew in each iteration"
		n := 0
		for _, p := range parts {
			n += len(p)
		}
		sum += n*len(parts) + len(parts[0])
	}
	return sum
}

func words2(lines []string) (longest string) {
	i := 0
	for _, l := range lines {
		for range 2 {
			found := strings.Fields(l) // want "found is made anew in each iteration"
			for _, f := range found {
				if len(f) > len(longest) {
					longest = f
				}
			}
			i++
		}
	}
	return longest
}

func dashes(lines []string) (n int) {
	for _, l := range lines {
		cut := strings.Split(l, "--") // want "cut is made anew in each iteration"
		n += len(cut[len(cut)-1])
	}
	return n
}

func keptParts(lines []string) (all [][]string) {
	for _, l := range lines {
		parts := strings.Split(l, " ") // want "parts is made anew in each iteration" // refuse "hoist: parts is kept or passed on"
		all = append(all, parts)
	}
	return all
}

func anySep(lines []string, sep string) (n int) {
	for _, l := range lines {
		parts := strings.Split(l, sep) // want "parts is made anew in each iteration" // refuse "hoist: the separator may be empty"
		n += len(parts)
	}
	return n
}
