package f

func longest() { elsewhere().Longest() }
