module github.com/gopayoff/payoff

go 1.26.0
