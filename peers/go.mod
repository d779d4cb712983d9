module github.com/gopayoff/payoff/peers

go 1.26.0
