package grain

// Sequential sorts s by merging, in the goroutine of the caller.
func Sequential(s []int) {
	if len(s) < 2 {
		return
	}
	mid := len(s) / 2
	Sequential(s[:mid])
	Sequential(s[mid:])
	merge(s, mid)
}

// merge joins the sorted halves s[:mid] and s[mid:] into one sorted s. All
// variants merge with it, so they differ only in who sorts the halves.
func merge(s []int, mid int) {
	left, right := append([]int(nil), s[:mid]...), s[mid:]
	// Invariant: s[i:] has room for exactly left and right, and right is its
	// tail. So while left is not empty, s[i] lies before right[0].
	for i := range s {
		if len(left) == 0 {
			return // what is left of right is in its place already
		}
		if len(right) == 0 || left[0] <= right[0] {
			s[i], left = left[0], left[1:]
		} else {
			s[i], right = right[0], right[1:]
		}
	}
}
