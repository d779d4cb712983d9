module github.com/gopayoff/payoff/gallery

go 1.26.0
