module github.com/gopayoff/payoff/house

go 1.26.0
