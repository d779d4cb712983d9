module github.com/gopayoff/payoff/gallery

go 1.26.0

require (
	github.com/gopayoff/payoff v0.1.0
	github.com/mailru/easyjson v0.9.2
	github.com/tinylib/msgp v1.6.5
)

require (
	github.com/josharian/intern v1.0.0 // indirect
	github.com/philhofer/fwd v1.2.0 // indirect
)
